"""PDF objects as PDFium writes them (one cross-reference table, no object streams): read, and written anew."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from comparator.outputs.child.extraction import Unreadable


class Name(str):
    """A PDF name, as written after its slash."""

    __slots__ = ()


class Raw(bytes):
    """A number, boolean or null, as written."""

    __slots__ = ()


class Ref(NamedTuple):
    """A reference to an indirect object."""

    number: int


class Stream(NamedTuple):
    """A dictionary with bytes."""

    head: dict[str, Any]
    body: bytes


_SPACE = b"\x00\t\n\x0c\r "
_SKIP = re.compile(rb"(?:[\x00\t\n\x0c\r ]+|%[^\r\n]*)*")
_REF = re.compile(rb"(\d+)[\x00\t\n\x0c\r ]+\d+[\x00\t\n\x0c\r ]+R(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])")
_REGULAR = re.compile(rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]*")
_OBJECT = re.compile(rb"\s*(\d+)\s+\d+\s+obj")
_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
_SECTION = re.compile(rb"\s*(\d+) (\d+)\s*\r?\n")
_DEEPEST = 100


class Document:
    """The objects of one PDF, read when asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offsets, self.trailer = _table(data)
        self._objects: dict[int, Any] = {}

    def get(self, value: Any) -> Any:
        """The object behind a reference; anything else as it is."""
        if not isinstance(value, Ref):
            return value
        if value.number not in self._objects:
            offset = self._offsets.get(value.number)
            self._objects[value.number] = None if offset is None else self._read(offset)
        return self._objects[value.number]

    def streams(self, *, largest: int) -> Iterator[bytes]:
        """The bytes of all streams, unpacked where they are packed as usual."""
        for number in self._offsets:
            value = self.get(Ref(number))
            if isinstance(value, Stream):
                unpacker = zlib.decompressobj()
                try:
                    yield unpacker.decompress(value.body, largest)
                except zlib.error:
                    yield value.body

    def _read(self, offset: int) -> Any:
        match = _OBJECT.match(self._data, offset)
        if match is None:
            raise Unreadable("The PDF is damaged and cannot be read.")
        value, position = parse(self._data, match.end())
        position = _skip(self._data, position)
        if isinstance(value, dict) and self._data.startswith(b"stream", position):
            position += len(b"stream")
            position += 2 if self._data.startswith(b"\r\n", position) else 1
            length = int(self.get(value.get("Length", Raw(b"0"))))
            return Stream(value, self._data[position : position + length])
        return value


def parse(data: bytes, position: int, depth: int = 0) -> tuple[Any, int]:
    """One object at a position, and the position after it. Raises Unreadable."""
    if depth > _DEEPEST:
        raise Unreadable("The PDF is nested too deeply to be read.")
    position = _skip(data, position)
    first = data[position : position + 1]
    if data.startswith(b"<<", position):
        return _parse_dictionary(data, position + 2, depth)
    if first == b"[":
        return _parse_array(data, position + 1, depth)
    if first == b"/":
        match = _REGULAR.match(data, position + 1)
        assert match is not None
        return Name(match[0].decode("latin-1")), match.end()
    if first == b"(":
        end = string_end(data, position)
        return data[position:end], end
    if first == b"<":
        end = data.find(b">", position) + 1
        return data[position : end or len(data)], end or len(data)
    match = _REF.match(data, position)
    if match is not None:
        return Ref(int(match[1])), match.end()
    match = _REGULAR.match(data, position)
    if match is None or not match[0]:
        raise Unreadable("The PDF is damaged and cannot be read.")
    return Raw(match[0]), match.end()


def string_end(data: bytes, position: int) -> int:
    """The position after a literal string that starts at `position`."""
    depth, index = 0, position
    while index < len(data):
        byte = data[index]
        if byte == 0x5C:
            index += 1
        elif byte == 0x28:
            depth += 1
        elif byte == 0x29:
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    return len(data)


def write(roots: list[Any], resolve: Callable[[Ref], Any]) -> bytes:
    """A new PDF whose pages are `roots`; what they refer to is fetched by `resolve` and numbered in order of use."""
    numbers: dict[int, int] = {}
    waiting: list[Ref] = []
    first = 3 + len(roots)

    def number_of(ref: Ref) -> int:
        if ref.number not in numbers:
            numbers[ref.number] = first + len(numbers)
            waiting.append(ref)
        return numbers[ref.number]

    kids = b" ".join(b"%d 0 R" % (3 + index) for index in range(len(roots)))
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(roots), kids),
        *(_bytes_of({**page, "Parent": Raw(b"2 0 R")}, number_of) for page in roots),
    ]
    done = 0
    while done < len(waiting):
        bodies.append(_bytes_of(resolve(waiting[done]), number_of))
        done += 1
    output = bytearray(b"%PDF-1.7\n%\xa1\xb3\xc5\xd7\n")
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(output))
        output += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(output)
    output += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    for offset in offsets:
        output += b"%010d 00000 n \n" % offset
    output += b"trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, start)
    return bytes(output)


def _bytes_of(value: Any, number_of: Callable[[Ref], int]) -> bytes:
    if isinstance(value, Ref):
        return b"%d 0 R" % number_of(value)
    if isinstance(value, Stream):
        head = {**value.head, "Length": Raw(b"%d" % len(value.body))}
        return _bytes_of(head, number_of) + b"stream\n" + value.body + b"\nendstream"
    if isinstance(value, dict):
        inner = b"".join(
            b"/" + key.encode("latin-1") + b" " + _bytes_of(item, number_of) for key, item in value.items()
        )
        return b"<<" + inner + b">>"
    if isinstance(value, list):
        return b"[" + b" ".join(_bytes_of(item, number_of) for item in value) + b"]"
    if isinstance(value, Name):
        return b"/" + value.encode("latin-1")
    if isinstance(value, bytes):
        return value
    return b"null"


def _table(data: bytes) -> tuple[dict[int, int], dict[str, Any]]:
    match = _START.search(data[-64:])
    if match is None or not data.startswith(b"xref", int(match[1])):
        raise Unreadable("The PDF is damaged and cannot be read.")
    position = int(match[1]) + len(b"xref")
    offsets: dict[int, int] = {}
    while (section := _SECTION.match(data, position)) is not None:
        first, count = int(section[1]), int(section[2])
        position = section.end()
        for number in range(first, first + count):
            line = data[position : position + 20]
            if line[17:18] == b"n":
                offsets[number] = int(line[:10])
            position += 20
    position = _skip(data, position) + len(b"trailer")
    trailer, _ = parse(data, position)
    if not isinstance(trailer, dict):
        raise Unreadable("The PDF is damaged and cannot be read.")
    return offsets, trailer


def _parse_dictionary(data: bytes, position: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while not data.startswith(b">>", position := _skip(data, position)):
        key, position = parse(data, position, depth + 1)
        if not isinstance(key, Name):
            raise Unreadable("The PDF is damaged and cannot be read.")
        found[str(key)], position = parse(data, position, depth + 1)
    return found, position + 2


def _parse_array(data: bytes, position: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while not data.startswith(b"]", position := _skip(data, position)):
        value, position = parse(data, position, depth + 1)
        found.append(value)
    return found, position + 1


def _skip(data: bytes, position: int) -> int:
    match = _SKIP.match(data, position)
    assert match is not None
    return match.end()
