"""Tables and preference sets: each row a pair, labels kept with their authors, broken rows told and the rest read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import LabelKind, Winner
from comparator.interop.imported import Format
from tests.unit.interop.samples import REWARDBENCH, ROWS, SAMPLES, as_parquet, found_in, lines
from tests.worlds.files.import_files import write


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_format_is_told_by_content_alone(tmp_path: Path, kind: Format) -> None:
    findings = found_in(tmp_path, SAMPLES[kind])

    assert findings.format is kind
    assert findings.runs
    assert not findings.left_out


def test_a_table_gives_pairs_labels_and_void_runs(tmp_path: Path) -> None:
    findings = found_in(tmp_path, SAMPLES[Format.PARQUET])

    assert [run.configuration for run in findings.runs] == ["v1", "v2", "v1", "v2"]
    assert len(findings.stated) == 2
    assert [(label.author, label.winner, label.kind) for label in findings.labels] == [
        ("Kim", Winner.A, LabelKind.HUMAN),
        ("Kim", Winner.TIE, LabelKind.HUMAN),
    ]
    assert [run.void for run in findings.runs] == ["", "", "", "the output is empty"]


def test_a_bad_row_of_a_table_is_named_and_the_others_stay(tmp_path: Path) -> None:
    rows = [
        *ROWS,
        {"prompt": "Say", "output_a": {"a": 3}, "output_b": "x"},
        {"prompt": " "},
        {**ROWS[0], "prompt": "Sing", "label": "C"},
        {**ROWS[0], "prompt": "Hum", "label": "A", "label_kind": ["human"]},
    ]
    findings = found_in(tmp_path, lines(rows))

    # An odd label costs its label alone.
    assert [run.prompt for run in findings.runs][-4:] == ["Sing", "Sing", "Hum", "Hum"]
    assert (len(findings.stated), len(findings.labels)) == (4, 2)
    assert [left.file.rsplit(", ", 1)[1] for left in findings.left_out] == [
        "row 3",
        "row 4",
        "row 5",
        "row 6",
    ]
    assert "output_a is an object" in findings.left_out[0].reason
    assert "has no prompt" in findings.left_out[1].reason
    reason = findings.left_out[2].reason
    assert "'c' is not a word such as A, B, tie" in reason
    assert '--label-values "c=A"' in reason
    assert "the pair is imported without this label" in reason


def test_columns_are_mapped_and_a_missing_one_is_told(tmp_path: Path) -> None:
    content = "question,first,second\nhi,x,y\n"

    with pytest.raises(
        InputError, match=r"no column prompt; there are first, question, second.*--column prompt=NAME"
    ):
        found_in(tmp_path, content, kind=Format.CSV)
    columns = {"prompt": "question", "output_a": "first", "output_b": "second"}
    assert found_in(tmp_path, content, columns=columns).runs[0].prompt == "hi"

    findings = found_in(tmp_path, "question,rejected,chosen\nhi,x,y\n", columns={"prompt": "question"})
    assert ([run.text for run in findings.runs], findings.labels[0].winner) == (["y", "x"], Winner.A)


@pytest.mark.parametrize("as_rows", [lines, as_parquet])
def test_rewardbench_is_its_right_answer_against_each_wrong_one(
    tmp_path: Path, as_rows: Callable[[list[dict[str, Any]]], str | bytes]
) -> None:
    findings = found_in(tmp_path, as_rows(REWARDBENCH))

    assert findings.format is Format.REWARDBENCH
    assert [run.text for run in findings.runs] == ["6", "7", "8", "9", "8", "9", "10", "11"]
    assert len(findings.stated) == len(findings.labels) == 6
    assert {label.winner for label in findings.labels} == {Winner.A}
    assert {label.kind for label in findings.labels} == {LabelKind.GOLD}
    assert [run.tags for run in findings.runs[::4]] == [("Math",), ("Focus",)]
    for kind in (Format.LLMBAR, Format.JUDGEBENCH):
        assert {label.kind for label in found_in(tmp_path, SAMPLES[kind]).labels} == {LabelKind.GOLD}
    # Names of candidates do not say which one is right.
    assert {run.configuration for run in findings.runs} == {"first", "second"}


def test_mt_bench_judgments_take_their_texts_from_the_files_beside_them(tmp_path: Path) -> None:
    write(tmp_path / "question.jsonl", {"question_id": 81, "turns": ["Name a bird", "And a fish"]})
    for model, answer in (("m1", "Wren"), ("m2", "Robin")):
        row = {"question_id": 81, "choices": [{"turns": [answer, "Trout"]}]}
        write(tmp_path / f"model_answer/{model}.jsonl", row)
    judged = {"question_id": 81, "model_1": "m1", "model_2": "m2", "judge": ["gpt", "pair-v2"]}
    rows = [
        {**judged, "turn": 1, "g1_winner": "model_1", "g2_winner": "model_1"},
        {**judged, "turn": 2, "g1_winner": "model_1", "g2_winner": "model_2"},
        {**judged, "turn": 2, "g1_winner": "error", "g2_winner": "tie"},
        {**judged, "model_2": "unknown", "turn": 1, "g1_winner": "tie", "g2_winner": "tie"},
    ]
    findings = found_in(tmp_path, lines(rows))

    assert [run.text for run in findings.runs][:2] == ["Wren", "Robin"]
    assert [label.winner for label in findings.labels] == [Winner.A, Winner.TIE]
    assert "model_answer/unknown.jsonl" in findings.left_out[0].reason


def test_a_promptfoo_run_gives_outputs_errors_expectations_and_marks(tmp_path: Path) -> None:
    findings = found_in(tmp_path, SAMPLES[Format.PROMPTFOO])

    assert [run.configuration for run in findings.runs] == ["m0", "m1", "m0", "m1"]
    assert findings.runs[1].text_name == "answer.json"
    assert findings.runs[3].void == "it ended with an error: rate limit"
    assert findings.runs[0].expectations == ("It counts",)
    assert (findings.runs[0].seconds, findings.runs[0].output_tokens) == (1.2, 7)
    assert [(label.winner, label.blind) for label in findings.labels] == [(Winner.A, False)]


def test_what_has_no_known_format_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--format on the command line, or Format on the page Import"):
        found_in(tmp_path, "Dear diary\n")
