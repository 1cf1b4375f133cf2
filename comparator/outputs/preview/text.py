"""Text of any size: decoding, parts that are read without the rest, lines with numbers."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from comparator.outputs.extract.encoding import decode
from comparator.outputs.preview.document import Preview, Span, shown

Open = Callable[[], BinaryIO]
"""Opens a file's bytes, seekable, from their start."""

_CHUNK = 1 << 20
_REACH = 16_384
"""How far behind its nominal end a part may go to finish a line."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Some lines of a UTF-8 text: their bytes, the number of the first (from 1), and the part's place."""

    data: bytes
    first_line: int
    page: int
    pages: int

    @property
    def text(self) -> str:
        """The part's own text, with the line ends of today."""
        return self.data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def whole(data: bytes) -> Open:
    """Bytes at hand, as something to open."""
    return lambda: io.BytesIO(data)


def read_part(open_file: Open, *, size: int, page: int, window: int) -> TextPart:
    """Part `page` (from 1, kept within the file) of a text of `size` bytes, cut at line ends where there are any.

    Only the part itself is kept in memory; for the number of its first line what stands before is counted.
    """
    with open_file() as stream:
        pages = max(1, -(-size // window))
        # A last line that runs over the end of its part leaves nothing for the next one.
        while pages > 1 and boundary(stream, (pages - 1) * window, size) >= size:
            pages -= 1
        page = min(max(page, 1), pages)
        start = boundary(stream, (page - 1) * window, size)
        end = size if page == pages else boundary(stream, page * window, size)
        stream.seek(0)
        first_line = 1 + _line_ends(stream, start)
        stream.seek(start)
        return TextPart(stream.read(end - start), first_line, page, pages)


def page_at(open_file: Open, offset: int, *, size: int, window: int) -> int:
    """The part in which the byte at `offset` is shown."""
    with open_file() as stream:
        page = min(offset, max(size - 1, 0)) // window + 1
        # The boundary of a part may lie behind the offset, when a line runs over it.
        while page > 1 and boundary(stream, (page - 1) * window, size) > offset:
            page -= 1
        return page


def page_of_line(open_file: Open, line: int, *, size: int, window: int) -> int:
    """The part that holds the line with this number (from 1); the last one where there are fewer."""
    if line <= 1:
        return 1
    passed = 0
    with open_file() as stream:
        position, wanted = 0, line - 1
        while chunk := stream.read(_CHUNK):
            here = chunk.count(b"\n")
            if passed + here >= wanted:
                at = -1
                for _ in range(wanted - passed):
                    at = chunk.find(b"\n", at + 1)
                return page_at(open_file, position + at + 1, size=size, window=window)
            passed += here
            position += len(chunk)
    return max(1, -(-size // window))


def boundary(stream: BinaryIO, offset: int, size: int) -> int:
    """Where the part that begins about `offset` really begins: behind a line end near by, or at a character."""
    if offset <= 0:
        return 0
    if offset >= size:
        return size
    stream.seek(offset - 1)
    near = stream.read(_REACH + 1)
    line_end = near.find(b"\n")
    if line_end >= 0:
        return offset + line_end
    if size - offset < _REACH:
        return size
    following = next((n for n, byte in enumerate(near[1:]) if byte & 0xC0 != 0x80), 0)
    return offset + following


def _line_ends(stream: BinaryIO, before: int) -> int:
    count, left = 0, before
    while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
        count += chunk.count(b"\n")
        left -= len(chunk)
    return count


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
