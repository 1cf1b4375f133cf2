"""The grid of the history: tasks by iterations or candidates, or by A and B while hidden; a cell opens its pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from comparator.domain.labels import Label, Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, neutral_rows, output_starts
from comparator.reporting.results.candidates import natural
from comparator.store.pairs.comparison_list import ListGroup
from comparator.ui.frame import safe, session
from comparator.ui.frame.lists.list_rows import ListPage, read_page
from comparator.ui.frame.lists.pair_links import open_pair

PAGE_SIZE = 200
ROW_HEIGHT = 72
"""Pixels: the least at which Streamlit breaks lines."""
LINES, LETTER, PADDING = 3, 7, 16
"""Lines of a cell, and pixels of a letter and of the room beside the text: what is cut ends with a word and …."""
LEGEND = "✓ won, = tie, the newest iteration first. Click a cell to open its pair."


def read_grid(asked: HistoryFilter) -> ListPage:
    """The page of pairs that the grid shows, task by task."""
    return read_page(asked.model_copy(update={"group": ListGroup.TASK}), key="page", size=PAGE_SIZE)


def grid(rows: Sequence[HistoryRow]) -> None:
    """Show these pairs; a click on a cell opens the pair behind it."""
    services = session.services()
    rows = neutral_rows(services.database, rows)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in rows])
    cells: dict[tuple[str, str], tuple[str, str]] = {}
    titles: dict[str, str] = {}
    for row in rows:
        place = row.line.task_id if row.made_by else row.line.id
        titles[place] = row.line.title
        begin = {label: safe.visible(starts[row.line.id][label]) for label in Label}
        if row.made_by and row.iteration:
            # Of several pairs of a task and an iteration, the one that the list has first.
            cells.setdefault((place, row.iteration), (row.line.id, _verdict(row, begin)))
            continue
        for label in Label:
            column = row.made_by[label] if row.made_by else f"Output {label.value}"
            cells.setdefault((place, column), (row.line.id, f"{_mark(row, label)}{begin[label]}" or "–"))
    columns = sorted({column for _, column in cells}, key=natural, reverse=any(row.iteration for row in rows))
    places, width = list(titles), max(130, 780 // max(len(columns), 1))
    most = LINES * (width - PADDING) // LETTER
    table = pd.DataFrame(
        [
            [safe.beginning(cells.get((place, column), ("", ""))[1], most) for column in columns]
            for place in places
        ],
        index=pd.Index([titles[place] for place in places], name="Task"),
        columns=columns,
    )

    def follow() -> None:
        for at, column in st.session_state["history_grid"].selection.cells:
            if (place := (places[at], column)) in cells:
                open_pair(cells[place][0])

    st.dataframe(
        table,
        key="history_grid",
        row_height=ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config={
            "_index": st.column_config.Column("Task", width=140, pinned=True),
            **{
                each: st.column_config.TextColumn(
                    safe.text(f"Iteration {each}" if each.isdigit() else each),
                    width=width,
                )
                for each in columns
            },
        },
    )


def _verdict(row: HistoryRow, begin: Mapping[Label, str]) -> str:
    """Who won a pair of one iteration, and how the winner's output begins."""
    winner = None if row.covered else row.line.winner
    if winner is None or row.made_by is None:
        return "–"
    if winner is Winner.TIE:
        return f"= {begin[Label.A]}"
    label = Label(winner.value)
    name = row.made_by[label].removesuffix(f" ({row.iteration})")
    return f"✓ {safe.visible(name)}: {begin[label]}"


def _mark(row: HistoryRow, label: Label) -> str:
    """Whether the output won; nothing where nobody has decided, or the reader has yet to score the pair."""
    if row.covered or row.line.winner is None:
        return ""
    return "= " if row.line.winner is Winner.TIE else "✓ " if row.line.winner.value == label.value else ""
