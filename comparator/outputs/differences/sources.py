"""What of a blinded copy can be compared: its words, its tree, its tables or its picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from comparator.domain.pair.view import Family
from comparator.outputs.extract.table_lines import formulas_of, head_of, row_of
from comparator.outputs.extract.web.html_text import markdown_from
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.render import PICTURES, is_text
from comparator.outputs.preview.tables.paging import is_table
from comparator.outputs.preview.tables.table import delimiter_of
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.tree import Branch, Node, is_lines_of_json, read_tree

_MOST_CELLS = 1_500_000
"""Of a table with more cells its lines are compared: the cells of two such tables take half a gigabyte."""
_MOST_COLUMNS = 2_000
"""More columns than these nobody reads side by side, and laying them out takes a browser minutes."""
_MOST_TREE_LINES = 200_000
_DEEPEST_TREE = 150
_TREES = (Family.JSON, Family.YAML, Family.TOML)


Row = tuple[str, ...]


class ComparedFile(NamedTuple):
    """One side: a blinded copy as the reading child gets it."""

    name: str
    family: Family
    media_type: str
    data: bytes


class TableRows(NamedTuple):
    """A table: the names of its columns, and its rows with the numbers that they have in the file."""

    name: str
    heading: tuple[str, ...]
    rows: Sequence[Row]
    first: int


def is_picture(source: ComparedFile) -> bool:
    """Whether a side is a picture of pixels."""
    return source.media_type in PICTURES and source.media_type != "image/svg+xml"


def is_sheets(source: ComparedFile) -> bool:
    """Whether a side is shown as tables."""
    return is_table(source.family, source.media_type)


def is_tree(source: ComparedFile) -> bool:
    """Whether a side is shown as a tree."""
    return source.family in _TREES and is_text(source.media_type) and not is_lines_of_json(source.name)


def words(source: ComparedFile) -> str:
    """The text that a reader sees, without what hides or reorders it. Raises NotShown where there is none."""
    if source.media_type == "application/x-ipynb+json":
        return reveal(_notebook(source.data))
    text = as_utf8(source.data).decode("utf-8", "replace")
    if source.media_type == "text/html":
        return reveal(markdown_from(text))
    if not is_text(source.media_type) and source.media_type != "image/svg+xml":
        raise NotShown("Differences of files of this kind cannot be shown.")
    return reveal(text)


def tree_text(source: ComparedFile) -> str:
    """A tree as indented text with its keys sorted. Raises NotShown."""
    try:
        lines = _tree_lines(read_tree(as_utf8(source.data), language=source.family.value), "", 0)
        kept = list(islice(lines, _MOST_TREE_LINES + 1))
    except RecursionError as error:
        raise NotShown("Nested too deeply to be compared by key.") from error
    if len(kept) > _MOST_TREE_LINES:
        raise NotShown(f"More than {_MOST_TREE_LINES:,} values: too many to be compared by key.")
    return reveal("\n".join(kept))


def _tree_lines(node: Node, label: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST_TREE:
        raise NotShown("Nested too deeply to be compared by key.")
    indent = "  " * depth
    if not isinstance(node, Branch) or not node.items:
        yield f"{indent}{label}{node.brackets if isinstance(node, Branch) else node.text}"
        return
    yield f"{indent}{label}{node.brackets[0]}"
    items = sorted(node.items, key=itemgetter(0)) if node.brackets == "{}" else node.items
    for key, child in items:
        yield from _tree_lines(child, "" if key is None else f"{key}: ", depth + 1)
    yield f"{indent}{node.brackets[1]}"


def sheets(source: ComparedFile) -> list[TableRows]:
    """The tables. Raises NotShown where they cannot be compared by cells."""
    try:
        return list(_workbook(source)) if source.media_type != "text/plain" else [_delimited(source)]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, csv.Error) as error:
        raise NotShown("The cells could not be read, so it is compared by lines.") from error


def _delimited(source: ComparedFile) -> TableRows:
    data = as_utf8(source.data)
    delimiter = delimiter_of(source.name, data)
    if b"\x00" in data:
        raise NotShown("Holds NUL characters, so it is compared as text.")
    _bound(data.count(delimiter.encode()) + data.count(b"\n"))
    csv.field_size_limit(10_000_000)
    stream = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
    rows = [tuple(row) for row in csv.reader(stream, delimiter=delimiter)]
    return _sheet("", rows[0] if rows else (), rows[1:], 2)


def _bound(cells: int) -> None:
    if cells > _MOST_CELLS:
        raise NotShown(f"More than {_MOST_CELLS:,} cells: too many to be compared by cell.")


def _workbook(source: ComparedFile) -> Iterator[TableRows]:
    _bound(source.data.count(b","))
    lines = source.data.split(b"\n")
    at = 1
    while at < len(lines) and lines[at].lstrip(b",").startswith(b'{"name"'):
        head = head_of(lines[at])
        count = int(head["count"])
        rows = [[_cell(value) for value in row_of(line)] for line in lines[at + 1 : at + 1 + count]]
        at += count + 2
        if head.get("calculated"):
            for number in range(count):
                _calculated(rows[number], formulas_of(lines[at + number]))
            at += count
        at += 1
        name, cells = str(head.get("name", "")), [tuple(row) for row in rows]
        if _is_heading(cells):
            yield _sheet(name, cells[0], cells[1:], 2)
        else:
            yield _sheet(name, (), cells, 1)


def _sheet(name: str, heading: Row, rows: Sequence[Row], first: int) -> TableRows:
    width = max((len(row) for row in rows), default=0)
    if max(width, len(heading)) > _MOST_COLUMNS:
        raise NotShown(f"Has {max(width, len(heading)):,} columns, more than {_MOST_COLUMNS:,}.")
    names = tuple(reveal(name) for name in heading) + ("",) * max(width - len(heading), 0)
    return TableRows(name, names, rows, first)


def _is_heading(rows: list[Row]) -> bool:
    """Whether the first row names the columns: as many words as there are columns, each another."""
    if len(rows) < 2:
        return False
    first, width = rows[0], max(map(len, rows[:50]))
    words_only = all(cell.strip() and not cell.strip()[0].isdigit() for cell in first)
    return len(first) == width and words_only and len(set(first)) == width


def _calculated(row: list[str], formulas: dict[str, str]) -> None:
    for cell, formula in formulas.items():
        letters = cell.rstrip("0123456789")
        column = 0
        for letter in letters:
            column = column * 26 + ord(letter) - 64
        if 1 <= column <= len(row):
            row[column - 1] = f"{row[column - 1]} {formula}".strip()


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).removesuffix(".0")
    return str(value)


def _notebook(data: bytes) -> str:
    """A notebook's cells with what they printed."""
    try:
        cells = json.loads(as_utf8(data))["cells"]
        out = []
        for number, cell in enumerate(cells, 1):
            out += [f"[cell {number}: {cell.get('cell_type', '')}]", _joined(cell.get("source")), ""]
            for output in cell.get("outputs") or ():
                own = output.get("data") or {}
                text = output.get("text") or own.get("text/plain") or output.get("traceback") or ""
                out += ["[output]", _joined(text), ""]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NotShown("This notebook cannot be read.") from error
    return "\n".join(out)


def _joined(value: Any) -> str:
    if isinstance(value, list):
        return "".join(str(part) for part in value)
    return value if isinstance(value, str) else ""
