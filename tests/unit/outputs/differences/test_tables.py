"""Tables: rows are found by their key, and each row of both stands in the differences once."""

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.differences.compare import Row, TableRows, matched_tables
from tests.unit.outputs.differences.test_differences import differ

ROWS = st.lists(st.tuples(st.sampled_from(["1", "2", "3", "4"]), st.sampled_from(["x", "y"])), max_size=6)


@given(ROWS, ROWS)
def test_every_row_of_both_tables_stands_in_the_differences_once(a: list[Row], b: list[Row]) -> None:
    rows = matched_tables(*(TableRows("", ("id", "what"), side, 2) for side in (a, b))).rows
    assert [n for n, _ in rows if n is not None] == list(range(len(a)))
    assert sorted(m for _, m in rows if m is not None) == list(range(len(b)))


def test_rows_are_found_by_their_key_wherever_they_stand_and_cells_are_marked() -> None:
    result = differ("id,n\na,1\nb,2\nc,3\n", "id,n\nc,3\na,9\nd,4\n", Family.CSV, "t.csv")
    (part,) = result.parts
    assert "matched by “id”" in part.body.a
    assert result.changes == 3
    assert "<del>1</del>" in part.body.a
    assert "<ins>9</ins>" in part.body.b
    assert part.body.a.count("<tr") == part.body.b.count("<tr") == 5


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
