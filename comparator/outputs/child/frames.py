"""Frames between the app and its reading child: a JSON header and bytes, each with its length; nothing is unpickled."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from comparator.outputs.child.extraction import Copy, Extraction, PageData, Picture

PREFIX = struct.Struct(">IQ")
LONGEST_HEADER = 4 * 1024 * 1024
_LENGTH = struct.Struct(">I")


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


def packed(question: dict[str, Any], data: bytes) -> bytes:
    """A question about a document, with the document, as one body."""
    head = json.dumps(question).encode()
    return _LENGTH.pack(len(head)) + head + data


def unpacked(body: bytes) -> tuple[dict[str, Any], bytes]:
    """A packed question, and the document that it is about."""
    (length,) = _LENGTH.unpack_from(body)
    start = _LENGTH.size + length
    return json.loads(body[_LENGTH.size : start]), body[start:]


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


def frames_of(extraction: Extraction) -> Iterator[Frame]:
    """An extraction as frames; the last one has the kind `done`."""
    yield Frame({"kind": "text"}, extraction.text.encode("utf-8", "replace"))
    for picture in extraction.pictures:
        yield Frame(
            {"kind": "picture", "media_type": picture.media_type, "caption": picture.caption}, picture.data
        )
    if extraction.document is not None:
        yield Frame({"kind": "document"}, extraction.document)
    if extraction.copy is not None:
        yield Frame({"kind": "copy", "media_type": extraction.copy.media_type}, extraction.copy.data)
    if extraction.page_data:
        yield Frame({"kind": "page data"}, json.dumps(extraction.page_data).encode())
    yield Frame(
        {
            "kind": "done",
            "form": extraction.form,
            "pages": extraction.pages,
            "copyable": extraction.copyable,
            "wordless": extraction.wordless,
            "omitted": extraction.omitted,
            "notes": list(extraction.notes),
            "telling": extraction.telling,
        }
    )


def extraction_from(frames: Iterable[Frame]) -> Extraction:
    """The extraction that frames carry. Raises Malformed."""
    text, document, copy = "", None, None
    page_data: PageData = ()
    pictures: list[Picture] = []
    for head, body in frames:
        match head["kind"]:
            case "text":
                text = body.decode("utf-8", "replace")
            case "picture" if head.get("media_type") in ("image/png", "image/jpeg"):
                pictures.append(Picture(head["media_type"], body, str(head.get("caption", ""))))
            case "document":
                document = body
            case "copy":
                copy = Copy(str(head.get("media_type")), body)
            case "page data":
                page_data = _page_data(body)
            case "done" if head.get("form") in ("plain", "html", "xml"):
                return Extraction(
                    text=text,
                    form=head["form"],
                    pictures=tuple(pictures),
                    document=document,
                    pages=int(head.get("pages", 0)),
                    copy=copy,
                    copyable=bool(head.get("copyable", True)),
                    wordless=bool(head.get("wordless")),
                    omitted=int(head.get("omitted", 0)),
                    notes=tuple(str(note) for note in head.get("notes", ())),
                    telling=int(head.get("telling", 0)),
                    page_data=page_data,
                )
            case other:
                raise Malformed(f"unexpected frame {other!r}")
    raise Malformed("the answer has no end")


def _page_data(body: bytes) -> PageData:
    try:
        return tuple((str(kind), str(name), str(value)) for kind, name, value in json.loads(body))
    except (ValueError, TypeError, RecursionError) as error:
        raise Malformed("page data are no entries") from error
