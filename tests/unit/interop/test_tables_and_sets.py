"""Tables and preference sets: each row a pair, labels kept with their authors, broken rows told and the rest read."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.errors import InputError
from comparator.interop.model import Format, Found, LabelSource, Side
from comparator.interop.recognise import read, recognise

ROWS = [
    {
        "prompt": "Say hello",
        "output_a": "Hello",
        "output_b": "Hi",
        "candidate_a": "v1",
        "candidate_b": "v2",
        "label": "A",
        "label_author": "Kim",
    },
    {
        "prompt": "Say goodbye",
        "output_a": "Bye",
        "output_b": "",
        "candidate_a": "v1",
        "candidate_b": "v2",
        "label": "tie",
        "label_author": "Kim",
    },
]
ALPACA = [
    {
        "instruction": "Name a fruit",
        "output_1": "Apple",
        "generator_1": "m1",
        "output_2": "Pear",
        "generator_2": "m2",
        "annotator": "judge-x",
        "preference": preference,
    }
    for preference in (1, 2.0, 1.5, 0, 1.2, None)
]
LLMBAR = [
    {"input": "Add 1 and 1", "output_1": "2", "output_2": "3", "label": 1},
    {"input": "Add 1 and 2", "output_1": "2", "output_2": "3", "label": 2},
]
JUDGEBENCH = [
    {
        "pair_id": f"p{number}",
        "source": "maths",
        "question": "What is 2 times 3?",
        "response_model": "m1",
        "response_A": f"6 ({number})",
        "response_B": "5",
        "label": label,
    }
    for number, label in enumerate(("A>B", "B>A"))
]
SAID = [{"role": "user", "content": "Name a bird"}, {"role": "assistant", "content": "Wren"}]
VOTES = [
    {
        "question_id": 81,
        "model_a": "m1",
        "model_b": "m2",
        "winner": winner,
        "judge": "expert_1",
        "turn": 1,
        "conversation_a": SAID,
        "conversation_b": [SAID[0], {"role": "assistant", "content": "Robin"}],
    }
    for winner in ("model_a", "tie (bothbad)")
]


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_csv(rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_parquet(rows: list[dict[str, str]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
    return sink.getvalue()


def comparator_file() -> dict[str, Any]:
    return {
        "metadata": {},
        "models": [{"name": "m1"}, {"name": "m2"}],
        "examples": [
            {
                "input_text": "Draw a dot",
                "tags": ["art"],
                "output_text_a": [
                    {"data": "Here:", "type": "text"},
                    {"data": base64.b64encode(b"\x89PNG...").decode(), "type": "image_byte"},
                ],
                "output_text_b": ".",
                "score": -0.5,
                "individual_rater_scores": [
                    {"score": -1.0, "rating_label": "A is better", "is_flipped": True, "rationale": "."}
                ],
            }
        ],
    }


def promptfoo_row(test: int, prompt: int, output: Any, *, mark: bool | None = None) -> dict[str, Any]:
    grading = {
        "componentResults": []
        if mark is None
        else [{"pass": mark, "assertion": {"type": "human"}, "reason": ""}]
    }
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": f"vendor:m{prompt}", "label": f"m{prompt}"},
        "prompt": {"raw": f"Count to {test}", "label": "count"},
        "vars": {"n": test},
        "response": {"output": output, "tokenUsage": {"completion": 7}},
        "latencyMs": 1200,
        "gradingResult": grading,
        "testCase": {"assert": [{"type": "llm-rubric", "value": "It counts"}]},
    }


def promptfoo_rows() -> dict[str, Any]:
    rows = [
        promptfoo_row(0, 0, "0", mark=True),
        promptfoo_row(0, 1, {"count": [0]}, mark=False),
        promptfoo_row(1, 0, "1"),
        {**promptfoo_row(1, 1, None), "response": None, "error": "rate limit"},
    ]
    return {"evalId": "e", "results": {"version": 3, "results": rows, "prompts": []}, "config": {}}


def promptfoo_table() -> dict[str, Any]:
    head = {
        "prompts": [
            {"raw": "Count to {{n}}", "label": "count", "provider": f"vendor:m{i}"} for i in range(2)
        ],
        "vars": ["n"],
    }
    outputs = [{"text": "0", "pass": True, "prompt": "Count to 0"}, {"text": "none", "prompt": "Count to 0"}]
    return {"results": {"version": 2, "table": {"head": head, "body": [{"outputs": outputs, "vars": ["0"]}]}}}


SAMPLES: dict[Format, str | bytes] = {
    Format.CSV: as_csv(ROWS),
    Format.JSONL: lines(ROWS),
    Format.PARQUET: as_parquet(ROWS),
    Format.ALPACA_EVAL: json.dumps(ALPACA),
    Format.LLMBAR: json.dumps(LLMBAR),
    Format.JUDGEBENCH: lines(JUDGEBENCH),
    Format.MT_BENCH: lines(VOTES),
    Format.LLM_COMPARATOR: json.dumps(comparator_file()),
    Format.PROMPTFOO: json.dumps(promptfoo_rows()),
}
TEXTS = {kind: text for kind, text in SAMPLES.items() if isinstance(text, str)}


def found_in(tmp_path: Path, content: str | bytes, *, kind: Format | None = None, **more: Any) -> Found:
    file = tmp_path / "data.bin"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(file, format=kind, **more)


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_format_is_told_by_content_alone(tmp_path: Path, kind: Format) -> None:
    found = found_in(tmp_path, SAMPLES[kind])

    assert found.format is kind
    assert found.runs
    assert not found.left_out


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_mark_or_utf_16_changes_nothing(tmp_path: Path, kind: Format, encoding: str) -> None:
    plain = found_in(tmp_path, TEXTS[kind])

    assert found_in(tmp_path, TEXTS[kind].encode(encoding)) == plain


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_file_cut_in_its_last_row_is_refused_with_a_reason_or_loses_only_that_row(
    tmp_path: Path, kind: Format
) -> None:
    content = SAMPLES[kind]
    file = tmp_path / "data.bin"
    cut = content[:-20]
    file.write_bytes(cut.encode() if isinstance(cut, str) else cut)

    if kind not in (Format.CSV, Format.JSONL, Format.JUDGEBENCH, Format.MT_BENCH):
        with pytest.raises(InputError, match="cannot be imported as"):
            read(file, format=kind)
        return
    found = read(file, format=kind)
    assert len(found.left_out) == 1
    assert found.left_out[0].reason
    assert len(found.labels) == 1


@pytest.mark.parametrize("kind", [k for k in SAMPLES if k not in (Format.CSV, Format.PARQUET)])
@pytest.mark.parametrize(
    "wrong", ["[1, 2]", '"text"', "{}", "null", '{"examples": 3, "models": {}, "results": 4}']
)
def test_wrong_types_give_a_reason_and_no_run(tmp_path: Path, kind: Format, wrong: str) -> None:
    try:
        found = found_in(tmp_path, wrong, kind=kind)
    except InputError as error:
        said = str(error)
    else:
        assert not found.runs
        said = found.left_out[0].reason
    assert said


def test_a_table_gives_pairs_labels_and_void_runs(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.PARQUET])

    assert [run.configuration for run in found.runs] == ["v1", "v2", "v1", "v2"]
    assert len(found.stated) == 2
    assert [(label.author, label.winner, label.kind) for label in found.labels] == [
        ("Kim", Side.FIRST, LabelSource.HUMAN),
        ("Kim", Side.TIE, LabelSource.HUMAN),
    ]
    assert [run.void for run in found.runs] == ["", "", "", "the output is empty"]


def test_a_bad_row_of_a_table_is_named_and_the_others_stay(tmp_path: Path) -> None:
    rows = [
        *ROWS,
        {"prompt": "Say", "output_a": 3, "output_b": "x"},
        {"prompt": " "},
        {**ROWS[0], "label": "C"},
    ]
    found = found_in(tmp_path, lines(rows))

    assert len(found.stated) == 2
    assert [left.file.rsplit(", ", 1)[1] for left in found.left_out] == ["row 3", "row 4", "row 5"]
    assert "output_a is a number" in found.left_out[0].reason
    assert "has no prompt" in found.left_out[1].reason
    assert "'c'" in found.left_out[2].reason


def test_a_csv_row_with_too_many_cells_is_named_and_the_others_stay(tmp_path: Path) -> None:
    found = found_in(tmp_path, "prompt;output_a;output_b\nhi;x;y\nhi;x;y;z\nho;x;y\n")

    assert len(found.stated) == 2
    assert found.left_out[0].reason == "it has 4 cells, the header has 3"


def test_columns_are_mapped_and_a_missing_one_is_told(tmp_path: Path) -> None:
    content = "question,first,second\nhi,x,y\n"

    with pytest.raises(InputError, match="no column prompt; there are first, question, second"):
        found_in(tmp_path, content, kind=Format.CSV)
    columns = {"prompt": "question", "output_a": "first", "output_b": "second"}
    assert found_in(tmp_path, content, columns=columns).runs[0].prompt == "hi"


def test_the_same_row_twice_is_one_pair_and_a_key_for_two_prompts_keeps_them_apart(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "task_id": "t"}, {**ROWS[0], "task_id": "t"}, {**ROWS[1], "task_id": "t"}]
    found = found_in(tmp_path, lines(rows))

    assert len(found.stated) == 2
    assert found.duplicates == 1
    assert len({run.task_key for run in found.runs}) == 2


def test_alpaca_preferences_become_judges_labels(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.ALPACA_EVAL])

    assert [label.winner for label in found.labels] == [
        Side.FIRST,
        Side.SECOND,
        Side.TIE,
        Side.TIE,
        Side.FIRST,
    ]
    assert {(label.kind, label.author) for label in found.labels} == {(LabelSource.JUDGE, "judge-x")}
    assert len(found.stated) == 1
    assert found.duplicates == 5


@pytest.mark.parametrize("wrong", [3, "1", True, -1])
def test_a_preference_out_of_range_is_told(tmp_path: Path, wrong: object) -> None:
    found = found_in(tmp_path, json.dumps([{**ALPACA[0], "preference": wrong}, ALPACA[1]]))

    assert "preference" in found.left_out[0].reason
    assert len(found.labels) == 1


def test_gold_labels_of_llmbar_and_judgebench_are_gold(tmp_path: Path) -> None:
    for kind in (Format.LLMBAR, Format.JUDGEBENCH):
        found = found_in(tmp_path, SAMPLES[kind])
        assert [label.winner for label in found.labels] == [Side.FIRST, Side.SECOND]
        assert {label.kind for label in found.labels} == {LabelSource.GOLD}


def test_two_answers_of_one_model_are_two_runs_of_one_candidate(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.JUDGEBENCH])

    assert {run.configuration for run in found.runs} == {"m1"}
    assert [run.repetition for run in found.runs] == [1, 2, 1, 2]


def test_mt_bench_judgments_take_their_texts_from_the_files_beside_them(tmp_path: Path) -> None:
    (tmp_path / "question.jsonl").write_text(
        lines([{"question_id": 81, "turns": ["Name a bird", "And a fish"]}])
    )
    for model, answer in (("m1", "Wren"), ("m2", "Robin")):
        folder = tmp_path / "model_answer"
        folder.mkdir(exist_ok=True)
        row = {"question_id": 81, "choices": [{"turns": [answer, "Trout"]}]}
        (folder / f"{model}.jsonl").write_text(lines([row]))
    judged = {"question_id": 81, "model_1": "m1", "model_2": "m2", "judge": ["gpt", "pair-v2"]}
    rows = [
        {**judged, "turn": 1, "g1_winner": "model_1", "g2_winner": "model_1"},
        {**judged, "turn": 2, "g1_winner": "model_1", "g2_winner": "model_2"},
        {**judged, "turn": 2, "g1_winner": "error", "g2_winner": "tie"},
        {**judged, "model_2": "unknown", "turn": 1, "g1_winner": "tie", "g2_winner": "tie"},
    ]
    found = found_in(tmp_path, lines(rows))

    assert [run.text for run in found.runs][:2] == ["Wren", "Robin"]
    assert [label.winner for label in found.labels] == [Side.FIRST, Side.TIE, None]
    assert "model_answer/unknown.jsonl" in found.left_out[0].reason


def test_human_votes_of_mt_bench_are_human_labels(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.MT_BENCH])

    assert [(label.kind, label.winner) for label in found.labels] == [
        (LabelSource.HUMAN, Side.FIRST),
        (LabelSource.HUMAN, Side.TIE),
    ]


def test_a_flipped_rating_of_llm_comparator_keeps_the_sign_of_its_score(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.LLM_COMPARATOR])

    assert [label.winner for label in found.labels] == [Side.SECOND, Side.SECOND]
    assert found.runs[0].text == "Here:"
    assert [each.name for each in found.runs[0].attachments] == ["picture-1.png"]


def test_a_promptfoo_run_gives_outputs_errors_expectations_and_marks(tmp_path: Path) -> None:
    found = found_in(tmp_path, SAMPLES[Format.PROMPTFOO])

    assert [run.configuration for run in found.runs] == ["m0", "m1", "m0", "m1"]
    assert found.runs[1].text_name == "answer.json"
    assert found.runs[3].void == "it ended with an error: rate limit"
    assert found.runs[0].expectations == ("It counts",)
    assert (found.runs[0].seconds, found.runs[0].output_tokens) == (1.2, 7)
    assert [(label.winner, label.blind) for label in found.labels] == [(Side.FIRST, False)]


def test_the_older_promptfoo_table_is_read_too(tmp_path: Path) -> None:
    found = found_in(tmp_path, json.dumps(promptfoo_table()))

    assert [(run.configuration, run.text, run.prompt) for run in found.runs] == [
        ("vendor:m0", "0", "Count to 0"),
        ("vendor:m1", "none", "Count to 0"),
    ]


def test_what_has_no_known_format_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear diary\n")

    with pytest.raises(InputError, match="--format"):
        recognise(file)
