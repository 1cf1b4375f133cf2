"""Notebooks as our extraction wrote them: cells in order, code highlighted, with the outputs saved in them."""

from __future__ import annotations

import json
import re
from typing import Any

from comparator.outputs.preview.code import code_block
from comparator.outputs.preview.document import NotShown, Preview, shown
from comparator.outputs.preview.markdown import markdown_body, too_much
from comparator.outputs.preview.sanitise import Removed, Resolve, clean

CELLS = 60
"""Cells of one page."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_MOST_TEXT = 20_000


def render_notebook(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """The notebook with its saved outputs; nothing in it is run. Raises NotShown."""
    book = json.loads(data)
    cells: list[dict[str, Any]] = book["cells"]
    if not cells:
        raise NotShown("The notebook has no cells.")
    pages = -(-len(cells) // CELLS)
    page = min(max(page, 1), pages)
    removed = Removed()
    language = book["metadata"].get("language_info", {}).get("name", "python")

    def markdown(text: str) -> str:
        return _pre(text) if too_much(text) else markdown_body(text, resolve=resolve, removed=removed)

    def output(saved: dict[str, Any]) -> str:
        match saved:
            case {"output_type": "stream", "text": text}:
                return _pre(text, "stderr" if saved["name"] == "stderr" else "")
            case {"traceback": [trace]}:
                return _pre(trace or f"{saved['ename']}: {saved['evalue']}", "error")
            case {"data": {"image/png": picture}}:
                return f'<img alt="Picture" src="data:image/png;base64,{shown(picture)}">'
            case {"data": {"image/jpeg": picture}}:
                return f'<img alt="Picture" src="data:image/jpeg;base64,{shown(picture)}">'
            case {"data": {"image/svg+xml": drawing}}:
                return clean(drawing, resolve=resolve, removed=removed)
            case {"data": {"text/html": html}} if safe := clean(
                html, resolve=resolve, removed=removed
            ).strip():
                return f'<div class="scroll">{safe}</div>'
            case {"data": {"text/markdown": text}}:
                return markdown(text)
            case {"data": {"text/plain": text}}:
                return _pre(text)
        kinds = shown(", ".join(saved["data"]))
        return f'<p class="facts" data-skip>Output of type {kinds} not shown.</p>'

    def drawn(cell: dict[str, Any]) -> str:
        source, label, inner = cell["source"], "", ""
        if cell["cell_type"] == "markdown":
            inner = markdown(source)
        elif cell["cell_type"] == "raw":
            inner = f'<pre class="text">\n{shown(source)}</pre>'
        else:
            label = f"[{cell['execution_count'] or ' '}]"
            outputs = (f'<div class="out">{output(saved)}</div>' for saved in cell["outputs"])
            inner = code_block(source, language=language) + "".join(outputs)
        return f'<div class="cell"><div class="in" data-skip>{label}</div><div>{inner}</div></div>'

    body = "".join(map(drawn, cells[(page - 1) * CELLS : page * CELLS]))
    return Preview(body, removed.notes(), page, pages)


def _pre(text: str, css: str = "") -> str:
    text = _ANSI.sub("", text)
    cut = f"\n… {len(text) - _MOST_TEXT:,} more characters, see source" if len(text) > _MOST_TEXT else ""
    return f'<pre class="text {css}">\n{shown(text[:_MOST_TEXT])}{cut}</pre>'
