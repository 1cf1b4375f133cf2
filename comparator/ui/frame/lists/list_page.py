"""Which page of a list is shown, and what stands on it."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryPage, history
from comparator.ui.frame import session
from comparator.ui.frame.state import SessionKey


class ListPage(NamedTuple):
    """One page of a list."""

    page: HistoryPage
    pages: int
    """How many pages there are, at least 1."""


def read_page(asked: HistoryFilter, *, key: str, size: int) -> ListPage:
    """The page whose number `key` holds in the session: the first of a new search, the last where fewer are left."""
    listed = f"{SessionKey.LISTED_PREFIX}_{key}"
    before = st.session_state.get(listed)
    if before is not None and before != asked:
        st.session_state[key] = 1
    st.session_state[listed] = asked
    number = st.session_state.get(key, 1)
    page = _read(asked, number, size)
    pages = max(-(-page.total // size), 1)
    if number > pages:
        st.session_state[key] = pages
        page = _read(asked, pages, size)
    return ListPage(page, pages)


def _read(asked: HistoryFilter, number: int, size: int) -> HistoryPage:
    offset = (number - 1) * size
    return history(session.services().database, asked, limit=size, offset=offset)
