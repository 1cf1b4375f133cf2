"""Program text with highlighting and line numbers."""

from __future__ import annotations

from typing import Any

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from comparator.outputs.preview.document import Preview, reveal, shown
from comparator.outputs.preview.text import TextPart, as_utf8, has_overlong_line, lines, lines_of, window

WINDOW = 80_000
"""Highlighting takes a few milliseconds a kilobyte, so pages of code are shorter than pages of text."""


def render_code(
    name: str, data: bytes, *, page: int, language: str | None = None, part: TextPart | None = None
) -> Preview:
    """Code by the language of its file name, or by `language`; `part` where `data` is only a part of the file."""
    part = part or window(as_utf8(data), page=page, size=WINDOW)
    rows = highlighted(part.text, _lexer(name, language))
    body = lines(rows, first=part.first_line, css="hl")
    return Preview(body, page=part.page, pages=part.pages, span=lines_of(part))


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
