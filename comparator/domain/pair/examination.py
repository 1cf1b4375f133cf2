"""What a judge looked at: each call of a tool with what it showed, and how much of each file was seen."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import JsonValue

from comparator.domain.labels import Frozen

Place = Literal["A", "B", "input", "reference"]


class SeenUnits(Frozen):
    """Units `first` to `last` of the `total` of a part of a file; `part` is a sheet's number, `pages` or empty."""

    place: Place
    file: str
    first: int
    last: int
    total: int
    part: str = ""


class ToolCall(Frozen):
    """One call as it is kept. `digest` is the sha256 of the answer, `size` its bytes, `seconds` what it took."""

    tool: str
    arguments: dict[str, JsonValue]
    size: int
    tokens: int
    """About; how many they really are only the model's server can tell."""
    seconds: float
    digest: str
    problem: bool = False
    refused: bool = False
    """Not answered, since a limit was reached."""
    seen: tuple[SeenUnits, ...] = ()


class Extent(StrEnum):
    """How much of a file was seen."""

    WHOLLY = "wholly"
    IN_PART = "in part"
    NEVER = "never"


class FileAttention(Frozen):
    """How much of one file was seen, and in how many calls."""

    place: Place
    file: str
    extent: Extent
    calls: int = 0


class LookedAt(Frozen):
    """The record of one reading with tools."""

    calls: tuple[ToolCall, ...]
    files: tuple[FileAttention, ...]
