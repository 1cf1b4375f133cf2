"""The text that a file holds, also where it is compressed, packed alone into an archive, or a workbook."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
import zlib
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook

from comparator.domain.errors import InputError
from comparator.domain.pair.view import Family
from comparator.outputs.extract.encoding import Decoded, decode
from comparator.outputs.families import HEAD, OLE, family_of

LARGEST = 1024 * 1024 * 1024
_GZIP, _ZIP, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
_AS_TABLE = "Save the table as CSV, JSON lines or Parquet, and import that"
_OTHER_KINDS = {
    Family.PDF: "a PDF",
    Family.DOCX: "a text document",
    Family.PPTX: "a presentation",
    Family.IMAGE: "a picture",
    Family.AUDIO: "sound",
    Family.VIDEO: "a film",
    Family.BINARY: "no text",
    Family.ARCHIVE: "an archive",
    Family.PARQUET: "a Parquet file",
}


class UnreadableImport(InputError):
    """A file, or one row of it, cannot be used; the message is the reason, in a few words."""


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
        raise UnreadableImport(f"it is {_OTHER_KINDS[family]}. {_AS_TABLE}")
    if data[:HEAD].lstrip(b"\xef\xbb\xbf \r\n\t")[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise UnreadableImport(f"it is a web page. {_AS_TABLE}")
    decoded = decode(data)
    if decoded.invalid:
        raise UnreadableImport(
            f"it cannot be read as UTF-8 in {decoded.invalid:,} places. Save it as UTF-8, and import that"
        )
    return decoded


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            text = stream.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
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
                each
                for each in archive.infolist()
                if not each.is_dir() and not each.filename.startswith("__MACOSX/")
            ]
            if len(members) != 1:
                raise UnreadableImport(
                    f"it is an archive of {len(members):,} files. Unpack it, and import the folder or one of the files"
                )
            if members[0].file_size > LARGEST:
                raise UnreadableImport("it is larger than 1 GB once it is unpacked")
            return members[0].filename, archive.read(members[0])
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error, OSError) as error:
        raise UnreadableImport("the archive is damaged or encrypted. Unpack it yourself") from error


def _rows_of_workbook(data: bytes) -> str:
    """The one sheet of a workbook that has rows, as CSV."""
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise UnreadableImport(f"the workbook cannot be read. {_AS_TABLE}") from error
    filled = {
        name: rows for name, rows in sheets.items() if any(any(cell != "" for cell in row) for row in rows)
    }
    if len(filled) != 1:
        found = f"its sheets {', '.join(filled)} all have rows" if filled else "no sheet of it has rows"
        raise UnreadableImport(f"{found}. Save the sheet with the pairs as CSV, and import that")
    (rows,) = filled.values()
    out = io.StringIO()
    csv.writer(out).writerows(
        [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in row] for row in rows
    )
    return out.getvalue()


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, whatever its name. Raises UnreadableImport where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(4) == _PARQUET
    except OSError as error:
        raise UnreadableImport(f"it cannot be read ({error.strerror})") from error
