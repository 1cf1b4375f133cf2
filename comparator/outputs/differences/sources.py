"""What of a blinded copy can be compared: its words, its tree, its tables or its picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from comparator.domain.pair.view import Family
from comparator.outputs.extract.web.html_text import markdown_from
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.render import PICTURES, is_text
from comparator.outputs.preview.tables import is_table, stored
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.tree import Branch, Node, is_lines_of_json, read_tree
from comparator.outputs.tables.store import StoredTable, with_formulas

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
    """The tables. Raises OutputRefused where they cannot be compared by cells."""
    delimited = source.media_type == "text/plain"
    table = StoredTable(stored(source.name, as_utf8(source.data)) if delimited else source.data)
    if sum(sheet.rows * sheet.width for sheet in table.sheets) > _MOST_CELLS:
        raise NotShown(f"More than {_MOST_CELLS:,} cells: too many to be compared by cell.")
    tables = []
    for sheet in table.sheets:
        if sheet.width > _MOST_COLUMNS:
            raise NotShown(f"Has {sheet.width:,} columns, more than {_MOST_COLUMNS:,}.")
        rows = [tuple(row) for row in with_formulas(table.rows(sheet))]
        top = int(sheet.headed)
        names = tuple(reveal(name) for row in rows[:top] for name in row)
        names += ("",) * (sheet.width - len(names))
        tables.append(TableRows(sheet.name, names, rows[top:], top + 1))
    return tables


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
