"""The words of a file are found in one pass, whatever somebody wrote into it."""

from __future__ import annotations

import pytest

from comparator.workflow.review.search import PIECE, folded, plain_words, without_markup


class Counted(bytes):
    """Bytes that count how many of them were searched."""

    searched = 0

    def find(self, sub: bytes, start: int = 0) -> int:  # type: ignore[override]
        found = super().find(sub, start)
        Counted.searched += (len(self) if found < 0 else found + len(sub)) - start
        return found

    def lower(self) -> Counted:
        return Counted(super().lower())


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        b"<",
        b"<style>",
        b"<style></style",
        b"<style-a>y</style-a>\n",
        b"<style>y</style-a>\n",
        b"<script><style></script-",
        b"<script></script   ",
        b"<>",
        b"</style><script ",
    ],
)
@pytest.mark.parametrize("end", [b"", b">"])
def test_no_part_of_hostile_markup_is_looked_at_again_and_again(hostile: bytes, end: bytes) -> None:
    data = Counted(hostile * (500_000 // len(hostile)) + end)
    Counted.searched = 0

    assert sum(len(part) for part in without_markup(data)) <= len(data)
    assert Counted.searched <= 8 * len(data)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (b"<p>The <b>Grand</b>\n total: 420&nbsp;kg</p>", "the grand total: 420 kg"),
        (b"a<STYLE media=x>p{}</Style >b<script>if(a<b){}</script>c", "a b c"),
        (b"a<style>p{}</style-a></style>b", "a b"),
        (b"<styles>kept</styles>", "kept"),
        (b"<style>kept too", "kept too"),
        (b"2 < 3", "2 < 3"),
        (b"<style", "<style"),
        (b"", ""),
    ],
)
def test_markup_scripts_and_styles_are_no_words(markup: bytes, words: str) -> None:
    assert plain_words(markup, marked=True, late=lambda: False) == (words, True)


@pytest.mark.parametrize(
    "text",
    ["ab " * PIECE, "x" * (5 * PIECE + 1), "a" + " " * (7 * PIECE) + "b", ("x" * (2 * PIECE) + " ") * 3, " "],
)
def test_pieces_make_no_difference_to_the_words(text: str) -> None:
    assert plain_words(text.encode(), marked=False, late=lambda: False) == (folded(text), True)


def test_reading_ends_when_it_is_late() -> None:
    words = plain_words(b"one two " * PIECE, marked=False, late=lambda: True)
    assert not words.whole
    assert 0 < len(words.text) <= 2 * PIECE
    assert not plain_words(b"<b>one</b> " * PIECE, marked=True, late=lambda: True).whole
