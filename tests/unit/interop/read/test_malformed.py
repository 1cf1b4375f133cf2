"""Whatever is wrong with a file of any format: a clear reason, and every row that is whole comes in."""

import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.errors import InputError
from comparator.interop import tables
from comparator.interop.imported import Findings, Format
from comparator.interop.recognise import read
from tests.unit.interop.samples import (
    REWARDBENCH,
    ROWS,
    SAMPLES,
    as_csv,
    as_parquet,
    comparator_file,
    found_in,
    lines,
    promptfoo_row,
    promptfoo_rows,
    promptfoo_table,
    rows_of,
)

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 3, 10**400, math.inf, math.nan),
    *("", " ", "x", "\ud800", "a\0b", "x" * 5000, "[1,", "\u2028"),
    *([], [1], ["a", None], [[]], [{}], {}, {"a": 1}, {"raw": 3}),
)
"""What may stand where something else belongs."""
MISSING = object()
EXAMPLE = {**comparator_file()["examples"][0], "input_text": "Draw a line"}
ONE_A_LINE = (Format.JSONL, Format.JUDGEBENCH, Format.REWARDBENCH, Format.MT_BENCH)


def two_of(name: str, task: str) -> list[dict[str, Any]]:
    """The first row of a known set, and one of another task."""
    row = rows_of(name)[0]
    return [row, {**row, task: "Name a tree."}]


LISTS: dict[Format, list[dict[str, Any]]] = {
    Format.JSONL: ROWS,
    Format.ALPACA_EVAL: two_of("AlpacaEval", "instruction"),
    Format.LLMBAR: two_of("LLMBar", "input"),
    Format.JUDGEBENCH: two_of("JudgeBench", "question"),
    Format.REWARDBENCH: REWARDBENCH,
    Format.MT_BENCH: two_of("MT-Bench", "question_id"),
    Format.LLM_COMPARATOR: [comparator_file()["examples"][0], EXAMPLE],
    Format.PROMPTFOO: [promptfoo_row(0, 0, "0", mark=True), promptfoo_row(1, 1, "1")],
}
"""Two rows of each format that has rows: one to break, one that stays whole."""


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a JSON value, at any depth."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield (*above, key)
        yield from places(child, (*above, key))


def broken(value: Any, *, odd: tuple[Any, ...] = ODD) -> Iterator[Any]:
    """The value with each of its parts missing once, and once replaced by each odd value."""
    for *above, last in places(value):
        for instead in (*odd, MISSING):
            changed = home = copy.deepcopy(value)
            for key in above:
                home = home[key]
            if instead is MISSING:
                del home[last]
            else:
                home[last] = instead
            yield changed


def as_file(kind: Format, rows: list[Any]) -> str:
    if kind is Format.LLM_COMPARATOR:
        return json.dumps({**comparator_file(), "examples": rows})
    if kind is Format.PROMPTFOO:
        return json.dumps({"results": {"version": 3, "results": rows}})
    return lines(rows) if kind in ONE_A_LINE else json.dumps(rows)


def texts(findings: Findings) -> set[tuple[str, str | None]]:
    return {(run.task_key, run.text) for run in findings.runs}


def refusal(tmp_path: Path, content: str | bytes, *, kind: Format) -> str | Findings:
    """Why the file is refused as a whole; else what was found in it."""
    try:
        return found_in(tmp_path, content, kind=kind)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("kind", LISTS)
def test_an_odd_value_anywhere_in_a_row_is_told_and_costs_no_other_row(tmp_path: Path, kind: Format) -> None:
    first, whole = LISTS[kind]
    rows = list(broken(first))

    findings = found_in(tmp_path, as_file(kind, [*rows, whole]), kind=kind)

    assert texts(found_in(tmp_path, as_file(kind, [whole]), kind=kind)) <= texts(findings)
    named = {left.file for left in findings.left_out}
    came = len(findings.runs) if kind is Format.PROMPTFOO else len(findings.stated)
    assert came + findings.duplicates + len(named) >= len(rows) + 1
    assert all(left.reason for left in findings.left_out)
    assert "\ud800" not in repr(findings)


def test_odd_values_around_the_rows_are_told_or_harmless(tmp_path: Path) -> None:
    rows = promptfoo_rows()
    rows["results"]["results"] = rows["results"]["results"][:1]
    for kind, document in (
        (Format.LLM_COMPARATOR, comparator_file()),
        (Format.PROMPTFOO, rows),
        (Format.PROMPTFOO, promptfoo_table()),
    ):
        for changed in broken(document, odd=ODD[::4]):
            text = json.dumps(changed)
            result = refusal(tmp_path, text, kind=kind)
            if isinstance(result, str):
                assert "cannot be imported as" in result
            else:
                empty = any(f'"{name}": []' in text for name in ("examples", "results", "body", "outputs"))
                assert result.runs or result.left_out or empty


@pytest.mark.parametrize("kind", SAMPLES)
def test_wherever_a_file_is_cut_whole_rows_come_in_or_it_is_refused(tmp_path: Path, kind: Format) -> None:
    content = SAMPLES[kind]
    data = content.encode() if isinstance(content, str) else content
    for cut in range(1, len(data) - 1, max(len(data) // 40, 1)):
        result = refusal(tmp_path, data[:cut], kind=kind)
        if isinstance(result, str):
            assert "cannot be imported as" in result
            assert kind not in ONE_A_LINE
            continue
        assert kind in ONE_A_LINE or kind is Format.CSV
        whole = data[:cut].count(b"\n") - (kind is Format.CSV)
        assert len(result.stated) + result.duplicates >= whole
        rest = data[:cut].rpartition(b"\n")[2]
        # The last cell of a table can be shorter than it was without anybody seeing it.
        assert result.left_out or rest in (b"", *data.splitlines()) or kind is Format.CSV


@pytest.mark.parametrize("kind", SAMPLES)
def test_what_is_neither_text_nor_the_format_is_refused(tmp_path: Path, kind: Format) -> None:
    for content in (b"", b"\xff\xd8\xff\xe0 picture", b"PK\x03\x04", b"caf\xe9,\n", b"\0" * 64):
        result = refusal(tmp_path, content, kind=kind)
        if isinstance(result, str):
            assert "cannot be imported as" in result
        else:
            assert not result.runs
            assert result.left_out[0].reason


@pytest.mark.parametrize("kind", [Format.JSONL, Format.CSV, Format.PARQUET, Format.JUDGEBENCH])
def test_one_id_for_two_tasks_keeps_them_apart_and_says_each_once(tmp_path: Path, kind: Format) -> None:
    own = [{**row, "task_id": "t"} for row in ROWS]
    rows = two_of("JudgeBench", "question") if kind is Format.JUDGEBENCH else own
    rows.append(rows[0])
    content = as_csv(rows) if kind is Format.CSV else lines(rows)

    findings = found_in(tmp_path, as_parquet(rows) if kind is Format.PARQUET else content, kind=kind)

    assert len({run.task_key for run in findings.runs}) == len(findings.stated) == 2
    assert findings.duplicates == 1


def test_tests_of_promptfoo_that_share_a_number_keep_apart(tmp_path: Path) -> None:
    rows = [
        promptfoo_row(0, index, f"{subject} {index}")
        | {"prompt": {"raw": f"Describe {subject}"}, "vars": {"of": subject}}
        for subject in ("hills", "lakes")
        for index in (0, 1)
    ]

    findings = found_in(tmp_path, as_file(Format.PROMPTFOO, rows))

    assert {(run.prompt, run.text) for run in findings.runs} == {
        (f"Describe {subject}", f"{subject} {index}") for subject in ("hills", "lakes") for index in (0, 1)
    }
    assert {run.repetition for run in findings.runs} == {1}


def test_questions_and_answers_that_are_links_to_elsewhere_are_not_read(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "question.jsonl").write_text(lines([{"question_id": 81, "turns": ["private"]}]))
    home = tmp_path / "set"
    (home / "model_answer").mkdir(parents=True)
    (home / "question.jsonl").symlink_to(private / "question.jsonl")
    row = {"question_id": 81, "model_1": "m1", "model_2": "m2", "g1_winner": "tie", "g2_winner": "tie"}

    findings = found_in(home, lines([row]))

    assert not findings.runs
    assert findings.left_out[0].reason == "it is a link that leads elsewhere"
    assert "private" not in str([left.reason for left in findings.left_out])


def test_a_small_parquet_file_of_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST_ROWS", 10_000)
    monkeypatch.setattr(tables, "LARGEST", 1_000_000)
    texts = {name: ["x"] for name in ("prompt", "output_a", "output_b")}
    nothing = pyarrow.nulls(200_000, pyarrow.int8())
    tags = pyarrow.ListArray.from_arrays(pyarrow.array([0, len(nothing)], pyarrow.int32()), nothing)
    long = pyarrow.array(["x" * 100_000]).take(pyarrow.array([0] * 70)).dictionary_encode()
    for table, why in (
        ({name: pyarrow.nulls(10_001, pyarrow.string()) for name in texts}, "more than 10,000 rows"),
        ({**texts, "tags": tags}, "it holds more than"),
        ({**texts, "tags": pyarrow.StructArray.from_arrays([tags], ["t"])}, "it holds more than"),
        ({name: [name] * 70 for name in texts} | {"output_a": long}, "more than 1,000,000 bytes"),
    ):
        pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "rows")
        assert (tmp_path / "rows").stat().st_size < 100_000
        with pytest.raises(InputError, match=why):
            read(tmp_path / "rows", format=Format.PARQUET)
