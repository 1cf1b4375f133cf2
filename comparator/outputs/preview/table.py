"""Tables: delimited text and workbooks, in pages of rows, with sheets, types and formulas."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from comparator.outputs.preview.document import NotShown, Preview, shown
from comparator.outputs.preview.text import as_utf8

ROWS = 400
"""Rows of one page."""

_MOST_COLUMNS = 200
_NUMBER = re.compile(r"[-+]?(\d{1,3}([ ,'\u00a0]\d{3})+|\d+)?([.,]\d+)?([eE][-+]?\d+)?\s?%?")
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
_TRUTH = frozenset({"true", "false", "yes", "no"})


def render_delimited(name: str, data: bytes, *, page: int) -> Preview:
    """A CSV or TSV file; the first row is the heading, each cell is text. Raises NotShown."""
    data = as_utf8(data)
    if b"\x00" in data:
        raise NotShown("Holds NUL characters, so it is not a table; shown as text.")
    delimiter = _delimiter(name, data[:20_000].decode("utf-8", "replace"))
    lines = data.count(b"\n") + (0 if data.endswith(b"\n") or not data else 1)
    # Quoted cells may hold line ends, so that a page may hold fewer rows than lines; pages are counted by lines.
    pages = max(1, -(-max(lines - 1, 0) // ROWS))
    page = min(max(page, 1), pages)
    reader = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""), delimiter=delimiter)
    try:
        heading = next(reader, [])
        start = (page - 1) * ROWS
        rows = list(islice(reader, start, start + ROWS))
    except csv.Error as error:
        raise NotShown(f"Not a table that can be read ({error}); shown as text.") from error
    if not heading and not rows:
        raise NotShown("An empty table.")
    uneven = sum(1 for row in rows if row and len(row) != len(heading))
    notes: tuple[str, ...] = ()
    if uneven:
        notes = (f"{uneven} row{'s' if uneven > 1 else ''} with more or fewer cells than the heading.",)
    columns = f"{len(heading)} column{'' if len(heading) == 1 else 's'}"
    facts = f"{lines:,} lines, {columns}, separated by {_named(delimiter)}"
    body = f'<p class="facts" data-skip>{facts}</p>' + _table(heading, rows, first=start + 2)
    return Preview(body, notes, page, pages)


def render_workbook(data: bytes, *, page: int) -> Preview:
    """A workbook as its extracted sheets: `{"sheets": [{"name", "rows", "formulas", "merged", "facts", …}]}`.

    Rows and columns have the numbers and letters that formulas name them by. Raises NotShown.
    """
    sheets = _sheets(data)
    pages = max(1, *(-(-len(sheet["rows"]) // ROWS) for sheet in sheets))
    page = min(max(page, 1), pages)
    start = (page - 1) * ROWS
    parts = []
    if len(sheets) > 1:
        links = "".join(f'<a href="#sheet-{n}">{shown(str(s["name"]))}</a>' for n, s in enumerate(sheets, 1))
        parts.append(f'<nav class="sheets" data-skip>{links}</nav>')
    for number, sheet in enumerate(sheets, 1):
        part = sheet["rows"][start : start + ROWS]
        if page > 1 and not part:
            continue
        parts.append(
            f'<section id="sheet-{number}"><h2>{shown(str(sheet["name"]))}</h2>'
            f'<p class="facts" data-skip>{shown(_facts(sheet))}</p>'
        )
        width = min(max(map(len, part), default=0), _MOST_COLUMNS)
        heading = [_letters(n) for n in range(1, width + 1)]
        parts.append(
            _table(heading, part, first=start + 1, formulas=sheet.get("formulas") or {}) if part else ""
        )
        parts.append("</section>")
    return Preview("".join(parts), page=page, pages=pages)


def render_records(data: bytes, *, page: int) -> Preview:
    """A Parquet file as its extracted rows, of which the first holds the names of the columns. Raises NotShown."""
    sheet = _sheets(data)[0]
    heading, *rows = sheet["rows"] or [[]]
    pages = max(1, -(-len(rows) // ROWS))
    page = min(max(page, 1), pages)
    start = (page - 1) * ROWS
    facts = f'<p class="facts" data-skip>{shown(_facts(sheet))}</p>'
    names = [str(name) for name in heading]
    return Preview(facts + _table(names, rows[start : start + ROWS], first=start + 1), page=page, pages=pages)


def _sheets(data: bytes) -> list[dict[str, Any]]:
    try:
        sheets: list[dict[str, Any]] = json.loads(data)["sheets"]
        if not all(isinstance(row, list) for sheet in sheets for row in sheet["rows"]):
            raise NotShown("The cells could not be read.")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotShown("The cells could not be read.") from error
    if not sheets:
        raise NotShown("The workbook has no sheets.")
    return sheets


def _facts(sheet: dict[str, Any]) -> str:
    rows = sheet["rows"]
    columns = max(map(len, rows), default=0)
    facts = [
        f"{len(rows):,} row{'' if len(rows) == 1 else 's'} × {columns} column{'' if columns == 1 else 's'}"
    ]
    if not rows:
        facts = ["no cells"]
    if sheet.get("formulas"):
        count = len(sheet["formulas"])
        facts.append(f"{count:,} formula{'' if count == 1 else 's'}")
    if sheet.get("merged"):
        facts.append(
            f"merged: {', '.join(map(str, sheet['merged'][:8]))}{' …' if len(sheet['merged']) > 8 else ''}"
        )
    facts += [str(fact).rstrip(".") for fact in sheet.get("facts", ())][:12]
    if sheet.get("omitted_rows"):
        facts.append(f"{sheet['omitted_rows']:,} more rows not read")
    return "; ".join(facts)


def _table(
    heading: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    first: int,
    formulas: dict[str, str] | None = None,
) -> str:
    """One table. With `formulas` the heading is the sheet's letters, and letters and numbers can be quoted."""
    full = max(chain([len(heading)], map(len, rows)))
    width = min(full, _MOST_COLUMNS)
    unquoted = " data-skip" if formulas is None else ""
    kinds = [_kind(str(row[n]) for row in rows if n < len(row) and row[n] is not None) for n in range(width)]
    out = ['<div class="cells"><table class="data"><thead><tr><th data-skip></th>']
    for n in range(width):
        label = shown(heading[n]) if n < len(heading) else ""
        kind = f'<span class="type" data-skip>{kinds[n]}</span>' if formulas is None else ""
        out.append(f"<th>{label}{kind}</th>")
    out.append("</tr></thead><tbody>")
    for number, row in enumerate(rows, first):
        out.append(f"<tr><th{unquoted}>{number}</th>")
        for n in range(width):
            value = row[n] if n < len(row) else None
            formula = (formulas or {}).get(f"{_letters(n + 1)}{number}")
            out.append(_cell(value, kinds[n], formula, f"{_letters(n + 1)}{number}", missing=n >= len(row)))
        out.append("</tr>")
    out.append("</tbody></table></div>")
    if full > _MOST_COLUMNS:
        out.append(f'<p class="facts" data-skip>Only the first {_MOST_COLUMNS} columns are shown.</p>')
    return "".join(out)


def _cell(value: Any, kind: str, formula: str | None, place: str, *, missing: bool) -> str:
    css = "e" if missing else "n" if _is_number(value, kind) else ""
    opened = f'<td class="{css}">' if css else "<td>"
    if formula and value in ("", None):
        # The words of the judge's text, so that they can be quoted.
        return f'{opened}<span class="fx">{shown(str(formula))} (not calculated)</span></td>'
    text = "" if value is None else shown(_written(value))
    if formula:
        text += f'<span class="fx" data-skip data-cell="{place}">{shown(str(formula))}</span>'
    return f"{opened}{text}</td>"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


def _is_number(value: Any, kind: str) -> bool:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return True
    return kind == "number"


def _kind(values: Iterator[str]) -> str:
    seen = set()
    for value in values:
        text = value.strip()
        if not text:
            continue
        if _NUMBER.fullmatch(text) and any(map(str.isdigit, text)):
            seen.add("number")
        elif _DATE.fullmatch(text):
            seen.add("date")
        elif text.lower() in _TRUTH:
            seen.add("true/false")
        else:
            return "text"
    if not seen:
        return "empty"
    return seen.pop() if len(seen) == 1 else "text"


def _delimiter(name: str, sample: str) -> str:
    if name.lower().endswith((".tsv", ".tab")):
        return "\t"
    lines = [line for line in sample.splitlines()[:20] if line.strip()]
    if not lines:
        return ","

    # The sign that splits the lines into the same, largest number of cells.
    def score(sign: str) -> tuple[bool, int]:
        counts = [line.count(sign) for line in lines]
        return min(counts) == max(counts) and counts[0] > 0, min(counts)

    return max((",", ";", "\t", "|"), key=score)


def _named(delimiter: str) -> str:
    return {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}[delimiter]


def _letters(number: int) -> str:
    """The column name of a spreadsheet: 1 is A, 27 is AA."""
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(65 + rest) + out
    return out
