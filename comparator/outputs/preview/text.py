"""Text of any size: decoding, paging by windows, lines with numbers."""

from __future__ import annotations

from dataclasses import dataclass

from charset_normalizer import from_bytes

from comparator.outputs.preview.document import Preview, reveal, shown

WINDOW = 200_000
"""Bytes of one page of text. Small enough to be drawn at once, large enough that most files are one page."""

_LONGEST_LINE = 60_000
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Window:
    """One page of a text: its own text, the number of its first line, and its place among the pages."""

    text: str
    first_line: int
    page: int
    pages: int


def as_utf8(data: bytes) -> bytes:
    """The same text in UTF-8 without byte order mark, whatever encoding it came in."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").encode()
    try:
        # Decoding is the quickest check there is, also for 50 MB.
        data.decode()
    except UnicodeDecodeError:
        best = from_bytes(data[:65_536]).best()
        return data.decode(best.encoding if best else "latin-1", "replace").encode()
    return data


def window(data: bytes, *, page: int, size: int = WINDOW) -> Window:
    """Page `page` (from 1, kept within the file) of UTF-8 `data`, cut at line ends where there are any."""
    pages = max(1, -(-len(data) // size))
    # A last line that runs over the end of its page leaves nothing for the next one.
    while pages > 1 and _boundary(data, (pages - 1) * size) >= len(data):
        pages -= 1
    page = min(max(page, 1), pages)
    start, end = _boundary(data, (page - 1) * size), _boundary(data, page * size)
    text = data[start:end].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return Window(text, data.count(b"\n", 0, start) + 1, page, pages)


def page_of(data: bytes, offset: int, *, size: int) -> int:
    """The page on which the byte at `offset` is shown."""
    page = offset // size + 1
    # The boundary of a page may lie behind the offset, when a line runs over it.
    while page > 1 and _boundary(data, (page - 1) * size) > offset:
        page -= 1
    return page


def render_text(data: bytes, *, page: int) -> Preview:
    """Plain text, wrapped."""
    part = window(as_utf8(data), page=page)
    return Preview(f'<pre class="text">\n{shown(part.text)}</pre>', page=part.page, pages=part.pages)


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


def whole_text(data: bytes, *, most: int) -> str | None:
    """The decoded and revealed text, or None where it is larger than `most` bytes."""
    if len(data) > most:
        return None
    return reveal(as_utf8(data).decode("utf-8", "replace")).replace("\r\n", "\n").replace("\r", "\n")


def _boundary(data: bytes, offset: int) -> int:
    if offset <= 0:
        return 0
    if offset >= len(data):
        return len(data)
    line_end = data.find(b"\n", offset - 1, offset + 16_384)
    if line_end >= 0:
        return line_end + 1
    if len(data) - offset < 16_384:
        return len(data)
    # No line end near by: not within a character.
    while offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset += 1
    return offset
