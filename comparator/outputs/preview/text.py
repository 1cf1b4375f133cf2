"""Text, program text and data in parts, by numbered lines; JSON without line ends is indented."""

import re
from typing import Any, NamedTuple

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from comparator.outputs.preview.document import Preview, Span, as_html, reveal

_REACH = 16_384
"""How far behind its nominal end a part may go to finish a line."""
WINDOW = 200_000
"""Bytes of one page of text. Small enough to be drawn at once, large enough that most files are one page."""
_LONGEST_LINE = 60_000


class TextPart(NamedTuple):
    """Some lines of a UTF-8 text: their bytes, the number of the first (from 1), and the part's place."""

    data: bytes
    first_line: int
    page: int
    pages: int

    @property
    def text(self) -> str:
        """The part's own text, with the line ends of today."""
        return self.data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")

    @property
    def span(self) -> Span | None:
        """Which lines a part of a longer text shows."""
        if self.pages < 2:
            return None
        count = self.data.count(b"\n") + (0 if self.data.endswith(b"\n") or not self.data else 1)
        return Span("line", self.first_line, self.first_line + max(count, 1) - 1)


def window(data: bytes, *, page: int, size: int = WINDOW) -> TextPart:
    """Part `page` (from 1, kept within the file) of UTF-8 `data`, cut at line ends where there are any."""
    pages = max(1, -(-len(data) // size))
    # A last line that runs over the end of its part leaves nothing for the next one.
    while pages > 1 and _boundary(data, (pages - 1) * size) >= len(data):
        pages -= 1
    page = min(max(page, 1), pages)
    start = _boundary(data, (page - 1) * size)
    end = len(data) if page == pages else _boundary(data, page * size)
    return TextPart(data[start:end], 1 + data.count(b"\n", 0, start), page, pages)


def page_of(data: bytes, offset: int, *, size: int) -> int:
    """The part in which the byte at `offset` is shown."""
    page = min(offset, max(len(data) - 1, 0)) // size + 1
    # The boundary of a part may lie behind the offset, when a line runs over it.
    while page > 1 and _boundary(data, (page - 1) * size) > offset:
        page -= 1
    return page


def _boundary(data: bytes, offset: int) -> int:
    """Where the part that begins about `offset` really begins: behind a line end near by, or at a character."""
    if offset <= 0 or offset >= len(data):
        return min(max(offset, 0), len(data))
    line_end = data.find(b"\n", offset - 1, offset + _REACH)
    if line_end >= 0:
        return line_end + 1
    if len(data) - offset < _REACH:
        return len(data)
    return next((n for n in range(offset, offset + 4) if data[n] & 0xC0 != 0x80), offset)


def render_text(data: bytes, *, page: int) -> Preview:
    """Plain text, wrapped."""
    part = window(data, page=page)
    body = f'<pre class="text">\n{as_html(part.text)}</pre>'
    return Preview(body, page=part.page, pages=part.pages, span=part.span)


def lines(rows: list[str], *, first: int, css: str = "") -> str:
    """Rows of safe HTML as numbered lines."""
    if rows and not rows[-1]:
        rows = rows[:-1]
    digits = max(2, len(str(first + len(rows))))
    body = "".join(f"<span>{row}\n</span>" for row in rows)
    css = f"lines {css}".strip()
    return f'<pre class="{css}" style="counter-reset: line {first - 1}; --digits: {digits}">{body}</pre>'


def has_overlong_line(text: str) -> bool:
    """Whether a line is so long that highlighting it would take too long."""
    return len(text) > _LONGEST_LINE and max(map(len, text.split("\n"))) > _LONGEST_LINE


CODE_WINDOW = 80_000
"""Highlighting takes a few milliseconds a kilobyte, so pages of code are shorter than pages of text."""
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]+|"', re.DOTALL)
_MOST_INDENTED = 3_000_000
_LONG_LINE = 500
_DEEPEST_INDENT = 40


def render_code(name: str, data: bytes, *, page: int, language: str | None = None) -> Preview:
    """Code by the language of its file name, or by `language`."""
    part = window(data, page=page, size=CODE_WINDOW)
    body = lines(highlighted_lines(part.text, _lexer(name, language)), first=part.first_line, css="hl")
    return Preview(body, page=part.page, pages=part.pages, span=part.span)


def render_json(name: str, data: bytes, *, page: int) -> Preview:
    """JSON as it is written; what has no line ends is indented, with a note."""
    if len(data) > _MOST_INDENTED or len(data) < _LONG_LINE * (data.count(b"\n") + 1):
        return render_code(name, data, page=page, language="json")
    preview = render_code(
        name, indented(data.decode("utf-8", "replace")).encode(), page=page, language="json"
    )
    return preview._replace(notes=("Indented to be read; the source has it as it is written.",))


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
    rows = highlighted_lines(text.rstrip("\n"), _lexer("", language))
    joined = "\n".join(rows)
    return f'<pre class="box hl"><code>{joined}</code></pre>'


def highlighted_lines(text: str, lexer: Lexer) -> list[str]:
    """The lines of `text` as safe HTML."""
    text = reveal(text)
    if has_overlong_line(text):
        return as_html(text).split("\n")
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
