"""The filters of the history; they stand in the address, so that a search can be linked."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import streamlit as st

from comparator.reporting.history import HistoryFilter
from comparator.ui import session
from comparator.ui.history_rows import STATUS

WINNERS = {"A": "A wins", "B": "B wins", "TIE": "Tie"}
JUDGES = {"anthropic": "Anthropic model", "offline": "Offline baseline"}
ORDERS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "touched": "Last changed first",
    "title": "By title",
}


def filters() -> HistoryFilter:
    """Ask what to list; the filter for the project that is looked at."""
    search, status, winner, judge, order, dates = st.columns(
        [6, 4, 4, 4, 4, 3], gap="small", vertical_alignment="bottom"
    )
    text = search.text_input(
        "Search",
        key="q",
        type="search",
        live=True,
        placeholder="Words of title or task",
        bind="query-params",
    )
    state = status.selectbox(
        "Status",
        list(STATUS),
        index=None,
        format_func=lambda name: STATUS.get(name, "").capitalize(),
        key="status",
        placeholder="Any",
        bind="query-params",
    )
    won = winner.selectbox(
        "Winner",
        list(WINNERS),
        index=None,
        format_func=WINNERS.__getitem__,
        key="winner",
        placeholder="Any",
        bind="query-params",
    )
    by = judge.selectbox(
        "Judge",
        list(JUDGES),
        index=None,
        format_func=JUDGES.__getitem__,
        key="judge",
        placeholder="Any",
        bind="query-params",
    )
    with dates.popover("Dates", key="dates", icon=":material/calendar_today:"):
        first = st.date_input("Created from", value=None, key="since", bind="query-params")
        last = st.date_input("Created until", value=None, key="until", bind="query-params")
    by_order = order.selectbox(
        "Order", list(ORDERS), format_func=ORDERS.__getitem__, key="order", bind="query-params"
    )
    return HistoryFilter.model_validate(
        {
            "text": (text or "").strip(),
            "status": state,
            "winner": won,
            "judge_kind": by,
            "project_id": session.project_id(),
            "since": _start_of(first),
            "until": _start_of(last + timedelta(days=1)) if isinstance(last, date) else None,
            "order": by_order or "newest",
        }
    )


def is_filtered(asked: HistoryFilter) -> bool:
    """Whether anything but project and order is asked for."""
    return any((asked.text, asked.status, asked.winner, asked.judge_kind, asked.since, asked.until))


def _start_of(day: object) -> datetime | None:
    """The start of a day as the reader's clock has it."""
    if not isinstance(day, date):
        return None
    offset = st.context.timezone_offset
    # Minutes that the reader's clock is behind UTC.
    return datetime.combine(day, time(), tzinfo=UTC) + timedelta(minutes=offset or 0)
