"""Differences as they leave the reading child, and as they are kept: a head and packed parts, each read alone."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any

from comparator.outputs.differences.compare import compare
from comparator.outputs.differences.model import LITTLE, Both
from comparator.outputs.differences.sources import ComparedFile

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class StoredDifferences:
    """Differences as they are kept."""

    head: dict[str, Any]
    parts: bytes

    @classmethod
    def unpacked(cls, data: bytes) -> StoredDifferences:
        """From what `packed` made."""
        (length,) = _LENGTH.unpack_from(data)
        start = _LENGTH.size + length
        return cls(json.loads(data[_LENGTH.size : start]), data[start:])

    def packed(self) -> bytes:
        """As bytes."""
        head = json.dumps(self.head).encode()
        return _LENGTH.pack(len(head)) + head + self.parts

    @property
    def problem(self) -> str:
        """Why there is nothing to be shown; empty where there is."""
        return str(self.head.get("problem", ""))

    @property
    def pages(self) -> int:
        """How many parts there are."""
        return max(len(self.head.get("parts", ())), 1)

    def page_of(self, change: int) -> int:
        """The part in which a change stands (from 1)."""
        parts = self.head.get("parts", ())
        return next((n for n, (first, last, _) in enumerate(parts, 1) if first <= change <= last), 1)

    def span(self, page: int) -> tuple[int, int]:
        """The numbers of the first and last change on a part."""
        first, last, _ = self.head["parts"][page - 1]
        return first, last

    def body(self, page: int) -> Both:
        """Safe HTML of both sides of a part."""
        lengths = [length for _, _, length in self.head["parts"]]
        start = sum(lengths[: page - 1])
        return Both(*json.loads(zlib.decompress(self.parts[start : start + lengths[page - 1]])))

    def summary(self) -> dict[str, Any]:
        """What the panes are told before they show anything."""
        if self.problem:
            return {"problem": self.problem}
        keys = ("changes", "percent", "words", "little")
        return {key: self.head[key] for key in keys}


def compared(a: ComparedFile, b: ComparedFile) -> StoredDifferences:
    """What differs in two files. Raises NotShown."""
    result = compare(a, b)
    bodies = [zlib.compress(json.dumps(part.body).encode("utf-8", "replace"), 1) for part in result.parts]
    head = {
        "changes": result.changes,
        "percent": result.percent,
        "little": result.percent < LITTLE,
        "words": result.words,
        "notes": list(result.notes),
        "parts": [
            [part.first, part.last, len(body)] for part, body in zip(result.parts, bodies, strict=True)
        ],
    }
    return StoredDifferences(head, b"".join(bodies))
