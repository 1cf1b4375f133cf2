"""The grids of the history: both outputs of each pair beside each other, or who won each task in each iteration."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.counted import natural
from comparator.domain.labels import Label, Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, neutral_rows, output_starts
from comparator.reporting.history.picture import candidate_order
from comparator.store.pairs.comparison_list import ListGroup
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.theme import PALETTES, SERIES, theme
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.lists.list_rows import ListPage, by_whom, is_not_by_scores, open_pair, read_page
from comparator.ui.frame.pair_result import Pair, open_pair_result
from comparator.ui.history.filters import choices_here, looked_at

TASK, ITERATION, SCORES = " ", "  ", "   "
"""Columns with names that no candidate has."""
HEADS = {
    TASK: st.column_config.TextColumn("Task", width=160, pinned=True),
    ITERATION: st.column_config.TextColumn("Iteration", width=70, pinned=True),
    SCORES: st.column_config.TextColumn("Scores", width=100, pinned=True),
}
ROWS = 50
"""Pairs on a page of outputs."""
SQUARES, TEXTS = 1280, 320
"""About how many pairs a page of iterations has, and how many where each says how its output begins."""
NEWEST, READABLE = 5, 8
"""Iterations that are shown unasked; with more than so many no words fit."""
ROW_HEIGHT, ONE_LINE = 61, 30
"""Pixels of a row with words, the least in which Streamlit breaks lines, and of one with marks alone."""
CHARACTERS = 260
"""Of a row, as three lines hold on a small screen."""
WIDTH, NARROW = 90, 23
"""Pixels of another column, with words and with a mark alone; what is left of the page is shared out."""
WON, TIE, LOST, VOID = "+", "=", "−", "▨"
"""The marks of an output."""
TITLE = 56
"""Characters of a task's title, as three lines hold."""
LEGEND = f"{WON} won, {LOST} lost, {TIE} tied, {VOID} not counted."
SOFT = "40"
"""How much of a colour lies behind the text, as a hexadecimal number."""
OF, _CLICKS = "of", "grid_clicks"
"""In the session's state: whose outputs a grid of iterations has, and how often a cell was clicked. A grid is new then,
so that no cell stays chosen."""


class Cell(NamedTuple):
    """A place of a grid: its words, the pair behind it, and the colour of whoever won there."""

    words: str
    row: HistoryRow | None = None
    colour: str = ""


class Side(NamedTuple):
    """An output: its candidate without its iteration, or its letter; its mark, and its colour if it won or tied."""

    name: str
    mark: str
    colour: str


def open_row(row: HistoryRow, rows: Iterable[HistoryRow]) -> None:
    """In a callback: show the pair over the page where it is a result, with the way to the others of these rows that
    are; else go on to its review."""
    if row.is_result:
        among = [Pair(line.project_id, line.id) for line in (one.line for one in rows if one.is_result)]
        open_pair_result(Pair(row.line.project_id, row.line.id), among)
    else:
        open_pair(row.line.id)


def read_iterations(history_filter: HistoryFilter, head: DeltaGenerator) -> ListPage:
    """The page of pairs that the grid of iterations shows: as many tasks as fit, each with the iterations that are
    filtered for, else the newest ones, or all where that is asked for above it."""
    iterations, every = history_filter.iterations, tuple(choices_here().by["iterations"])
    if not iterations and len(every) > NEWEST:
        with head:
            if not st.toggle(f"All {len(every):d} iterations", key="every_iteration", bind="query-params"):
                iterations = every[-NEWEST:]
    columns = len(iterations or every) or 1
    size = TEXTS if columns <= READABLE else SQUARES
    grouped = history_filter.copy_with(group=ListGroup.TASK, iterations=iterations)
    return read_page(grouped, key="page", size=max(size // columns, 1) * columns)


def outputs_grid(rows: Sequence[HistoryRow], head: DeltaGenerator) -> None:
    """Show how both outputs of these pairs begin, a pair a row."""
    services = session.services()
    neutral = neutral_rows(services.database, rows)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in neutral])
    order = candidate_order(services.database, str(looked_at()))
    records: list[dict[str, Cell]] = []
    for row in neutral:
        sides = _sides(row, order)
        number = f" ({row.of_task[0]} of {row.of_task[1]})" if row.of_task and not row.iteration else ""
        record = {TASK: Cell(safe.beginning(row.line.title, TITLE - len(number)) + number, row)}
        if row.iteration:
            record[ITERATION] = Cell(row.iteration, row)
        marks = {side.mark for side in sides.values()}
        scores = {side.name: getattr(row.line, f"overall_{label.lower()}") for label, side in sides.items()}
        if VOID in marks:
            record[SCORES] = Cell(f"{VOID} not counted", row)
        elif any(marks) and None not in scores.values():
            # In the order of the columns.
            figures = " to ".join(f"{scores[name]:.1f}" for name in sorted(scores, key=natural))
            whose = by_whom(row.line) if is_not_by_scores(row.line) else ""
            record[SCORES] = Cell(", ".join(filter(None, (figures, whose))), row)
        for label, side in sides.items():
            words = f"{side.mark} {starts[row.line.id][label]}".strip()
            record[side.name] = Cell(words, row, side.colour)
        records.append(record)
    names = sorted({name for record in records for name in record} - {*HEADS}, key=natural)
    with head:
        st.caption(safe.text(f"{LEGEND} Click a row to open its pair."), width="content")
    _show(records, [*HEADS, *names], width=WIDTH)


def iterations_grid(rows: Sequence[HistoryRow], head: DeltaGenerator) -> None:
    """Show how each iteration of one candidate ended in each task, and where there is room, how its output begins."""
    services = session.services()
    revealed = [row for row in rows if row.made_by and row.iteration]
    order = candidate_order(services.database, str(looked_at()))
    iterations = sorted({row.iteration or "" for row in revealed}, key=natural, reverse=True)
    is_readable = len(iterations) <= READABLE
    ids = [row.line.id for row in revealed] if is_readable else []
    starts = output_starts(services.database, services.blobs, ids)
    if st.session_state.get(OF) not in order:
        st.session_state.pop(OF, None)
    with head:
        names = {name: name for name in order}
        of = one_of(OF, names, "Outputs of", label_visibility="collapsed") if names else ""
        safe.caption(f"{LEGEND} Newest first. Click to open.", width="content")
    tasks: dict[str, dict[str, Cell]] = {}
    for row in revealed:
        record = tasks.setdefault(row.line.task_id, {TASK: Cell(safe.beginning(row.line.title, TITLE))})
        sides = _sides(row, order)
        # Of two iterations of one candidate, the newer one.
        own = next((label for label in Label if sides[label].name in (of, f"{of} ({row.iteration})")), None)
        if own is not None:
            words = starts[row.line.id][own] if is_readable else ""
            cell = Cell(f"{sides[own].mark or '–'} {words}", row, max(side.colour for side in sides.values()))
            # Of several pairs of a task and an iteration, the one that the list has first.
            record.setdefault(row.iteration or "", cell)
    _show(list(tasks.values()), [TASK, *iterations], width=WIDTH if is_readable else NARROW)


def _side(row: HistoryRow, label: Label, name: str, colour: str) -> Side:
    """The output with how its pair ended for it: no mark while the verdict may not be seen, or there is none."""
    winner = None if row.covered else row.line.winner
    if row.line.is_void and not row.covered:
        return Side(name, VOID, "")
    if winner is Winner.TIE:
        return Side(name, TIE, PALETTES[theme()].tie)
    if winner is None or winner.value != label.value:
        return Side(name, LOST if winner else "", "")
    return Side(name, WON, colour)


def _sides(row: HistoryRow, order: Sequence[str]) -> dict[Label, Side]:
    """What the two outputs are called: by their candidates once they may be told."""
    if row.made_by is None:
        return {label: _side(row, label, f"Output {label}", PALETTES[theme()].mark[label]) for label in Label}
    names = {label: row.made_by[label] for label in Label}
    plain = {
        label: max((own for own in order if name.startswith(own)), key=len, default=name)
        for label, name in names.items()
    }
    called = plain if len(set(plain.values())) == len(plain) else names
    places = {
        label: order.index(name) % len(SERIES[theme()]) if name in order else 0
        for label, name in plain.items()
    }
    return {label: _side(row, label, called[label], SERIES[theme()][at]) for label, at in places.items()}


def _show(records: Sequence[Mapping[str, Cell]], columns: Sequence[str], *, width: int) -> None:
    """Show the grid; a click on a cell opens the pair behind it."""
    cells = pd.DataFrame(records, columns=[*columns]).dropna(axis="columns", how="all")
    most = CHARACTERS // max(len({*columns} - {*HEADS}), 1)
    words = cells.map(
        lambda cell: safe.visible(safe.beginning(cell.words, most) if cell.row else cell.words), "ignore"
    ).fillna("")
    colours = cells.map(
        lambda cell: f"background-color: {cell.colour}{SOFT}" if cell.colour else "", "ignore"
    )
    key = f"history_grid_{st.session_state.setdefault(_CLICKS, 0):d}"

    def follow() -> None:
        for at, column in st.session_state[key].selection.cells:
            if (cell := records[at].get(column)) and cell.row:
                st.session_state[_CLICKS] += 1
                every = (record[name].row for record in records for name in columns if name in record)
                open_row(cell.row, {row.line.id: row for row in every if row}.values())

    st.dataframe(
        words.style.apply(lambda _: colours.fillna(""), axis=None),
        key=key,
        hide_index=True,
        row_height=ONE_LINE if width == NARROW else ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config=dict.fromkeys(map(str, words), st.column_config.TextColumn(width=width)) | HEADS,
    )
