"""Files of Google PAIR's LLM Comparator: two models, and examples with both outputs and scores of raters, as rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from comparator.interop.imported import Findings, Format, LabelSource
from comparator.interop.read.rows import PairsOfRows
from comparator.interop.read.text import UnreadableImport, kind_of, list_rows, number_in, read_object

_PICTURES = (("iVBORw0KGgo", "png"), ("/9j/", "jpeg"), ("R0lGOD", "gif"), ("UklGR", "webp"))


def read_llm_comparator(path: Path) -> Findings:
    """All examples. Raises UnreadableImport where models or examples are missing."""
    notes: list[str] = []
    document = read_object(path, note=notes.append)
    models, examples = document.get("models"), document.get("examples")
    if not isinstance(models, list) or len(models) != 2 or not isinstance(examples, list):
        raise UnreadableImport("it needs two models and a list of examples")
    names = [_name(model, number) for number, model in enumerate(models, start=1)]
    if names[0] == names[1]:
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    pairs = PairsOfRows(path, format=Format.LLM_COMPARATOR)
    for note in notes:
        pairs.note_of_file(note)

    def take(row: dict[str, Any]) -> None:
        tags = row.get("tags")
        plain = {
            "prompt": _parts(row, "input_text"),
            "output_a": _parts(row, "output_text_a"),
            "output_b": _parts(row, "output_text_b"),
            "candidate_a": names[0],
            "candidate_b": names[1],
            "tags": [str(tag) for tag in tags] if isinstance(tags, list) else [],
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
    fields = row.get("custom_fields")
    ours = fields if isinstance(fields, dict) and fields.get("label_kind") in tuple(LabelSource) else None
    about = {"label": _winner(score), "label_value": {"score": score}}
    if ours is None:
        return {**about, "label_kind": "judge", "label_author": "mean of raters"}
    author = ours.get("label_author")
    return {
        **about,
        "label_kind": ours["label_kind"],
        "label_author": author if isinstance(author, str) and author else "label of the file",
        "label_blind": str(ours.get("label_blind") == "yes"),
    }


def _raters(row: dict[str, Any], label: dict[str, Any], pairs: PairsOfRows) -> Iterator[dict[str, Any]]:
    """Each rater's label. In a file of ours the raters are readings of a judge, which is never told who made what."""
    raters = row.get("individual_rater_scores")
    for number, rater in enumerate(raters if isinstance(raters, list) else [], start=1):
        score = number_in(rater, "score") if isinstance(rater, dict) else None
        if score is None:
            pairs.note(f"its rater {number} gave no score; the example is kept without this rating")
            continue
        # The score is in terms of A and B also where the rater saw them flipped; the label's words are not.
        about = {name: rater[name] for name in ("score", "is_flipped", "rationale") if name in rater}
        yield {
            "winner": _winner(score),
            "author": f"rater {number}",
            "kind": "judge",
            "value": about,
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
    for part in value:
        data = part.get("data") if isinstance(part, dict) else None
        if not isinstance(data, str):
            raise UnreadableImport(f"a part of its {field} has no data")
        if part.get("type") == "image_byte":
            if field == "input_text":
                raise UnreadableImport("its input_text has pictures; only outputs may have them")
            letters = data.rpartition(",")[2]
            kind = next((kind for begin, kind in _PICTURES if letters.startswith(begin)), "png")
            parts.append({"type": "image", "source": {"media_type": f"image/{kind}", "data": letters}})
        else:
            parts.append({"type": "text", "text": data})
    return parts or ""
