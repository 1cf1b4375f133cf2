"""What exports write: rows that read back, scores in long form, preference pairs, fix lists and reports."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet
import pytest

from comparator.domain.labels import Dimension, Label, Order, PerOutput, Winner
from comparator.domain.result import ComparisonResult
from comparator.domain.verdict import DecidedBy, VerdictSource
from comparator.interop.exported import Exported, Reading, Remark
from comparator.interop.llm_comparator import read_llm_comparator
from comparator.interop.model import LabelSource, Side
from comparator.interop.tables import read_jsonl
from comparator.interop.write_fix_list import write_fix_list
from comparator.interop.write_llm_comparator import write_llm_comparator
from comparator.interop.write_report import write_report
from comparator.interop.write_rows import write_csv, write_dpo, write_jsonl, write_parquet

AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def result(a: str, b: str) -> ComparisonResult:
    """Every criterion of A scored `a` and of B scored `b`."""

    def scores(value: str) -> dict[str, object]:
        score = Decimal(value)
        return {
            "content": {"facts": score, "depth": score},
            "structure": {"order": score, "form": score},
            "content_score": score,
            "structure_score": score,
            "overall_score": 2 * score,
        }

    def quality(value: str) -> dict[str, object]:
        return {"score": round(2 * float(value)), "strengths": ["short"], "weaknesses": ["=HYPERLINK(1)"]}

    winner = "TIE" if a == b else "A" if Decimal(a) > Decimal(b) else "B"
    return ComparisonResult.model_validate(
        {
            "winner": winner,
            "reasoning": "One <b>is</b> better.",
            "rubric": {"A": scores(a), "B": scores(b)},
            "output_quality": {"A": quality(a), "B": quality(b)},
        }
    )


def remark(label: Label, score: str, **more: object) -> Remark:
    value = Decimal(score)
    return Remark.model_validate(
        {
            "label": label,
            "dimension": Dimension.CONTENT,
            "key": "facts",
            "name": "Facts",
            "judge": value,
            "final": value,
        }
        | more
    )


def pair(
    id: str, a: str, b: str, *, swapped: bool = False, revealed: bool = True, **more: object
) -> Exported:
    names = ("old", "new") if swapped else ("new", "old")
    return Exported.model_validate(
        {
            "id": id,
            "project": "Invoices",
            "title": f"Task {id}",
            "tags": ("data", "=1+1"),
            "prompt": f"Extract {id}.",
            "expectations": ("has a date",),
            "task_key": f"task-{id}" if revealed else None,
            "task_version": 1,
            "created_at": AT,
            "result": result(a, b),
            "source": VerdictSource.REVIEW,
            "decided_by": DecidedBy.RUBRIC,
            "judge": result(a, b),
            "judge_model": "claude-sonnet-5-5",
            "texts": PerOutput[str](A=f"a of {id}\n", B=f"b of {id} “ü”"),
            "candidates": PerOutput[str](A=names[0], B=names[1]) if revealed else None,
            "reviewers": ("Ada",),
            "remarks": (
                remark(
                    Label.A, a, quotes=("said `so`",), rationale="Wrong total.", reason="wrong fact: 12 is 21"
                ),
                remark(Label.B, b),
            ),
            "readings": (
                Reading(order=Order.A_FIRST, better=Winner.A, reasoning="A.", confidence=80),
                Reading(order=Order.B_FIRST, better=Winner.B, reasoning="B.", confidence=60),
            ),
        }
        | more
    )


def test_jsonl_reads_back_as_the_same_runs_with_the_reviewers_label(tmp_path: Path) -> None:
    written = [pair("1", "5", "3"), pair("2", "2", "4"), pair("3", "3", "3")]
    path = tmp_path / "out.jsonl"
    with path.open("w", encoding="utf-8") as out:
        assert write_jsonl(written, out).written == 3

    found = read_jsonl(path, {})

    assert found.left_out == ()
    assert [(run.task_key, run.configuration, run.text, run.prompt) for run in found.runs] == [
        (each.task_key, each.candidates[label], each.texts[label], each.prompt)
        for each in written
        if each.candidates
        for label in Label
    ]
    assert {run.expectations for run in found.runs} == {("has a date",)}
    assert {run.tags for run in found.runs} == {("data", "=1+1")}
    assert [label.winner for label in found.labels] == [Side.FIRST, Side.SECOND, Side.TIE]
    assert {(label.kind, label.author) for label in found.labels} == {(LabelSource.HUMAN, "Ada")}


def test_a_judges_verdict_reads_back_as_a_judges_label(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with path.open("w", encoding="utf-8") as out:
        write_jsonl([pair("1", "5", "3", reviewers=(), source=VerdictSource.JUDGE)], out)

    (label,) = read_jsonl(path, {}).labels

    assert (label.kind, label.author) == (LabelSource.JUDGE, "claude-sonnet-5-5")


def test_an_unrevealed_comparison_names_neither_candidate_nor_task(tmp_path: Path) -> None:
    out = io.StringIO()
    write_jsonl([pair("1", "5", "3", revealed=False)], out)

    row = json.loads(out.getvalue())

    assert not {"candidate_a", "candidate_b", "task_id"} & row.keys()


def test_csv_and_parquet_hold_the_same_scores_in_long_form(tmp_path: Path) -> None:
    pairs = [pair("1", "5", "3.5"), pair("2", "1", "2", judge=None)]
    out = io.StringIO()
    write_csv(pairs, out)
    write_parquet(pairs, tmp_path / "out.parquet")

    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()

    assert len(rows) == len(table) == 2 * 2 * 4
    assert [(row["what"], row["output"], float(row["final"])) for row in rows] == [
        (row["what"], row["output"], row["final"]) for row in table
    ]
    overall = [row for row in table if row["what"] == "overall"]
    assert [(row["candidate"], row["final"], row["judge"]) for row in overall] == [
        ("new", 10.0, 10.0),
        ("old", 7.0, 7.0),
        ("new", 2.0, None),
        ("old", 4.0, None),
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_text_in_a_csv_is_a_formula(start: str) -> None:
    out = io.StringIO()
    write_csv([pair("1", "5", "3", title=f"{start}cmd|' /C calc'!A0", project=f"{start}1")], out)

    for row in csv.DictReader(io.StringIO(out.getvalue())):
        assert row["title"].startswith(f"'{start}")
        assert row["project"] == f"'{start}1"


def test_preference_pairs_leave_ties_out_and_count_them() -> None:
    out = io.StringIO()
    written = write_dpo([pair("1", "5", "3"), pair("2", "2", "4"), pair("3", "3", "3")], out)

    rows = [json.loads(line) for line in out.getvalue().splitlines()]

    assert (written.written, written.left_out) == (2, {"ties": 1})
    assert [(row["chosen"], row["rejected"], row["score_margin"]) for row in rows] == [
        ("a of 1\n", "b of 1 “ü”", 4.0),
        ("b of 2 “ü”", "a of 2\n", 4.0),
    ]


def test_an_llm_comparator_file_has_the_same_candidate_first_in_every_example(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    pairs = [pair("1", "5", "3"), pair("2", "5", "3", swapped=True), pair("3", "4", "4")]
    other = pair("4", "5", "3", candidates=PerOutput[str](A="new", B="third"))
    with path.open("w", encoding="utf-8") as out:
        written = write_llm_comparator([*pairs, other], out, source="Invoices")
    document = json.loads(path.read_text("utf-8"))

    assert written.written == 3
    assert sum(written.left_out.values()) == 1
    assert [model["name"] for model in document["models"]] == ["new", "old"]
    assert [example["output_text_a"] for example in document["examples"]] == [
        "a of 1\n",
        "b of 2 “ü”",
        "a of 3\n",
    ]
    assert [example["score"] for example in document["examples"]] == [0.75, -0.75, 0.0]
    first, second = document["examples"][0]["individual_rater_scores"]
    assert (first["score"], first["is_flipped"], first["rating_label"]) == (1.2, False, "A is better")
    # Shown B first and for B: better was what stood first, while the score is the second model's.
    assert (second["score"], second["is_flipped"], second["rating_label"]) == (-0.9, True, "A is better")
    found = read_llm_comparator(path)
    assert [(run.configuration, run.text) for run in found.runs][:2] == [
        ("new", "a of 1\n"),
        ("old", "b of 1 “ü”"),
    ]


def test_a_fix_list_tells_the_losses_of_one_candidate_the_worst_first() -> None:
    out = io.StringIO()
    pairs = [pair("1", "3", "4"), pair("2", "5", "1", swapped=True), pair("3", "5", "4"), pair("4", "1", "5")]
    written = write_fix_list(pairs, out, candidate="new")
    text = out.getvalue()

    assert (written.written, written.left_out) == (3, {"not lost": 1})
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Task 2",
        "## Task 4",
        "## Task 1",
    ]
    assert "- Facts: 1 against 5\n  - judge: Wrong total." in text
    assert "quote: “said \\`so\\`”" in text
    assert "reviewer: wrong fact: 12 is 21" in text


def test_a_report_runs_nothing_and_loads_nothing() -> None:
    hostile = "<script>fetch('http://127.0.0.1:9')</script><img src=http://127.0.0.1:9/x>"
    out = io.StringIO()
    write_report(
        [pair("1", "5", "3", title=hostile, prompt=hostile, judge_model=hostile)], out, title=hostile, at=AT
    )
    text = out.getvalue()

    assert "<script" not in text
    assert "<img" not in text
    assert "default-src 'none'" in text
    assert "verdicts: 1 by review" in text
    assert "A was made by new, B by old." in text
