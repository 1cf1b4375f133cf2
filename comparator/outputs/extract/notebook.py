"""Notebooks: cells with their outputs; kernel, author and all other metadata are left away."""

from __future__ import annotations

import base64
import binascii
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any
from urllib.parse import unquote

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.data_uris import rebuilt
from comparator.outputs.extract.drawing import rebuild as rebuild_svg
from comparator.outputs.extract.encoding import decode
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.extract.markup import rebuild as rebuild_html
from comparator.outputs.isolated.results import Copy, Extraction, Picture, Unreadable
from comparator.outputs.limits import Limits

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_ATTACHMENT = re.compile(r"attachment:([^\s)\"'<>]+)")
_KINDS = ("code", "markdown", "raw")


def read(data: bytes, limits: Limits) -> Extraction:
    """The notebook from top to bottom."""
    try:
        book = json.loads(decode(data[: limits.bytes_per_file]).text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("It is not a valid notebook: its JSON cannot be read.") from error
    if not isinstance(book, dict):
        raise Unreadable("It is not a valid notebook: it holds no cells.")
    cells = book.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("It is not a valid notebook: it holds no cells.")
    reader = _Reader(limits, _language(book))
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            reader.cell(number, cell)
    return reader.extraction()


def _joined_streams(outputs: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The outputs; those of one stream that follow each other are one, as they are shown."""
    for (kind, name), group in groupby(outputs, key=lambda each: (each.get("output_type"), each.get("name"))):
        if kind == "stream":
            text = "".join(_joined(each.get("text")) for each in group)
            yield {"output_type": kind, "name": name, "text": text}
        else:
            yield from group


class _Reader:
    def __init__(self, limits: Limits, language: str) -> None:
        self._limits = limits
        self._language = language
        self._lines: list[str] = []
        self._pictures: list[Picture] = []
        self._cells: list[dict[str, Any]] = []
        self._left_away = 0

    def extraction(self) -> Extraction:
        info = {"language_info": {"name": self._language}} if self._language else {}
        copy = {"cells": self._cells, "metadata": info, "nbformat": 4, "nbformat_minor": 4}
        notes = [NoteKind.OUTPUTS_LEFT_AWAY.text(count=self._left_away)] if self._left_away else []
        return Extraction(
            text="\n".join(self._lines),
            pictures=tuple(self._pictures[: self._limits.pictures_per_document]),
            copy=Copy(
                "application/x-ipynb+json", json.dumps(copy, ensure_ascii=False).encode("utf-8", "replace")
            ),
            wordless=bool(self._pictures),
            notes=tuple(notes),
        )

    def cell(self, number: int, cell: dict[str, Any]) -> None:
        kind = cell.get("cell_type")
        kind = kind if kind in _KINDS else "markdown"
        source = rebuilt(_with_attachments(cell), self._limits)
        self._lines.append(f"[cell {number}: {kind}]")
        self._pictures.extend(source.pictures)
        written: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.for_copy}
        if kind == "code":
            self._lines += [f"```{self._language}", source.for_judge, "```"]
            outputs = cell.get("outputs")
            items = _joined_streams(item for item in outputs or () if isinstance(item, dict))
            made = [self._output(number, item) for item in items]
            count = cell.get("execution_count")
            written["execution_count"] = count if isinstance(count, int) else None
            written["outputs"] = [item for item in made if item is not None]
        else:
            self._lines.append(source.for_judge)
        self._lines.append("")
        self._cells.append(written)

    def _output(self, number: int, output: dict[str, Any]) -> dict[str, Any] | None:
        match output.get("output_type"):
            case "stream":
                text = _COLOURS.sub("", _joined(output.get("text")))
                name = "stderr" if output.get("name") == "stderr" else "stdout"
                self._lines += [f"[output{', errors' if name == 'stderr' else ''}]", text]
                return {"output_type": "stream", "name": name, "text": text}
            case "error":
                trace = _COLOURS.sub("", "\n".join(str(line) for line in _listed(output.get("traceback"))))
                self._lines += ["[error]", trace]
                return {
                    "output_type": "error",
                    "ename": str(output.get("ename", "")),
                    "evalue": str(output.get("evalue", "")),
                    "traceback": [trace],
                }
            case "execute_result" | "display_data" if isinstance(bundle := output.get("data"), dict):
                if data := self._bundle(number, bundle):
                    return {"output_type": "display_data", "data": data, "metadata": {}}
        self._left_away += 1
        return None

    def _bundle(self, number: int, bundle: dict[str, Any]) -> dict[str, str]:
        made: dict[str, str] = {}
        for kind in ("image/png", "image/jpeg"):
            if kind in bundle and (picture := self._picture(_joined(bundle[kind]))) is not None:
                caption = f"output of cell {number}"
                self._pictures.append(Picture(picture.media_type, picture.data, caption))
                self._lines.append(f"[picture: {caption}]")
                made[picture.media_type] = base64.b64encode(picture.data).decode()
        if "image/svg+xml" in bundle:
            try:
                made["image/svg+xml"] = rebuild_svg(_joined(bundle["image/svg+xml"]).encode()).text
                self._lines.append("[drawing]")
            except Unreadable:
                self._left_away += 1
        if "text/html" in bundle:
            html = rebuilt(rebuild_html(_joined(bundle["text/html"])).text, self._limits)
            made["text/html"] = html.for_copy
            self._lines += ["[output]", markdown_from(html.for_judge)]
        for kind in ("text/markdown", "text/latex", "text/plain"):
            if kind in bundle:
                made[kind] = rebuilt(_joined(bundle[kind]), self._limits).for_copy
        if "text/html" not in made and (words := made.get("text/markdown") or made.get("text/plain")):
            self._lines += ["[output]", _COLOURS.sub("", words)]
        return made

    def _picture(self, encoded: str) -> Picture | None:
        try:
            return rebuild(
                base64.b64decode(encoded), self._limits, side=self._limits.picture_side_judged
            ).picture
        except (binascii.Error, ValueError, Unreadable):
            self._left_away += 1
            return None


def _with_attachments(cell: dict[str, Any]) -> str:
    """The source of a cell, with data addresses for the pictures that it carries along."""
    source, carried = _joined(cell.get("source")), cell.get("attachments")
    if not isinstance(carried, dict) or "attachment:" not in source:
        return source
    pictures = {unicodedata.normalize("NFC", name): _data_address(bundle) for name, bundle in carried.items()}

    def carried_here(match: re.Match[str]) -> str:
        return pictures.get(unicodedata.normalize("NFC", unquote(match[1]))) or match[0]

    return _ATTACHMENT.sub(carried_here, source)


def _data_address(bundle: Any) -> str | None:
    kinds = bundle if isinstance(bundle, dict) else {}
    packed = ((kind, "".join(_joined(data).split())) for kind, data in kinds.items())
    return next((f"data:{kind};base64,{data}" for kind, data in packed if kind.startswith("image/")), None)


def _language(book: dict[str, Any]) -> str:
    metadata = book.get("metadata")
    info = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = str(info.get("name", "")).lower() if isinstance(info, dict) else ""
    return name if name in _LANGUAGES else ""


_LANGUAGES = frozenset(
    (
        "python",
        "r",
        "julia",
        "scala",
        "sql",
        "bash",
        "javascript",
        "typescript",
        "java",
        "c++",
        "c#",
        "go",
        "rust",
    )
)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _joined(value: Any) -> str:
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""
