"""Comparisons as a file of Google PAIR's LLM Comparator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, TextIO

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Exported, ExportedReading, Written

MOST = 1.5
"""Scores lie between -1.5 and 1.5; above 0 the first model is better."""
_WIDEST = 8.0
_LEAST = 0.3
"""What lies within 0.25 the tool shows as a tie."""
BLIND = ("Output A", "Output B")
OTHERS = "of other candidates, which the format has no room for"


def write_llm_comparator(pairs: Iterable[Exported], out: TextIO, *, source: str) -> Written:
    """All pairs of the two candidates of the first revealed pair, each turned so that the first candidate comes first.

    Where the first pair is not revealed, the unrevealed ones are written as outputs A and B.
    """
    names: tuple[str, str] | None = None
    blind = False
    examples: list[dict[str, Any]] = []
    verdicts: Counter[VerdictSource] = Counter()
    left = 0
    for pair in pairs:
        if names is None:
            blind = pair.candidates is None
            names = (pair.candidates.A, pair.candidates.B) if pair.candidates else BLIND
        first = _first(pair, names, blind=blind)
        if first is None:
            left += 1
            continue
        examples.append(_example(pair, first))
        verdicts[pair.source] += 1
    document = {
        "metadata": {"source_path": source, "custom_fields_schema": _FIELDS},
        "models": [{"name": name} for name in names or BLIND],
        "examples": examples,
    }
    json.dump(document, out, ensure_ascii=False, indent=1)
    out.write("\n")
    return Written(verdicts, {OTHERS: left} if left else {})


_FIELDS = [
    {"name": name, "type": kind}
    for kind, names in {
        "category": "verdict_source decided_by scores_and_verdict_disagree label_kind label_blind state_a state_b",
        "number": "left_out",
        "string": "label_author comparison",
    }.items()
    for name in names.split()
]


def _first(pair: Exported, names: tuple[str, str], *, blind: bool) -> Label | None:
    """Which output the first model made; None where the pair is of other candidates."""
    if blind:
        return Label.A if pair.candidates is None else None
    if pair.candidates == PerOutput[str](A=names[0], B=names[1]):
        return Label.A
    return Label.B if pair.candidates == PerOutput[str](A=names[1], B=names[0]) else None


def _example(pair: Exported, first: Label) -> dict[str, Any]:
    return {
        "input_text": pair.prompt,
        "tags": list(pair.tags),
        "output_text_a": pair.texts[first],
        "output_text_b": pair.texts[first.other],
        "score": _score(pair, first),
        "individual_rater_scores": [_rater(reading, first) for reading in pair.readings],
        "custom_fields": {
            "verdict_source": pair.source.value,
            "decided_by": pair.decided_by.value,
            "left_out": pair.left_out,
            "scores_and_verdict_disagree": "yes" if pair.scores_and_verdict_disagree else "no",
            "label_kind": pair.label_kind,
            "label_author": pair.label_author,
            "label_blind": "yes" if pair.blind else "no",
            "comparison": pair.id,
            "state_a": pair.marks[first].state,
            "state_b": pair.marks[first.other].state,
        },
    }


def _score(pair: Exported, first: Label) -> float:
    """The margin on the format's scale; a winner lies beyond what the tool shows as a tie, whatever the margin."""
    if pair.winner in (None, Winner.TIE):
        return 0.0
    size = _LEAST + abs(float(pair.margin)) / _WIDEST * (MOST - _LEAST)
    return round(size if pair.loser is first.other else -size, 3)


def _rater(reading: ExportedReading, first: Label) -> dict[str, Any]:
    # The score is in terms of the models; the label's words are in terms of what the rater was shown first.
    flipped = (reading.order is Order.B_FIRST) == (first is Label.A)
    strength = max(MOST * reading.confidence / 100, _LEAST)
    side = 0 if reading.better is Winner.TIE else 1 if reading.better.value == first.value else -1
    shown = -side if flipped else side
    return {
        "score": round(side * strength, 3),
        "rating_label": {1: "A is better", 0: "same", -1: "B is better"}[shown],
        "is_flipped": flipped,
        "rationale": reading.reasoning,
    }
