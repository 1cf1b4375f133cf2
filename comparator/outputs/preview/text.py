"""Text of any size: decoding, paging by windows, lines with numbers."""

from __future__ import annotations

import codecs

from comparator.outputs.extract.encoding import decode
from comparator.outputs.preview.document import Preview, Span, shown
from comparator.outputs.preview.parts import TextPart, page_at, read_part, whole

WINDOW = 200_000
"""Bytes of one page of text. Small enough to be drawn at once, large enough that most files are one page."""

_LONGEST_LINE = 60_000
_STRETCH = 60
"""Lines, about twice as many as a pane shows at once."""
_COLUMNS = 80
"""Letters in a line of a pane, about."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def as_utf8(data: bytes) -> bytes:
    """The same text in UTF-8 without byte order mark, whatever encoding it came in."""
    if data.startswith(_MARKS):
        return decode(data).text.encode("utf-8", "replace")
    try:
        # Decoding is the quickest check there is, also for 50 MB.
        data.decode()
    except UnicodeDecodeError:
        return decode(data).text.encode("utf-8", "replace")
    return data


def window(data: bytes, *, page: int, size: int = WINDOW) -> TextPart:
    """Part `page` (from 1, kept within the file) of UTF-8 `data`, cut at line ends where there are any."""
    return read_part(whole(data), size=len(data), page=page, window=size)


def page_of(data: bytes, offset: int, *, size: int) -> int:
    """The part in which the byte at `offset` is shown."""
    return page_at(whole(data), offset, size=len(data), window=size)


def render_text(data: bytes, *, page: int, part: TextPart | None = None) -> Preview:
    """Plain text, wrapped; `part` where `data` is only a part of the file."""
    part = part or window(as_utf8(data), page=page)
    return Preview(
        f'<pre class="text">\n{_stretches(shown(part.text))}</pre>',
        page=part.page,
        pages=part.pages,
        span=lines_of(part),
    )


def _stretches(text: str) -> str:
    """A long text in stretches of which the browser lays out those in sight first; each says about how high it is."""
    rows = text.split("\n")
    if len(rows) <= 2 * _STRETCH:
        return text
    found = []
    for start in range(0, len(rows), _STRETCH):
        own = rows[start : start + _STRETCH]
        height = sum(1 + len(row) // _COLUMNS for row in own)
        found.append(f'<span class="later" style="--lines: {height}">' + "\n".join(own))
    return "\n</span>".join(found) + "</span>"


def lines_of(part: TextPart) -> Span | None:
    """Which lines a part of a longer text shows."""
    if part.pages < 2:
        return None
    count = part.data.count(b"\n") + (0 if part.data.endswith(b"\n") or not part.data else 1)
    return Span("line", part.first_line, part.first_line + max(count, 1) - 1)


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
