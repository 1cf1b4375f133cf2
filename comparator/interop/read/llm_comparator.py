"""Files of Google PAIR's LLM Comparator: two models, examples with both outputs, scores of raters."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any, NamedTuple

from comparator.interop.imported import Attachment, Findings, Format, FoundLabel, LabelSource, Side
from comparator.interop.read.rows import PairsOfRows, RowTask
from comparator.interop.read.text import UnreadableImport, kind_of, list_rows, number_in, read_object

_PICTURES = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpg"), (b"GIF8", "gif"), (b"RIFF", "webp"))


class _Content(NamedTuple):
    text: str
    pictures: tuple[Attachment, ...]


def read_llm_comparator(path: Path) -> Findings:
    """All examples. Raises Unreadable where models or examples are missing."""
    notes: list[str] = []
    document = read_object(path, note=notes.append)
    models = document.get("models")
    examples = document.get("examples")
    if not isinstance(models, list) or len(models) != 2 or not isinstance(examples, list):
        raise UnreadableImport("it needs two models and a list of examples")
    names = [_name(model, number) for number, model in enumerate(models, start=1)]
    if names[0] == names[1]:
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    pairs = PairsOfRows(path, format=Format.LLM_COMPARATOR)
    for note in notes:
        pairs.note_of_file(note)

    def take(row: dict[str, Any]) -> None:
        asked = _content(row, "input_text")
        if not asked.text.strip():
            raise UnreadableImport("it has no input_text")
        if asked.pictures:
            raise UnreadableImport(
                "its input_text has pictures, which cannot be imported; only outputs may have them"
            )
        tags = row.get("tags")
        both = (_content(row, "output_text_a"), _content(row, "output_text_b"))
        first, second = (
            pairs.run(
                RowTask(asked.text),
                candidate=name,
                output=content.text,
                attachments=content.pictures,
                tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
                details={"custom_fields": row["custom_fields"]} if row.get("custom_fields") else {},
            )
            for name, content in zip(names, both, strict=True)
        )
        pairs.pair(first, second)
        _labels(row, first, second, pairs)

    pairs.read(list_rows(examples), take)
    return pairs.found()


def _labels(row: dict[str, Any], first: str, second: str, pairs: PairsOfRows) -> None:
    score = number_in(row, "score")
    if score is None and row.get("score") is not None:
        pairs.note(f"its score is {kind_of(row['score'])} that is no score; the example is kept without it")
    own = _own_label(row)
    if score is not None:
        kind, author, blind = own or (LabelSource.JUDGE, "mean of raters", None)
        pairs.label(
            FoundLabel(
                first=first,
                second=second,
                winner=_winner(score),
                kind=kind,
                author=author,
                value={"score": score},
                blind=blind,
            )
        )
    raters = row.get("individual_rater_scores")
    for number, rater in enumerate(raters if isinstance(raters, list) else [], start=1):
        given = number_in(rater, "score") if isinstance(rater, dict) else None
        if given is None:
            pairs.note(f"its rater {number} gave no score; the example is kept without this rating")
            continue
        # The score is in terms of A and B also where the rater saw them flipped; the label's words are not.
        about = {name: rater[name] for name in ("score", "is_flipped", "rationale") if name in rater}
        pairs.label(
            FoundLabel(
                first=first,
                second=second,
                winner=_winner(given),
                kind=LabelSource.JUDGE,
                author=f"rater {number}",
                value=about,
                # In a file of ours the raters are readings of a judge, which is never told who made what.
                blind=None if own is None else True,
            )
        )


def _own_label(row: dict[str, Any]) -> tuple[LabelSource, str, bool] | None:
    """Whose verdict the score of an example is, and whether it was given blind, where our own export says so."""
    fields = row.get("custom_fields")
    if not isinstance(fields, dict) or fields.get("label_kind") not in tuple(LabelSource):
        return None
    author = fields.get("label_author")
    named = author if isinstance(author, str) and author else "label of the file"
    return LabelSource(fields["label_kind"]), named, fields.get("label_blind") == "yes"


def _winner(score: float) -> Side:
    return Side.FIRST if score > 0 else Side.SECOND if score < 0 else Side.TIE


def _name(model: Any, number: int) -> str:
    name = model.get("name") if isinstance(model, dict) else model
    return name.strip() if isinstance(name, str) and name.strip() else f"model {number}"


def _content(row: dict[str, Any], field: str) -> _Content:
    value = row.get(field)
    if isinstance(value, str):
        return _Content(value, ())
    if not isinstance(value, list):
        raise UnreadableImport(f"its {field} is {kind_of(value)}, not text")
    texts: list[str] = []
    pictures: list[Attachment] = []
    for part in value:
        data = part.get("data") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(data, str):
            raise UnreadableImport(f"a part of its {field} has no data")
        if part.get("type") == "image_byte":
            pictures.append(_picture(data, len(pictures) + 1, field))
        else:
            texts.append(data)
    return _Content("\n\n".join(texts), tuple(pictures))


def _picture(data: str, number: int, field: str) -> Attachment:
    try:
        content = base64.b64decode(data.rpartition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableImport(f"a picture in its {field} is damaged") from error
    suffix = next((suffix for head, suffix in _PICTURES if content.startswith(head)), "bin")
    return Attachment(name=f"picture-{number}.{suffix}", data=content)
