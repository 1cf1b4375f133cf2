"""Generated Office files before the converter: pages show what was put in, at the place where it was put."""

from collections.abc import Callable
from pathlib import Path

import pytest

from comparator.outputs.isolated.messages import Pages
from comparator.outputs.pictures.office.printer import Converter, Printer
from comparator.outputs.view.naming import NameMap
from comparator.outputs.view.redacting import Redactor
from tests.worlds.files.office_documents import (
    LOREM,
    MARGIN,
    PAGE,
    Seen,
    book,
    box,
    deck,
    document,
    par,
    png,
    table,
)
from tests.worlds.files.office_hostile import open_document
from tests.worlds.files.outputs_office import WORDS

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 0)
WHITE = (255, 255, 255)
CASES: dict[str, tuple[str, Callable[[], bytes], Callable[[Seen], object]]] = {}
IN_THE_GATE = (
    *("a centred line", "two columns", "a coloured table head", "a numbered list", "a box over another"),
    *("the bars of a chart on a slide", "number formats", "a right-to-left paragraph"),
)


def case(name: str, kind: str, make: Callable[[], bytes]) -> Callable[[Callable[[Seen], object]], None]:
    """Add a case: the file is made by `make`, and the function that follows checks what is seen."""

    def add(check: Callable[[Seen], object]) -> None:
        CASES[name] = (kind, make, check)

    return add


def near(a: float, b: float, by: float = 2.0) -> bool:
    return abs(a - b) <= by


@case("a centred line", "docx", lambda: document(par("Centred", properties='<w:jc w:val="center"/>')))
def _(seen: Seen) -> None:
    assert near(seen.place("Centred").middle, PAGE[0] / 2)


@case("two columns", "docx", lambda: document(par("START " + LOREM * 30 + "END"), columns=2))
def _(seen: Seen) -> None:
    left, right = seen.place("START"), seen.place("END", seen.pages - 1)
    assert near(left.left, MARGIN)
    assert right.left > PAGE[0] / 2
    assert seen.colour(PAGE[0] / 2, 300) == WHITE


@case("a header on every page", "docx", lambda: document(
    par(LOREM * 90),
    header=f"<w:hdr {WORDS}><w:p><w:r><w:t>Head line</w:t></w:r></w:p></w:hdr>",
))  # fmt: skip
def _(seen: Seen) -> None:
    assert seen.pages > 1
    assert all(near(seen.place("Head line", page).top, 38, 6) for page in range(seen.pages))


def _numbered() -> bytes:
    numbering = (
        f'<w:numbering {WORDS}><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="3"/>'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )
    listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    return document(par("pear", properties=listed) + par("plum", properties=listed), numbering=numbering)


@case("a numbered list", "docx", _numbered)
def _(seen: Seen) -> None:
    assert seen.words() == "3) pear 4) plum"


@case("a footnote", "docx", lambda: document(
    '<w:p><w:r><w:t>Body</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    footnotes=f'<w:footnotes {WORDS}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="1"><w:p/>'
    '</w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>Below</w:t></w:r></w:p></w:footnote></w:footnotes>',
))  # fmt: skip
def _(seen: Seen) -> None:
    assert seen.place("Below").top > 650


@case("a right-to-left paragraph", "docx", lambda: document(
    par("שלום עולם", properties="<w:bidi/>", run="<w:rtl/>") + par("after")
))  # fmt: skip
def _(seen: Seen) -> None:
    # Nothing but the paragraph stands at the right margin.
    assert near(seen.extent((0, 0, 0)).right, PAGE[0] - MARGIN, 4)


@case("Chinese words", "docx", lambda: document(
    par("春天的河流", run='<w:rFonts w:eastAsia="Noto Sans CJK SC"/>')
))  # fmt: skip
def _(seen: Seen) -> None:
    place = seen.place("春天的河流")
    assert near(place.right - place.left, 5 * 12, 4)


@case("a coloured table head", "docx", lambda: document(table([["Name", "Sum"], ["x", "y"]], fill="FFFF00")))
def _(seen: Seen) -> None:
    extent, head, below = seen.extent(YELLOW), seen.place("Name"), seen.place("x")
    assert extent.top < head.top < head.bottom < extent.bottom < below.top
    assert near(extent.right - extent.left, 300, 6)


@case("a picture of its size", "docx", lambda: document(
    '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
    '<wp:extent cx="1828800" cy="914400"/><wp:docPr id="1" name="p"/>'
    '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">'
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr>'
    '<pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rIdpicture"/>'
    "<a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
    '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1828800" cy="914400"/></a:xfrm><a:prstGeom prst="rect">'
    "<a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>",
    picture=png("blue"),
))  # fmt: skip
def _(seen: Seen) -> None:
    extent = seen.extent(BLUE)
    assert near(extent.right - extent.left, 144)
    assert near(extent.bottom - extent.top, 72)


@case("a box over another", "pptx", lambda: deck([box(3, 2, fill="FF0000"), box(4, 2.5, fill="0000FF")]))
def _(seen: Seen) -> None:
    assert seen.colour(330, 200) == BLUE
    assert seen.colour(250, 160) == RED


@case("a hidden slide", "pptx", lambda: deck(
    [box(1, 1, fill="FFFFFF", words="first")], [box(1, 1, fill="FFFFFF", words="second")], hidden=0
))  # fmt: skip
def _(seen: Seen) -> None:
    assert [seen.words(page) for page in range(seen.pages)] == ["first", "second"]


@case("the bars of a chart on a slide", "pptx", lambda: deck([], chart=True))
def _(seen: Seen) -> None:
    # South is twice as high as North, and stands to its right.
    bars = seen.extent(RED)
    left = [y for y in range(int(bars.top), int(bars.bottom)) if seen.colour(bars.left + 5, y) == RED]
    right = [y for y in range(int(bars.top), int(bars.bottom)) if seen.colour(bars.right - 5, y) == RED]
    assert near(len(right) / len(left), 2, 0.1)


@case("number formats", "xlsx", lambda: book(
    [[0.256, 1234.5, 45000]], formats={"A1": "0%", "B1": "#,##0.00", "C1": "yyyy-mm-dd"}, widths={"C": 14}
))  # fmt: skip
def _(seen: Seen) -> None:
    assert seen.words() == "26% 1,234.50 2023-03-15"


@case("one page a sheet", "xlsx", lambda: book([["one"]], further=["two", "three"], hidden="three"))
def _(seen: Seen) -> None:
    assert [seen.words(page) for page in range(seen.pages)] == ["one", "two", "three"]


LINKS = (
    *('=HYPERLINK("https://example.org/a,b","the ""first"" words")', '=HYPERLINK("https://example.org")'),
    *('=hyperlink("#Sheet1!A1", A5 & " of five")', '=HYPERLINK(A5,"(last)")', "row"),
)


@case("the words of links in formulas", "xlsx", lambda: book([[link] for link in LINKS]))
def _(seen: Seen) -> None:
    assert seen.words() == 'the "first" words https://example.org row of five (last) row'


@case("the first range of a large sheet", "xlsx", lambda: book([[f"row {n}"] for n in range(1, 1_001)]))
def _(seen: Seen) -> None:
    assert seen.pages == 1
    assert "row 300" in seen.words()
    assert "row 301" not in seen.words()


@case("cells of an ODS", "ods", lambda: open_document(
    "ods",
    "<table:table table:name='T'><table:table-row><table:table-cell><text:p>left</text:p></table:table-cell>"
    "<table:table-cell><text:p>right</text:p></table:table-cell></table:table-row></table:table>",
))  # fmt: skip
def _(seen: Seen) -> None:
    assert seen.place("left").right < seen.place("right").left
    assert near(seen.place("left").top, seen.place("right").top, 4)


def printed(name: str, soffice: str, folder: Path) -> Pages:
    kind, make, _ = CASES[name]
    printer = Printer(folder, converter=Converter(soffice))
    return printer.pages(f"a.{kind}", make(), Redactor((), NameMap({}, {})))


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_THE_GATE else pytest.mark.soak) for name in CASES]
)
@pytest.mark.slow
def test_a_page_shows_what_was_put_in(name: str, soffice_path: str, tmp_path: Path) -> None:
    CASES[name][2](Seen(printed(name, soffice_path, tmp_path).document))


@pytest.mark.soak
@pytest.mark.timeout(120)
def test_hidden_slides_and_sheets_are_marked(soffice_path: str, tmp_path: Path) -> None:
    slides = printed("a hidden slide", soffice_path, tmp_path)
    sheets = printed("one page a sheet", soffice_path, tmp_path)
    large = printed("the first range of a large sheet", soffice_path, tmp_path)

    assert [image.block.caption for image in slides.images] == ["slide 1 (hidden)", "slide 2"]
    assert [image.block.caption for image in sheets.images] == ["sheet 1", "sheet 2", "sheet 3 (hidden)"]
    assert "first 300 rows" in " ".join(large.notes)


LONG = "The total of all the rows above is four thousand three hundred and ten, and the last word is zebra"


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("rows", [[[LONG]], [["a", "b"], [LONG]], [["a", "b", "c"], ["x", LONG]]])
def test_text_over_empty_cells_is_on_a_page(rows: list[list[str]], soffice_path: str, tmp_path: Path) -> None:
    printer = Printer(tmp_path, converter=Converter(soffice_path))
    pages = printer.pages("a.xlsx", book(rows), Redactor((), NameMap({}, {})))

    assert "zebra" in Seen(pages.document).all_words()
