"""The grids of the history: both outputs of each pair beside each other, or who won each task in each iteration."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import (
    HistoryRow,
    neutral_rows,
    output_starts,
)
from comparator.reporting.history.picture import candidate_order
from comparator.reporting.results.candidates import natural
from comparator.store.pairs.comparison_list import ListGroup
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.theme import PALETTES, SERIES, theme
from comparator.ui.frame.lists.list_rows import ListPage, open_pair, read_page
from comparator.ui.frame.pair_result import open_pair_result
from comparator.ui.history.filters import choices_here

EITHER = ("Winner or tie", "The other")
"""The columns of outputs of several projects."""
TASK, ITERATION, SCORES = " ", "  ", "   "
"""Columns with names that no candidate has."""
HEADS = {TASK: "Task", ITERATION: "Iteration", SCORES: "Scores"}
ROWS = 50
"""Pairs on a page of outputs."""
SQUARES, TEXTS = 1280, 320
"""About how many pairs a page of iterations has, and how many where each says how its winner's output begins."""
READABLE = 8
"""With more columns no words fit."""
ROW_HEIGHT = 30
HEAD_WIDTHS = {TASK: 160, ITERATION: 70, SCORES: 90}
WIDTH, LEAST = 750, 23
"""Pixels of all other columns together on a usual screen, and the least of one."""
SOFT = "40"
"""How much of a colour lies behind the text, as a hexadecimal number."""
MARKS = "●○◆◇▲"
"""Of candidates, in the order of their colours."""
BADGES = ("green", "violet", "gray", "yellow", "blue")
"""Streamlit's names of these colours."""
_CLICKS = "grid_clicks"
"""In the session's state: how often a cell was clicked. A grid is new then, so that no cell stays chosen."""


class Cell(NamedTuple):
    """A place of a grid: its words, the pair behind it, and the colour of whoever won there."""

    words: str = ""
    comparison_id: str = ""
    colour: str = ""


class Side(NamedTuple):
    """What an output is called, without its iteration, and its colour; the place is that of a candidate's mark."""

    name: str
    colour: str
    place: int = 0


def open_row(row: HistoryRow) -> None:
    """In a callback: show the pair over the page where it is a result; else go on to its review."""
    if row.is_result:
        open_pair_result(row.line.project_id, row.line.id)
    else:
        open_pair(row.line.id)


def read_iterations(history_filter: HistoryFilter) -> ListPage:
    """The page of pairs that the grid of iterations shows: as many tasks as fit, each with all iterations."""
    iterations = len(history_filter.iterations or choices_here().by["iterations"]) or 1
    size = TEXTS if iterations <= READABLE else SQUARES
    grouped = history_filter.copy_with(group=ListGroup.TASK)
    return read_page(grouped, key="page", size=max(size // iterations, 1) * iterations)


def outputs_grid(rows: Sequence[HistoryRow], legend: DeltaGenerator, *, by_task: bool) -> None:
    """Show how both outputs of these pairs begin, a pair a row; `by_task`, the newest iteration's come first by their
    titles."""
    services = session.services()
    ordered = list(neutral_rows(services.database, rows))
    is_of_several = len({row.line.project_id for row in ordered}) > 1
    if by_task and not is_of_several:
        ordered.sort(key=lambda row: natural(row.line.title))
        ordered.sort(key=lambda row: natural(row.iteration or ""), reverse=True)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in ordered])
    orders = _orders(ordered)
    records: list[dict[str, Cell]] = []
    for row in ordered:
        id, winner, sides = row.line.id, _winner(row), _sides(row, orders)
        record = {TASK: Cell(safe.visible(row.line.title), id)}
        if row.iteration:
            record[ITERATION] = Cell(safe.visible(row.iteration), id)
        # The winner's comes first, as in the list; so does its output where the columns have no names of their own.
        first = min(
            Label, key=lambda label: (winner is Winner(label.other.value), natural(sides[label].name))
        )
        scores = PerOutput[Decimal | None](A=row.line.overall_a, B=row.line.overall_b)
        if winner and scores.A is not None:
            record[SCORES] = Cell(f"{scores[first]:.1f} to {scores[first.other]:.1f}", id)
        for column, label in zip(EITHER, (first, first.other), strict=True):
            won, side = winner is not None and winner.value in (label.value, "TIE"), sides[label]
            colour = "" if not won else PALETTES[theme()].tie if winner is Winner.TIE else side.colour
            mark = "" if not won else "= " if winner is Winner.TIE else "✓ "
            name = f"{side.name}: " if is_of_several else ""
            record[column if is_of_several else side.name] = Cell(
                f"{mark}{name}{safe.visible(starts[id][label])}", id, colour
            )
        records.append(record)
    names = sorted({name for record in records for name in record} - {*HEADS}, key=natural)
    with legend:
        st.caption("✓ won, = tie. Click a row to open its pair.", width="content")
    columns = EITHER if is_of_several else names
    _show(records, [*HEADS, *columns], ordered, width=(WIDTH - 160) // max(len(columns), 1))


def iterations_grid(rows: Sequence[HistoryRow], legend: DeltaGenerator) -> None:
    """Show who won each task in each iteration, and where there is room, how the winner's output begins."""
    services, palette = session.services(), PALETTES[theme()]
    told = [row for row in rows if row.made_by and row.iteration]
    orders = _orders(told)
    iterations = sorted({row.iteration or "" for row in told}, key=natural)
    is_readable = len(iterations) <= READABLE
    ids = [row.line.id for row in told] if is_readable else []
    starts = output_starts(services.database, services.blobs, ids)
    tasks: dict[str, dict[str, Cell]] = {}
    won: dict[Side, None] = {}
    for row in told:
        record = tasks.setdefault(row.line.task_id, {TASK: Cell(safe.visible(row.line.title))})
        winner, sides = _winner(row), _sides(row, orders)
        mark, colour = "–" if winner is None else "=", palette.tie if winner else ""
        if winner in (Winner.A, Winner.B):
            side = sides[Label(winner.value)]
            won[side] = None
            mark, colour = MARKS[side.place], side.colour
        begins = starts.get(row.line.id) if winner else None
        words = f"{mark} {begins.B if winner is Winner.B else begins.A}" if begins else mark
        # Of several pairs of a task and an iteration, the one that the list has first.
        record.setdefault(row.iteration or "", Cell(safe.visible(words), row.line.id, colour))
    with legend:
        for side in sorted(won, key=lambda side: side.place):
            label = safe.middle(f"{MARKS[side.place]} {side.name} won", 60)
            st.badge(label, color=BADGES[side.place])  # type: ignore[arg-type]  # one of Streamlit's own names
        st.caption(
            "= tie. Click a cell to open its pair.",
            width="content",
            help=None if is_readable else f"Choose at most {READABLE} iterations to see how outputs begin.",
        )
    width = max(WIDTH // max(len(iterations), 1), LEAST)
    _show(list(tasks.values()), [TASK, *iterations], told, width=width)


def _orders(rows: Sequence[HistoryRow]) -> dict[str, tuple[str, ...]]:
    """By project the names of its candidates in the order of their colours."""
    database = session.services().database
    return {id: candidate_order(database, id) for id in {row.line.project_id for row in rows if row.made_by}}


def _winner(row: HistoryRow) -> Winner | None:
    return None if row.covered else row.line.winner


def _sides(row: HistoryRow, orders: Mapping[str, Sequence[str]]) -> dict[Label, Side]:
    """What the two outputs are called: by their candidates, without the iteration, once they may be told."""
    palette = PALETTES[theme()]
    if row.made_by is None:
        return {label: Side(f"Output {label.value}", palette.mark[label]) for label in Label}
    order, names = orders[row.line.project_id], {label: row.made_by[label] for label in Label}
    plain = {
        label: max((own for own in order if name.startswith(own)), key=len, default=name)
        for label, name in names.items()
    }
    colours = SERIES[theme()]
    places = {label: order.index(name) % len(MARKS) if name in order else 0 for label, name in plain.items()}
    called = plain if len(set(plain.values())) == len(plain) else names
    return {
        label: Side(safe.visible(called[label]), colours[places[label]], places[label]) for label in Label
    }


def _show(
    records: Sequence[Mapping[str, Cell]], columns: Sequence[str], rows: Sequence[HistoryRow], *, width: int
) -> None:
    """Show the grid; a click on a cell opens the pair behind it."""
    by_id = {row.line.id: row for row in rows}
    present = [name for name in columns if any(name in record for record in records)]
    cells = pd.DataFrame(
        [[record.get(name, Cell()) for name in present] for record in records], columns=present
    )
    colours = cells.map(lambda cell: cell.colour and f"background-color: {cell.colour}{SOFT}")
    key = f"history_grid_{st.session_state.setdefault(_CLICKS, 0):d}"

    def follow() -> None:
        for at, column in st.session_state[key].selection.cells:
            if row := by_id.get(records[at].get(column, Cell()).comparison_id):
                st.session_state[_CLICKS] += 1
                open_row(row)

    st.dataframe(
        cells.map(lambda cell: cell.words).style.apply(lambda _: colours, axis=None),
        key=key,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config={
            name: st.column_config.TextColumn(HEADS[name], width=HEAD_WIDTHS[name], pinned=True)
            if name in HEADS
            else st.column_config.TextColumn(width=width)
            for name in present
        },
    )
