"""The grids of the history: both outputs of each pair beside each other, or who won each task in each iteration."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.labels import Label, Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, neutral_rows, output_starts
from comparator.reporting.history.picture import candidate_order
from comparator.reporting.results.candidates import natural
from comparator.store.pairs.comparison_list import ListGroup
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.theme import PALETTES, SERIES, theme
from comparator.ui.frame.lists.list_rows import ListPage, open_pair, read_page
from comparator.ui.frame.pair_result import open_pair_result
from comparator.ui.history.filters import choices_here

TASK, ITERATION, SCORES = " ", "  ", "   "
"""Columns with names that no candidate has."""
HEADS = {
    TASK: st.column_config.TextColumn("Task", width=160, pinned=True),
    ITERATION: st.column_config.TextColumn("Iteration", width=70, pinned=True),
    SCORES: st.column_config.TextColumn("Scores", width=90, pinned=True),
}
ROWS = 50
"""Pairs on a page of outputs."""
SQUARES, TEXTS = 1280, 320
"""About how many pairs a page of iterations has, and how many where each says how its winner's output begins."""
READABLE = 8
"""With more columns no words fit."""
ROW_HEIGHT = 30
WIDTH, NARROW = 90, 23
"""Pixels of another column, with words and with a mark alone; what is left of the page is shared out."""
SOFT = "40"
"""How much of a colour lies behind the text, as a hexadecimal number."""
MARKS = "●○◆◇▲"
"""Of candidates, in the order of their colours."""
_CLICKS = "grid_clicks"
"""In the session's state: how often a cell was clicked. A grid is new then, so that no cell stays chosen."""


class Cell(NamedTuple):
    """A place of a grid: its words, the pair behind it, and the colour of whoever won there."""

    words: str
    row: HistoryRow | None = None
    colour: str = ""


class Side(NamedTuple):
    """An output's candidate without its iteration, or its letter; or a tie."""

    name: str
    mark: str
    colour: str


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


def outputs_grid(rows: Sequence[HistoryRow], head: DeltaGenerator, *, by_task: bool) -> None:
    """Show how both outputs of these pairs begin, a pair a row; `by_task`, the newest iteration's come first by their
    titles."""
    services = session.services()
    ordered = list(neutral_rows(services.database, rows))
    if by_task:
        ordered.sort(key=lambda row: natural(row.line.title))
        ordered.sort(key=lambda row: natural(row.iteration or ""), reverse=True)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in ordered])
    orders = _orders(ordered)
    records: list[dict[str, Cell]] = []
    for row in ordered:
        sides = _sides(row, orders)
        winner = _winner(row, sides)
        record = {TASK: Cell(row.line.title, row)}
        if row.iteration:
            record[ITERATION] = Cell(row.iteration, row)
        scores = {sides[Label.A]: row.line.overall_a, sides[Label.B]: row.line.overall_b}
        if winner and None not in scores.values():
            # The winner's comes first, as in the list.
            first, second = sorted(scores, key=lambda side: (side != winner, natural(side.name)))
            record[SCORES] = Cell(f"{scores[first]:.1f} to {scores[second]:.1f}", row)
        for label, side in sides.items():
            mark = "✓ " if side == winner else "= " if winner and winner.mark == "=" else ""
            words = f"{mark}{starts[row.line.id][label]}"
            record[side.name] = Cell(words, row, winner.colour if winner and mark else "")
        records.append(record)
    names = sorted({name for record in records for name in record} - {*HEADS}, key=natural)
    with head:
        st.caption("✓ won, = tie. Click a row to open its pair.", width="content")
    _show(records, [*HEADS, *names], width=WIDTH)


def iterations_grid(rows: Sequence[HistoryRow], head: DeltaGenerator) -> None:
    """Show who won each task in each iteration, and where there is room, how the winner's output begins."""
    services = session.services()
    told = [row for row in rows if row.made_by and row.iteration]
    orders = _orders(told)
    iterations = sorted({row.iteration or "" for row in told}, key=natural)
    is_readable = len(iterations) <= READABLE
    ids = [row.line.id for row in told] if is_readable else []
    starts = output_starts(services.database, services.blobs, ids)
    tasks: dict[str, dict[str, Cell]] = {}
    winners: set[Side] = set()
    for row in told:
        record = tasks.setdefault(row.line.task_id, {TASK: Cell(row.line.title)})
        sides = _sides(row, orders)
        winner = _winner(row, sides) or Side("", "–", "")
        winners |= {winner} & {*sides.values()}
        begins = starts.get(row.line.id) if winner.mark != "–" else None
        words = (begins.B if winner == sides[Label.B] else begins.A) if begins else ""
        # Of several pairs of a task and an iteration, the one that the list has first.
        record.setdefault(row.iteration or "", Cell(f"{winner.mark} {words}", row, winner.colour))
    legend = "".join(f"{side.mark} {side.name}, " for side in sorted(winners))
    few = "" if is_readable else f" Choose up to {READABLE} iterations to read them."
    with head:
        safe.caption(f"Won by: {legend}= tie. Click a cell to open its pair.{few}", width="content")
    _show(list(tasks.values()), [TASK, *iterations], width=WIDTH if is_readable else NARROW)


def _orders(rows: Sequence[HistoryRow]) -> dict[str, tuple[str, ...]]:
    """By project the names of its candidates in the order of their colours."""
    database = session.services().database
    return {id: candidate_order(database, id) for id in {row.line.project_id for row in rows if row.made_by}}


def _winner(row: HistoryRow, sides: Mapping[Label, Side]) -> Side | None:
    """Whoever won, or a tie; None while the verdict may not be seen, or there is none."""
    if row.covered or row.line.winner is None:
        return None
    if row.line.winner is Winner.TIE:
        return Side("tie", "=", PALETTES[theme()].tie)
    return sides[Label(row.line.winner.value)]


def _sides(row: HistoryRow, orders: Mapping[str, Sequence[str]]) -> dict[Label, Side]:
    """What the two outputs are called: by their candidates once they may be told."""
    if row.made_by is None:
        return {label: Side(f"Output {label}", label, PALETTES[theme()].mark[label]) for label in Label}
    order, names = orders[row.line.project_id], {label: row.made_by[label] for label in Label}
    plain = {
        label: max((own for own in order if name.startswith(own)), key=len, default=name)
        for label, name in names.items()
    }
    called = plain if len(set(plain.values())) == len(plain) else names
    places = {label: order.index(name) % len(MARKS) if name in order else 0 for label, name in plain.items()}
    return {label: Side(called[label], MARKS[at], SERIES[theme()][at]) for label, at in places.items()}


def _show(records: Sequence[Mapping[str, Cell]], columns: Sequence[str], *, width: int) -> None:
    """Show the grid; a click on a cell opens the pair behind it."""
    cells = pd.DataFrame(records, columns=[*columns]).dropna(axis="columns", how="all")
    words = cells.map(lambda cell: safe.visible(cell.words), na_action="ignore").fillna("")
    colours = cells.map(
        lambda cell: f"background-color: {cell.colour}{SOFT}" if cell.colour else "", "ignore"
    )
    key = f"history_grid_{st.session_state.setdefault(_CLICKS, 0):d}"

    def follow() -> None:
        for at, column in st.session_state[key].selection.cells:
            if (cell := records[at].get(column)) and cell.row:
                st.session_state[_CLICKS] += 1
                open_row(cell.row)

    st.dataframe(
        words.style.apply(lambda _: colours.fillna(""), axis=None),
        key=key,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config=dict.fromkeys(map(str, words), st.column_config.TextColumn(width=width)) | HEADS,
    )
