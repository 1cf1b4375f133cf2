"""The way from a list or a chart to a pair and, by the browser's button, back to what was seen there."""

from __future__ import annotations

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.frame.state import PageScript, Param, SessionKey


def open_pair(comparison_id: str) -> None:
    """Go on to the review page of a pair, and remember the address that is left."""
    st.session_state[SessionKey.LEFT] = {
        name: st.query_params.get_all(name) for name in st.query_params if name != Param.PROJECT
    }
    session.go(PageScript.REVIEW, c=comparison_id)


def come_back(page: PageScript) -> None:
    """On the way back, show the page as it was left.

    Streamlit changes the address before it changes the page, so that the browser comes back to the old page with the
    pair's id in place of what was chosen there.
    """
    if Param.COMPARISON.value in st.query_params and SessionKey.LEFT in st.session_state:
        session.go(page, **st.session_state.pop(SessionKey.LEFT))
