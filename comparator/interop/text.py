"""What a foreign file holds: its text however it is packed and encoded, JSON, and rows of objects."""

import csv
import gzip
import io
import itertools
import json
import lzma
import math
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from python_calamine import CalamineError, CalamineWorkbook

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.pair.view import Family
from comparator.outputs.extract.encoding import Decoded, decode
from comparator.outputs.families import HEAD, OLE, family_of

LARGEST = 1024 * 1024 * 1024
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError)
"""What the standard library raises for a packed file that is damaged, encrypted or of an unknown kind."""
AS_TABLE = "Save the table as CSV, JSON lines or Parquet, and import that"
_OTHER_KINDS = {
    Family.PDF: "a PDF",
    Family.DOCX: "a text document",
    Family.PPTX: "a presentation",
    Family.IMAGE: "a picture",
    Family.AUDIO: "an audio file",
    Family.VIDEO: "a video",
    Family.BINARY: "not text",
    Family.ARCHIVE: "an archive",
    Family.PARQUET: "a Parquet file",
}
_OF_THE_SYSTEM = (".ds_store", "thumbs.db", "desktop.ini")
"""Files of the operating system, which nobody put into the archive."""
_LARGEST_NUMBER = 10**100
"""Databases take the squares of numbers when they take averages."""
_KINDS = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
}
_LINE = re.compile(r"([^\n]*)(?:\n|\Z)")


class UnreadableImport(InputError):
    """A file, or one row of it, cannot be used; the message is the reason, in a few words."""


class ReadRow(NamedTuple):
    """One row: its number as a person counts, and the value, or why there is none."""

    number: int
    value: dict[str, Any] | None
    problem: str = ""


# ---- text


def read_text(path: Path) -> str:
    """The text of a file, however it is encoded or packed. Raises UnreadableImport."""
    return text_of(path).text


def text_of(path: Path) -> Decoded:
    """The text of a file: as it is, gzipped, alone in a ZIP archive, or the rows of a workbook as CSV.

    Raises UnreadableImport where it is something else, with what to do.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise UnreadableImport("it is larger than 1 GB")
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableImport(f"it cannot be read ({error.strerror})") from error
    name = path.name
    if data.startswith(_GZIP):
        data, name = _gunzipped(data), name.removesuffix(".gz")
    if data.startswith(_ZIP) and family_of(name, data) is Family.ARCHIVE:
        name, data = _alone(data)
    family = family_of(name, data if data.startswith(_ZIP) else data[:HEAD])
    if family is Family.XLSX and data.startswith((_ZIP, OLE)):
        return Decoded(_rows_of_workbook(data), "utf-8", guessed=False)
    if family in _OTHER_KINDS and data:
        raise UnreadableImport(f"it is {_OTHER_KINDS[family]}. {AS_TABLE}")
    if data[:HEAD].lstrip(b"\xef\xbb\xbf \r\n\t")[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise UnreadableImport(f"it is a web page. {AS_TABLE}")
    if data.startswith(b"version https://git-lfs.github.com/spec/"):
        raise UnreadableImport(
            "it is only a Git LFS pointer. Fetch the file with `git lfs pull`, and import it again"
        )
    decoded = decode(data)
    if decoded.invalid:
        raise UnreadableImport(
            f"it cannot be read as UTF-8 in {counted(decoded.invalid, 'place')}. Save it as UTF-8, and import that"
        )
    return decoded


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            text = stream.read(LARGEST + 1)
    except _DAMAGED as error:
        raise UnreadableImport(
            "its compression is damaged. Unpack it yourself, and import the file"
        ) from error
    if len(text) > LARGEST:
        raise UnreadableImport("it is larger than 1 GB once it is unpacked")
    return text


def _alone(data: bytes) -> tuple[str, bytes]:
    """Name and bytes of the one file of an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir()
                and not member.filename.startswith("__MACOSX/")
                and member.filename.rpartition("/")[2].lower() not in _OF_THE_SYSTEM
            ]
            if len(members) != 1:
                raise UnreadableImport(
                    f"it is an archive of {len(members):,} files. Unpack it, and import the folder or one of the files"
                )
            if members[0].file_size > LARGEST:
                raise UnreadableImport("it is larger than 1 GB once it is unpacked")
            return members[0].filename, archive.read(members[0])
    except _DAMAGED as error:
        raise UnreadableImport(
            "the archive is damaged, encrypted or of an unknown kind. Unpack it yourself, and import the file"
        ) from error


def _rows_of_workbook(data: bytes) -> str:
    """The one sheet of a workbook that has rows, as CSV."""
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise UnreadableImport(f"the workbook cannot be read. {AS_TABLE}") from error
    filled = {
        name: rows for name, rows in sheets.items() if any(any(cell != "" for cell in row) for row in rows)
    }
    if len(filled) != 1:
        problem = f"its sheets {', '.join(filled)} all have rows" if filled else "none of its sheets has rows"
        raise UnreadableImport(f"{problem}. Save the sheet with the pairs as CSV, and import that")
    (rows,) = filled.values()
    out = io.StringIO()
    csv.writer(out).writerows(
        [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in row] for row in rows
    )
    return out.getvalue()


# ---- JSON


def parse_json(text: str) -> Any:
    """The value. Numbers that are none (NaN, Infinity) are null, and half of a character the replacement character.

    Raises UnreadableImport with the line that is broken, or the key that an object has twice.
    """

    def once(items: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(items)
        if len(unique) < len(items):
            twice = next(name for name, times in Counter(name for name, _ in items).items() if times > 1)
            raise UnreadableImport(f"it has the key {twice[:60]!r} twice in one object. Remove one")
        return unique

    def finite(written: str) -> float | None:
        return number if math.isfinite(number := float(written)) else None

    try:
        value = json.loads(text, parse_constant=lambda _: None, parse_float=finite, object_pairs_hook=once)
        # Only an escape can write half of a character.
        if "\\ud" not in text and "\\uD" not in text:
            return value
        written = json.dumps(value, ensure_ascii=False)
        return json.loads(written.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except json.JSONDecodeError as error:
        raise UnreadableImport(f"it is not JSON: {error.msg} in line {error.lineno}") from error
    except RecursionError as error:
        raise UnreadableImport("it is not usable JSON: it is nested too deeply") from error
    except ValueError as error:
        raise UnreadableImport("it is not usable JSON: a number in it has thousands of digits") from error


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object of a file. Raises UnreadableImport."""
    value = parse_json(read_text(path))
    if not isinstance(value, dict):
        raise UnreadableImport(f"it holds {kind_of(value)} where an object is expected")
    return value


# ---- rows


def json_rows(text: str) -> Iterator[ReadRow]:
    """The objects of JSON lines; a broken line is told and the next one read."""
    # Not splitlines: a text in JSON may hold the other separators that it knows.
    for number, match in enumerate(_LINE.finditer(text), start=1):
        if not (line := match[1]).strip():
            continue
        try:
            yield _row(number, parse_json(line))
        except UnreadableImport as error:
            yield ReadRow(number, None, str(error).removesuffix(" in line 1"))


def rows_of(text: str) -> Iterator[ReadRow]:
    """The rows of a JSON list, or of JSON lines. Raises UnreadableImport."""
    if not text.strip():
        raise UnreadableImport("it is empty")
    if text.lstrip().startswith("["):
        return list_rows(parse_json(text))
    return list_rows(rows) if (rows := _rows_of_columns(text)) else json_rows(text)


def _rows_of_columns(text: str) -> list[dict[str, Any]]:
    """The rows of what pandas writes a table as: an object of columns, each by the numbers of its rows."""
    try:
        columns = parse_json(text)
    except UnreadableImport:
        return []
    if not isinstance(columns, dict) or not all(isinstance(column, dict) for column in columns.values()):
        return []
    rows = {tuple(column) for column in columns.values()}
    if len(rows) != 1 or not all(number.isdecimal() for row in rows for number in row):
        return []
    (numbers,) = rows
    return [{name: column[number] for name, column in columns.items()} for number in numbers]


def list_rows(values: list[Any]) -> Iterator[ReadRow]:
    """The objects of a JSON list."""
    return itertools.starmap(_row, enumerate(values, start=1))


def _row(number: int, value: Any) -> ReadRow:
    if isinstance(value, dict):
        return ReadRow(number, value)
    return ReadRow(number, None, f"it is {kind_of(value)}, not an object")


# ---- fields of a row


def text_in(row: dict[str, Any], *names: str, required: bool = True) -> str:
    """The first of these fields that is a non-blank text. Raises UnreadableImport where none is and one must be."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if value is not None and not isinstance(value, str):
            raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    if required:
        raise UnreadableImport(f"it has no {names[0]}")
    return ""


def number_in(row: dict[str, Any], *names: str) -> float | None:
    """The first of these fields that is a number (not a truth value); None where there is none."""
    for name in names:
        value = row.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST_NUMBER:
            return float(value)
    return None


def count_in(row: dict[str, Any], *names: str) -> int | None:
    """The first of these fields that is a number, cut to a whole one; None where there is none or it is negative."""
    value = number_in(row, *names)
    return int(value) if value is not None and 0 <= value < 2**53 else None


def at(value: Any, place: str) -> Any:
    """The value at a place, whose parts have dots between them; None where there is none."""
    for step in place.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


P = TypeVar("P", str, list[Any], dict[str, Any])


def part(value: Any, place: str, kind: type[P]) -> P:
    """The value at a place if it is of this kind, else an empty one."""
    inner = at(value, place)
    return inner if isinstance(inner, kind) else kind()


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    return _KINDS.get(type(value), "an object")
