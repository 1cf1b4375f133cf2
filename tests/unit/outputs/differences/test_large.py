"""Large files are compared as small ones are, without being held; what is the same is folded."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.differences import model
from comparator.outputs.differences.blocks import Block, BlockKind
from comparator.outputs.differences.cells import table_blocks
from comparator.outputs.differences.compare import compare
from comparator.outputs.differences.lines_html import compare_large_texts, compare_texts
from comparator.outputs.differences.model import FileComparison
from comparator.outputs.differences.sources import ComparedFile, sheets
from comparator.outputs.differences.stored import StoredLines, StoredRows
from comparator.outputs.extract.table_lines import dumped

CELL = st.sampled_from(["1", "2", "3", "x", "", 'a, "b"', "two\nlines", "é"])
TABLE = st.lists(st.tuples(st.sampled_from("123456"), CELL), max_size=8)


def csv_of(rows: list[tuple[str, str]]) -> bytes:
    quoted = (",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    return "\r\n".join(["id,what", *quoted, ""]).encode()


def table(
    data: bytes, name: str = "t.csv", family: Family = Family.CSV, kind: str = "text/plain"
) -> ComparedFile:
    return ComparedFile(name, family, kind, data)


@given(TABLE, TABLE)
def test_stored_rows_have_the_same_differences_as_held_ones(
    a: list[tuple[str, str]], b: list[tuple[str, str]]
) -> None:
    held = [sheets(table(csv_of(rows)))[0] for rows in (a, b)]
    stored = [sheets(table(csv_of(rows)), large=True)[0] for rows in (a, b)]
    assert [list(sheet.rows) for sheet in stored] == [list(sheet.rows) for sheet in held]
    assert [sheet.rows[:] for sheet in stored] == [list(sheet.rows) for sheet in held]
    found, same = (table_blocks(one.heading, two.heading, one.rows, two.rows) for one, two in (held, stored))
    assert same.blocks == found.blocks
    assert (same.key and same.key.name) == (found.key and found.key.name)


def test_rows_that_are_only_written_otherwise_are_the_same() -> None:
    own, other = (sheets(table(data), large=True)[0] for data in (b"id,n\n1,x\n2,y\n", b'id,n\n1,"x"\n2,y\n'))
    found = table_blocks(own.heading, other.heading, own.rows, other.rows)
    assert {block.kind.value for block in found.blocks} == {"same"}


@given(st.lists(st.sampled_from(["one", "two words", "", "é" * 1_500, "end\r"])), st.integers(0, 5))
def test_stored_lines_are_those_of_the_text(lines: list[str], cut: int) -> None:
    text = "\n".join(lines)
    stored = StoredLines(text.encode())
    whole = "".join(("\n" if line.number else "") + line.text for line in stored).removeprefix("\n")
    assert whole == text.replace("\r\n", "\n").removesuffix("\n").removesuffix("\r")
    assert stored[cut:] == list(stored)[cut:]


@given(st.lists(st.sampled_from("abcd"), max_size=40), st.lists(st.sampled_from("abcd"), max_size=40))
def test_large_texts_have_the_same_changes_as_small_ones(a: list[str], b: list[str]) -> None:
    own, other = ("".join(f"{line} {line}\n" for line in side) for side in (a, b))
    small, large = compare_texts(own, other), compare_large_texts(own.encode(), other.encode())
    assert (large.changes, large.percent) == (small.changes, small.percent)
    assert changed_lines(large) == changed_lines(small)


def changed_lines(result: FileComparison) -> list[str]:
    return [
        line for part in result.parts for line in re.findall(r'<p class="(?:other|gap)".*?</p>', part.body.a)
    ]


def test_what_is_the_same_is_folded_on_both_sides_alike() -> None:
    lines = [f"line {n} of many" for n in range(1_000)]
    own = "\n".join(lines).encode()
    lines[500] = "line 500 was changed"
    (part,) = compare_large_texts(own, "\n".join(lines).encode()).parts
    for body in part.body:
        assert "497 lines the same" in body
        assert "496 lines the same" in body
        assert body.count("<p") == 2 + 3 + 1 + 3
    assert 'data-n="501"' in part.body.a


def test_a_table_of_many_cells_is_compared_by_its_key_and_folded() -> None:
    rows = [f"{n},{n % 7},{n % 11},{n % 13},{n % 17},{n % 19}" for n in range(260_000)]
    own = "\n".join(["id,a,b,c,d,e", *rows]).encode()
    rows[200_000] = "200000,1,1,1,1,99"
    del rows[100]
    other = "\n".join(["id,a,b,c,d,e", *rows]).encode()
    result = compare(table(own), table(other))
    assert result.changes == 2
    assert result.words == "2 changes, 99% of cells in common"
    (part,) = result.parts
    assert "matched by “id”" in part.body.a
    assert "199,893 rows the same" in part.body.b
    assert "<ins>99</ins>" in part.body.b


def test_the_rows_of_a_large_copy_of_a_sheet_are_read_where_they_stand() -> None:
    sheet = {"name": "S", "rows": [["a", 1.5], ["b", None]], "formulas": {}, "merged": []}
    (read,) = sheets(table(dumped([sheet]), "t.parquet", Family.PARQUET, "application/json"), large=True)
    assert isinstance(read.rows, StoredRows)
    assert list(read.rows) == [("a", "1.5"), ("b", "")]
    assert read.rows[1] == ("b", "")


def test_more_changes_than_can_be_shown_are_said() -> None:
    rows = [model.AlignedRow(Block(BlockKind.CHANGED, n, n + 1, n, n + 1), n + 1) for n in range(600)]
    parts, said = model.bounded(model.paged(rows, [1] * 600, 1), 600)
    assert len(parts) == 250
    assert said == ("Only the first 250 of 600 changes are shown.",)


def test_a_large_text_goes_the_large_way() -> None:
    text = ("word " * 30 + "\n") * 70_000
    result = compare(
        *(ComparedFile("a.txt", Family.TEXT, "text/plain", data.encode()) for data in (text, text + "more\n"))
    )
    assert "lines the same" in result.parts[0].body.a


@pytest.mark.timeout(60)
@pytest.mark.parametrize("other", [1, 2])
def test_tables_of_very_many_columns_are_compared_by_lines_at_once(other: int) -> None:
    names = [f"c{n}" for n in range(50_000)]
    own, second = (
        "\n".join(
            [",".join(heading), *(",".join(str(n * row % 97) for n in range(50_000)) for row in (3, 5, step))]
        )
        for heading, step in ((names, 7), (names[::-1] if other == 2 else names, 8))
    )
    found = compare(table(own.encode()), table(second.encode()))
    assert found.changes
    assert found.notes == ("Has 50,000 columns, more than 2,000. Compared by lines and words.",)
    # No part is too much for a browser.
    assert max(len(side) for part in found.parts for side in part.body) < 1_000_000
