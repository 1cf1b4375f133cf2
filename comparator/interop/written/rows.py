"""Comparisons as rows: pairs one per line that the importer reads back, scores in long form, and preference pairs."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, TextIO

from comparator.domain.labels import Dimension, Label
from comparator.domain.pair.chat import Message, turns_in
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Exported, Written
from comparator.interop.imported import RunRecord
from comparator.interop.own_lines import files_as_json
from comparator.interop.pair_rows import RUN_COLUMNS, RUN_NUMBERS

TIES = "ties"
NO_WINNER = "read by the offline check alone"
VOID = "with an unusable output"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
LONG = (
    "comparison", "project", "task", "title", "task_version", "tags", "created_at", "output", "candidate", "what",
    "dimension", "key", "judge", "final", "changed", "reason", "winner", "decided_by", "left_out", "verdict_source",
    "verdict_blind", "judge_model", "scores_and_verdict_disagree", "state_a", "state_b", "contaminated_a",
    "contaminated_b",
)  # fmt: skip
"""The columns of the long form. `what` is criterion, dimension, overall, expectation or pass_rate; `judge` and `final`
are empty for what is not assessed. `left_out` counts what the verdict leaves out; `verdict_blind` says whether nobody
whose verdict it is knew who made which output; `scores_and_verdict_disagree` whether a reading of the judge names
another winner than its own scores give. `state_a` and `state_b` say whether each run counts, and `contaminated_a` and
`contaminated_b`, after the reveal, whether it had access to the evaluation file."""


def write_jsonl(pairs: Iterable[Exported], out: TextIO) -> Written:
    """One comparison a line, with the columns that the importer of plain tables reads, and its result."""
    verdicts: Counter[VerdictSource] = Counter()
    for pair in pairs:
        out.write(json.dumps(line(pair), ensure_ascii=False) + "\n")
        verdicts[pair.source] += 1
    return Written(verdicts, {})


def line(pair: Exported) -> dict[str, Any]:
    """A comparison as one JSON object; what made the outputs and the task's id only after the reveal."""
    record: dict[str, Any] = {
        **_pair_cells(pair),
        "prompt": pair.prompt,
        "expectations": list(pair.expectations),
        "tags": list(pair.tags),
        "output_a": pair.texts.A,
        "output_b": pair.texts.B,
        "label": pair.winner,
        "label_author": pair.label_author,
        "label_kind": pair.label_kind,
        "label_blind": pair.blind,
        "result": json.loads(pair.result.to_json()) if pair.result else None,
        "reasoning": pair.prose.reasoning,
        "judge": json.loads(pair.judge.to_json()) if pair.judge else None,
    }
    if pair.labels:
        record["other_labels"] = [label.model_dump(mode="json") for label in pair.labels]
    if pair.makers is not None:
        record |= {"task_id": pair.task_key, "task_version": pair.task_version, "reference": pair.reference}
        for label, maker in pair.makers.items():
            about = {"candidate": maker.name, **maker.model_dump(include={*RUN_COLUMNS, *RUN_NUMBERS})}
            if pair.records is not None:
                about |= _record_cells(pair.records[label])
            record |= {f"{name}_{label.value.lower()}": value for name, value in about.items()}
        if pair.history is not None:
            record["history"] = pair.history.model_dump(mode="json")
        whole_files = {"files_a": pair.files.A, "files_b": pair.files.B}
        whole_files |= {"input_files": pair.input_files, "reference_files": pair.reference_files}
        record |= {name: files_as_json(files) for name, files in whole_files.items() if files is not None}
    return record


def _pair_cells(pair: Exported) -> dict[str, Any]:
    """What every row says of its comparison; whether each run counts stands in columns that end in _a and _b."""
    about = {
        "comparison": pair.id,
        "project": pair.project,
        "title": pair.title,
        "created_at": pair.created_at.isoformat(),
        "verdict_source": pair.source,
        "decided_by": pair.decided_by if pair.winner else None,
        "left_out": pair.left_out,
        "judge_model": pair.judge_model,
        "scores_and_verdict_disagree": pair.scores_and_verdict_disagree,
    }
    for label, mark in pair.marks.items():
        side = label.value.lower()
        about |= {f"state_{side}": mark.state, f"contaminated_{side}": mark.contaminated}
    return about


def _record_cells(record: RunRecord) -> dict[str, Any]:
    """What is kept of a run; that it was not cut off is said too, so that no reader has to guess."""
    also = {
        "superseded": record.superseded or None,
        "grading": record.grading,
        "details": record.details or None,
    }
    return {"cut_off": record.cut_off} | {name: value for name, value in also.items() if value is not None}


def write_csv(pairs: Iterable[Exported], out: TextIO) -> Written:
    """Scores in long form; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    # With both signs in the line's end, a text that holds one of them alone is quoted and starts no row of its own.
    rows = csv.DictWriter(out, LONG, lineterminator="\r\n")
    rows.writeheader()
    verdicts: Counter[VerdictSource] = Counter()
    for pair in pairs:
        rows.writerows({name: no_formula(value) for name, value in row.items()} for row in long_rows(pair))
        verdicts[pair.source] += 1
    return Written(verdicts, {})


def long_rows(pair: Exported) -> Iterator[dict[str, Any]]:
    """One row for each score of each output: the judge's value and the one that holds."""
    for label in Label:
        about = {
            **_pair_cells(pair),
            "task": pair.task_key,
            "task_version": pair.task_version,
            "tags": " ".join(pair.tags),
            "output": label,
            "candidate": pair.candidates[label] if pair.candidates else None,
            "winner": pair.winner,
            "verdict_blind": pair.blind,
        }
        for remark in pair.of(label):
            yield {
                **about,
                "what": "expectation" if remark.is_expectation else "criterion",
                "dimension": remark.dimension,
                "key": remark.name if remark.is_expectation else remark.key,
                "judge": _number(remark.judge),
                "final": _number(remark.final),
                "changed": remark.changed,
                "reason": remark.reason,
            }
        if pair.result is None:
            # Its winner stands in a row of its own.
            yield {**about, "what": "verdict", "changed": False, "reason": ""}
        judged = _totals(pair.judge, label)
        for (what, dimension), final in _totals(pair.result, label).items():
            judge = judged.get((what, dimension))
            yield {
                **about,
                "what": what,
                "dimension": dimension,
                "key": None,
                "judge": _number(judge),
                "final": _number(final),
                "changed": judge is not None and judge != final,
                "reason": "",
            }


def write_dpo(pairs: Iterable[Exported], out: TextIO, *, as_messages: bool = False) -> Written:
    """Preference pairs for training, with margin and reviewer. Ties, void runs, and what has no winner, are left out
    and counted.

    With `as_messages` prompt and answers are lists of messages, the conversational form of trl; a chat is its turns.
    """
    verdicts: Counter[VerdictSource] = Counter()
    left_out: Counter[str] = Counter()
    for pair in pairs:
        loser = pair.loser
        if loser is None or pair.is_void:
            left_out[NO_WINNER if pair.winner is None else TIES if loser is None else VOID] += 1
            continue
        verdicts[pair.source] += 1
        row = {
            "prompt": _text_or_messages("user", pair.prompt, as_messages=as_messages),
            "chosen": _text_or_messages("assistant", pair.texts[loser.other], as_messages=as_messages),
            "rejected": _text_or_messages("assistant", pair.texts[loser], as_messages=as_messages),
            "score_margin": float(pair.margin if loser is Label.B else -pair.margin) if pair.result else None,
            "reviewer": ", ".join(pair.reviewers) or None,
            "verdict_source": pair.source,
            "verdict_blind": pair.blind,
            "scores_and_verdict_disagree": pair.scores_and_verdict_disagree,
            "comparison": pair.id,
            "state_chosen": pair.marks[loser.other].state,
            "state_rejected": pair.marks[loser].state,
        }
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return Written(verdicts, dict(left_out))


def _text_or_messages(role: str, text: str, *, as_messages: bool) -> str | list[dict[str, str]]:
    if not as_messages:
        return text
    return [message._asdict() for message in turns_in(text) or (Message(role, text),)]


def no_formula(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula.

    >>> no_formula("=1+1"), no_formula(-2.0), no_formula("plain")
    ("'=1+1", -2.0, 'plain')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _totals(result: ComparisonResult | None, label: Label) -> dict[tuple[str, str | None], Decimal]:
    """The means of a result by what they are of, and by dimension."""
    if result is None:
        return {}
    scores = result.rubric[label]
    totals: dict[tuple[str, str | None], Decimal] = {
        ("dimension", dimension): getattr(scores, f"{dimension}_score") for dimension in Dimension
    }
    totals["overall", None] = scores.overall_score
    if result.expectation_results is not None:
        totals["pass_rate", None] = result.expectation_results[label].pass_rate
    return totals


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
