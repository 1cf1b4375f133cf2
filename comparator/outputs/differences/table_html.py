"""Tables side by side as HTML: rows that belong together at one height, with the cells that differ marked."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.counted import counted
from comparator.outputs.differences.blocks import BlockKind
from comparator.outputs.differences.cells import Tables, table_blocks
from comparator.outputs.differences.lines_html import marked
from comparator.outputs.differences.model import (
    AlignedRow,
    Both,
    ChangedPart,
    FileComparison,
    bounded,
    cut,
    each_numbered,
    folded,
    framed,
    paged,
)
from comparator.outputs.differences.sources import TableRows
from comparator.outputs.differences.stored import Row as Cells
from comparator.outputs.differences.stored import StoredRows
from comparator.outputs.differences.text import Shared, word_marks
from comparator.outputs.preview.document import shown

_ROWS = 400
_LONG = 30


def compare_sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> FileComparison:
    """Two tables, or the sheets of two workbooks by their names."""
    notes: list[str] = []
    parts: list[ChangedPart] = []
    common = total = changes = 0
    for own, other in _pairs(a, b):
        tables = table_blocks(own.heading, other.heading, own.rows, other.rows)
        shared = _shared(tables, own, other)
        common, total = common + shared.common, total + shared.total
        large = isinstance(own.rows, StoredRows)
        shown_rows = (
            folded(each_numbered(tables.blocks)) if large else each_numbered(cut(tables.blocks, _ROWS))
        )
        rows = [AlignedRow(row.block, row.change and row.change + changes) for row in shown_rows]
        slices = list(paged(rows, map(_weight, rows), _ROWS)) or [[]]
        if large:
            slices, more = bounded(slices, max((row.change for row in rows), default=0))
            notes += more
        head = _about(own, other, tables)
        parts += framed(slices, [_part(part, own, other, tables, head) for part in slices], before=changes)
        changes += sum(1 for row in rows if row.change)
        lonely = [column for column in tables.columns if column.a is None or column.b is None]
        notes += [
            f"Column “{column.name}” is only in {'A' if column.b is None else 'B'}." for column in lonely[:20]
        ]
    return FileComparison(
        changes, _percent(Shared(common, total), changes, bool(notes)), "cells", tuple(notes), tuple(parts)
    )


def _weight(row: AlignedRow) -> int:
    return 1 if row.block.kind is BlockKind.FOLDED else max(row.block.a_end - row.block.a, 1)


def _percent(shared: Shared, changes: int, columns: bool) -> int:
    percent = shared.percent()
    return min(percent, 99) if changes or columns else percent


def _pairs(a: Sequence[TableRows], b: Sequence[TableRows]) -> list[tuple[TableRows, TableRows]]:
    """Sheets of the same name; the others in their order, and what is left over beside nothing."""
    names = {sheet.name for sheet in b}
    left = [sheet for sheet in b if sheet.name not in {other.name for other in a}]
    by_name = {sheet.name: sheet for sheet in b}
    out = []
    for sheet in a:
        if sheet.name in names:
            out.append((sheet, by_name[sheet.name]))
        else:
            out.append((sheet, left.pop(0) if left else TableRows(sheet.name, (), (), 1)))
    return [*out, *((TableRows(sheet.name, (), (), 1), sheet) for sheet in left)]


def _shared(tables: Tables, a: TableRows, b: TableRows) -> Shared:
    common = 0
    both = [
        (column.a, column.b) for column in tables.columns if column.a is not None and column.b is not None
    ]
    for kind, at, end, other, _ in tables.blocks:
        if kind is BlockKind.SAME:
            common += 2 * len(both) * (end - at)
        elif kind is BlockKind.CHANGED:
            row, second = a.rows[at], b.rows[other]
            common += 2 * sum(_at(row, m) == _at(second, n) for m, n in both)
    total = sum(len(sheet.rows) * max(len(sheet.heading), 1) for sheet in (a, b))
    return Shared(min(common, total), total)


def _about(a: TableRows, b: TableRows, tables: Tables) -> str:
    names = " and ".join(dict.fromkeys(name for name in (a.name, b.name) if name))
    title = f"<h2>{shown(names)}</h2>" if names else ""
    how = (
        f"Rows are matched by “{tables.key.name}”."
        if tables.key
        else "Rows are matched by what they hold and where they stand."
    )
    counts = f"{counted(len(a.rows), 'row')} in A, {len(b.rows):,} in B."
    return f'{title}<p class="facts" data-skip>{counts} {shown(how)}</p>'


def _part(rows: Sequence[AlignedRow], a: TableRows, b: TableRows, tables: Tables, head: str) -> Both:
    left, right = [], []
    for (kind, at, end, other, other_end), change in rows:
        if kind is BlockKind.FOLDED:
            same = counted(end - at, "row")
            across = f'<td colspan="{len(tables.columns) + 1}">{same} the same</td>'
            fold = f'<tr class="fold" data-skip>{across}</tr>'
            left.append(fold)
            right.append(fold)
            continue
        if kind is BlockKind.SAME:
            for n in range(end - at):
                row = _row(a.rows[at + n], b.rows[other + n], tables)
                left.append(_line(row.a, at + n + a.first, 0))
                right.append(_line(row.b, other + n + b.first, 0))
            continue
        own = a.rows[at] if at < end else None
        second = b.rows[other] if other < other_end else None
        row = _row(own, second, tables)
        left.append(_line(row.a, at + a.first if own is not None else 0, change))
        right.append(_line(row.b, other + b.first if second is not None else 0, change))
    heading = _heading(tables)
    return Both(
        f'{head}<div class="cells"><table class="data differ">{heading.a}<tbody>{"".join(left)}</tbody></table></div>',
        f'{head}<div class="cells"><table class="data differ">{heading.b}<tbody>{"".join(right)}</tbody></table></div>',
    )


def _heading(tables: Tables) -> Both:
    left, right = [], []
    for column in tables.columns:
        name = shown(column.name) or "&nbsp;"
        left.append(
            f"<th>{name if column.b is not None else f'<del>{name}</del>'}</th>"
            if column.a is not None
            else _gap(name, "th")
        )
        right.append(
            f"<th>{name if column.a is not None else f'<ins>{name}</ins>'}</th>"
            if column.b is not None
            else _gap(name, "th")
        )
    return Both(*(f"<thead><tr><th></th>{''.join(cells)}</tr></thead>" for cells in (left, right)))


def _line(cells: str, number: int, change: int) -> str:
    mark = f' data-change="{change}"' if change else ""
    return f"<tr{mark}><th>{number or ''}</th>{cells}</tr>"


def _row(a: Cells | None, b: Cells | None, tables: Tables) -> Both:
    left, right = [], []
    for column in tables.columns:
        own = None if a is None or column.a is None else _at(a, column.a)
        other = None if b is None or column.b is None else _at(b, column.b)
        if own == other:
            cell = f"<td>{shown(own or '')}</td>"
            left.append(cell)
            right.append(cell)
            continue
        if own is not None and other is not None and min(len(own), len(other)) > _LONG:
            one, two = (marked(side) for side in word_marks(own, other))
        else:
            one = f"<del>{shown(own)}</del>" if own else ""
            two = f"<ins>{shown(other)}</ins>" if other else ""
        left.append(_gap(shown(other or "")) if own is None else _cell(one, shown(other or "")))
        right.append(_gap(shown(own or "")) if other is None else _cell(two, shown(own or "")))
    return Both("".join(left), "".join(right))


def _cell(own: str, other: str) -> str:
    shown_here = own or "<i>empty</i>"
    return f'<td class="other"><div><span>{shown_here}</span>{_room(other)}</div></td>'


def _room(other: str) -> str:
    """What only the other side has, taking its room unseen, unread and not found."""
    return f'<span class="room" data-skip aria-hidden="true">{other}</span>'


def _gap(other: str, tag: str = "td") -> str:
    return f'<{tag} class="gap"><div>{_room(other)}</div></{tag}>'


def _at(row: Cells, column: int) -> str:
    return row[column] if column < len(row) else ""
