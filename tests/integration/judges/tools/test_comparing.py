"""What the tool `compare` says of two files: every line that differs, in as many answers as it takes."""

from __future__ import annotations

import json
import re

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


ROWS = [{"n": n, "total": 4711.10 + n} for n in range(4_000)]
WRONG = [*ROWS[:2_000], {"n": 2_000, "total": "n/a"}, *ROWS[2_002:]]


def compared(bench: Bench, a: Files, b: Files, **arguments: object) -> str:
    material = bench.material(a, b, inputs={"before.txt": "one\ntwo\n"})
    answered = Examination(material, limits=ToolLimits()).call("compare", arguments)
    assert not answered.is_error, answered.content
    return "\n".join(str(block.get("text")) for block in answered.content)


def test_json_is_compared_by_paths_with_both_values(bench: Bench) -> None:
    a, b = ({"data.json": json.dumps({"rows": rows})} for rows in (ROWS, WRONG))

    text = compared(bench, a, b, file="data.json")

    assert '1. $.rows[2000].total: 6711.1 | "n/a"' in text
    assert '2. $.rows[2001]: only in A: {"n": 2001' in text
    assert "\n2 differences" in text


def test_the_place_in_a_long_line_is_told(bench: Bench) -> None:
    line = ", ".join(str(n) for n in range(20_000))

    text = compared(bench, {"a.txt": line}, {"a.txt": line.replace("14711,", "14771,")}, file="a.txt")

    assert f'column {line.index("14711") + 1:,}: "14711" | "14771"' in text


def test_an_input_file_is_a_side_and_few_files_are_told_with_their_lines(bench: Bench) -> None:
    a, b = {"plan.txt": "one\ntwo\n", "same.txt": "x"}, {"plan.txt": "one\nthree\n", "same.txt": "x"}

    text = compared(bench, a, b)
    assert "differs: plan.txt" in text
    assert "- 2: two\n+ 2: three" in text
    text = compared(bench, a, b, side="input", file="before.txt", other="plan.txt")
    assert "before.txt of input and plan.txt of B" in text
    assert "- 2: two\n+ 2: three" in text
