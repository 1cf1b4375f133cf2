from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import document, reveal
from comparator.outputs.preview.render import QuotePlace, locate, render, source
from comparator.outputs.preview.text import render_code


def test_every_line_keeps_its_number_on_later_pages() -> None:
    data = b"".join(b"line %06d\n" % number for number in range(1, 40_001))
    part = source("a.log", family=Family.TEXT, media_type="text/plain", data=data, page=3)
    first = part.body.split("<span>")[1].split("\n")[0]
    number = int(first.removeprefix("line "))
    assert f"counter-reset: line {number - 1}" in part.body
    assert part.page == 3
    assert part.pages == 6


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
