"""Tables: rows are found by their key, and each row of both stands in the differences once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.differences.tables import Row, TableRows, matched_tables
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.unit.outputs.differences.test_families import differ
from tests.worlds.files.kept_tables import kept

ROWS = st.lists(st.tuples(st.sampled_from(["1", "2", "3", "4"]), st.sampled_from(["x", "y"])), max_size=6)


@given(ROWS, ROWS)
def test_every_row_of_both_tables_stands_in_the_differences_once(a: list[Row], b: list[Row]) -> None:
    rows = matched_tables(*(TableRows("", ("id", "what"), side, 2) for side in (a, b))).rows
    assert [row.a for row in rows if row.a is not None] == list(range(len(a)))
    assert sorted(row.b for row in rows if row.b is not None) == list(range(len(b)))


def test_rows_are_found_by_their_key_wherever_they_stand_and_cells_are_marked() -> None:
    result = differ("id,n\na,1\nb,2\nc,3\n", "id,n\nc,3\na,9\nd,4\n", Family.CSV, "t.csv")
    (part,) = result.parts
    assert "matched by “id”" in part.body.a
    assert result.changes == 3
    assert "<del>1</del>" in part.body.a
    assert "<ins>9</ins>" in part.body.b
    assert part.body.a.count("<tr") == part.body.b.count("<tr") == 5


def test_formulas_which_name_other_rows_are_no_key() -> None:
    rows = "pen,=B1*2\nink,4 =B2*2\nink,=B3*2\n"
    result = differ(f"what,sum\n{rows}", f"what,sum\nnew,=B1*2\n{rows}", Family.CSV, "t.csv")
    assert "matched by content and position" in result.parts[0].body.a
    assert result.changes == 1


def test_a_long_table_goes_on_in_parts_and_a_longer_one_is_compared_by_lines() -> None:
    rows = [f"{n},{n % 7},{n % 11}" for n in range(30_000)]
    own = "\n".join(["id,a,b", *rows])
    rows[20_000] = "20000,1,99"
    del rows[100]
    result = differ(own, "\n".join(["id,a,b", *rows]), Family.CSV, "t.csv")
    assert result.words == "2 changes, 99% of cells in common"
    assert len(result.parts) > 3
    assert sum(part.body.a.count("<tr") - 1 for part in result.parts) == 30_000
    assert any("<ins>99</ins>" in part.body.b and (part.first, part.last) == (2, 2) for part in result.parts)

    many = "\n".join([",".join("ab"), *(f"{n},{n}" for n in range(800_000))])
    result = differ(many, f"{many}\n1,1", Family.CSV, "t.csv")
    assert result.notes == (
        "More than 1,500,000 cells: too many to be compared by cell. Compared by lines and words.",
    )
    assert result.changes == 1


def test_the_sheets_of_a_workbook_are_compared_by_their_names() -> None:
    def book(*sheets: tuple[str, list[list[Any]]]) -> bytes:
        return kept(*({"name": name, "rows": rows} for name, rows in sheets))

    a = book(("S", [["id", "n"], ["x", 1.5], ["y", None]]), ("T", [["one", "two"]]))
    b = book(("T", [["one", "three"]]), ("S", [["id", "n"], ["x", 2.0], ["y", None]]))
    result = differ(a, b, Family.XLSX, "t.xlsx", MEDIA_TYPE)
    assert [(part.first, part.last) for part in result.parts] == [(1, 1), (2, 2)]
    assert "<h2>S</h2>" in result.parts[0].body.a
    assert "<del>1.5</del>" in result.parts[0].body.a
    assert "<ins>three</ins>" in result.parts[1].body.b


@pytest.mark.timeout(60)
@pytest.mark.parametrize("step", [1, -1])
def test_tables_of_very_many_columns_are_compared_by_lines_at_once(step: int) -> None:
    names = [f"c{n}" for n in range(50_000)]
    own, second = (
        "\n".join(
            [",".join(heading), *(",".join(str(n * row % 97) for n in range(50_000)) for row in (3, 5, last))]
        )
        for heading, last in ((names, 7), (names[::step], 8))
    )
    result = differ(own, second, Family.CSV, "t.csv")
    assert result.changes
    assert result.notes == ("Has 50,000 columns, more than 2,000. Compared by lines and words.",)
    assert max(len(side) for part in result.parts for side in part.body) < 2_000_000


def test_a_column_of_one_side_is_told_and_changes_no_row() -> None:
    result = differ("id,n\na,1\nb,2\n", "id,n,more\na,1,x\nb,2,y\n", Family.CSV, "t.csv")
    assert result.changes == 0
    assert result.notes == ("Column “more” is only in B.",)
    assert "<ins>x</ins>" in result.parts[0].body.b
