import re

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.code import render_code
from comparator.outputs.preview.document import document, reveal, shown
from comparator.outputs.preview.locate import QuotePlace, locate
from comparator.outputs.preview.render import render, source
from comparator.outputs.preview.text import page_of, render_text, window


@given(st.text(max_size=1_500), st.integers(min_value=20, max_value=400))
def test_the_pages_of_a_text_hold_all_of_it_once(data: str, size: int) -> None:
    text = data.encode("utf-8", "replace")
    count = window(text, page=1, size=size).pages
    parts = [window(text, page=page, size=size) for page in range(1, count + 1)]
    ends = text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    assert "".join(part.text for part in parts) == ends


@given(st.lists(st.text(alphabet="ab é", max_size=30), min_size=1, max_size=200), st.data())
def test_an_offset_is_on_the_page_that_shows_it(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(f"{number} {line}" for number, line in enumerate(lines)).encode()
    number = data.draw(st.integers(min_value=0, max_value=len(lines) - 1))
    offset = 0 if number == 0 else text.index(f"\n{number} ".encode()) + 1
    page = window(text, page=page_of(text, offset, size=64), size=64)
    assert f"{number} {lines[number]}" in page.text
    assert page.text.split("\n").index(f"{number} {lines[number]}") + page.first_line == number + 1


def test_every_line_keeps_its_number_on_later_pages() -> None:
    data = b"".join(b"line %06d\n" % number for number in range(1, 40_001))
    part = source("a.log", family=Family.TEXT, media_type="text/plain", data=data, page=3)
    first = part.body.split("<span>")[1].split("\n")[0]
    number = int(first.removeprefix("line "))
    assert f"counter-reset: line {number - 1}" in part.body
    assert part.page == 3
    assert part.pages == 6


@given(st.lists(st.text(alphabet="ab é<&\u2028\x0c", max_size=6), min_size=121, max_size=190))
def test_a_long_text_in_stretches_is_the_text(lines: list[str]) -> None:
    text = "\n".join(lines)
    body = render_text(text.encode(), page=1).body
    assert body.count('<span class="later"') == -(-len(lines) // 60)
    assert re.sub(r"<[^>]*>", "", body) == "\n" + shown(text)


def test_a_text_that_is_drawn_at_once_has_no_stretches() -> None:
    assert "<span" not in render_text(b"line\n" * 100, page=1).body


def test_hidden_and_reordering_characters_are_made_visible() -> None:
    assert reveal("a\u202eb\x00c\u200bd\x7f") == "a⟦U+202E⟧b␀c⟦U+200B⟧d␡"
    assert reveal("tab\tline\nand שלום and 👩‍💻") == "tab\tline\nand שלום and 👩‍💻"


def test_names_and_notes_cannot_leave_their_place_in_the_document() -> None:
    name = '"></title><script>1</script>\u202e'
    page = document(
        render(name, family=Family.TEXT, media_type="text/plain", data=b"x"), theme="dark", title=name
    )
    assert "<script" not in page
    assert "⟦U+202E⟧" in page
    assert 'data-theme="dark"' in page


def test_code_is_highlighted_line_by_line_and_nothing_of_it_is_lost() -> None:
    code = '\n\ndef f():\n    """Two\n    lines <b>."""\n\n'
    preview = render_code("a.py", code.encode(), page=1)
    assert '<span class="k">def</span>' in preview.body
    assert preview.body.count("<span>") == 6
    assert "&lt;b&gt;" in preview.body
    assert "<b>" not in preview.body


def test_code_with_an_endless_line_is_shown_plainly() -> None:
    preview = render_code("a.py", b"x = '" + b"(" * 70_000, page=1)
    assert 'class="k"' not in preview.body
    assert "((((" in preview.body


def test_an_empty_file_says_that_it_is_empty() -> None:
    for family in (Family.TEXT, Family.JSON, Family.PDF, Family.BINARY):
        preview = render("x", family=family, media_type="text/plain", data=b"")
        assert "This file is empty." in preview.body


def test_a_quote_is_located_whatever_its_white_space() -> None:
    data = b"".join(b"row  %d of\tmany\n" % number for number in range(40_000))
    place = locate("row 30000\nof many", family=Family.TEXT, media_type="text/plain", data=data)
    assert place is not None
    assert place.mode == "source"
    part = source("a.txt", family=Family.TEXT, media_type="text/plain", data=data, page=place.page)
    assert "row  30000 of" in part.body
    assert locate("never written", family=Family.TEXT, media_type="text/plain", data=data) is None
    assert locate("row", family=Family.IMAGE, media_type="image/png", data=data) is None
    assert locate("row 0", family=Family.CSV, media_type="text/plain", data=data) == QuotePlace("source", 1)
