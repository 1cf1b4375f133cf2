"""Large files are shown part by part, and tables in any order."""

import csv
import io
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.render import Neighbours
from comparator.outputs.preview.stored import PreviewCopy, placed, source, view
from comparator.outputs.preview.tables import PageRequest, RowOrder
from comparator.outputs.preview.text import page_of_line, window
from comparator.outputs.tables.delimited import Delimited
from comparator.outputs.tables.store import MEDIA_TYPE, StoredTable, ordered, store_delimited
from tests.worlds.files.kept_tables import kept as kept_table


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    own = Renderer(children=1)
    yield own
    own.close()


def stored(name: str, family: Family, data: bytes, media_type: str = "text/plain") -> PreviewCopy:
    return PreviewCopy(name, family, media_type, len(data), lambda: data)


class Kept:
    """A cache that counts what was made."""

    def __init__(self) -> None:
        self.made: dict[str, bytes] = {}

    def __call__(self, name: str, make: Callable[[], bytes]) -> bytes:
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]


def test_a_line_is_gone_to_by_its_number(renderer: Renderer) -> None:
    data = b"".join(b"line %09d\n" % number for number in range(1, 200_001))
    file = stored("a.txt", Family.TEXT, data)
    there = source(renderer, file, placed(file, PageRequest(row=123_456), rendered=False))
    assert "line 000123456" in there.body
    beyond = source(renderer, file, placed(file, PageRequest(row=9_999_999), rendered=False))
    assert beyond.page == beyond.pages


@given(st.lists(st.text(alphabet="ab é\r", max_size=30), min_size=1, max_size=60), st.data())
def test_every_line_is_on_the_part_that_its_number_leads_to(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines).encode()
    number = data.draw(st.integers(min_value=1, max_value=len(lines)))
    part = window(text, page=page_of_line(text, number, size=40), size=40)
    if text:
        assert part.first_line <= number
        assert part.data.decode("utf-8", "replace").split("\n")[number - part.first_line] == lines[number - 1]


@given(st.text(alphabet='a",;\r\n é', max_size=40), st.sampled_from([1, 5, 1 << 20]))
def test_delimited_text_is_read_as_a_csv_reader_does(text: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("comparator.outputs.tables.delimited._BLOCK", block)
        table = Delimited(f"sep=,\n{text}".encode())
        rows = list(table.rows())
    if table.open_quote is None:
        assert rows == list(csv.reader(io.StringIO(text, newline="")))


FAULTY = {
    b"a,b\n1\n": [["a", "b"], ["1"]],
    b"a,b\n1,2,3\n": [["a", "b"], ["1", "2", "3"]],
    b"A title\na,b\n1,2\n": [["A title"], ["a", "b"], ["1", "2"]],
    b'a,b\n"open,x\n2,y\n3,z\n': [["a", "b"], ["open,x"], ["2", "y"], ["3", "z"]],
    b"a,b\r1,2\r": [["a", "b"], ["1", "2"]],
    b"a,b\r\n1,2\n3,4\r5,6": [["a", "b"], ["1", "2"], ["3", "4"], ["5", "6"]],
    b"a,b\n\n1,2\n": [["a", "b"], [], ["1", "2"]],
    b'a,b\n5",x\n6",y\n': [["a", "b"], ['5"', "x"], ['6"', "y"]],
    b'a,b\n"1"x,2\n': [["a", "b"], ["1x", "2"]],
    b'a,b\n"x\ny",""\n': [["a", "b"], ["x\ny", ""]],
    b'a,b\n"""q""",2\n': [["a", "b"], ['"q"', "2"]],
    b"sep=;\r\na;b\r\n1;2,5\r\n": [["a", "b"], ["1", "2,5"]],
    b"a\tb\n1\t2\n": [["a", "b"], ["1", "2"]],
    b"a,b\ncaf\xe9,2\n": [["a", "b"], ["caf\ufffd", "2"]],
    b"\xef\xbb\xbfa|b\n1|2": [["a", "b"], ["1", "2"]],
    "a,b\n1,\ufdd0 the end \ufdd0\n2,3\n".encode(): [["a", "b"], ["1", "\ufdd0 the end \ufdd0"], ["2", "3"]],
}


@pytest.mark.parametrize("data", FAULTY)
def test_faulty_tables_keep_their_rows_as_they_stand(data: bytes) -> None:
    assert list(Delimited(data).rows()) == FAULTY[data]
    store = StoredTable(store_delimited(Delimited(data)))
    assert store.rows(store.sheet(1))["cells"].to_pylist() == FAULTY[data]
    assert Delimited(data).heading() == FAULTY[data][0]


def test_a_large_csv_is_paged_gone_to_and_sorted_as_a_whole(renderer: Renderer) -> None:
    data = b"n,word\n" + b"".join(b'%d,"w %d"\n' % (number, number % 7) for number in range(200_000))
    file, kept = stored("a.csv", Family.CSV, data), Kept()
    first = view(renderer, file, PageRequest(), neighbours=Neighbours(), keep=kept)
    assert first.pages == 500
    assert "200,000 rows \u00d7 2 columns" in first.body
    there = view(
        renderer,
        file,
        placed(file, PageRequest(row=123_457), rendered=True),
        neighbours=Neighbours(),
        keep=kept,
    )
    assert '<td class="n">123456</td>' in there.body
    down = view(renderer, file, PageRequest(order=RowOrder(0, down=True)), neighbours=Neighbours(), keep=kept)
    assert down.body.index(">199999<") < down.body.index(">199998<")
    assert 'aria-sort="descending"' in down.body
    assert "In the order of the file" in down.body
    assert sorted(kept.made) == ["order-1-1,desc", "table"]


def test_only_the_sheet_that_is_asked_for_is_read_and_its_heading_stays_on_top(renderer: Renderer) -> None:
    rows: list[list[object]] = [["Item", "Sum"], *([f"item {n}", (n * 7919) % 1000] for n in range(1_000))]
    data = kept_table(
        {"name": "One", "rows": [["only"]]},
        {
            "name": "Two",
            "rows": rows,
            "formulas": {"B1001": "=SUM(B2:B1000)"},
            "merged": ("A2:B3", "A1:XFD1048576"),
        },
    )
    file, kept = stored("a.xlsx", Family.XLSX, data, MEDIA_TYPE), Kept()
    last = view(renderer, file, PageRequest(page=3, sheet=2), neighbours=Neighbours(), keep=kept)
    assert "=SUM(B2:B1000)" in last.body
    assert ">only<" not in last.body
    ordered = view(
        renderer, file, PageRequest(sheet=2, order=RowOrder(1, down=True)), neighbours=Neighbours(), keep=kept
    )
    cells = [row.split("</tr>")[0] for row in ordered.body.split("<tr>")[2:]]
    assert ">Item<" in cells[0]
    assert ">999<" in cells[1]


def sorted_rows(data: bytes, *, down: bool = False) -> list[int]:
    """The rows of a table with a heading (from 0), in the order of their first cell."""
    table = StoredTable(ordered(data, 1, 0, down=down))
    numbers: list[int] = table.rows(table.sheet(1), 1)["number"].to_pylist()
    return [number - 1 for number in numbers]


def test_values_are_ordered_as_people_order_them() -> None:
    values = ["10", "9", "", "1,000", "b", "A", None, "5%", 7, True, "-3.5e1", 1.5]
    data = kept_table({"rows": [["name"], *([value] for value in values)]})
    order = [values[n] for n in sorted_rows(data)]
    assert order == ["-3.5e1", 1.5, "5%", 7, "9", "10", "1,000", "A", "b", True, "", None]


def in_order(cells: list[str], *, down: bool) -> list[int]:
    """Where the cells stand in order, worked out one by one."""

    def key(cell: str) -> tuple[bool, float, str]:
        number = float(cell.rstrip("%")) if cell.strip("%") and cell.strip("%").isdigit() else None
        return (number is None, number or 0.0, "" if number is not None else cell.lower())

    filled = [n for n, cell in enumerate(cells) if cell.strip()]
    filled.sort(key=lambda n: key(cells[n].strip()), reverse=down)
    return [*filled, *(n for n, cell in enumerate(cells) if not cell.strip())]


@given(
    st.lists(st.sampled_from(["1", "10", "9%", "010", "a", "A", "b,c", 'x"y', "two\nlines", "", " "])),
    st.booleans(),
    st.booleans(),
)
def test_rows_of_any_form_are_ordered_alike(cells: list[str], down: bool, uneven: bool) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(
        [["name", "more"], *([cell, *["x"] * (1 + uneven * (n % 2))] for n, cell in enumerate(cells))]
    )
    data = store_delimited(Delimited(text.getvalue().encode()))
    assert sorted_rows(data, down=down) == in_order(cells, down=down)


def test_blank_lines_are_rows_in_every_order() -> None:
    assert sorted_rows(store_delimited(Delimited(b"a,b\n2,x\n\n1,y\n"))) == [2, 0, 1]


@pytest.mark.parametrize("text", ["", "0,asc", "1,up", "x,asc", "1,asc;", "99999,asc", "-1,asc", "1, asc"])
def test_an_order_that_makes_no_sense_is_none(text: str) -> None:
    assert RowOrder.asked(text) is None
