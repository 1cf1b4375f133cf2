"""Files that are shown in bytes, without what their makers wrote beside the content; nothing moves."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator

_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_SCAN, _COMMENT = 0xDA, 0xFE
_COLOURS = 0xEE
"""It says how the colours are stored."""
_DRAWN = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"pHYs"})


_GIF, _ZIP, _PSD = b"GIF8", b"PK\x03\x04", b"8BPS"
_TIFF_LITTLE, _TIFF_BIG = b"II*\0", b"MM\0*"
_AUTHOR_TAGS = frozenset(
    {269, 270, 271, 272, 285, 305, 306, 315, 316, 700, 33432, 33723, 34377, 34665, 34853, 37500}
)
"""Tags of TIFF that tell of people, programs, places and times: text, XMP, IPTC, EXIF, GPS."""
_AUTHOR_TAGS |= frozenset(range(40091, 40096))
_PROPERTIES = (
    bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9"),
    bytes.fromhex("02d5cdd59c2e1b10939708002b2cf9ae"),
    bytes.fromhex("05d5cdd59c2e1b10939708002b2cf9ae"),
)
"""What begins the sets of properties in old Office files."""
_MEMBERS = re.compile(
    rb"docProps/|customXml/|(?:meta|settings)\.xml$|[^/]*\.opf$|(?:.*/)?persons/|(?:.*/)?[\w-]*[Cc]omments?",
    re.DOTALL,
)
_WRITTEN = re.compile(
    # XMP, the information of a PDF, and elements that name people in any XML.
    rb"<\?xpacket begin=.{0,200000}?<\?xpacket end=|<x:xmpmeta.{0,200000}?</x:xmpmeta"
    rb"|/(?:Author|Creator|Producer|Company|Manager|LastModifiedBy)\s*(?:\((?:[^()\\]|\\.){0,2000}\)|<[0-9A-Fa-f\s]{0,4000}>)"
    rb"|<(?P<tag>(?:\w+:)?(?:creator|initial-creator|lastModifiedBy|Company|Manager|author))\b[^>]{0,400}>[^<]{0,2000}(?=</(?P=tag))",
    re.DOTALL,
)


def without_metadata(data: bytes) -> bytes:
    """The same length, with zeros where a file tells of programs, people, places and times.

    >>> without_metadata(b"\\xff\\xd8\\xff\\xfe\\0\\x06Anna\\xff\\xda")
    b'\\xff\\xd8\\xff\\xfe\\x00\\x06\\x00\\x00\\x00\\x00\\xff\\xda'
    """
    out = bytearray(data)
    for find in (_of_kind(data), _written, _properties):
        for begin, end in find(data):
            begin, end = min(begin, len(out)), min(end, len(out))
            out[begin:end] = bytes(max(end - begin, 0))
    return bytes(out)


def _of_kind(data: bytes) -> Callable[[bytes], Iterator[tuple[int, int]]]:
    kinds = {
        _JPEG: _segments,
        _PNG: _chunks,
        _GIF: _blocks,
        _ZIP: _members,
        _PSD: _resources,
        _TIFF_LITTLE: _tags,
        _TIFF_BIG: _tags,
        b"RIFF": _riff,
    }
    return next((find for magic, find in kinds.items() if data.startswith(magic)), _nothing)


def _nothing(_data: bytes) -> Iterator[tuple[int, int]]:
    return iter(())


def _written(data: bytes) -> Iterator[tuple[int, int]]:
    for found in _WRITTEN.finditer(data):
        begin, end = found.span()
        text = found[0]
        if found["tag"]:
            begin += text.index(b">") + 1
        elif text.startswith(b"/"):
            begin += min(at for at in (text.find(b"("), text.find(b"<")) if at >= 0) + 1
            end -= 1
        yield begin, end


def _properties(data: bytes) -> Iterator[tuple[int, int]]:
    """The sections of properties, to their end or that of what there is."""
    for format_id in _PROPERTIES:
        at = data.find(format_id)
        while at >= 0:
            # A set begins 28 bytes before the first name of its kind; behind that name stands where its section lies.
            (offset,) = struct.unpack_from("<I", data.ljust(at + 20, b"\0"), at + 16)
            begin = max(at - 28, 0) + offset
            size = int.from_bytes(data[begin : begin + 4], "little")
            if offset < 4_096 and size < 1_000_000:
                yield begin + 8, begin + size
            at = data.find(format_id, at + 16)


def _members(data: bytes) -> Iterator[tuple[int, int]]:
    """What tells of its makers in a damaged package, and its comments."""
    for found in re.finditer(rb"PK\x03\x04", data):
        head = data[found.start() : found.start() + 30]
        if len(head) < 30:
            return
        named, extra = struct.unpack_from("<HH", head, 26)
        begin = found.start() + 30
        if _MEMBERS.match(data[begin : begin + named]):
            end = data.find(b"PK", begin + named + extra)
            yield begin + named, len(data) if end < 0 else end
        else:
            yield begin + named, begin + named + extra
    for found in re.finditer(rb"PK\x01\x02", data):
        lengths = data[found.start() + 28 : found.start() + 34]
        if len(lengths) == 6:
            named, extra, comment = struct.unpack("<HHH", lengths)
            yield found.start() + 46 + named, found.start() + 46 + named + extra + comment
    for found in re.finditer(rb"PK\x05\x06", data):
        yield found.start() + 22, len(data)


def _tags(data: bytes) -> Iterator[tuple[int, int]]:
    order = "<" if data.startswith(_TIFF_LITTLE) else ">"
    waiting, seen = [struct.unpack_from(f"{order}I", data.ljust(8, b"\0"), 4)[0]], set[int]()
    sizes = {3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}
    while waiting and len(seen) < 1_000:
        at = waiting.pop()
        if at in seen or at + 2 > len(data):
            continue
        seen.add(at)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        for place in range(at + 2, min(at + 2 + 12 * count, len(data) - 11), 12):
            tag, kind, many, value = struct.unpack_from(f"{order}HHII", data, place)
            size = many * sizes.get(kind, 1)
            if tag in (34665, 34853):
                waiting.append(value)
            elif tag in _AUTHOR_TAGS or (seen != {at} and kind == 2):
                yield (place + 8, place + 8 + size) if size <= 4 else (value, value + size)
        following = at + 2 + 12 * count
        if following + 4 <= len(data):
            waiting.append(struct.unpack_from(f"{order}I", data, following)[0])


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    """Comments and data of programs in a GIF."""
    for found in re.finditer(rb"\x21[\xfe\xff]", data):
        at = found.end()
        while at < len(data) and data[at]:
            yield at + 1, at + 1 + data[at]
            at += 1 + data[at]


def _riff(data: bytes) -> Iterator[tuple[int, int]]:
    at = 12
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        if data[at : at + 4] in (b"EXIF", b"XMP ", b"ICCP", b"LIST", b"id3 "):
            yield at + 8, at + 8 + size
        at += 8 + size + size % 2


def _resources(data: bytes) -> Iterator[tuple[int, int]]:
    """What stands beside the layers of a drawing program's file."""
    colours = int.from_bytes(data[26:30], "big")
    begin = 30 + colours
    yield begin + 4, begin + 4 + int.from_bytes(data[begin : begin + 4], "big")


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xFF:
            at += 1
            continue
        if kind == _SCAN:
            return
        if kind == _COMMENT or (0xE1 <= kind <= 0xEF and kind != _COLOURS):
            yield at + 4, at + 2 + size
        at += 2 + max(size, 2)


def _chunks(data: bytes) -> Iterator[tuple[int, int]]:
    at = len(_PNG)
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if kind not in _DRAWN:
            yield at + 8, at + 8 + size
        at += 12 + size
