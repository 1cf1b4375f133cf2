"""Files as commands take them: `-` for standard input and output, devices, and names that no file can have."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from comparator.domain.errors import InputError

STANDARD = Path("-")
"""Stands for standard input or output wherever a path is taken."""
LONGEST_SHOWN = 300
"""Characters of a path in a message."""


def in_short(path: Path) -> str:
    """A path for a message; the end of one that is too long."""
    text = str(path)
    return text if len(text) <= LONGEST_SHOWN else f"…{text[-LONGEST_SHOWN:]}"


def check_name(path: Path) -> None:
    """Raise InputError for a name that no file can have: too long, or with a zero byte."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            path.lstat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{in_short(path)} cannot be the name of a file: {reason}.") from error


def read_text(path: Path, what: str) -> str:
    """The text of a file, or of standard input for "-". Raises InputError, which says `what` was to be read."""
    try:
        data = sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = (error.strerror or error) if isinstance(error, OSError) else "it is not UTF-8 text"
        name = "standard input" if path == STANDARD else in_short(path)
        raise InputError(f"The {what}, {name}, cannot be read: {reason}.") from error


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """The path itself; for "-" a file with what standard input holds, for as long as the context is open."""
    if path != STANDARD:
        check_name(path)
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        # Its name becomes the project's where an import is given no other.
        file = Path(folder) / "standard-input"
        with file.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield file


@contextmanager
def output_file(path: Path) -> Iterator[Path]:
    """Where to write: the path itself, or for "-" and for devices a file that is copied there when all went well.

    A device or a pipe would else be replaced by a file of its name. Raises InputError where it cannot be written.
    """
    if path != STANDARD and (path.is_file() or not path.exists()):
        yield path
        return
    if path.is_dir():
        raise InputError(f"{path} is a folder. Name a file in it.")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "output"
        yield file
        if list(Path(folder).iterdir()) != [file]:
            raise InputError("Large files would go into a folder beside the lines. Name a file with --out.")
        with file.open("rb") as made:
            if path == STANDARD:
                shutil.copyfileobj(made, sys.stdout.buffer)
                return
            try:
                with path.open("wb") as device:
                    shutil.copyfileobj(made, device)
            except OSError as error:
                raise InputError(
                    f"{path} cannot be written: {error.strerror}. Choose another place."
                ) from error


def write_text(text: str, out: Path) -> bool:
    """Write a text to a file, or to standard output for "-"; whether it was a file. Raises InputError."""
    if out == STANDARD:
        # To a file or another program as it is; a terminal is not to be steered by it.
        stream = sys.stdout if sys.stdout.isatty() else getattr(sys.stdout, "stream", sys.stdout)
        stream.write(text)
        return False
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{in_short(out)} cannot be written: {error.strerror}. Choose another place."
        ) from error
    return True
