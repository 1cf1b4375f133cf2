"""The tool `compare`, line by line in as many answers as it takes; and quotes, looked up in the whole files."""

import json
import re
from typing import Any, NamedTuple

import pytest

from comparator.domain.pair.examination import ToolLimits
from comparator.domain.scoring.judgment import Quote
from comparator.judges.tools.examination import Examination, verify_quotes
from comparator.judges.tools.material import Material
from tests.integration.judges.tools.test_tools import CSV, PDF, slides, two_sheets, words
from tests.worlds.files.examined import Bench, Files
from tests.worlds.histories.pairs import answer


def test_every_line_of_a_long_stretch_is_reached_by_asking_on(bench: Bench) -> None:
    same = [f"line {n}" for n in range(50)]
    # As long as a line can be, and more of them than one answer holds.
    sides = ("own", 130), ("new", 90)
    own, other = ([f"{side} {n} " + "x" * 500 for n in range(most)] for side, most in sides)
    a, b = ({"plan.md": "\n".join([*same, *lines, *same])} for lines in (own, other))
    material = bench.material(a, b)

    listed, first = [], 1
    while True:
        request = {"file": "plan.md", "first": first}
        answered = Examination(material, limits=ToolLimits()).call("compare", request)
        assert not answered.is_error
        (text,) = [str(block.get("text")) for block in answered.content]
        listed += re.findall(r"^[-+] (\d+): (\w+ \d+) x", text, re.MULTILINE)
        if not (more := re.search(r"ask with first=(\d+)", text)):
            break
        assert int(more[1]) > first
        first = int(more[1])

    assert sorted(listed) == sorted((str(51 + n), f"{side} {n}") for side, most in sides for n in range(most))


ROWS: list[dict[str, object]] = [{"total": 4711.10 + n, "n": n} for n in range(4_000)]
WRONG = [*ROWS[:2_000], {"n": 2_000, "total": "n/a"}, *ROWS[2_002:]]


def compared(bench: Bench, a: Files, b: Files, **arguments: object) -> str:
    material = bench.material(a, b, inputs={"before.txt": "one\ntwo\n"})
    answered = Examination(material, limits=ToolLimits()).call("compare", arguments)
    assert not answered.is_error, answered.content
    return "\n".join(str(block.get("text")) for block in answered.content)


def test_json_is_compared_by_its_paths_whatever_the_order_of_its_keys(bench: Bench) -> None:
    a = {"data.json": json.dumps({"rows": ROWS})}
    b = {"data.json": json.dumps({"rows": WRONG}, sort_keys=True)}

    text = compared(bench, a, b, file="data.json")

    assert "differences between data.json of A and data.json of B, as indented JSON with sorted keys" in text
    assert re.search(r'^- \d+: +"total": 6711.1$', text, re.MULTILINE)
    assert re.search(r'^\+ \d+: +"total": "n/a"$', text, re.MULTILINE)
    assert text.count('"n": 2001') == 1
    assert "changed $.rows[2000].total" in text


WORD = "receipt" * 11_600 + "abc"
ROWS_OF_JSON = ",".join(f'{{"n":{n},"total":{n % 97}}}' for n in range(3_000))


@pytest.mark.parametrize(
    ("before", "after", "column"),
    [
        # Before and after the difference, and the column at which the number stands.
        (WORD, "", 81_204),
        (WORD, WORD, 81_204),
        (f"first line\n{WORD}", "\nlast line", 81_204),
        # It does not parse, for it ends within an object.
        (f'{{"rows":[{ROWS_OF_JSON},{{"n":', f',"total":1}},{ROWS_OF_JSON},{{', len(ROWS_OF_JSON) + 16),
    ],
)
def test_the_place_in_a_very_long_line_is_told(bench: Bench, before: str, after: str, column: int) -> None:
    a, b = ({"data.json": f"{before}{number}{after}"} for number in (4711, 4771))

    assert f'column {column:,}: "4711" | "4771"' in compared(bench, a, b, file="data.json")
    assert f'column {column:,}: "4711" | "4771"' in compared(bench, a, b)


def test_of_several_long_lines_in_one_change_each_has_its_place(bench: Bench) -> None:
    a, b = ({"data.txt": f"{WORD}{number}\n{WORD}-{number + 1}"} for number in (4711, 4771))

    text = compared(bench, a, b, file="data.txt")

    assert 'line 1, column 81,204: "4711" | "4771"' in text
    assert 'line 2, column 81,205: "4712" | "4772"' in text


PLAN = "\n".join(f"Step {n}: check part {n % 89}." for n in range(1, 5_000))
SOUTH = {"where": [{"column": "field", "test": "equals", "value": "South"}]}


class Case(NamedTuple):
    """A call, words of the line of its answer that is quoted as it stands there, and the place of the quote."""

    tool: str
    arguments: dict[str, Any]
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


@pytest.fixture(scope="module")
def material(bench: Bench) -> Material:
    files: dict[str, bytes | str] = {
        "plan.txt": PLAN, "rows.csv": CSV, "book.xlsx": two_sheets(), "plan.pdf": PDF, "talk.pptx": slides(),
    }  # fmt: skip
    other = PLAN.replace("Step 4000:", "Pace 4000:")
    return bench.material(files, {"plan.txt": other}, inputs={"brief.txt": "The brief.\nIt is 41, not 14.\n"})


def looked_up(material: Material, file: str, text: str) -> Quote:
    """The quote of output A, as it is after it was looked up."""
    given = answer(5, 3)
    path, both = next(iter(given.criteria.items()))
    own = both.A.model_copy(update={"quotes": (Quote(file=file, text=text),)})
    changed = both.model_copy(update={"A": own})
    checked = verify_quotes(given.model_copy(update={"criteria": {path: changed}}), material)
    (quote,) = checked.criteria[path].A.quotes
    return quote


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_line_as_a_tool_returned_it_is_found_with_its_place(material: Material, case: Case) -> None:
    side = {} if case.tool == "compare" else {"side": "A"}
    answered = Examination(material, limits=ToolLimits()).call(case.tool, side | case.arguments)
    line = next(row for row in words(answered).splitlines() if case.words in row)

    quote = looked_up(material, str(case.arguments["file"]), line)

    assert quote.found
    assert quote.place.startswith(case.place)


@pytest.mark.parametrize(
    ("file", "text"),
    [("rows.csv", "3 | South | 121"), ("plan.txt", "3000: Step 3000: check part 64."), ("plan.txt", "12: .")],
)
def test_a_number_in_front_makes_no_quote_of_what_is_none(material: Material, file: str, text: str) -> None:
    assert not looked_up(material, file, text).found
