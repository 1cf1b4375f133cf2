"""What isolated processes take and return, and how it goes over the wire: a kind and a value as JSON, then bytes."""

import json
import struct
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import IO, Any, Literal, NamedTuple, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from comparator.domain.pair.view import ImageBlock

NEUTRAL_VALUES = "Where author, publisher, generator and the like are named, a neutral word stands instead."
"""The note on a page whose values were replaced."""

TextForm = Literal["plain", "html", "xml"]


class Unreadable(Exception):
    """A document cannot be read; the message is a plain sentence without anything from inside the document."""


class Bomb(Unreadable):
    """A document is not read since it would grow beyond the limits; nothing of it is handed on either."""


class Copy(NamedTuple):
    """The rebuilt file for the reviewer. Without one, the text itself is the copy."""

    media_type: str
    data: bytes


class Extraction(NamedTuple):
    """What one document gives."""

    text: str = ""
    form: TextForm = "plain"
    """How words in `text` are to be redacted."""
    pictures: tuple[ImageBlock, ...] = ()
    copy: Copy | None = None
    pages: int = 0
    """Of a PDF that is the copy."""
    copyable: bool = True
    wordless: bool = False
    """Whether it has pictures or scans whose words cannot be redacted."""
    omitted: int = 0
    notes: tuple[str, ...] = ()
    """Plain sentences."""
    telling: int = 0
    """How many comments told of the run and were left out."""

    @property
    def document(self) -> bytes | None:
        """The rebuilt PDF."""
        return self.copy.data if self.copy and self.pages else None


class TakenPicture(NamedTuple):
    """A picture of a page or an image, and of how many it is one; `embedded` are those that stand in a file."""

    block: ImageBlock
    width: int
    height: int
    pages: int
    embedded: bool = False


class PageImage(NamedTuple):
    """A picture of a page or of a part of one; `page` counts from 1."""

    page: int
    block: ImageBlock


class Pages(NamedTuple):
    """A document as it prints: a PDF of pictures with words, its first pages by themselves, and what differs."""

    document: bytes
    total: int
    images: tuple[PageImage, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Cleaned:
    """A package that can be printed; `pages` names what becomes a page each where that is known: slides or sheets."""

    kind: str
    data: bytes = b""
    pages: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


_PREFIX = struct.Struct(">IQ")
_LONGEST_HEADER = 4 * 1024 * 1024
_BYTES, _TEXT = "\0bytes", "\0text"
_LONG = 1_000
"""Bytes from which on a text is sent beside the header."""
T = TypeVar("T")


class Message(NamedTuple):
    """What came over the wire: lists, dicts, texts, numbers and bytes."""

    kind: str
    value: Any
    size: int


class Malformed(Exception):
    """What came over the wire is no message, or of another type."""


class TooLarge(Malformed):
    """A message has more bytes than are taken."""


def pack(kind: str, value: object = None) -> bytes:
    """A message with dataclasses, models, named tuples, tuples, lists, dicts, texts, numbers and bytes."""
    bodies: list[bytes] = []
    plain = _plain(adapter(Any).dump_python(value), bodies)
    head = json.dumps({"kind": kind, "value": plain, "sizes": [len(body) for body in bodies]}).encode()
    return b"".join((_PREFIX.pack(len(head), sum(map(len, bodies))), head, *bodies))


def unpack(data: bytes, kind: type[T]) -> T:
    """The value of a message that is kept. Raises Malformed."""
    message = read_message(BytesIO(data))
    if message is None:
        raise Malformed("a message is not whole")
    return check_type(message.value, kind)


def read_message(stream: IO[bytes], *, most: int | None = None) -> Message | None:
    """The next message of a stream, with at most so many bytes; None at its end. Raises Malformed or TooLarge."""
    prefix = stream.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size:
        return None
    head, body = _PREFIX.unpack(prefix)
    if most is not None and (head > _LONGEST_HEADER or body > most):
        raise TooLarge("a message is too long")
    about, content = stream.read(head), stream.read(body)
    return _message(about, content) if len(about) + len(content) == head + body else None


def check_type(value: Any, kind: type[T]) -> T:
    """A value that came, which must be of this type. Raises Malformed."""
    try:
        typed: T = adapter(cast("Hashable", kind)).validate_python(value)
    except ValidationError as error:
        raise Malformed("a message carries something else") from error
    return typed


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """What checks values of a type."""
    return TypeAdapter(kind)


def _message(head: bytes, body: bytes) -> Message:
    bodies, at = [], 0
    try:
        about = json.loads(head)
        for size in about["sizes"]:
            bodies.append(body[at : at + size])
            at += size
        return Message(about["kind"], _real(about["value"], bodies), len(head) + len(body))
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise Malformed("a message cannot be read") from error


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
            return {key: _plain(item, bodies) for key, item in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_plain(item, bodies) for item in value]
    return value


def _real(value: Any, bodies: list[bytes]) -> Any:
    match value:
        case {"\0bytes": int(at)}:
            return bodies[at]
        case {"\0text": int(at)}:
            return bodies[at].decode("utf-8", "replace")
        case dict():
            return {key: _real(item, bodies) for key, item in value.items()}
        case list():
            return [_real(item, bodies) for item in value]
    return value
