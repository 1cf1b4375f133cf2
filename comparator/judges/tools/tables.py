"""The tool `table`."""

from __future__ import annotations

from comparator.domain.pair.examination import SeenUnits
from comparator.domain.pair.view import Family
from comparator.judges.tools.arguments import Table
from comparator.judges.tools.material import Material, place_in_words
from comparator.judges.tools.reply import AnswerPage, ToolReply
from comparator.outputs.examine.query import Condition, Figured, SortBy, aggregate, select

_LONGEST_CELL = 500


def table(material: Material, asked: Table) -> ToolReply:
    """Rows or figures of a table. Raises InputError."""
    placed = material.file(asked.side, asked.file)
    columns = material.opener.columns(placed.file, placed.copy, sheet=asked.sheet)
    where = [Condition(each.column, each.test, each.value) for each in asked.where]
    sort = [SortBy(each.column, each.descending) for each in asked.sort]
    grouped = bool(asked.group_by or asked.figures)
    if grouped:
        figures = [Figured(each.figure, each.column) for each in asked.figures]
        found = aggregate(columns, figures, by=asked.group_by, where=where, sort=sort, first=asked.first,
                          most=asked.most)  # fmt: skip
    else:
        found = select(columns, columns=asked.columns, where=where, sort=sort, first=asked.first,
                       most=asked.most)  # fmt: skip
    what = "groups" if grouped else "rows"
    page = AnswerPage(
        f"{place_in_words(placed.place)}, {placed.file.name}: {found.total:,} {what} of {len(columns):,} rows"
    )
    page.add(" | ".join(["row", *map(_cell, found.names)]))
    shown = 0
    for number, row in zip(found.numbers, found.rows, strict=True):
        if not page.add(" | ".join([str(number), *map(_cell, row)])):
            break
        shown += 1
    if asked.first - 1 + shown < found.total:
        page.end(f"… {found.total - asked.first + 1 - shown:,} more: ask with first={asked.first + shown}.")
    # What was seen of a row of JSON is not a line of its text.
    part = {Family.CSV: "", Family.JSON: "rows"}.get(placed.file.family, str(asked.sheet))
    seen = [
        SeenUnits(
            place=placed.place,
            file=placed.file.name,
            first=number,
            last=number,
            total=columns.last,
            part=part,
        )
        for number in found.numbers[:shown]
    ]
    return ToolReply(page.text, seen=() if grouped else tuple(seen))


def _cell(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_CELL else plain[:_LONGEST_CELL] + "…"
