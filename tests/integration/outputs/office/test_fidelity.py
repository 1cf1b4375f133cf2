"""Generated Office files before the converter: pages show what was put in, at the place where it was put."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from comparator.outputs.differences.compare import compare_pdfs, compare_pictures
from comparator.outputs.isolated.messages import Pages
from comparator.outputs.pictures.office.printer import Converter, Printer
from comparator.outputs.view.naming import NameMap
from comparator.outputs.view.redacting import Redactor
from tests.worlds.files.office_documents import (
    MARGIN,
    PAGE,
    book,
    box,
    deck,
    document,
    par,
    table,
)
from tests.worlds.files.office_seen import Seen

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 0)
CASES: dict[str, tuple[str, Callable[[], bytes], Callable[[Seen], object]]] = {}


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


@case("a right-to-left paragraph", "docx", lambda: document(
    par("שלום עולם", properties="<w:bidi/>", run="<w:rtl/>") + par("after")
))  # fmt: skip
def _(seen: Seen) -> None:
    # Nothing but the paragraph stands at the right margin.
    assert near(seen.extent((0, 0, 0)).right, PAGE[0] - MARGIN, 4)


@case("a coloured table head", "docx", lambda: document(table([["Name", "Sum"], ["x", "y"]], fill="FFFF00")))
def _(seen: Seen) -> None:
    extent, head, below = seen.extent(YELLOW), seen.place("Name"), seen.place("x")
    assert extent.top < head.top < head.bottom < extent.bottom < below.top
    assert near(extent.right - extent.left, 300, 6)


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
    '=HYPERLINK("https://example.org/a,b","the ""first"" words")',
    '=HYPERLINK("https://example.org")',
    '=hyperlink("#Sheet1!A1", A5 & " of five")',
    '=HYPERLINK(A5,"(last)")',
    "row",
)


@case("the words of links in formulas", "xlsx", lambda: book([[link] for link in LINKS]))
def _(seen: Seen) -> None:
    assert seen.words() == 'the "first" words https://example.org row of five (last) row'


@case("the first range of a large sheet", "xlsx", lambda: book([[f"row {n}"] for n in range(1, 1_001)]))
def _(seen: Seen) -> None:
    assert seen.pages == 1
    assert "row 300" in seen.words()
    assert "row 301" not in seen.words()


def printed(name: str, soffice: str, folder: Path) -> Pages:
    kind, make, _ = CASES[name]
    printer = Printer(folder, converter=Converter(soffice))
    return printer.pages(f"a.{kind}", make(), Redactor((), NameMap({}, {})))


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", CASES)
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


PROPERTIES: dict[str, tuple[str, bytes, bytes]] = {
    "alignment": ("docx", document(par("Words")), document(par("Words", properties='<w:jc w:val="center"/>'))),
    "fill of a box": (
        "pptx", deck([box(1, 1, fill="0000FF", words="Words")]), deck([box(1, 1, fill="008000", words="Words")])
    ),
    "number format": ("xlsx", book([[0.5]]), book([[0.5]], formats={"A1": "0%"})),
}  # fmt: skip
"""Pairs of files that differ in one property, with the same text but for the number format."""


@pytest.mark.soak
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", PROPERTIES)
def test_one_property_changed_is_seen_by_overlay_and_judge(
    name: str, soffice_path: str, tmp_path: Path
) -> None:
    kind, a, b = PROPERTIES[name]
    printer = Printer(tmp_path, converter=Converter(soffice_path))
    first, second, again = (
        printer.pages(f"a.{kind}", data, Redactor((), NameMap({}, {}))) for data in (a, b, a)
    )

    # The judge's pictures.
    assert not compare_pictures(first.images[0].block.data, again.images[0].block.data).changes
    assert compare_pictures(first.images[0].block.data, second.images[0].block.data).changes
    # The reviewer's pages, one laid over the other.
    laid_over = compare_pdfs(first.document, second.document).parts[0].body
    assert all('class="second"' in side for side in laid_over)


LONG = "The total of all the rows above is four thousand three hundred and ten, and the last word is zebra"


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("rows", [[[LONG]], [["a", "b"], [LONG]], [["a", "b", "c"], ["x", LONG]]])
def test_text_over_empty_neighbours_is_on_the_page_whole(
    rows: list[list[str]], soffice_path: str, tmp_path: Path
) -> None:
    printer = Printer(tmp_path, converter=Converter(soffice_path))
    pages = printer.pages("a.xlsx", book(rows), Redactor((), NameMap({}, {})))

    assert "zebra" in Seen(pages.document).all_words()
