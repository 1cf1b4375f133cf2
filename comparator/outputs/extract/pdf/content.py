"""A page's drawing instructions without comments and marked-content labels, which draw nothing but can carry names."""

from __future__ import annotations

import re
import zlib
from typing import Any

from comparator.outputs.extract.pdf.objects import Name, Stream, string_end

_PLAIN = re.compile(rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]+")
_LABELS = frozenset({b"BMC", b"BDC", b"EMC", b"MP", b"DP"})
_INLINE_IMAGE = b"BI"


def cleaned(stream: Stream, *, largest: int) -> Stream:
    """The stream with its instructions cleaned and packed again; one in a rare packing is kept as it is."""
    instructions = _unpacked(stream, largest)
    if instructions is None:
        return stream
    body = zlib.compress(without_labels(instructions), 6)
    head = {
        key: value for key, value in stream.head.items() if key not in ("Filter", "DecodeParms", "Length")
    }
    return Stream({**head, "Filter": Name("FlateDecode")}, body)


def without_labels(instructions: bytes) -> bytes:
    """Drawing instructions without comments and marked content.

    >>> without_labels(b"/Span <</ActualText (x)>> BDC % who\\n(Hi) Tj EMC")
    b'(Hi) Tj\\n'
    """
    output = bytearray()
    operands: list[bytes] = []
    position, end = 0, len(instructions)
    while position < end:
        start = position
        byte = instructions[position]
        if byte in b"\x00\t\n\x0c\r ":
            position += 1
            continue
        if byte == 0x25:
            position = _line_end(instructions, position)
            continue
        position = _token_end(instructions, position)
        token = instructions[start:position]
        operands.append(token)
        if not _PLAIN.fullmatch(token) or not (token[:1].isalpha() or token[:1] in b"'\""):
            continue
        if token == _INLINE_IMAGE:
            # The bytes of an inline image cannot be told from instructions: the rest stays as it is.
            return bytes(output + b" ".join(operands) + instructions[position:])
        if token in (b"true", b"false", b"null"):
            continue
        if token not in _LABELS:
            output += b" ".join(operands) + b"\n"
        operands.clear()
    return bytes(output)


def _token_end(data: bytes, position: int) -> int:
    byte = data[position]
    if byte == 0x28:
        return string_end(data, position)
    if byte == 0x3C and not data.startswith(b"<<", position):
        return (data.find(b">", position) + 1) or len(data)
    if data.startswith((b"<<", b">>"), position):
        return position + 2
    if byte in b"[]{})>":
        return position + 1
    match = _PLAIN.match(data, position + 1)
    if byte == 0x2F:
        return match.end() if match else position + 1
    match = _PLAIN.match(data, position)
    return match.end() if match else position + 1


def _line_end(data: bytes, position: int) -> int:
    ends = [index for mark in (b"\r", b"\n") if (index := data.find(mark, position)) >= 0]
    return min(ends, default=len(data))


def _unpacked(stream: Stream, largest: int) -> bytes | None:
    packing: Any = stream.head.get("Filter")
    if isinstance(packing, list) and len(packing) == 1:
        packing = packing[0]
    if packing is None or packing == []:
        return stream.body
    if packing != "FlateDecode" or "DecodeParms" in stream.head:
        return None
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(stream.body, largest)
    except zlib.error:
        return None
    return None if unpacker.unconsumed_tail else data
