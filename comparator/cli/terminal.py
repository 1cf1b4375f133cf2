"""What goes to a terminal: words of others without the signs that steer it, and JSON that escapes them."""

from __future__ import annotations

import json
import re
from typing import Any, TextIO

from pydantic import BaseModel
from rich.console import Console

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line end, and those that change the direction of writing."""


def harmless(text: str) -> str:
    """The text with a replacement character for each sign that would steer a terminal."""
    return _STEERING.sub("\ufffd", text)


def json_text(value: object, *, indent: int | None = None) -> str:
    """A value as JSON in ASCII, models as their fields."""
    return json.dumps(value, indent=indent, default=_fields)


def _fields(value: object) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no form in JSON")


class HarmlessStream:
    """A text stream that writes harmless text; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text, made harmless."""
        return self.stream.write(harmless(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class Messages(Console):
    """Messages on standard error."""

    def __init__(self) -> None:
        super().__init__(stderr=True, highlight=False, markup=False, soft_wrap=True)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print texts, made harmless."""
        super().print(*(harmless(each) if isinstance(each, str) else each for each in objects), **options)


def results() -> Console:
    """A console for tables on standard output, which holds nothing but text."""
    return Console(color_system=None, highlight=False, markup=False, soft_wrap=True)
