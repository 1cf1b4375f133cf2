"""What the tool `compare` says of two files: every line that differs, in as many answers as it takes."""

import json
import re

import pytest

from comparator.domain.pair.examination import ToolLimits
from comparator.judges.tools.examination import Examination
from tests.worlds.files.examined import Bench, Files


def test_every_line_of_a_long_stretch_is_reached_by_asking_on(bench: Bench) -> None:
    same = [f"line {n}" for n in range(50)]
    # As long as a line can be, and more of them than one answer holds.
    own, other = (
        [f"{side} {n} " + "x" * 500 for n in range(most)] for side, most in (("own", 130), ("new", 90))
    )
    a, b = ({"plan.md": "\n".join([*same, *lines, *same])} for lines in (own, other))
    material = bench.material(a, b)

    shown, first = [], 1
    while True:
        answered = Examination(material, limits=ToolLimits()).call(
            "compare", {"file": "plan.md", "first": first}
        )
        assert not answered.is_error
        (text,) = [str(block.get("text")) for block in answered.content]
        shown += re.findall(r"^[-+] (\d+): (\w+ \d+) x", text, re.MULTILINE)
        if not (more := re.search(r"ask with first=(\d+)", text)):
            break
        assert int(more[1]) > first
        first = int(more[1])

    assert sorted(shown) == sorted(
        (str(51 + n), f"{side} {n}") for side, most in (("own", 130), ("new", 90)) for n in range(most)
    )


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
