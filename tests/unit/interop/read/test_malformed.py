"""Whatever is wrong with a file of any format: a clear reason, and every row that is whole comes in."""

from __future__ import annotations

import copy
import io
import json
import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format
from comparator.interop.read import own_lines, parquet_rows
from comparator.interop.read.recognise import read
from tests.unit.interop.samples import (
    ALPACA,
    JUDGEBENCH,
    LLMBAR,
    REWARDBENCH,
    ROWS,
    SAMPLES,
    VOTES,
    as_csv,
    as_parquet,
    comparator_file,
    lines,
    promptfoo_row,
    promptfoo_rows,
    promptfoo_table,
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
LISTS: dict[Format, list[dict[str, Any]]] = {
    Format.JSONL: ROWS,
    Format.ALPACA_EVAL: [ALPACA[0], {**ALPACA[1], "instruction": "Name a tree"}],
    Format.LLMBAR: LLMBAR,
    Format.JUDGEBENCH: [JUDGEBENCH[0], {**JUDGEBENCH[1], "question": "What is 3 times 2?"}],
    Format.REWARDBENCH: REWARDBENCH,
    Format.MT_BENCH: [VOTES[0], {**VOTES[1], "question_id": 82}],
    Format.LLM_COMPARATOR: [comparator_file()["examples"][0], EXAMPLE],
    Format.PROMPTFOO: [promptfoo_row(0, 0, "0", mark=True), promptfoo_row(1, 1, "1")],
}
"""Two rows of each format that has rows: one to break, one that stays whole."""


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a JSON value, at any depth."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*above, key)
        yield from places(each, (*above, key))


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


def found_in(tmp_path: Path, content: str | bytes, *, kind: Format | None = None) -> Findings:
    file = tmp_path / "data.bin"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(file, format=kind)


def texts(found: Findings) -> set[tuple[str, str | None]]:
    return {(run.task_key, run.text) for run in found.runs}


def refusal(tmp_path: Path, content: str | bytes, *, kind: Format) -> str | Findings:
    """Why the file is refused as a whole; else what was found in it."""
    try:
        return found_in(tmp_path, content, kind=kind)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("kind", LISTS)
def test_an_odd_value_anywhere_in_a_row_is_told_or_harmless_and_costs_no_other_row(
    tmp_path: Path, kind: Format
) -> None:
    first, whole = LISTS[kind]
    rows = list(broken(first))

    found = found_in(tmp_path, as_file(kind, [*rows, whole]), kind=kind)

    assert texts(found_in(tmp_path, as_file(kind, [whole]), kind=kind)) <= texts(found)
    named = {left.file for left in found.left_out}
    came = len(found.runs) if kind is Format.PROMPTFOO else len(found.stated)
    assert came + found.duplicates + len(named) >= len(rows) + 1
    assert all(left.reason for left in found.left_out)
    assert "\ud800" not in repr(found)


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
            found = refusal(tmp_path, text, kind=kind)
            if isinstance(found, str):
                assert "cannot be imported as" in found
            else:
                empty = any(f'"{name}": []' in text for name in ("examples", "results", "body", "outputs"))
                assert found.runs or found.left_out or empty


@pytest.mark.parametrize("kind", SAMPLES)
def test_wherever_a_file_is_cut_the_whole_rows_before_it_come_in_or_it_is_refused(
    tmp_path: Path, kind: Format
) -> None:
    content = SAMPLES[kind]
    data = content.encode() if isinstance(content, str) else content
    for cut in range(1, len(data) - 1, max(len(data) // 40, 1)):
        found = refusal(tmp_path, data[:cut], kind=kind)
        if isinstance(found, str):
            assert "cannot be imported as" in found
            assert kind not in ONE_A_LINE
            continue
        assert kind in ONE_A_LINE or kind is Format.CSV
        whole = data[:cut].count(b"\n") - (kind is Format.CSV)
        assert len(found.stated) + found.duplicates >= whole
        rest = data[:cut].rpartition(b"\n")[2]
        # The last cell of a table can be shorter than it was without anybody seeing it.
        assert found.left_out or rest in (b"", *data.splitlines()) or kind is Format.CSV


def test_a_file_that_was_written_over_many_lines_and_cut_off_is_no_table(tmp_path: Path) -> None:
    text = json.dumps(comparator_file(), indent=2)
    one_each = re.sub(r"\{[^{}]*\}", lambda found: " ".join(found[0].split()), text)
    for cut in range(len(one_each) // 10, len(one_each) - 2, len(one_each) // 10):
        with pytest.raises(InputError, match="it is not JSON"):
            found_in(tmp_path, one_each[:cut])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("kind", [kind for kind in SAMPLES if kind is not Format.PARQUET])
def test_another_encoding_of_unicode_changes_nothing(tmp_path: Path, kind: Format, encoding: str) -> None:
    content = SAMPLES[kind]
    assert isinstance(content, str)
    plain = found_in(tmp_path, content)

    assert found_in(tmp_path, content.encode(encoding)) == plain


@pytest.mark.parametrize("kind", SAMPLES)
def test_what_is_neither_text_nor_the_format_is_refused(tmp_path: Path, kind: Format) -> None:
    for content in (b"", b"\xff\xd8\xff\xe0 picture", b"PK\x03\x04", b"caf\xe9,\n", b"\0" * 64):
        found = refusal(tmp_path, content, kind=kind)
        if isinstance(found, str):
            assert "cannot be imported as" in found
        else:
            assert not found.runs
            assert found.left_out[0].reason


@pytest.mark.parametrize("kind", [Format.JSONL, Format.CSV, Format.PARQUET, Format.JUDGEBENCH])
def test_one_id_for_two_tasks_keeps_them_apart_and_says_each_once(tmp_path: Path, kind: Format) -> None:
    if kind is Format.JUDGEBENCH:
        rows = [{**JUDGEBENCH[0], "pair_id": "p"}, {**JUDGEBENCH[0], "pair_id": "p", "question": "Why?"}]
    else:
        rows = [{**row, "task_id": "t"} for row in ROWS]
    rows.append(rows[0])
    content = as_csv(rows) if kind is Format.CSV else lines(rows)

    found = found_in(tmp_path, as_parquet(rows) if kind is Format.PARQUET else content, kind=kind)

    assert len({run.task_key for run in found.runs}) == len(found.stated) == 2
    assert found.duplicates == 1


def test_tests_of_promptfoo_that_share_a_number_keep_apart(tmp_path: Path) -> None:
    def row(subject: str, index: int) -> dict[str, Any]:
        return {
            **promptfoo_row(0, index, f"{subject} {index}"),
            "prompt": {"raw": f"Describe {subject}", "label": "describe"},
            "vars": {"subject": subject},
        }

    rows = [row(subject, index) for subject in ("hills", "lakes") for index in (0, 1)]

    found = found_in(tmp_path, as_file(Format.PROMPTFOO, rows))

    assert {(run.prompt, run.text) for run in found.runs} == {
        (f"Describe {subject}", f"{subject} {index}") for subject in ("hills", "lakes") for index in (0, 1)
    }
    assert {run.repetition for run in found.runs} == {1}


def test_two_columns_of_one_name_are_told(tmp_path: Path) -> None:
    text = "prompt,output_a,output_b,output_b\nhi,x,y,z\n"
    table = pyarrow.table([["hi"], ["x"], ["y"], ["z"]], names=text.partition("\n")[0].split(","))
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink)

    for kind, content in ((Format.CSV, text.encode()), (Format.PARQUET, sink.getvalue())):
        with pytest.raises(InputError, match="several columns called output_b"):
            found_in(tmp_path, content, kind=kind)


def test_one_question_twice_is_told_and_the_first_one_counts(tmp_path: Path) -> None:
    asked = [{"question_id": 81, "turns": [text]} for text in ("Name a bird", "Name a fish", "Name a bird")]
    (tmp_path / "question.jsonl").write_text(lines(asked))
    (tmp_path / "model_answer").mkdir()
    for model in ("m1", "m2"):
        answer = {"question_id": 81, "choices": [{"turns": [f"Wren, says {model}"]}]}
        (tmp_path / f"model_answer/{model}.jsonl").write_text(lines([answer]))
    row = {"question_id": 81, "model_1": "m1", "model_2": "m2", "g1_winner": "tie", "g2_winner": "tie"}

    found = found_in(tmp_path, lines([row]))

    assert {run.prompt for run in found.runs} == {"Name a bird"}
    assert [left.reason for left in found.left_out] == [
        "another row has the question_id 81; the first one counts"
    ]


def test_questions_and_answers_that_are_links_to_elsewhere_are_not_read(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "question.jsonl").write_text(lines([{"question_id": 81, "turns": ["private"]}]))
    home = tmp_path / "set"
    (home / "model_answer").mkdir(parents=True)
    (home / "question.jsonl").symlink_to(private / "question.jsonl")
    row = {"question_id": 81, "model_1": "m1", "model_2": "m2", "g1_winner": "tie", "g2_winner": "tie"}

    found = found_in(home, lines([row]))

    assert not found.runs
    assert found.left_out[0].reason == "it is a link that leads elsewhere"
    assert "private" not in str([left.reason for left in found.left_out])


@pytest.mark.parametrize("kind", LISTS)
def test_rows_of_another_format_among_them_are_told_and_the_others_stay(tmp_path: Path, kind: Format) -> None:
    other = LLMBAR[0] if kind is not Format.LLMBAR else JUDGEBENCH[0]

    found = found_in(tmp_path, as_file(kind, [LISTS[kind][0], other, LISTS[kind][1]]), kind=kind)

    assert [left.file.rsplit(", ", 1)[1] for left in found.left_out] == ["row 2"]
    assert texts(found) == texts(found_in(tmp_path, as_file(kind, LISTS[kind]), kind=kind))


def test_a_promptfoo_file_with_both_versions_is_read_by_the_one_that_numbers_its_tests(
    tmp_path: Path,
) -> None:
    table = promptfoo_table()
    old_rows = [{k: v for k, v in promptfoo_row(0, i, "0").items() if k != "testIdx"} for i in range(2)]
    both = {"results": {**table["results"], "results": old_rows}}
    newer = {"results": {**table["results"], **promptfoo_rows()["results"]}}

    assert found_in(tmp_path, json.dumps(both)).runs == found_in(tmp_path, json.dumps(table)).runs
    assert found_in(tmp_path, json.dumps(newer)).runs == found_in(tmp_path, json.dumps(promptfoo_rows())).runs


def test_a_small_parquet_file_of_nothing_but_rows_or_entries_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.interop.read.parquet_rows._MOST_ROWS", 10_000)
    monkeypatch.setattr("comparator.interop.read.parquet_rows.LARGEST", 1_000_000)
    texts = {name: ["x"] for name in ("prompt", "output_a", "output_b")}
    nothing = pyarrow.nulls(200_000, pyarrow.int8())
    tags = pyarrow.ListArray.from_arrays(pyarrow.array([0, len(nothing)], pyarrow.int32()), nothing)
    for name, table, why in (
        ("rows", {name: pyarrow.nulls(10_001, pyarrow.string()) for name in texts}, "more than 10,000 rows"),
        ("entries", {**texts, "tags": tags}, "it holds more than"),
        ("parts", {**texts, "tags": pyarrow.StructArray.from_arrays([tags], ["t"])}, "it holds more than"),
    ):
        pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / name)
        with pytest.raises(InputError, match=why):
            read(tmp_path / name, format=Format.PARQUET)


def test_a_small_parquet_file_that_holds_much_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_rows, "LARGEST", 5_000_000)
    long = pyarrow.array(["x" * 100_000]).take(pyarrow.array([0] * 70))
    table = pyarrow.table(
        {"prompt": ["hi"] * 70, "output_a": long.dictionary_encode(), "output_b": ["y"] * 70}
    )
    pyarrow.parquet.write_table(table, tmp_path / "much.parquet")
    assert (tmp_path / "much.parquet").stat().st_size < 100_000

    with pytest.raises(InputError, match="more than 5,000,000 bytes"):
        read(tmp_path / "much.parquet", format=Format.PARQUET)


@pytest.mark.parametrize("start", ["", "\0", '"', "prompt,"])
def test_a_text_without_lines_is_no_table(tmp_path: Path, start: str) -> None:
    with pytest.raises(InputError, match="its first line has 240,00"):
        read(given(tmp_path, start + "ab" * 120_000), format=None)


def given(tmp_path: Path, text: str) -> Path:
    """A file that ends in .csv."""
    file = tmp_path / "data.csv"
    file.write_text(text, "utf-8")
    return file


FILE = {"name": "x.md", "text": "x"}


def deep(levels: int) -> Any:
    """Lists in lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("odd", ODD)
def test_odd_files_and_labels_cost_their_own_row_alone(tmp_path: Path, odd: Any) -> None:
    rows: list[dict[str, Any]] = [
        {"files_a": odd},
        {"files_a": {"files": odd}},
        {"files_a": {"files": [odd]}},
        {"input_files": {"folder": odd, "files": [FILE, FILE]}},
        {"files_b": {"name": odd, "files": [FILE]}},
        {"files_b": {"files": [{**FILE, "name": odd}]}},
        {"files_b": {"files": [{"name": "x", "base64": odd}]}},
        {"reference_files": {"files": [{**FILE, "left_out": odd}]}},
        {"other_labels": odd},
        {"other_labels": [odd]},
        *(
            {"other_labels": [{"winner": "A", "kind": "gold", name: odd}]}
            for name in ("winner", "kind", "author")
        ),
        {"void_a": odd, "seconds_b": odd, "input_tokens_a": odd, "comparison": odd},
    ]
    path = tmp_path / "rows.jsonl"
    whole = {"prompt": "Name a river", "output_a": "Rhine", "output_b": "Alps"}
    every = [{**whole, "prompt": f"Task {number}", **row} for number, row in enumerate(rows)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in [*every, whole]), "utf-8")

    found = read(path, format=None)

    left = {each.file.rpartition(" ")[2] for each in found.left_out}
    assert len(found.stated) >= len(rows) + 1 - len(left)
    assert found.runs[-1].prompt == "Name a river"


def test_columns_of_these_names_in_somebody_elses_table_mean_nothing(tmp_path: Path) -> None:
    whole = {"prompt": "Name a river", "output_a": "Rhine", "output_b": "Alps"}
    theirs = {"grading_a": 5, "details_b": [1], "cut_off_a": "no", "superseded_b": "yes"}

    others: tuple[dict[str, Any], ...] = (
        {},
        {"comparison": "c"},
        {"result": {}},
        {"comparison": 3, "result": {}},
    )
    for more in others:
        found = found_in(tmp_path, lines([{**whole, **theirs, **more}]), kind=Format.JSONL)
        assert found == found_in(tmp_path, lines([{**whole, **more}]), kind=Format.JSONL)


def test_one_comparison_id_for_two_rows_keeps_their_runs_apart(tmp_path: Path) -> None:
    whole = {"prompt": "Name a river", "comparison": "abcdefgh1", "result": {}}
    rows = [{**whole, "output_a": text, "output_b": f"no {text}"} for text in ("Rhine", "Elbe")]
    rows.append({**whole, "output_a": "Po", "output_b": "no Po", "comparison": "../c" * 40})

    found = found_in(tmp_path, lines(rows), kind=Format.JSONL)

    assert len({run.address for run in found.runs}) == len(found.runs) == 6
    assert {run.text for run in found.runs} == {
        row[side] for row in rows for side in ("output_a", "output_b")
    }
    assert not [run.address for run in found.runs if "../c" in run.address]


OURS = {"prompt": "Hi", "output_a": "Rhine", "output_b": "Alps", "comparison": "c", "result": {}}
UNUSABLE: tuple[dict[str, Any], ...] = (
    *({name: odd} for name, odds in (("cut_off_a", (3, [1], "y" * 1_001)), ("superseded_b", ("yes", 1)),
                                     ("details_b", ([1], "x"))) for odd in odds),
    *({"details_a": {name: odd}} for name in ("contaminated", "own_prompt") for odd in (3, [1])),
    *({"details_a": {"skill_names": odd}} for odd in ("x", [3], ["x"] * 1_001, ["y" * 1_001], [""])),
    {"grading_a": deep(101)},
    {"details_b": {"x": "y" * 7_000}},
    {"grading_b": ["y" * 7_000]},
    *({"files_a": {"files": odd}} for odd in (3, ["x"], [{"text": "x"}], [{"name": "x"}],
                                              [{"name": "x", "base64": "?"}],
                                              [FILE, {"name": "y", "left_out": "x" * 1_001}],
                                              [{"name": str(n), "left_out": "x"} for n in range(25_001)])),
    {"input_files": {"folder": False, "files": [FILE, FILE]}},
    {"reference_files": {"folder": "no", "files": [FILE]}},
)  # fmt: skip


@pytest.mark.parametrize("odd", UNUSABLE, ids=lambda odd: repr(odd)[:50])
def test_what_of_a_line_of_ours_cannot_be_used_costs_its_line_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: dict[str, Any]
) -> None:
    monkeypatch.setattr(own_lines, "LARGEST_DOCUMENT", 6_000)

    found = found_in(tmp_path, lines([OURS | odd, {**OURS, "prompt": "Ho"}]), kind=Format.JSONL)

    (left,) = found.left_out
    assert left.file.endswith("row 1")
    assert next(iter(odd)).removesuffix("_a").removesuffix("_b") in left.reason or "output" in left.reason
    assert [run.prompt for run in found.runs] == ["Ho", "Ho"]


@pytest.mark.parametrize(
    "graded", [{"expectations": 3}, {"expectations": [[]]}, {"componentResults": [{"assertion": 1}]}]
)
def test_a_grading_that_nobody_understands_is_kept_as_it_is(tmp_path: Path, graded: dict[str, Any]) -> None:
    found = found_in(tmp_path, lines([{**OURS, "grading_a": graded}]), kind=Format.JSONL)

    assert (found.runs[0].grading, found.runs[0].claims, found.left_out) == (graded, (), ())


def test_a_label_whose_value_nothing_could_read_again_is_left_out_alone(tmp_path: Path) -> None:
    whole = {"prompt": "Hi", "output_a": "Rhine", "output_b": "Alps"}
    given = [
        {"winner": "A", "kind": "human", "author": author, "value": deep(levels)}
        for author, levels in (("one", 90), ("other", 900))
    ]

    found = found_in(tmp_path, lines([{**whole, "other_labels": given}]), kind=Format.JSONL)

    assert [label.author for label in found.labels] == ["one"]
    assert [left.reason for left in found.left_out] == [
        "one of its other_labels: its value is nested more than 100 levels deep"
    ]


@pytest.mark.parametrize("odd", [b"\xff", datetime(2026, 1, 1, tzinfo=UTC), Decimal("1.5")])
def test_values_of_a_parquet_file_that_json_has_no_form_for_are_told(tmp_path: Path, odd: object) -> None:
    label = {"winner": "A", "kind": "human", "value": {"odd": odd}}
    path = tmp_path / "rows.parquet"
    rows = [
        {**OURS, "result": {"x": 1}, "other_labels": [label], "grading_b": None},
        {**OURS, "result": {"x": 1}, "grading_b": {"odd": odd}},
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)

    found = read(path, format=None)

    assert ["JSON cannot write" in left.reason for left in found.left_out] == [True] * len(found.left_out)
    assert {left.file.rpartition(" ")[2] for left in found.left_out} == {"1", "2"}
    assert found.labels == ()


def test_the_skills_of_all_lines_together_have_so_many_names(tmp_path: Path) -> None:
    names = [[f"skill-{row:03}-{number:03}" for number in range(300)] for row in range(4)]
    rows = [
        {**OURS, "prompt": f"Task {row}", "details_a": {"skill_names": each}}
        for row, each in enumerate([*names, names[0]])
    ]

    found = found_in(tmp_path, lines(rows), kind=Format.JSONL)

    assert found.skill_names == tuple(sorted((*names[0], *names[1])))
    assert len(found.stated) == 5
    assert [left.file.rpartition(" ")[2] for left in found.left_out] == ["3", "4"]
