"""Quotes are found where they stand, and what does not stand there is not found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.judges.quotes import QuoteIndex
from tests.loopback.pairs import view

TEXT = "Intro.\n\n## The **first** heading\n\nShe said “don’t wait – go” and   left\nat `db.pool_size` 40.\n"


def test_white_space_typographic_marks_markdown_and_omissions_are_tolerated() -> None:
    for said, stands in (
        ("and left at", "and   left\nat"),
        ('"don\'t wait - go"', "“don’t wait – go”"),
        ("The first heading", "The **first** heading"),
        ("left at db.pool_size 40", "left\nat `db.pool_size` 40"),
        ("'Intro.'", "Intro."),
        ("She said ... and left", "She said “don’t wait – go” and   left"),
        ("She said […] left", "She said “don’t wait – go” and   left"),
    ):
        quote = QuoteIndex(view({"a.md": TEXT})).find("a.md", said)
        assert quote.found
        assert TEXT[quote.start : quote.end] == stands


@pytest.mark.parametrize(
    "said", ["she never said this", "left and", "go", " . ", "", "**", "heading ... Intro", "Int"]
)
def test_other_words_other_orders_parts_of_words_and_crumbs_are_not_found(said: str) -> None:
    quote = QuoteIndex(view({"a.md": TEXT})).find("a.md", said)
    assert not quote.found
    assert (quote.start, quote.end) == (None, None)


def test_a_quote_of_a_wrongly_named_file_is_found_in_the_other_and_the_name_corrected() -> None:
    index = QuoteIndex(view({"one.md": "nothing", "sub/two.md": TEXT}))
    assert index.find("one.md", "She said").file == "sub/two.md"
    assert index.find("`two.md`", "She said").file == "sub/two.md"
    assert index.find("made-up.md", "not there at all").file == "made-up.md"


@given(st.text(min_size=20, max_size=300), st.data())
def test_every_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 12))
    piece = text[start : data.draw(st.integers(start + 12, len(text)))]
    quote = QuoteIndex(view({"a.txt": text})).find("a.txt", piece)
    substance = sum(not c.isspace() for c in piece)
    assert quote.found == (substance >= 3)
    if quote.found:
        assert text[quote.start : quote.end] == piece


@given(st.text(max_size=400), st.text(max_size=60))
def test_positions_always_lie_within_the_text(text: str, said: str) -> None:
    quote = QuoteIndex(view({"a.txt": text})).find("a.txt", said)
    if quote.found:
        assert quote.start is not None
        assert quote.end is not None
        assert 0 <= quote.start < quote.end <= len(text)
