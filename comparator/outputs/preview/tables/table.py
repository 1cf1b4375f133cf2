"""Tables: delimited text and workbooks, in pages of rows, with sheets, types and formulas, ordered by any column."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from comparator.domain.pair.view import Family
from comparator.outputs.extract.table_lines import column_letters, column_number, formulas_of, head_of, row_of
from comparator.outputs.preview.document import NotShown, Preview, Span, shown
from comparator.outputs.preview.tables.paging import ROWS, RowOrder, TableSlice

_MOST_COLUMNS = 200
_NUMBER = re.compile(r"[-+]?(\d{1,3}([ ,'\u00a0]\d{3})+|\d+)?([.,]\d+)?([eE][-+]?\d+)?\s?%?")
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
_TRUTH = frozenset({"true", "false", "yes", "no"})
_MOST_AREAS = 1_000
_AREA = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")


class Area(NamedTuple):
    """Merged cells, rows and columns counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    def size(self, width: int) -> str:
        """As attributes of the first cell, within a table of `width` columns."""
        return f' rowspan="{self.bottom - self.top + 1}" colspan="{max(min(self.right, width) - self.left + 1, 1)}"'


def render_slice(name: str, part: TableSlice, *, family: Family) -> Preview:
    """One page of a table: delimited text, a sheet of a workbook, or the rows of a Parquet file. Raises NotShown."""
    match family:
        case Family.CSV:
            return _delimited(name, part)
        case Family.PARQUET:
            return _records(part)
    return _workbook(part)


def delimiter_of(name: str, head: bytes) -> str:
    """The sign that separates the cells of a delimited text, by its name and its first bytes."""
    return _delimiter(name, head[:20_000].decode("utf-8", "replace"))


def _delimited(name: str, part: TableSlice) -> Preview:
    if b"\x00" in part.heading or any(b"\x00" in row for row in part.rows):
        raise NotShown("Holds NUL characters, so it is not a table; shown as text.")
    delimiter = delimiter_of(name, part.heading + b"".join(part.rows[:20]))
    heading = next(records(csv.reader(_text_of(part.heading), delimiter=delimiter)), [])
    # Each row is read for itself, so that one that is badly quoted does not swallow those behind it.
    rows = [next(records(csv.reader(_text_of(row), delimiter=delimiter)), []) for row in part.rows]
    if not heading and not rows:
        raise NotShown("An empty table.")
    uneven = sum(1 for row in rows if row and len(row) != len(heading))
    notes: tuple[str, ...] = ()
    if uneven:
        notes = (f"{uneven} row{'s' if uneven > 1 else ''} with more or fewer cells than the heading.",)
    columns = f"{len(heading)} column{'' if len(heading) == 1 else 's'}"
    facts = (
        f"{part.total:,} row{'' if part.total == 1 else 's'} × {columns}, separated by {_named(delimiter)}"
    )
    table = _table(heading, rows, numbers=[number + 2 for number in part.numbers], part=part)
    return _page(_caption(facts, part) + table, part, notes, headed=1)


def _workbook(part: TableSlice) -> Preview:
    head = head_of(part.heading)
    parts = []
    if len(part.names) > 1:
        links = "".join(
            f'<a data-go="sheet={number}"{" aria-current=true" if number == part.sheet else ""}>{shown(name)}</a>'
            for number, name in enumerate(part.names, 1)
        )
        parts.append(f'<nav class="sheets" data-skip>{links}</nav>')
    formulas: dict[str, str] = {}
    for line in part.formulas:
        formulas.update(formulas_of(line))
    parts.append(f"<section><h2>{shown(str(head.get('name', '')))}</h2>{_caption(_facts(head), part)}")
    if formulas:
        parts.append(
            '<p class="facts" data-skip><label><input type="checkbox" id="formulas" checked> Show formulas</label></p>'
        )
    rows = [row_of(line) for line in part.rows]
    width = min(max(map(len, rows), default=0), _MOST_COLUMNS)
    heading = [column_letters(number) for number in range(1, width + 1)]
    if rows:
        numbers = [number + 1 for number in part.numbers]
        merged = [] if part.order else _areas(head.get("merged"), numbers)
        parts.append(_table(heading, rows, numbers=numbers, part=part, formulas=formulas, merged=merged))
    parts.append("</section>")
    return _page("".join(parts), part)


def _records(part: TableSlice) -> Preview:
    head = head_of(part.heading)
    types = dict(str(fact).rsplit(": ", 1) for fact in head.get("facts", ()) if ": " in str(fact))
    names = part.columns or tuple(types)
    rows = [row_of(line) for line in part.rows]
    facts = _facts({**head, "count": part.total, "facts": ()})
    numbers = [number + 1 for number in part.numbers]
    return _page(_caption(facts, part) + _table(names, rows, numbers=numbers, part=part, types=types), part)


def _page(body: str, part: TableSlice, notes: tuple[str, ...] = (), *, headed: int = 0) -> Preview:
    span = None
    if part.pages > 1:
        first = (part.page - 1) * ROWS + 1 + headed
        span = Span("row", first, first + max(len(part.rows), 1) - 1, part.total + headed)
    return Preview(body, notes, part.page, part.pages, span=span)


def _caption(facts: str, part: TableSlice) -> str:
    if part.order:
        way = "from the largest" if part.order.down else "from the smallest"
        facts += f"; sorted by column {part.order.column + 1}, {way}"
    back = ' <a data-go="sort=">In the order of the file</a>' if part.order else ""
    return f'<p class="facts" data-skip>{shown(facts)}{back}</p>'


def _facts(head: dict[str, Any]) -> str:
    count, columns = int(head.get("count", 0)), int(head.get("width", 0))
    facts = [f"{count:,} row{'' if count == 1 else 's'} × {columns} column{'' if columns == 1 else 's'}"]
    if not count:
        facts = ["no cells"]
    merged = head.get("merged") or []
    if merged:
        facts.append(f"merged: {', '.join(map(str, merged[:8]))}{' …' if len(merged) > 8 else ''}")
    facts += [str(fact).rstrip(".") for fact in head.get("facts", ())][:12]
    if head.get("omitted_rows"):
        facts.append(f"{int(head['omitted_rows']):,} more rows not read")
    return "; ".join(facts)


def _areas(merged: Any, numbers: Sequence[int]) -> list[Area]:
    """The merged areas on rows that stand together on this page."""
    found: list[Area] = []
    if not numbers or not isinstance(merged, list):
        return found
    for text in merged[:_MOST_AREAS]:
        match = _AREA.fullmatch(str(text))
        if match is None:
            continue
        top, bottom = max(int(match[2]), numbers[0]), min(int(match[4]), numbers[-1])
        left, right = column_number(match[1]), min(column_number(match[3]), _MOST_COLUMNS)
        if top <= bottom and left <= right:
            found.append(Area(top, left, bottom, right))
    return found


def _joined(
    merged: Sequence[Area], rows: Mapping[int, Sequence[Any]]
) -> tuple[dict[tuple[int, int], Area], set[tuple[int, int]]]:
    """The areas by their first cell, and the cells that they cover; an area that would hide a value is left out."""
    spans: dict[tuple[int, int], Area] = {}
    covered: set[tuple[int, int]] = set()
    for area in merged:
        cells = [(area.top, area.left)]
        for row in range(area.top, area.bottom + 1):
            values = rows.get(row, ())
            first = area.left + (row == area.top)
            if any(value not in ("", None) for value in values[first - 1 : area.right]):
                break
            own = [(row, column) for column in range(first, area.right + 1)]
            if any(cell in covered or cell in spans for cell in (cells[0], *own)):
                break
            cells += own
        else:
            spans[cells[0]] = area
            covered.update(cells[1:])
    return spans, covered


def _table(
    heading: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    numbers: Sequence[int],
    part: TableSlice,
    formulas: dict[str, str] | None = None,
    types: Mapping[str, str] | None = None,
    merged: Sequence[Area] = (),
) -> str:
    """One table. With `formulas` the heading is the sheet's letters, and letters and numbers can be quoted."""
    full = max(chain([len(heading)], map(len, rows)))
    width = min(full, _MOST_COLUMNS)
    unquoted = " data-skip" if formulas is None else ""
    # The names of a sheet's columns, where they stand in its first row, say nothing of what is under them.
    named = formulas is not None and numbers[:1] == [1] and is_heading(rows)
    under = rows[1:] if named else rows
    kinds = [_kind(str(row[n]) for row in under if n < len(row) and row[n] is not None) for n in range(width)]
    for place in formulas or ():
        n = column_number(place.rstrip("0123456789")) - 1
        if n < width and kinds[n] == "empty":
            kinds[n] = "formula"
    spans, covered = _joined(merged, dict(zip(numbers, rows, strict=False)))
    out = ['<div class="cells"><table class="data"><thead><tr><th data-skip></th>']
    for n in range(width):
        label = heading[n] if n < len(heading) else ""
        kind = (types or {}).get(label) or kinds[n]
        # By its name a column is found again in another table.
        name = written(rows[0][n]) if named and n < len(rows[0]) and rows[0][n] is not None else ""
        out.append(_heading(label, kind, n, part, name=name))
    out.append("</tr></thead><tbody>")
    for number, row in zip(numbers, rows, strict=False):
        out.append(f"<tr><th{unquoted}>{number}</th>")
        for n in range(width):
            if (number, n + 1) in covered:
                continue
            area = spans.get((number, n + 1))
            size = area.size(width) if area else ""
            value = row[n] if n < len(row) else None
            place = f"{column_letters(n + 1)}{number}"
            formula = (formulas or {}).get(place)
            out.append(_cell(value, kinds[n], formula, place, size, missing=n >= len(row)))
        out.append("</tr>")
    out.append("</tbody></table></div>")
    if full > _MOST_COLUMNS:
        out.append(f'<p class="facts" data-skip>Only the first {_MOST_COLUMNS} columns are shown.</p>')
    return "".join(out)


def _heading(label: str, kind: str, column: int, part: TableSlice, *, name: str) -> str:
    order = part.order if part.order and part.order.column == column else None
    down = order is not None and not order.down
    state = "" if order is None else f' aria-sort="{"descending" if order.down else "ascending"}"'
    state += f' data-name="{shown(name)}"' if name else ""
    sign = "\u2195" if order is None else "\u2193" if order.down else "\u2191"
    go = f"sort={RowOrder(column, down)}"
    tooltip = f"Sort by this column, {'largest' if down else 'smallest'} first"
    return (
        f'<th{state}>{shown(label)}<a class="sort" data-skip data-go="{go}" title="{tooltip}" aria-label="{tooltip}">'
        f'{sign}</a><span class="type" data-skip>{shown(kind)}</span></th>'
    )


def _cell(value: Any, kind: str, formula: str | None, place: str, size: str, *, missing: bool) -> str:
    css = "e" if missing else "n" if _is_number(value, kind) else ""
    opened = f'<td class="{css}"{size}>' if css else f"<td{size}>"
    if formula and value in ("", None):
        # The words of the judge's text, so that they can be quoted.
        return f'{opened}<span class="fx">{shown(str(formula))} (not calculated)</span></td>'
    text = "" if value is None else shown(written(value))
    if formula:
        text += f'<span class="fx" data-skip data-cell="{place}">{shown(str(formula))}</span>'
    return f"{opened}{text}</td>"


def _text_of(data: bytes) -> io.StringIO:
    return io.StringIO(data.decode("utf-8", "replace"), newline="")


def records(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """The rows that a reader of delimited text gives. Raises NotShown where it cannot go on."""
    try:
        yield from reader
    except csv.Error as error:
        raise NotShown(f"Not a table that can be read ({error}); shown as text.") from error


def is_heading(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row only names the columns: it is all words, and the second is not."""
    if len(rows) < 2:
        return False
    first, second = ([cell for cell in row if cell not in ("", None)] for row in rows[:2])
    return (
        bool(first)
        and all(isinstance(cell, str) for cell in first)
        and not all(isinstance(cell, str) for cell in second)
    )


def written(value: Any) -> str:
    """A cell's value as the table shows it."""
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
