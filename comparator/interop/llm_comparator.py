"""Files of Google PAIR's LLM Comparator, read and written: two models, and examples with both outputs and scores."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from comparator.domain.labels import Label, LabelKind, Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Exported, Written
from comparator.interop.imported import Findings, Format
from comparator.interop.pair_rows import PairsOfRows
from comparator.interop.text import UnreadableImport, kind_of, list_rows, number_in, part, read_object

_PICTURES = (("iVBORw0KGgo", "png"), ("/9j/", "jpeg"), ("R0lGOD", "gif"), ("UklGR", "webp"))


def read_llm_comparator(path: Path) -> Findings:
    """All examples. Raises UnreadableImport where models or examples are missing."""
    document = read_object(path)
    models, examples = document.get("models"), document.get("examples")
    if not isinstance(models, list) or len(models) != 2 or not isinstance(examples, list):
        raise UnreadableImport("it needs two models and a list of examples")
    names = [_name(model, number) for number, model in enumerate(models, start=1)]
    if names[0] == names[1]:
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    pairs = PairsOfRows(path, format=Format.LLM_COMPARATOR)

    def take(row: dict[str, Any]) -> None:
        plain = {
            "prompt": _parts(row, "input_text"),
            "output_a": _parts(row, "output_text_a"),
            "output_b": _parts(row, "output_text_b"),
            "candidate_a": names[0],
            "candidate_b": names[1],
            "tags": [str(tag) for tag in part(row, "tags", list)],
            **_label(row, pairs),
        }
        pairs.take(plain, {"other_labels": list(_raters(row, plain, pairs))})

    pairs.read(list_rows(examples), take)
    return pairs.findings()


def _label(row: dict[str, Any], pairs: PairsOfRows) -> dict[str, Any]:
    """The score of an example, above zero for A; our own export says whose verdict it is, and whether it was blind."""
    score = number_in(row, "score")
    if score is None:
        if row.get("score") is not None:
            pairs.note(
                f"its score is {kind_of(row['score'])}, not a usable number; the example is kept without it"
            )
        return {}
    ours = part(row, "custom_fields", dict)
    label_fields = {"label": _winner(score), "label_value": {"score": score}}
    if ours.get("label_kind") not in tuple(LabelKind):
        return {**label_fields, "label_kind": "judge", "label_author": "mean of raters"}
    return {
        **label_fields,
        "label_kind": ours["label_kind"],
        "label_author": part(ours, "label_author", str) or "label of the file",
        "label_blind": str(ours.get("label_blind") == "yes"),
    }


def _raters(row: dict[str, Any], label: dict[str, Any], pairs: PairsOfRows) -> Iterator[dict[str, Any]]:
    """Each rater's label. In a file of ours the raters are readings of a judge, which is never told who made what."""
    for number, rater in enumerate(part(row, "individual_rater_scores", list), start=1):
        score = number_in(rater, "score") if isinstance(rater, dict) else None
        if score is None:
            pairs.note(f"its rater {number} gave no score; the example is kept without this rating")
            continue
        # The score is in terms of A and B also where the rater saw them flipped; the label's words are not.
        label_fields = {name: rater[name] for name in ("score", "is_flipped", "rationale") if name in rater}
        yield {
            "winner": _winner(score),
            "author": f"rater {number}",
            "kind": "judge",
            "value": label_fields,
            "blind": True if "label_blind" in label else None,
        }


def _winner(score: float) -> str:
    return "A" if score > 0 else "B" if score < 0 else "tie"


def _name(model: Any, number: int) -> str:
    name = model.get("name") if isinstance(model, dict) else model
    return name.strip() if isinstance(name, str) and name.strip() else f"model {number}"


def _parts(row: dict[str, Any], field: str) -> Any:
    """A text, or texts and pictures as the parts of a message. Raises UnreadableImport."""
    value = row.get(field)
    if not isinstance(value, list):
        if field == "input_text" and not isinstance(value, str):
            raise UnreadableImport("it has no input_text")
        return value
    parts = []
    for piece in value:
        data = piece.get("data") if isinstance(piece, dict) else None
        if not isinstance(data, str):
            raise UnreadableImport(f"a part of its {field} has no data")
        if piece.get("type") == "image_byte":
            if field == "input_text":
                raise UnreadableImport("its input_text has pictures; only outputs may have them")
            letters = data.rpartition(",")[2]
            kind = next((kind for begin, kind in _PICTURES if letters.startswith(begin)), "png")
            parts.append({"type": "image", "source": {"media_type": f"image/{kind}", "data": letters}})
        else:
            parts.append({"type": "text", "text": data})
    return parts or ""


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
    left_out = 0
    for pair in pairs:
        if names is None:
            blind = pair.candidates is None
            names = (pair.candidates.A, pair.candidates.B) if pair.candidates else BLIND
        first = _first(pair, names, blind=blind)
        if first is None:
            left_out += 1
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
    return Written(verdicts, {OTHERS: left_out} if left_out else {})


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
        "individual_rater_scores": [_rater_of(reading, first) for reading in pair.readings],
        "custom_fields": {
            "verdict_source": pair.source,
            "decided_by": pair.decided_by,
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


def _rater_of(reading: Pass, first: Label) -> dict[str, Any]:
    # The score is in terms of the models; the label's words are in terms of what the rater was shown first.
    flipped = (reading.order is Order.B_FIRST) == (first is Label.A)
    strength = max(MOST * reading.answer.stated_confidence / 100, _LEAST)
    side = 0 if reading.answer.better is Winner.TIE else 1 if reading.answer.better.value == first else -1
    direction = -side if flipped else side
    return {
        "score": round(side * strength, 3),
        "rating_label": {1: "A is better", 0: "same", -1: "B is better"}[direction],
        "is_flipped": flipped,
        "rationale": reading.answer.reasoning,
    }
