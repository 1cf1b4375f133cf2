"""Workbooks and Parquet: each sheet's values, formulas, merged cells and comments; who wrote the file is left away."""

import io
import warnings
import zipfile
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from itertools import islice
from math import isfinite
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet
import python_calamine

from comparator.domain.pair.notes import Limitation
from comparator.outputs.extract.archive import ENCRYPTED, check_package
from comparator.outputs.isolated.messages import Copy, Extraction, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.tables.store import MEDIA_TYPE, NewSheet, Sheet, column_letters, place_of, store

_MOST_BYTES = 12 * 1024 * 1024
"""openpyxl takes a second for a few megabytes of a sheet; of larger ones only the values are read."""


class Form(NamedTuple):
    """Of one sheet: formulas by cell, merged ranges, and plain sentences."""

    formulas: Mapping[str, str] = {}
    merged: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def _forms_of(data: bytes, limits: Limits) -> dict[str, Form] | None:
    """The form of each sheet by its name; None where the workbook is too large or openpyxl cannot read it."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        sheets = [info.file_size for info in package.infolist() if info.filename.startswith("xl/worksheets/")]
    if sum(sheets) > _MOST_BYTES:
        return None
    # It takes 0.15 s to import, and neither Parquet nor an older workbook needs it.
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
    except Exception:  # noqa: BLE001 - a reader with many ways to stumble over a file
        return None
    forms = {}
    for sheet in book.worksheets:
        formulas: dict[str, str] = {}
        comments: list[str] = []
        # The cells that are there: openpyxl's rows have all up to the last one, of which there may be billions.
        for _, cell in islice(sorted(sheet._cells.items()), limits.cells):  # noqa: SLF001
            if cell.comment is not None:
                words = str(cell.comment.text or "").removeprefix(f"{cell.comment.author or ''}:")
                comments.append(f"Comment on {cell.coordinate}: {' '.join(words.split())}")
            if cell.value is not None and cell.data_type == "f":
                value = cell.value
                formulas[cell.coordinate] = str(
                    getattr(value, "text", None) or getattr(value, "ref", None) or value
                )
        merged = sorted(str(area) for area in list(sheet.merged_cells.ranges)[:1000])
        forms[sheet.title] = Form(formulas, tuple(merged), tuple(comments[:200]))
    return forms


_LISTED_FORMULAS = 500
Cell = str | int | float | bool | None


def read_workbook(data: bytes, limits: Limits) -> Extraction:
    """All sheets as text, and as rows for the reviewer's copy."""
    # Older workbooks are read as well.
    names = check_package(data, limits, may_be_old=True)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except python_calamine.PasswordError as error:
        raise Unreadable(ENCRYPTED) from error
    notes: list[str] = []
    forms = _forms_of(data, limits) if "xl/workbook.xml" in names else None
    if forms is None:
        notes.append(Limitation.FORMULAS_NOT_READ.text())
    sheets, left = [], limits.cells
    for info in book.sheets_metadata:
        sheet = _sheet(book, info, (forms or {}).get(info.name, Form()), left)
        left -= sum(map(len, sheet.rows))
        sheets.append(sheet)
        if sheet.about.omitted:
            notes.append(Limitation.ROWS_LEFT_OUT.text(omitted=sheet.about.omitted, most=limits.cells))
    return Extraction(
        text="\n".join(_text_of(sheet) for sheet in sheets),
        copy=Copy(MEDIA_TYPE, store(sheets)),
        wordless=any(name.startswith("xl/media/") for name in names),
        notes=tuple(notes),
    )


def _sheet(book: Any, info: Any, form: Form, cells: int) -> NewSheet:
    rows: list[list[Cell]] = []
    omitted = 0
    if info.typ == python_calamine.SheetTypeEnum.WorkSheet:
        try:
            values = book.get_sheet_by_name(info.name).to_python(skip_empty_area=False)
        except (python_calamine.CalamineError, python_calamine.XmlError) as error:
            raise Unreadable("One of its sheets is damaged and cannot be read.") from error
        for row in values:
            cells -= len(row)
            if cells < 0:
                omitted = len(values) - len(rows)
                break
            rows.append([_plain(value) for value in row])
        if not omitted:
            _reach(rows, form.formulas, cells=max(0, cells))
    facts = list(form.facts)
    if info.visible != python_calamine.SheetVisibleEnum.Visible:
        facts.insert(0, "This sheet is hidden.")
    about = Sheet(name=info.name, merged=form.merged, facts=tuple(facts), omitted=omitted)
    return NewSheet(about=about, rows=rows, formulas=form.formulas)


def _reach(rows: list[list[Cell]], formulas: Mapping[str, str], *, cells: int) -> None:
    """Lengthen the rows to where formulas stand that have no value yet: what reads values ends before them."""
    places = [place_of(cell) for cell in formulas]
    width = max([*map(len, rows), *(column for _, column in places)], default=0)
    height = max([len(rows), *(row for row, _ in places)], default=0)
    if width * height - sum(map(len, rows)) <= cells:
        rows += [[] for _ in range(height - len(rows))]
        for row in rows:
            row += [None] * (width - len(row))


def _text_of(sheet: NewSheet) -> str:
    about, rows, formulas = sheet.about, sheet.rows, sheet.formulas
    width = max(map(len, rows), default=0)
    lines = [f"## Sheet: {about.name} ({len(rows) + about.omitted:,} rows, {width:,} columns)", ""]
    if not rows and not formulas:
        return "\n".join([*lines, "(no cells)", ""])
    letters = [column_letters(index + 1) for index in range(width)]
    lines.append("| | " + " | ".join(letters) + " |")
    lines.append("|" + " --- |" * (width + 1))
    for number, row in enumerate(rows, start=1):
        cells = [_words(value, formulas.get(f"{letters[index]}{number}")) for index, value in enumerate(row)]
        lines.append(f"| {number} | " + " | ".join(cells) + " |")
    if about.omitted:
        lines.append(f"[… {about.omitted:,} rows left out here …]")
    if formulas:
        listed = list(formulas.items())[:_LISTED_FORMULAS]
        lines += ["", "Formulas:", *(f"{cell}: {formula}" for cell, formula in listed)]
        if len(formulas) > _LISTED_FORMULAS:
            lines.append(f"[… {len(formulas) - _LISTED_FORMULAS:,} formulas left out here …]")
    if about.merged:
        lines.append(f"Merged: {', '.join(about.merged[:100])}")
    return "\n".join([*lines, "", *about.facts, ""])


def _words(value: Cell, formula: str | None) -> str:
    if value in ("", None):
        return f"{formula} (not calculated)" if formula else ""
    return str(value).replace("|", "\\|").replace("\n", " ")


def _plain(value: Any) -> Cell:
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return int(value) if value.is_integer() and abs(value) < 1e15 else value
        case datetime() if (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
    return str(value)


_BATCH = 20_000
_LONGEST = 500


def read_parquet(data: bytes, limits: Limits) -> Extraction:
    """Schema and first rows."""
    file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
    schema = file.schema_arrow
    total = file.metadata.num_rows
    wanted = min(total, max(1, limits.cells // max(1, len(schema.names))))
    batches = file.iter_batches(batch_size=_BATCH, use_threads=False)
    columns = ([own.to_pylist() for own in batch.columns] for batch in batches)
    every_row = ([_cell(value) for value in row] for batch in columns for row in zip(*batch, strict=True))
    rows = list(islice(every_row, wanted))
    omitted = total - len(rows)
    facts = [f"{name}: {schema.field(index).type}" for index, name in enumerate(schema.names)]
    lines = [f"Table with {total:,} rows and {len(facts):,} columns", "", "Columns:", *facts, ""]
    lines += ["| " + " | ".join(schema.names) + " |", "|" + " --- |" * len(schema.names)]
    lines += ["| " + " | ".join(_words(cell, None) for cell in row) + " |" for row in rows]
    notes = []
    if omitted > 0:
        lines.append(f"[… {omitted:,} rows left out here …]")
        notes.append(Limitation.FIRST_ROWS_READ.text(read=len(rows), total=total))
    types = tuple(str(schema.field(index).type) for index in range(len(schema.names)))
    about = Sheet(name="table", headed=True, types=types, facts=tuple(facts), omitted=omitted)
    return Extraction(
        text="\n".join(lines) + "\n",
        copy=Copy(MEDIA_TYPE, store([NewSheet(about, [schema.names, *rows])])),
        notes=tuple(notes),
    )


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return "" if value is None else value
    text = f"[{len(value):,} bytes]" if isinstance(value, bytes) else str(value).replace("\n", " ")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
