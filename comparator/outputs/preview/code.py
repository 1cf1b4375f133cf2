"""Program text and data with highlighting and line numbers; JSON without line ends is indented."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from comparator.outputs.preview.document import Preview, reveal, shown
from comparator.outputs.preview.text import has_overlong_line, lines, window

WINDOW = 80_000
"""Highlighting takes a few milliseconds a kilobyte, so pages of code are shorter than pages of text."""
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]+|"', re.DOTALL)
_MOST_INDENTED = 3_000_000
_LONG_LINE = 500
_DEEPEST_INDENT = 40


def render_code(name: str, data: bytes, *, page: int, language: str | None = None) -> Preview:
    """Code by the language of its file name, or by `language`."""
    part = window(data, page=page, size=WINDOW)
    body = lines(highlighted(part.text, _lexer(name, language)), first=part.first_line, css="hl")
    return Preview(body, page=part.page, pages=part.pages, span=part.span)


def render_json(name: str, data: bytes, *, page: int) -> Preview:
    """JSON as it is written; what has no line ends is indented, with a note."""
    if len(data) > _MOST_INDENTED or len(data) < _LONG_LINE * (data.count(b"\n") + 1):
        return render_code(name, data, page=page, language="json")
    preview = render_code(
        name, indented(data.decode("utf-8", "replace")).encode(), page=page, language="json"
    )
    return replace(preview, notes=("Indented to be read; the source has it as it is written.",))


def indented(text: str) -> str:
    """JSON, or what is like it, with an item a line. Only white space is changed."""
    out: list[str] = []
    depth, before = 0, "["
    for token in _JSON.findall(text):
        closes = token in ("]", "}")
        depth -= closes
        opened = before in ("[", "{")
        own_line = not opened if closes else opened or before == "," or (depth == 0 and before != ":")
        if own_line and token not in (",", ":") and out:
            out.append("\n" + "  " * min(max(depth, 0), _DEEPEST_INDENT))
        elif before == ":":
            out.append(" ")
        out.append(token)
        depth += token in ("[", "{")
        before = token
    return "".join(out)


def code_block(text: str, *, language: str) -> str:
    """A short piece of code inside another document, without line numbers."""
    rows = highlighted(text.rstrip("\n"), _lexer("", language))
    joined = "\n".join(rows)
    return f'<pre class="box hl"><code>{joined}</code></pre>'


def highlighted(text: str, lexer: Lexer) -> list[str]:
    """The lines of `text` as safe HTML."""
    text = reveal(text)
    if has_overlong_line(text):
        return shown(text).split("\n")
    result = highlight(text, lexer, HtmlFormatter(nowrap=True))
    return str(result).split("\n")


def _lexer(name: str, language: str | None) -> Lexer:
    # Nothing may be dropped or changed, so that lines and quotes stay where they are in the file.
    options: dict[str, Any] = {"stripnl": False, "stripall": False, "ensurenl": False}
    try:
        if language:
            return get_lexer_by_name(language, **options)
        return get_lexer_for_filename(name, **options)
    except ClassNotFound:
        return TextLexer(**options)
