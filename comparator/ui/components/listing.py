"""A list of comparisons: rows with links, winners, flags, times and what can be done with them."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any

import streamlit as st
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.ui.components import TOKENS, component


class Column(StrEnum):
    """What a list can show, in this order."""

    TITLE = "title"
    """With the row's flags."""
    PROJECT = "project"
    STARTS = "starts"
    STATUS = "status"
    WINNER = "winner"
    WHY = "why"
    """How the verdict's reason begins."""
    TIME = "time"
    ACTIONS = "actions"


class Tone(StrEnum):
    """How loud a word is."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


class Flag(Frozen):
    """A word to look at, with more on hover."""

    text: str
    tone: Tone = Tone.PLAIN
    hover: str = ""


class Action(Frozen):
    """Something to do with one row."""

    name: str
    label: str
    hover: str = ""


class ListRow(Frozen):
    """One comparison. `scores` are the overall scores of A and B, 2.0 to 10.0; `names` say who A and B are, once that
    may be told."""

    id: str
    href: str
    title: str
    note: str = ""
    """What stands beside the title however long that is."""
    about: tuple[str, ...] = ()
    """What stands beside the title, as far as each fits whole."""
    problem: str = ""
    """What went wrong, on lines of its own."""
    status: Flag | None = None
    winner: Winner | None = None
    scores: PerOutput[Decimal] | None = None
    names: PerOutput[str] | None = None
    turned: bool = False
    """Whether B stands before A: only where names say which is which."""
    starts: PerOutput[str] | None = None
    """How both outputs begin, for a list that is wide enough."""
    project: str = ""
    group: str = ""
    """What it stands together with; a head stands above the first of them."""
    by: str = ""
    why: str = ""
    flags: tuple[Flag, ...] = ()
    time: AwareDatetime | None
    actions: tuple[Action, ...] = ()


class RowAction(Frozen):
    """What was done with which row."""

    action: str
    id: str


class Sorting(Frozen):
    """By which column the rows are sorted, and which heads can be pressed for another order."""

    by: Column | None
    descending: bool
    offered: tuple[Column, ...]


OPEN = "open"
"""What the browser sends for a row that was pressed."""
_IF_ANY = (Column.PROJECT, Column.STARTS, Column.WHY, Column.TIME, Column.ACTIONS)
"""Columns that stand only where a row has something in them."""


def listing(
    rows: Sequence[ListRow],
    columns: Sequence[Column],
    *,
    key: str,
    labels: dict[Column, str],
    sorting: Sorting | None = None,
    on_sort: Callable[[Column], None] | None = None,
    on_open: Callable[[str], None],
    into_view: bool = False,
) -> RowAction | None:
    """Show the rows; return which action was chosen in them since the last run, once.

    `labels` are the heads of the columns. `on_sort` is called with the column whose head was pressed, before the next
    run. A click on a row calls `on_open` with its id. `into_view` scrolls to the list.
    """

    def sort() -> None:
        pressed = getattr(st.session_state.get(key), "sorted", None)
        if sorting and on_sort and pressed in sorting.offered:
            on_sort(Column(pressed))

    def chosen() -> None:
        value = getattr(st.session_state.get(key), "chosen", None)
        if isinstance(value, dict) and value.get("action") == OPEN and value.get("id") in ids:
            on_open(value["id"])

    ids = {row.id for row in rows}
    visible = [c for c in columns if c not in _IF_ANY or any(getattr(row, c.value) for row in rows)]
    result = component("listing", "components/listing.js", TOKENS, "components/listing.css")(
        key=key,
        data={
            "columns": [{"name": column.value, "label": labels.get(column, "")} for column in visible],
            "rows": [row.model_dump(mode="json") for row in rows],
            "into_view": into_view,
            "sorting": sorting.model_dump(mode="json") if sorting else None,
        },
        on_chosen_change=chosen,
        on_sorted_change=sort,
    )
    return chosen_in(getattr(result, "chosen", None), rows)


def chosen_in(value: Any, rows: Sequence[ListRow]) -> RowAction | None:
    """What the browser sent, if it names a row that is shown and one of its actions."""
    if not isinstance(value, dict):
        return None
    row = next((row for row in rows if row.id == value.get("id")), None)
    if row is None or value.get("action") not in [action.name for action in row.actions]:
        return None
    return RowAction(action=value["action"], id=row.id)
