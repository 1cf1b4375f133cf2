"""Frames between the app and its reading child: a JSON header and bytes, each with its length; nothing is unpickled."""

from __future__ import annotations

import json
import struct
from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

PREFIX = struct.Struct(">IQ")
LONGEST_HEADER = 4 * 1024 * 1024
_BYTES, _TEXT = "\0bytes", "\0text"
_LONG = 1_000
"""Bytes from which on a text is sent beside the header."""
T = TypeVar("T")


class Frame(NamedTuple):
    """One message; `head["kind"]` says what it is."""

    head: dict[str, Any]
    body: bytes = b""


class Malformed(Exception):
    """What came over the wire is no frame."""


def encode(frame: Frame) -> bytes:
    """A frame as bytes."""
    head = json.dumps(frame.head).encode()
    return PREFIX.pack(len(head), len(frame.body)) + head + frame.body


def framed(value: object, **head: object) -> Frame:
    """A frame that carries a value: dataclasses, named tuples, tuples, lists, dicts, texts, numbers and bytes."""
    bodies: list[bytes] = []
    plain = _plain(value, bodies)
    return Frame(
        {"kind": "done", **head, "value": plain, "sizes": [len(each) for each in bodies]}, b"".join(bodies)
    )


def value_in(frame: Frame) -> Any:
    """What a frame carries, as lists, dicts, texts, numbers and bytes. Raises Malformed."""
    bodies, at = [], 0
    try:
        for size in frame.head["sizes"]:
            bodies.append(frame.body[at : at + size])
            at += size
        return _real(frame.head["value"], bodies)
    except (KeyError, IndexError, TypeError) as error:
        raise Malformed("a frame carries no value") from error


def value_of(frame: Frame, kind: type[T]) -> T:
    """What a frame carries, which must be of this type. Raises Malformed."""
    try:
        checked: T = adapter(cast("Hashable", kind)).validate_python(value_in(frame))
    except ValidationError as error:
        raise Malformed("a frame carries something else") from error
    return checked


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """What checks values of a type."""
    return TypeAdapter(kind)


def _plain(value: Any, bodies: list[bytes]) -> Any:
    match value:
        case bytes():
            bodies.append(value)
            return {_BYTES: len(bodies) - 1}
        case str():
            encoded = value.encode("utf-8", "replace")
            if len(encoded) < _LONG:
                return encoded.decode()
            bodies.append(encoded)
            return {_TEXT: len(bodies) - 1}
        case dict():
            return {key: _plain(each, bodies) for key, each in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_plain(each, bodies) for each in value]
        case _ if is_dataclass(value):
            return {each.name: _plain(getattr(value, each.name), bodies) for each in fields(value)}
    return value


def _real(value: Any, bodies: list[bytes]) -> Any:
    match value:
        case {"\0bytes": int(at)}:
            return bodies[at]
        case {"\0text": int(at)}:
            return bodies[at].decode("utf-8", "replace")
        case dict():
            return {key: _real(each, bodies) for key, each in value.items()}
        case list():
            return [_real(each, bodies) for each in value]
    return value


def decode_head(data: bytes) -> dict[str, Any]:
    """A frame's header. Raises Malformed."""
    try:
        head = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("a header is no JSON") from error
    if not isinstance(head, dict) or not isinstance(head.get("kind"), str):
        raise Malformed("a header has no kind")
    return head


def read_frame(stream: BinaryIO) -> Frame | None:
    """The next frame of a blocking stream; None at its end."""
    prefix = stream.read(PREFIX.size)
    if len(prefix) < PREFIX.size:
        return None
    head_length, body_length = PREFIX.unpack(prefix)
    return Frame(decode_head(stream.read(head_length)), stream.read(body_length))
