"""Quotes from what tools returned are looked up in the whole files, however a tool numbers its lines and rows."""

from typing import Any, NamedTuple

import pytest

from comparator.domain.pair.examination import ToolLimits
from comparator.domain.scoring.judgment import Quote
from comparator.judges.tools.examination import Examination, verified
from comparator.judges.tools.material import Material
from tests.integration.judges.tools.test_tools import CSV, PDF, slides, two_sheets, words
from tests.worlds.files.examined import Bench
from tests.worlds.histories.pairs import answer

PLAN = "\n".join(f"Step {n}: check part {n % 89}." for n in range(1, 5_000))
SOUTH = {"where": [{"column": "field", "test": "equals", "value": "South"}]}


class Case(NamedTuple):
    """A call, words of the line of its answer that is quoted as it stands there, and the place of the quote."""

    tool: str
    asked: dict[str, Any]
    words: str
    place: str


CASES = {
    "a line": Case("read", {"file": "plan.txt", "first": 3_000}, "Step 3000:", "line 3,000"),
    "a line that differs": Case("compare", {"file": "plan.txt"}, "Step 4000:", "line 4,000"),
    "a row of a CSV": Case("table", {"file": "rows.csv", **SOUTH}, "South", "line 3"),
    "a row of a sheet": Case(
        "table", {"file": "book.xlsx", "sheet": 2, **SOUTH}, "South", "sheet 2 “Rows”, row 3"
    ),
    "a page": Case("read", {"file": "plan.pdf", "unit": "pages", "first": 2}, "Page two", "page 2, line 2"),
    "a slide": Case("read", {"file": "talk.pptx", "unit": "slides", "first": 2}, "of the south", "slide 2, "),
    "an input file": Case("read", {"side": "input", "file": "brief.txt"}, "41", "input, line 2"),
}


@pytest.fixture
def material(bench: Bench) -> Material:
    files: dict[str, bytes | str] = {
        "plan.txt": PLAN, "rows.csv": CSV, "book.xlsx": two_sheets(), "plan.pdf": PDF, "talk.pptx": slides(),
    }  # fmt: skip
    other = PLAN.replace("Step 4000:", "Pace 4000:")
    return bench.material(
        files, {"plan.txt": other}, inputs={"brief.txt": "The brief.\nIt says 41, not 14.\n"}
    )


def looked_up(material: Material, file: str, text: str) -> Quote:
    """The quote of output A, as it is after it was looked up."""
    given = answer(5, 3)
    path, both = next(iter(given.criteria.items()))
    own = both.A.model_copy(update={"quotes": (Quote(file=file, text=text),)})
    changed = both.model_copy(update={"A": own})
    found = verified(given.model_copy(update={"criteria": {path: changed}}), material)
    (quote,) = found.criteria[path].A.quotes
    return quote


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_line_as_a_tool_returned_it_is_found_with_its_place(material: Material, case: Case) -> None:
    side = {} if case.tool == "compare" else {"side": "A"}
    answered = Examination(material, limits=ToolLimits()).call(case.tool, side | case.asked)
    line = next(each for each in words(answered).splitlines() if case.words in each)

    quote = looked_up(material, str(case.asked["file"]), line)

    assert quote.found
    assert quote.place.startswith(case.place)


@pytest.mark.parametrize(
    ("file", "text"),
    [("rows.csv", "3 | South | 121"), ("plan.txt", "3000: Step 3000: check part 64."), ("plan.txt", "12: .")],
)
def test_a_number_in_front_makes_no_quote_of_what_is_none(material: Material, file: str, text: str) -> None:
    assert not looked_up(material, file, text).found
