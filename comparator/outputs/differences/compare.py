"""Two blinded copies to their differences, by what both of them hold: pictures, pages, tables, JSON or words."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from PIL import Image

from comparator.domain.counted import counted
from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences.model import (
    OTHER_FILE,
    Both,
    ChangedPart,
    DrawnRow,
    FileComparison,
    in_parts,
    percent_of,
    room,
)
from comparator.outputs.differences.text import align, compare_texts, sorted_json, word_marks
from comparator.outputs.extract.images import on_white, open_image
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.pages import words_of_pages
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown, as_html, reveal
from comparator.outputs.preview.render import PAGES, PICTURES, is_text, page_sizes, shape_of
from comparator.outputs.preview.tables import is_table, store_table
from comparator.outputs.tables.store import MEDIA_TYPE, StoredTable, as_csv, with_formulas

_MOST_CELLS = 1_500_000
"""Of a table with more cells its lines are compared: the cells of two such tables take half a gigabyte."""
_MOST_COLUMNS = 2_000
"""More columns than these nobody reads side by side, and laying them out takes a browser minutes."""
_LIKE = 0.3
_KEYS = 12
"""Among so many columns a key is looked for."""
_LONG = 30
_FORMULA = re.compile(r"(?:^|[\s\[])=")
Row = tuple[str, ...]
Matched = tuple[int | None, int | None]
"""Which row or column of A stands beside which of B; None for none."""


class TableRows(NamedTuple):
    """A table: the names of its columns, and its rows, as wide as it is, with the number of the first in the file."""

    name: str
    heading: Row
    rows: Sequence[Row]
    first: int


class Tables(NamedTuple):
    """Which columns and which rows belong together, and the name of the column by which they were found."""

    columns: tuple[Matched, ...]
    rows: tuple[Matched, ...]
    key: str | None


def sheets(name: str, media_type: str, data: bytes) -> list[TableRows]:
    """The tables. Raises OutputRefused where they cannot be compared by cells."""
    table = StoredTable(store_table(name, Family.CSV, data) if media_type == "text/plain" else data)
    if sum(sheet.rows * sheet.width for sheet in table.sheets) > _MOST_CELLS:
        raise NotShown(f"More than {_MOST_CELLS:,} cells: too many to be compared by cell.")
    tables = []
    for sheet in table.sheets:
        if sheet.width > _MOST_COLUMNS:
            raise NotShown(f"Has {sheet.width:,} columns, more than {_MOST_COLUMNS:,}.")
        rows = [(*row, *[""] * (sheet.width - len(row))) for row in with_formulas(table.rows(sheet))]
        top = int(sheet.headed)
        heading = tuple(map(reveal, rows[0])) if top and rows else ("",) * sheet.width
        tables.append(TableRows(sheet.name, heading, rows[top:], top + 1))
    return tables


def compare_sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> FileComparison:
    """Two tables, or the sheets of two workbooks by their names."""
    notes: list[str] = []
    parts: list[ChangedPart] = []
    common = total = changes = 0
    for both in _sheets(a, b):
        tables, before, drawn = matched_tables(*both), changes, []
        for places in tables.rows:
            pairs = [
                [
                    None if place is None or column is None else sheet.rows[place][column]
                    for sheet, place, column in zip(both, places, columns, strict=True)
                ]
                for columns in tables.columns
            ]
            differs = None in places or any(None not in pair and pair[0] != pair[1] for pair in pairs)
            changes += differs
            common += 2 * sum(one is not None and one == two for one, two in pairs)
            mark, cells = f' data-change="{changes}"' if differs else "", [_cells(*pair) for pair in pairs]
            sides = (
                f"<tr{mark}><th>{'' if place is None else place + sheet.first}</th>{''.join(c[n] for c in cells)}</tr>"
                for n, (sheet, place) in enumerate(zip(both, places, strict=True))
            )
            drawn.append(DrawnRow(changes if differs else 0, Both(*sides)))
        closing = "</tbody></table></div>"
        parts += in_parts(drawn, opening=_heading(both, tables), closing=closing, before=before)
        total += sum(len(sheet.rows) * max(len(sheet.heading), 1) for sheet in both)
        lonely = [
            f"Column “{both[n].heading[columns[n] or 0]}” is only in {'AB'[n]}."
            for n in (1, 0)
            for columns in tables.columns
            if columns[1 - n] is None
        ]
        notes += lonely[:20]
    percent = percent_of(min(common, total), total, differs=changes > 0 or bool(notes))
    return FileComparison(changes, percent, "cells", tuple(notes), tuple(parts))


def matched_tables(a: TableRows, b: TableRows) -> Tables:
    """Rows of A beside rows of B: by a key column where there is one, else by what they hold and where they stand."""
    columns = tuple(_columns(a.heading, b.heading))
    both = [(n, m) for n, m in columns if n is not None and m is not None]
    for n, m in both[:_KEYS]:
        keys = [[row[at].strip() for row in side.rows] for at, side in ((n, a), (m, b))]
        if a.heading[n] and _are_keys(*keys):
            return Tables(columns, tuple(_by_key(*keys)), a.heading[n])
    # A column of one side changes no row.
    left, right = (
        [tuple(row[n] for n, _ in both) for row in a.rows],
        [tuple(row[m] for _, m in both) for row in b.rows],
    )
    rows = [
        pair
        for block in align(left, right)
        for pair in zip_longest(range(block.a, block.a_end), range(block.b, block.b_end))
    ]
    return Tables(columns, tuple(rows), None)


def _sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> Iterator[tuple[TableRows, TableRows]]:
    """Sheets of the same name; the others in their order, and what is left over beside nothing."""
    names, by_name = {sheet.name for sheet in a}, {sheet.name: sheet for sheet in b}
    left = [sheet for sheet in b if sheet.name not in names]
    for sheet in a:
        other = by_name.get(sheet.name) or (left.pop(0) if left else TableRows(sheet.name, (), (), 1))
        yield sheet, other
    for sheet in left:
        yield TableRows(sheet.name, (), (), 1), sheet


def _columns(a: Row, b: Row) -> Iterator[Matched]:
    """The columns of both by their names; by place where names are missing, doubled or hardly shared."""
    names, others = ([name.strip() for name in side] for side in (a, b))
    shared = set(names) & set(others)
    unique = all(all(side) and len(set(side)) == len(side) for side in (names, others))
    if not unique or 2 * len(shared) < min(len(names), len(others)):
        yield from zip_longest(range(len(a)), range(len(b)))
        return
    places = {name: m for m, name in enumerate(others)}
    yield from ((n, places.get(name)) for n, name in enumerate(names))
    yield from ((None, m) for m, name in enumerate(others) if name not in shared)


def _are_keys(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether the values are all there, each once a side, and partly shared; formulas name other rows."""
    for values in (a, b):
        if (
            len(values) < 2
            or not all(values)
            or len(set(values)) < len(values)
            or any(map(_FORMULA.search, values))
        ):
            return False
    return len(set(a).intersection(b)) >= max(2, _LIKE * min(len(a), len(b)))


def _by_key(a: Sequence[str], b: Sequence[str]) -> Iterator[Matched]:
    """In the order of A; a row of B alone stands behind the row that it stands behind in B."""
    known, places = set(a), {key: m for m, key in enumerate(b)}

    def alone(m: int) -> Iterator[Matched]:
        while m < len(b) and b[m] not in known:
            yield None, m
            m += 1

    yield from alone(0)
    for n, key in enumerate(a):
        place = places.get(key)
        yield n, place
        if place is not None:
            yield from alone(place + 1)


def _heading(both: tuple[TableRows, TableRows], tables: Tables) -> Both:
    names = " and ".join(dict.fromkeys(sheet.name for sheet in both if sheet.name))
    title = f"<h2>{as_html(names)}</h2>" if names else ""
    how = f"by “{tables.key}”" if tables.key else "by content and position"
    counts = f"{counted(len(both[0].rows), 'row')} in A, {len(both[1].rows):,} in B."
    about = f'{title}<p class="facts" data-skip>{counts} Rows are matched {as_html(how)}.</p>'
    sides = []
    for side, tag in enumerate(("del", "ins")):
        cells = []
        for columns in tables.columns:
            here, there = columns[side], columns[1 - side]
            own = side if here is not None else 1 - side
            name = as_html(both[own].heading[columns[own] or 0]) or "&nbsp;"
            if here is None:
                cells.append(f'<th class="gap"><div>{room(name)}</div></th>')
            else:
                cells.append(f"<th>{name if there is not None else f'<{tag}>{name}</{tag}>'}</th>")
        sides.append(
            f'{about}<div class="cells"><table class="data differ"><thead><tr><th></th>{"".join(cells)}</tr></thead>'
            "<tbody>"
        )
    return Both(*sides)


def _cells(own: str | None, other: str | None) -> Both:
    if own == other:
        cell = f"<td>{as_html(own or '')}</td>"
        return Both(cell, cell)
    if own is not None and other is not None and min(len(own), len(other)) > _LONG:
        one, two = word_marks(own, other)
    else:
        one = f"<del>{as_html(own)}</del>" if own else ""
        two = f"<ins>{as_html(other)}</ins>" if other else ""
    return Both(_cell(own, one, two), _cell(other, two, one))


def _cell(own: str | None, here: str, other: str) -> str:
    if own is None:
        return f'<td class="gap"><div>{room(other)}</div></td>'
    return f'<td class="other"><div><span>{here or "<i>empty</i>"}</span>{room(other)}</div></td>'


_SIDE = 1_200
_UNLIKE = 24
"""A pixel differs where one of its colours does by more than this, of 255; less is what compression leaves."""


def compare_pictures(a: bytes, b: bytes) -> FileComparison:
    """Two pictures, B drawn to the size of A, with a frame around what differs. Raises OutputRefused."""
    first, second = (on_white(open_image(data)) for data in (a, b))
    scale = min(1.0, _SIDE / max(first.size))
    size = max(1, round(first.width * scale)), max(1, round(first.height * scale))
    own, other = (np.asarray(image.resize(size), dtype=np.int16) for image in (first, second))
    unlike = np.abs(own - other).max(axis=2) > _UNLIKE
    notes: tuple[str, ...] = ()
    if first.size != second.size:
        sizes = f"{first.width} × {first.height} pixels in A, {second.width} × {second.height} in B"
        notes = (f"The sizes differ: {sizes}; B was drawn to the size of A to be compared.",)
    frame = ""
    if (box := Image.fromarray(unlike).getbbox()) is not None:
        left, top, right, bottom = (100 * edge / side for edge, side in zip(box, size * 2, strict=True))
        style = f"left:{left:.2f}%;top:{top:.2f}%;width:{right - left:.2f}%;height:{bottom - top:.2f}%"
        frame = f'<i class="frame" data-change="1" style="{style}"></i>'
    differs = bool(frame or notes)
    # Each side loads its own picture first, so that both documents read alike.
    body = (
        '<p class="facts" data-skip><label><input type="checkbox" id="over1"> Overlay the other picture '
        "(identical areas turn black)</label></p>"
        '<div class="over"><img alt="This output" src="../../image">'
        f'<img class="second" alt="" src="{OTHER_FILE}/image">{frame}</div>'
    )
    percent = percent_of(int((~unlike).sum()), unlike.size, differs=differs)
    part = ChangedPart(1, int(differs), Both(body, body))
    return FileComparison(int(differs), percent, "the picture", notes, (part,))


def compare_pdfs(a: bytes, b: bytes) -> FileComparison:
    """Two PDFs: their pages, each to be laid over the other, and their words as text. Raises OutputRefused."""
    pages = [page_sizes(side) for side in (a, b)]
    texts = ["\n".join(words_of_pages(side)) for side in (a, b)]
    notes: tuple[str, ...] = ()
    if not any(map(str.strip, texts)):
        notes = ("These pages have no text to compare. Overlay one on the other instead.",)
    if len(pages[0]) != len(pages[1]):
        notes += (f"{counted(len(pages[0]), 'page')} in A, {len(pages[1])} in B.",)
    overlays = (
        # No change of the words stands in these parts.
        ChangedPart(1, 0, Both(*(_papers(own, len(other), start) for own, other in (pages, pages[::-1]))))
        for start in range(0, max(map(len, pages)), PAGES)
    )
    comparison = compare_texts(*map(reveal, texts), notes=notes)
    return comparison._replace(parts=(*overlays, *comparison.parts))


def _papers(own: Sequence[tuple[float, float]], others: int, start: int) -> str:
    out = []
    for number, (width, height) in enumerate(own[start : start + PAGES], start + 1):
        source = "src" if number <= 2 else "data-src"
        over = switch = ""
        if number <= others:
            switch = f'<label class="over"><input type="checkbox" id="over{number}"> Lay the other page over it</label>'
            over = f'<img class="second" alt="" {source}="{OTHER_FILE}/page/{number}.png">'
        out.append(
            f'<div class="paper"><p class="pageno" data-skip>{number} of {len(own)} {switch}</p>'
            f'<div class="sheet" style="{shape_of(width, height)}">'
            f'<img alt="Page {number}" {source}="../../page/{number}.png">{over}</div></div>'
        )
    return "".join(out)


MOST_COMPARED = 32_000_000
"""Bytes of a file up to which it is compared."""
_SECONDS = 60.0
"""Two tables of a million rows take some five on a machine that has nothing else to do."""
_PICTURE = re.compile(r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]{40,}")
_SORTED = "Keys are sorted here, so their order is no difference."


class ComparedFile(NamedTuple):
    """One side: a blinded copy as the reading child gets it."""

    name: str
    family: Family
    media_type: str
    data: bytes


def differences(renderer: Renderer, a: ComparedFile, b: ComparedFile) -> FileComparison:
    """Both files compared within the limits of time and memory; a problem where that is not possible."""
    try:
        return renderer.ask("differences", FileComparison, seconds=_SECONDS, a=a, b=b)
    except OutputRefused as error:
        return FileComparison(problem=f"Differences cannot be shown: {error}")


def compare(a: ComparedFile, b: ComparedFile) -> FileComparison:
    """The differences, in parts. Raises NotShown with a plain sentence where there are none to be shown."""
    if max(len(a.data), len(b.data)) > MOST_COMPARED:
        raise NotShown(too_large())
    kinds = {a.media_type, b.media_type}
    if kinds <= PICTURES - {"image/svg+xml"}:
        return compare_pictures(a.data, b.data)
    if kinds == {"application/pdf"}:
        return compare_pdfs(a.data, b.data)
    notes: tuple[str, ...] = ()
    try:
        if all(is_table(side.family, side.media_type) for side in (a, b)):
            return compare_sheets(*(sheets(side.name, side.media_type, side.data) for side in (a, b)))
        if all(
            side.family is Family.JSON and not side.name.lower().endswith((".jsonl", ".ndjson"))
            for side in (a, b)
        ):
            return compare_texts(sorted_json(a.data), sorted_json(b.data), notes=(_SORTED,))
    except OutputRefused as reason:
        notes = (f"{reason} Compared by lines and words.",)
    return compare_texts(words(a), words(b), notes=notes)


def too_large() -> str:
    """What is said of a file that is not compared for its size."""
    return f"Differences are shown of files up to {MOST_COMPARED // 1_000_000} MB."


def words(source: ComparedFile) -> str:
    """The text that a reader sees, without what hides or reorders it. Raises NotShown where there is none."""
    match source.media_type:
        case "application/pdf":
            return "\n".join(words_of_pages(source.data))
        case media_type if media_type == MEDIA_TYPE:
            return as_csv(source.data).decode("utf-8", "replace")
    text = source.data.decode("utf-8", "replace")
    text = _PICTURE.sub(lambda match: f"picture {hashlib.sha256(match[0].encode()).hexdigest()[:8]}", text)
    if source.media_type == "text/html":
        return reveal(markdown_from(text))
    if not is_text(source.media_type):
        raise NotShown("Differences of files of this kind cannot be shown.")
    return reveal(text)
