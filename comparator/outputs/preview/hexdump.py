"""Any bytes in hexadecimal, sixteen a line."""

from __future__ import annotations

from comparator.outputs.preview.document import Preview, shown, sized

BYTES = 16_384
"""Bytes of one page."""


def render_hex(data: bytes, *, kind: str, page: int) -> Preview:
    """Offset, bytes and printable characters of one page of `data`; `kind` says what the file is."""
    pages = max(1, -(-len(data) // BYTES))
    page = min(max(page, 1), pages)
    start = (page - 1) * BYTES
    rows = []
    for offset in range(start, min(start + BYTES, len(data)), 16):
        chunk = data[offset : offset + 16]
        left, right = chunk[:8].hex(" "), chunk[8:].hex(" ")
        printable = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in chunk)
        rows.append(f"{offset:08x}  {left:<23}  {right:<23}  {shown(printable)}")
    facts = f'<p class="facts" data-skip>{shown(kind)}, {sized(len(data))}</p>'
    dump = "\n".join(rows)
    return Preview(f'{facts}<pre class="mono scroll">{dump}</pre>', page=page, pages=pages)
