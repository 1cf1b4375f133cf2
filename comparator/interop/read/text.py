"""Reading foreign text, JSON and JSON lines, whatever wrote them, with one clear reason where it fails."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from comparator.interop.read.unpacking import LARGEST as LARGEST
from comparator.interop.read.unpacking import UnreadableImport as UnreadableImport
from comparator.interop.read.unpacking import text_of

_HALF = re.compile(r"[\ud800-\udfff]")
"""Half of a character, which JSON can write and no file or database can hold."""
_MOST_NOTED = 5
"""So many names that are said twice are told of one text."""
_LARGEST_NUMBER = 10**100
"""Databases take the squares of numbers when they take averages."""
_LINE = re.compile(r"([^\n]*)(?:\n|\Z)")


class NotJson(UnreadableImport):
    """The text is not JSON; `fault` is the reason without the line."""

    def __init__(self, fault: str, *, line: int) -> None:
        super().__init__(f"{fault} in line {line}")
        self.fault = fault


class ReadRow(NamedTuple):
    """One row: its number as a person counts, and the value, or why there is none."""

    number: int
    value: dict[str, Any] | None
    problem: str = ""
    notes: tuple[str, ...] = ()
    """What of it is not as it was written."""


def read_text(path: Path) -> str:
    """The text of a file, however it is encoded or packed. Raises UnreadableImport."""
    return text_of(path).text


Note = Callable[[str], None]


def _drop_note(_: str) -> None:
    """Nobody is told."""


def parse_json(text: str, *, note: Note = _drop_note) -> Any:
    """The value; numbers that are none (NaN, Infinity) are null. Raises Unreadable with the line that is broken.

    Names that an object has twice, and halves of characters, are told to `note`.
    """
    twice: dict[str, None] = {}

    def once(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            names = [name for name, _ in items]
            twice.update((name, None) for name in found if names.count(name) > 1)
        return found

    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=once)
        for name in list(twice)[:_MOST_NOTED]:
            note(f"it says {name[:60]!r} twice in one object; the last one counts")
        # Only an escape can write half of a character.
        if "\\ud" not in text and "\\uD" not in text:
            return value
        whole = _whole(value)
        if whole != value:
            note("it holds half of a character (a lone surrogate), which becomes \N{REPLACEMENT CHARACTER}")
        return whole
    except json.JSONDecodeError as error:
        raise NotJson(f"it is not JSON: {error.msg}", line=error.lineno) from error
    except RecursionError as error:
        raise UnreadableImport("it is not usable JSON: it is nested too deeply") from error
    except ValueError as error:
        raise UnreadableImport("it is not usable JSON: a number in it has thousands of digits") from error


def read_object(path: Path, *, note: Note = _drop_note) -> dict[str, Any]:
    """The JSON object of a file; `note` as for `parse_json`. Raises Unreadable."""
    value = parse_json(read_text(path), note=note)
    if not isinstance(value, dict):
        raise UnreadableImport(f"it holds {kind_of(value)} where an object is expected")
    return value


def json_rows(text: str) -> Iterator[ReadRow]:
    """The objects of JSON lines; a broken line is told and the next one read."""
    # Not splitlines: a text in JSON may hold the other separators that it knows.
    for number, found in enumerate(_LINE.finditer(text), start=1):
        line = found[1]
        if not line.strip():
            continue
        notes: list[str] = []
        try:
            value = parse_json(line, note=notes.append)
        except NotJson as error:
            yield ReadRow(number, None, error.fault)
            continue
        except UnreadableImport as error:
            yield ReadRow(number, None, str(error))
            continue
        yield _row(number, value)._replace(notes=tuple(notes))


def rows_of(text: str, *, note: Note = _drop_note) -> Iterator[ReadRow]:
    """The rows of a JSON list, or of JSON lines; `note` is told of a list what each line would be told of itself.

    Raises Unreadable.
    """
    if not text.strip():
        raise UnreadableImport("it is empty")
    if not text.lstrip().startswith("["):
        yield from json_rows(text)
        return
    value = parse_json(text, note=note)
    if not isinstance(value, list):
        raise UnreadableImport(f"it holds {kind_of(value)} where a list is expected")
    yield from list_rows(value)


def list_rows(values: list[Any]) -> Iterator[ReadRow]:
    """The objects of a JSON list."""
    for number, value in enumerate(values, start=1):
        yield _row(number, value)


def text_in(row: dict[str, Any], *names: str, required: bool = True) -> str:
    """The first of these fields that is a non-blank text. Raises Unreadable where none is and one must be."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if value is not None and not isinstance(value, str):
            raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    if required:
        raise UnreadableImport(f"it has no {names[0]}")
    return ""


def output_in(row: dict[str, Any], *names: str) -> str:
    """The first of these fields as an output: a text, which may be empty, or a number or truth value as JSON writes it.

    Raises Unreadable where there is none.
    """
    for name in names:
        if name in row:
            value = row[name]
            if isinstance(value, str):
                return value
            if isinstance(value, (bool, int, float)) and value == value:
                return json.dumps(value)
            raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    raise UnreadableImport(f"it has no {names[0]}")


def number_in(row: dict[str, Any], *names: str) -> float | None:
    """The first of these fields that is a number (not a truth value); None where there is none."""
    for name in names:
        value = row.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST_NUMBER:
            return float(value)
    return None


def count_in(row: dict[str, Any], *names: str) -> int | None:
    """The first of these fields as a count that is not negative."""
    value = number_in(row, *names)
    return int(value) if value is not None and 0 <= value < 2**53 else None


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def _no_number(_: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _whole(value: Any) -> Any:
    match value:
        case str():
            return _HALF.sub("\N{REPLACEMENT CHARACTER}", value)
        case list():
            return [_whole(entry) for entry in value]
        case dict():
            return {_whole(name): _whole(entry) for name, entry in value.items()}
        case _:
            return value


def _row(number: int, value: Any) -> ReadRow:
    if isinstance(value, dict):
        return ReadRow(number, value)
    return ReadRow(number, None, f"it is {kind_of(value)}, not an object")
