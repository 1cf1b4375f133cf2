"""Pairs as Argilla and Label Studio export them: fields with names of their own, and somebody's choice between two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Row = dict[str, Any]
_OUTPUTS = ("response", "answer", "output", "completion", "text")


def at(row: Any, place: str) -> Any:
    """The value at a place, whose parts are parted by dots; None where there is none."""
    for part in place.split("."):
        if isinstance(row, dict):
            row = row.get(part)
        elif isinstance(row, list) and part.isdecimal() and int(part) < len(row):
            row = row[int(part)]
        else:
            return None
    return row


def sides_of(fields: Row) -> Row:
    """Prompt and both outputs of a record, by the names of its fields."""
    names = [name for name, value in fields.items() if isinstance(value, (str, list))]
    outputs = outputs_of(fields)
    asked = next((name for name in names if name not in outputs), None)
    plain: Row = {"prompt": fields[asked]} if asked else {}
    return plain | {ours: fields[name] for ours, name in zip(("output_a", "output_b"), outputs, strict=False)}


def outputs_of(fields: Row) -> list[str]:
    """The names of the two fields that hold outputs."""
    return [name for name in fields if any(word in name.lower() for word in _OUTPUTS)][:2]


def argilla_choice(row: Row) -> str:
    """The first answer to a ranking of two fields, or to a choice between them: A, B, tie, or empty."""
    names = outputs_of(row["fields"]) if isinstance(row.get("fields"), dict) else []
    for answer in _argilla_answers(row.get("responses")):
        if str(answer) in names:
            return ("A", "B")[names.index(str(answer))]
        ranks = _ranks(answer)
        first, second = (ranks.get(name) for name in names) if len(names) == 2 else (None, None)
        if first is not None and second is not None:
            return "tie" if first == second else "A" if first < second else "B"
    return ""


def _ranks(answer: Any) -> dict[str, int]:
    if isinstance(answer, dict) and isinstance(answer.get("text"), list):
        pairs = zip(answer["text"], answer.get("rank") or (), strict=False)
    elif isinstance(answer, list):
        pairs = zip(
            (at(each, "value") for each in answer), (at(each, "rank") for each in answer), strict=False
        )
    else:
        return {}
    return {str(name): rank for name, rank in pairs if isinstance(rank, int)}


def _argilla_answers(responses: Any) -> Iterable[Any]:
    for response in responses if isinstance(responses, list) else [responses]:
        values = response.get("values", response) if isinstance(response, dict) else {}
        for value in values.values() if isinstance(values, dict) else ():
            by_people = isinstance(value, list) and bool(value) and at(value, "0.user_id") is not None
            for answer in value if by_people else [value]:
                yield answer.get("value") if isinstance(answer, dict) and "value" in answer else answer


def label_studio_choice(row: Row) -> str:
    """Which of the two a task was annotated with: left, right, or empty."""
    annotations = row.get("annotations")
    results = [each for annotation in annotations or () for each in at(annotation, "result") or ()]
    return next(
        (str(at(each, "value.selected") or "") for each in results if at(each, "type") == "pairwise"), ""
    )
