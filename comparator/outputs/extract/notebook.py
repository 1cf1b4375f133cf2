"""Notebooks as Markdown: cells in order with their saved outputs; kernel, author and other metadata are left away."""

import base64
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from comparator.domain.pair.notes import Limitation
from comparator.outputs.extract.data_uris import rebuilt
from comparator.outputs.extract.encoding import decode
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.extract.markup import rebuild as rebuild_html
from comparator.outputs.isolated.messages import Copy, Extraction, Unreadable
from comparator.outputs.limits import Limits

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ATTACHMENT = re.compile(r"attachment:([^\s)\"'<>]+)")
_LANGUAGE = re.compile(r"[a-z][a-z0-9+#-]{0,20}")
_TICKS = re.compile("`{3,}")


def read(data: bytes, limits: Limits) -> Extraction:
    """The notebook from top to bottom. Raises Unreadable."""
    try:
        book = json.loads(decode(data[: limits.bytes_per_file]).text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("It is not a valid notebook: its JSON cannot be read.") from error
    cells = _member(book, "cells")
    if not isinstance(cells, list):
        raise Unreadable("It is not a valid notebook: it holds no cells.")
    language = str(_member(_member(_member(book, "metadata"), "language_info"), "name")).lower()
    language = language if _LANGUAGE.fullmatch(language) and language != "none" else ""
    blocks: list[str] = []
    left_away = 0
    for number, cell in enumerate(cells, start=1):
        for block in _cell(number, cell, language) if isinstance(cell, dict) else ():
            left_away += block is None
            blocks += [] if block is None else [block]
    embedded = rebuilt("\n\n".join([*blocks, ""]), limits)
    notes = (Limitation.OUTPUTS_LEFT_AWAY.text(count=left_away),) if left_away else ()
    return Extraction(
        text=embedded.for_judge,
        pictures=embedded.pictures[: limits.pictures_per_document],
        copy=Copy("text/plain", embedded.for_copy.encode("utf-8", "replace")),
        wordless=bool(embedded.pictures),
        notes=(*notes, *embedded.notes),
    )


def _cell(number: int, cell: dict[str, Any], language: str) -> Iterator[str | None]:
    """The blocks of a cell; None for an output that cannot be given."""
    kind = cell.get("cell_type")
    yield f"[cell {number}: {kind if kind in ('code', 'raw') else 'markdown'}]"
    source = _joined(cell.get("source"))
    if kind not in ("code", "raw"):
        yield _with_attachments(source, cell.get("attachments"))
        return
    yield _fenced(source, language if kind == "code" else "")
    outputs = cell.get("outputs")
    printed: list[str] = []
    for output in (*(outputs if isinstance(outputs, list) else ()), {}):
        if _member(output, "output_type") == "stream":
            printed.append(_joined(output.get("text")))
            continue
        # What is printed bit by bit is one output.
        if printed:
            yield f"[output]\n\n{_fenced(''.join(printed))}"
            printed = []
        if isinstance(output, dict) and output:
            yield _output(output)


def _output(output: dict[str, Any]) -> str | None:
    match output:
        case {"output_type": "error"}:
            trace = output.get("traceback")
            lines = [str(line) for line in trace] if isinstance(trace, list) else []
            message = "\n".join(lines) or f"{output.get('ename')}: {output.get('evalue')}"
            return f"[error]\n\n{_fenced(message)}"
        case {"output_type": "execute_result" | "display_data", "data": dict(data)}:
            blocks = [
                block for kind in _SHOWN if kind in data and (block := _data_block(kind, _joined(data[kind])))
            ]
            # What a picture or table is called in words says less than it.
            if len(blocks) > 1 and "text/plain" in data:
                blocks.pop()
            return "\n\n".join(["[output]", *blocks]) if blocks else None
    return None


_SHOWN = (
    "image/png", "image/jpeg", "image/svg+xml", "text/html", "text/markdown", "text/latex", "text/plain",
)  # fmt: skip
"""Kinds of one output, in the order in which they are given."""


def _data_block(kind: str, value: str) -> str:
    match kind:
        case "image/png" | "image/jpeg":
            return f"![picture](data:{kind};base64,{''.join(value.split())})"
        case "image/svg+xml":
            return f"![drawing](data:{kind};base64,{base64.b64encode(value.encode('utf-8', 'replace')).decode()})"
        case "text/html":
            return markdown_from(rebuild_html(value).text).strip()
        case "text/plain":
            return _fenced(value)
    return value


def _fenced(text: str, language: str = "") -> str:
    text = _COLOURS.sub("", text)
    ticks = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(text))])
    return "\n".join((f"{ticks}{language}", text.removesuffix("\n"), ticks))


def _with_attachments(source: str, carried: Any) -> str:
    """The source of a cell, with data addresses for the pictures that it carries along."""
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


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _joined(value: Any) -> str:
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""
