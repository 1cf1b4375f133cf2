"""Answers that stream a stored file in ranges, as players ask for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO, NamedTuple

from starlette.responses import Response, StreamingResponse

_CHUNK = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class ByteRange(NamedTuple):
    """From `first` up to and without `end`."""

    first: int
    end: int


def asked_range(header: str, size: int) -> ByteRange | None:
    """The range that a header asks for; None where it asks for nothing sensible, so that all is sent.

    >>> asked_range("bytes=0-99", 1000), asked_range("bytes=-100", 1000), asked_range("bytes=900-", 1000)
    (ByteRange(first=0, end=100), ByteRange(first=900, end=1000), ByteRange(first=900, end=1000))
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        return ByteRange(max(size - int(match[2]), 0), size)
    first = int(match[1])
    end = min(int(match[2]) + 1, size) if match[2] else size
    return ByteRange(first, end) if first < end or first >= size else None


def streamed(
    stream: BinaryIO, *, size: int, asked: str, media_type: str, headers: Mapping[str, str]
) -> Response:
    """The file, or the part of it that the `range` header asks for. The stream is closed when all is sent."""
    part = asked_range(asked, size)
    own = {**headers, "content-type": media_type, "accept-ranges": "bytes"}
    if part is not None and part.first >= size:
        stream.close()
        return Response(status_code=416, headers={**own, "content-range": f"bytes */{size}"})
    first, end = part or (0, size)
    own["content-length"] = str(end - first)
    if part is not None:
        own["content-range"] = f"bytes {first}-{end - 1}/{size}"
    return StreamingResponse(_chunks(stream, first, end), status_code=206 if part else 200, headers=own)


def _chunks(stream: BinaryIO, first: int, end: int) -> Iterator[bytes]:
    with stream:
        stream.seek(first)
        left = end - first
        while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
