"""Notebooks: cells in order, code highlighted, with the outputs that were saved in them."""

from __future__ import annotations

import json
import re
from typing import Any

from comparator.outputs.preview.code import code_block
from comparator.outputs.preview.document import NotShown, Preview, shown
from comparator.outputs.preview.markdown import markdown_body, too_much
from comparator.outputs.preview.sanitise import Removed, Resolve, clean
from comparator.outputs.preview.text import as_utf8

CELLS = 60
"""Cells of one page."""

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")
_MOST_TEXT = 20_000
_PICTURES = ("image/png", "image/jpeg", "image/gif")


def render_notebook(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """The notebook with its saved outputs; nothing in it is run. Raises NotShown."""
    try:
        book = json.loads(as_utf8(data))
        cells = book["cells"]
        if not isinstance(cells, list):
            raise NotShown("The notebook's cells are not a list; shown as text.")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotShown(f"Not a notebook of version 4 ({type(error).__name__}); shown as text.") from error
    cells = [cell for cell in cells if isinstance(cell, dict)]
    if not cells:
        raise NotShown("The notebook has no cells.")
    pages = -(-len(cells) // CELLS)
    page = min(max(page, 1), pages)
    removed = Removed()
    language = _language(book.get("metadata"))
    part = cells[(page - 1) * CELLS : page * CELLS]
    body = "".join(_cell(cell, language, resolve, removed) for cell in part)
    return Preview(body, removed.notes(), page, pages)


def _cell(cell: dict[str, Any], language: str, resolve: Resolve, removed: Removed) -> str:
    source = _joined(cell.get("source"))
    kind = cell.get("cell_type")
    if kind == "markdown":
        inner = _markdown(source, resolve, removed)
        return f'<div class="cell"><div class="in"></div><div>{inner}</div></div>'
    if kind != "code":
        text = f'<pre class="text">\n{shown(source)}</pre>'
        return f'<div class="cell"><div class="in"></div><div>{text}</div></div>'
    number = cell.get("execution_count")
    label = f"[{number}]" if isinstance(number, int) else "[ ]"
    outputs = cell.get("outputs")
    shown_outputs = "".join(
        f'<div class="out">{_output(output, resolve, removed)}</div>'
        for output in (outputs if isinstance(outputs, list) else ())
        if isinstance(output, dict)
    )
    code = code_block(source, language=language)
    return f'<div class="cell"><div class="in" data-skip>{label}</div><div>{code}{shown_outputs}</div></div>'


def _output(output: dict[str, Any], resolve: Resolve, removed: Removed) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        css = "stderr" if output.get("name") == "stderr" else ""
        return _pre(_joined(output.get("text")), css)
    if kind == "error":
        trace = _joined(output.get("traceback"), "\n")
        return _pre(trace or f"{output.get('ename')}: {output.get('evalue')}", "error")
    data = output.get("data")
    if not isinstance(data, dict):
        return ""
    for media_type in _PICTURES:
        if media_type in data:
            encoded = _joined(data[media_type])
            if _BASE64.fullmatch(encoded):
                compact = "".join(encoded.split())
                return f'<img alt="Picture" src="data:{media_type};base64,{compact}">'
    if "image/svg+xml" in data:
        return clean(_joined(data["image/svg+xml"]), resolve=resolve, removed=removed)
    if "text/html" in data:
        inner = clean(_joined(data["text/html"]), resolve=resolve, removed=removed)
        if inner.strip():
            return f'<div class="scroll">{inner}</div>'
    if "text/markdown" in data:
        return _markdown(_joined(data["text/markdown"]), resolve, removed)
    if "text/plain" in data:
        return _pre(_joined(data["text/plain"]), "")
    kinds = shown(", ".join(map(str, data)) or "unknown")
    return f'<p class="facts" data-skip>Output of type {kinds} not shown.</p>'


def _pre(text: str, css: str) -> str:
    text = _ANSI.sub("", text)
    cut = f"\n… {len(text) - _MOST_TEXT:,} more characters, see source" if len(text) > _MOST_TEXT else ""
    return f'<pre class="text {css}">\n{shown(text[:_MOST_TEXT])}{cut}</pre>'


def _language(metadata: Any) -> str:
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(found, dict) and isinstance(found.get(name), str):
            return str(found[name])
    return "python"


def _joined(value: Any, between: str = "") -> str:
    if isinstance(value, list):
        return between.join(str(part) for part in value)
    return value if isinstance(value, str) else ""


def _markdown(text: str, resolve: Resolve, removed: Removed) -> str:
    return _pre(text, "") if too_much(text) else markdown_body(text, resolve=resolve, removed=removed)
