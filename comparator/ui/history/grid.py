"""The grid of the history: how outputs begin, by task and iteration or candidate, in the colour of whoever won."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from os.path import commonprefix
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, neutral_rows, output_starts
from comparator.reporting.history.picture import candidate_order
from comparator.reporting.results.candidates import natural
from comparator.store.pairs.comparison_list import ListGroup
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.theme import PALETTES, SERIES, theme
from comparator.ui.frame.lists.list_rows import ListPage, open_pair, read_page
from comparator.ui.history.filters import choices_here

EITHER = ("Winner or tie", "The other")
"""The columns of a grid of several projects."""
TASK = " "
"""The first column: a name that no candidate has."""
SIZE, ROWS = 320, 40
"""About how many pairs a page of it has, and how many where each of them is a row."""
ROW_HEIGHT = 72
"""Pixels: the least at which Streamlit breaks lines."""
LINES, LETTER, PADDING = 3, 7, 16
"""Lines of a cell, and pixels of a letter and of the room beside the text: what is cut ends with a word and …."""
TASK_WIDTH, LEAST_WIDTH, TOGETHER = 140, 130, 780
"""Pixels of the first column, the least of another one, and of all others together where they are few."""
BEGINS = re.compile(r"[.!?:] | (?=[A-ZÀ-Þ])")
"""What stands before a sentence, or before a line, which begins with a capital: line breaks are spaces here."""
SOFT = "40"
"""How much of a colour lies behind the text, as a hexadecimal number."""
BADGES = ("green", "violet", "gray", "yellow", "blue")
"""Streamlit's names of the colours of candidates, in their order."""


class Cell(NamedTuple):
    """A place of the grid: the pair behind it, a mark of its winner, how the output begins, and the winner's colour."""

    column: str
    comparison_id: str
    mark: str
    start: str
    colour: str = ""


class Layout(NamedTuple):
    """What the rows and columns of the grid are, by what varies among its pairs."""

    iterations: frozenset[str]
    tasks: frozenset[str]
    projects: frozenset[str]

    @property
    def of_several_projects(self) -> bool:
        """Whether a row is a pair, the winner's output first: each project has candidates and iterations of its own."""
        return len(self.projects) > 1

    @property
    def by_iteration(self) -> bool:
        """Whether a column is an iteration, with the winner's output; else it is a candidate, with its own."""
        return len(self.iterations) > 1 < len(self.tasks) and not self.of_several_projects

    @property
    def of_one_task(self) -> bool:
        """Whether a row is an iteration of the only task."""
        return len(self.iterations) > 1 == len(self.tasks)

    def row(self, row: HistoryRow) -> tuple[str, str]:
        """What tells a row of the grid from others, and its name: a task, an iteration of the only task, or a pair."""
        if row.made_by is None or self.of_several_projects:
            iteration = f", {_iteration(row.iteration).lower()}" if row.iteration else ""
            return row.line.id, f"{row.line.title}{iteration}"
        if row.iteration and self.of_one_task:
            return row.iteration, _iteration(row.iteration)
        return row.line.task_id, row.line.title


def read_grid(history_filter: HistoryFilter) -> ListPage:
    """The page of pairs that the grid shows: as many tasks as fit, each with all iterations."""
    iterations = len(history_filter.iterations or choices_here().by["iterations"]) or 1
    grouped = history_filter.copy_with(group=ListGroup.TASK)
    size = max(SIZE // iterations, 1) * iterations if session.project_id() else ROWS
    return read_page(grouped, key="page", size=size)


def grid(rows: Sequence[HistoryRow], legend: DeltaGenerator) -> None:
    """Show these pairs, and whose colour is whose in the `legend`; a click on a cell opens the pair behind it."""
    services = session.services()
    rows = neutral_rows(services.database, rows)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in rows])
    projects = {row.line.project_id for row in rows if row.made_by}
    orders = {id: candidate_order(services.database, id) for id in projects}
    revealed = [row for row in rows if row.made_by]
    layout = Layout(
        frozenset(row.iteration for row in revealed if row.iteration),
        frozenset(row.line.task_id for row in rows),
        frozenset(row.line.project_id for row in rows),
    )
    cells: dict[tuple[str, str], Cell] = {}
    titles: dict[str, str] = {}
    for row in rows:
        key, titles[key] = layout.row(row)
        for cell in _cells(row, starts[row.line.id], orders.get(row.line.project_id, ()), layout):
            # Of several pairs of a task and an iteration, the one that the list has first.
            cells.setdefault((key, cell.column), cell)
    columns = sorted({column for _, column in cells}, key=natural)
    if layout.by_iteration:
        newest = [_iteration(name) for name in sorted(layout.iterations, key=natural, reverse=True)]
        columns = [*newest, *(column for column in columns if column not in newest)]
    elif layout.of_several_projects:
        columns = list(EITHER)
    width = max(LEAST_WIDTH, TOGETHER // max(len(columns), 1))
    texts = [dict(_texts([cells.get((key, column)) for column in columns], width)) for key in titles]
    table = pd.DataFrame(texts, columns=columns).fillna("")
    table.insert(0, TASK, [safe.visible(title) for title in titles.values()])
    styles = pd.DataFrame("", index=table.index, columns=table.columns)
    keys = list(titles)
    for (key, column), cell in cells.items():
        if cell.colour:
            styles.loc[keys.index(key), column] = f"background-color: {cell.colour}{SOFT}"
    with legend:
        _legend(
            {side for row in revealed for side in _sides(row, orders[row.line.project_id]).values()}, orders
        )
        none = ", – no verdict" if layout.of_several_projects else ""
        st.caption(
            f"= tie{none}. Click a cell to open its pair.",
            help="Choose one iteration to see both outputs side by side." if layout.by_iteration else None,
            width="content",
        )

    def follow() -> None:
        for at, column in st.session_state["history_grid"].selection.cells:
            if place := cells.get((keys[at], column)):
                open_pair(place.comparison_id)

    st.dataframe(
        table.style.apply(lambda _: styles, axis=None),
        key="history_grid",
        hide_index=True,
        row_height=ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config={
            TASK: st.column_config.TextColumn(
                "Iteration" if layout.of_one_task else "Task", width=TASK_WIDTH, pinned=True
            ),
            **{column: st.column_config.TextColumn(width=width) for column in columns},
        },
    )


def _iteration(name: str) -> str:
    return f"Iteration {name}" if name.isdigit() else name


def _cells(row: HistoryRow, starts: PerOutput[str], order: Sequence[str], layout: Layout) -> Iterator[Cell]:
    """The cells that a pair fills: that of its iteration, with the winner's output, or one for each of the two."""
    winner = None if row.covered else row.line.winner
    begins = {label: safe.visible(starts[label]) for label in Label}
    scores = _scores(row)
    sides = _sides(row, order)
    palette = PALETTES[theme()]
    colours = {
        label: SERIES[theme()][order.index(side) % len(BADGES)] if side in order else palette.mark[label]
        for label, side in sides.items()
    }
    if layout.by_iteration and row.made_by and row.iteration:
        label = Label.A if winner in (None, Winner.TIE) else Label(winner.value)
        won = f"✓ {safe.visible(sides[label])}{scores[label]}"
        mark = "– no verdict" if winner is None else f"={scores[label]}" if winner is Winner.TIE else won
        colour = "" if winner is None else palette.tie if winner is Winner.TIE else colours[label]
        yield Cell(_iteration(row.iteration), row.line.id, mark, begins[label] if winner else "", colour)
        return
    # The winner comes first where columns have no names of their own.
    ordered = sorted(sides.items(), key=lambda side: winner is not None and side[0].value != winner.value)
    for column, (label, side) in zip(EITHER, ordered, strict=True):
        named = f" {safe.visible(side)}" if layout.of_several_projects else ""
        mark, colour, figures = "–" if named and winner is None else "", "", ""
        if winner is Winner.TIE or (winner is not None and winner.value == label.value):
            mark, colour = ("=", palette.tie) if winner is Winner.TIE else ("✓", colours[label])
            figures = scores[label]
        mark = f"{mark}{named}{figures}".strip()
        yield Cell(column if named else safe.visible(side), row.line.id, mark, begins[label], colour)


def _scores(row: HistoryRow) -> dict[Label, str]:
    """By output its overall score and then the other's; empty without scores."""
    a, b = row.line.overall_a, row.line.overall_b
    if a is None or b is None:
        return dict.fromkeys(Label, "")
    return {Label.A: f" {a:.1f} to {b:.1f}", Label.B: f" {b:.1f} to {a:.1f}"}


def _sides(row: HistoryRow, order: Sequence[str]) -> dict[Label, str]:
    """What the two outputs are called: by their candidates, without the iteration, once they may be told."""
    if row.made_by is None:
        return {label: f"Output {label.value}" for label in Label}
    names = {label: row.made_by[label] for label in Label}
    plain = {
        label: max((own for own in order if name.startswith(own)), key=len, default=name)
        for label, name in names.items()
    }
    return plain if len(set(plain.values())) == len(plain) else names


def _texts(cells: Sequence[Cell | None], width: int) -> Iterator[tuple[str, str]]:
    """What stands in the cells of a row, by their columns, from the sentence in which the outputs begin to differ."""
    starts = {cell.start for cell in cells if cell and cell.start}
    shared = commonprefix(list(starts)) if len(starts) > 1 else ""  # noqa: RUF071  # texts, no paths
    begin = max((found.end() for found in BEGINS.finditer(shared)), default=0)
    most = LINES * ((width - PADDING) // LETTER)
    for cell in filter(None, cells):
        start = cell.start[begin:]
        colon = ":" if start and len(cell.mark) > 1 else ""
        yield cell.column, safe.beginning(f"{cell.mark}{colon} {start}".strip() or "–", most)


def _legend(sides: Collection[str], orders: Mapping[str, Sequence[str]]) -> None:
    """Whose colour is whose; of several projects, names that share a colour stand together."""
    names: dict[int, dict[str, None]] = {}
    for order in orders.values():
        for at, name in enumerate(order):
            if name in sides:
                names.setdefault(at % len(BADGES), {})[name] = None
    for at, own in sorted(names.items()):
        label = safe.middle(f"✓ {' or '.join(own)} won", 60)
        st.badge(label, color=BADGES[at])  # type: ignore[arg-type]  # one of Streamlit's own names
