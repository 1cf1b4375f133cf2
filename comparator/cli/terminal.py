"""What goes to a terminal, harmless to it, and files as commands take them: `-` and devices."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from pydantic import BaseModel
from rich.console import Console

from comparator.domain.errors import InputError

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line end, and those that change the direction of writing."""


_BUT_OURS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""The same, without the two that our own colours and progress bars need: escape and carriage return."""


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
    """A text stream that writes harmless text, or `coloured` text; everything else is the stream's own."""

    def __init__(self, stream: TextIO, *, coloured: bool = False) -> None:
        self.stream = stream
        self._steering = _BUT_OURS if coloured else _STEERING

    def write(self, text: str) -> int:
        """Write the text, made harmless."""
        return self.stream.write(self._steering.sub("\ufffd", text))

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


STANDARD = Path("-")
"""Stands for standard input or output wherever a path is taken."""


def read_text(path: Path, what: str) -> str:
    """The text of a file, or of standard input for "-". Raises InputError, which says `what` was to be read."""
    data = sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "standard input" if path == STANDARD else path
        raise InputError(f"The {what}, {name}, cannot be read: it is not UTF-8 text.") from error


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """The path itself; for "-" a file with what standard input holds, for as long as the context is open."""
    if path != STANDARD:
        path.lstat()
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        # Its name becomes the project's where an import is given no other.
        file = Path(folder) / "standard-input"
        file.write_bytes(sys.stdin.buffer.read())
        yield file


@contextmanager
def output_file(path: Path) -> Iterator[Path]:
    """Where to write: the path itself, or for "-" and for devices a file that is copied there when all went well.

    A device or a pipe would else be replaced by a file of its name.
    """
    if path != STANDARD and (path.is_file() or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "output"
        yield file
        if list(Path(folder).iterdir()) != [file]:
            raise InputError("Large files would go into a folder beside the lines. Name a file with --out.")
        with (
            file.open("rb") as made,
            nullcontext(sys.stdout.buffer) if path == STANDARD else path.open("wb") as out,
        ):
            shutil.copyfileobj(made, out)


def write_text(text: str, out: Path) -> bool:
    """Write a text to a file, or to standard output for "-"; whether it was a file."""
    if out != STANDARD:
        out.write_text(text, encoding="utf-8")
        return True
    # To a file or another program as it is; a terminal is not to be steered by it.
    stream = sys.stdout if sys.stdout.isatty() else getattr(sys.stdout, "stream", sys.stdout)
    stream.write(text)
    return False
