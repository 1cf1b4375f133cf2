"""A quote of the judge's leads to the sheet and the part on which its row is shown."""

from __future__ import annotations

from typing import Any

import pytest

from comparator.domain.pair.view import Family
from comparator.outputs.preview.locate import QuotePlace, locate
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.worlds.files.kept_tables import kept

SHEETS: list[dict[str, Any]] = [
    {
        "name": "Items",
        "rows": [["Item", "Sum"], ["Paper", 12.5], ["Ink | black", 3]],
        "formulas": {"B2": "=2*6.25"},
    },
    {
        "name": "Days",
        "rows": [[f"day {n}", n * 2.0, None] for n in range(1, 1_001)],
        "formulas": {"B900": "=A900 * 2"},
    },
]


@pytest.mark.parametrize(
    ("quote", "sheet", "page"),
    [
        ("| 2 | Paper | 12.5 |", 1, 1),
        ("Ink \\| black | 3", 1, 1),
        ("B2: =2*6.25", 1, 1),
        ("| 450 | day 450 | 900 |  |", 2, 2),
        ("day 1000 | 2000", 2, 3),
        ("| 450 | day 450 | 900 |\n| 451 | day 451 | 902 |", 2, 2),
        ("Sheet Days\n| 850 | day 850 | 1700 |", 2, 3),
        ("B900: =A900*2", 2, 3),
    ],
)
def test_a_quote_of_a_workbook_is_located(quote: str, sheet: int, page: int) -> None:
    found = locate(quote, family=Family.XLSX, media_type=MEDIA_TYPE, data=kept(*SHEETS))
    assert found == QuotePlace("view", page, sheet)


def test_a_quote_of_a_parquet_file_is_located_behind_the_names_of_its_columns() -> None:
    rows: list[list[object]] = [["n", "word"], *([n, f"word {n}"] for n in range(1, 1_001))]
    data = kept({"rows": rows, "headed": True})
    for quote, page in (("| 400 | word 400 |", 1), ("| 401 | word 401 |", 2)):
        found = locate(quote, family=Family.PARQUET, media_type=MEDIA_TYPE, data=data)
        assert found == QuotePlace("view", page, 1)


def test_what_no_sheet_holds_is_not_located() -> None:
    for quote in ("never written", "B3: =1", "|", ""):
        assert locate(quote, family=Family.XLSX, media_type=MEDIA_TYPE, data=kept(*SHEETS)) is None
