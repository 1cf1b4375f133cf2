"""A question to the reading child about one or two files, with the files, as one body."""

from __future__ import annotations

import json
import struct
from typing import Any

_LENGTH = struct.Struct(">I")


def packed(question: dict[str, Any], *bodies: bytes) -> bytes:
    """The body that asks this about these files."""
    head = json.dumps({**question, "sizes": [len(body) for body in bodies]}).encode()
    return _LENGTH.pack(len(head)) + head + b"".join(bodies)


def unpacked(body: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The question and the files.

    >>> unpacked(packed({"ask": "compare"}, b"one", b"two"))
    ({'ask': 'compare', 'sizes': [3, 3]}, [b'one', b'two'])
    """
    (length,) = _LENGTH.unpack_from(body)
    at = _LENGTH.size + length
    question = json.loads(body[_LENGTH.size : at])
    files = []
    for size in question["sizes"]:
        files.append(body[at : at + size])
        at += size
    return question, files
