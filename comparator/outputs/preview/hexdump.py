"""Any bytes in hexadecimal, sixteen a line."""

from __future__ import annotations

from comparator.outputs.preview.document import Preview, Span, shown, sized

BYTES = 16_384
"""Bytes of one page."""


def render_hex(data: bytes, *, kind: str, page: int, size: int | None = None) -> Preview:
    """Offset, bytes and printable characters of one page; `kind` says what the file is.

    `size` is that of the file where `data` is only the page's own bytes.
    """
    total = len(data) if size is None else size
    pages = max(1, -(-total // BYTES))
    page = min(max(page, 1), pages)
    start = (page - 1) * BYTES
    own = data[start : start + BYTES] if size is None else data
    rows = []
    for offset in range(0, len(own), 16):
        chunk = own[offset : offset + 16]
        left, right = chunk[:8].hex(" "), chunk[8:].hex(" ")
        printable = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in chunk)
        rows.append(f"{start + offset:08x}  {left:<23}  {right:<23}  {shown(printable)}")
    facts = f'<p class="facts" data-skip>{shown(kind)}, {sized(total)}</p>'
    dump = "\n".join(rows)
    span = Span("byte", start + 1, start + len(own), total) if pages > 1 else None
    return Preview(f'{facts}<pre class="mono scroll">{dump}</pre>', page=page, pages=pages, span=span)
