"""What was chosen on the dashboards of each project, for the way back to them; nothing of it goes along to another."""

from __future__ import annotations

import streamlit as st

from comparator.ui.frame.state import SessionKey

ITS_OWN = ("within", "pair", "adopt", "measure", "since", "band")
"""Filters that name something of their project, and mean nothing in another."""


def kept() -> dict[str, str]:
    """What was chosen in the project that is looked at; parts are lines of one value."""
    return _every().setdefault(_here(), {})


def leave_other_project() -> None:
    """Where another project was chosen on the page, take what names something of the one before out of the address."""
    before, here = st.session_state.get(SessionKey.DASHBOARDS_OF), _here()
    st.session_state[SessionKey.DASHBOARDS_OF] = here
    if before is None or before == here:
        return
    chosen = _every().get(before, {})
    for name in ITS_OWN:
        if "\n".join(st.query_params.get_all(name)) == chosen.get(name):
            st.query_params.pop(name, None)


def _here() -> str:
    return st.session_state.get(SessionKey.PROJECT) or ""


def _every() -> dict[str, dict[str, str]]:
    every: dict[str, dict[str, str]] = st.session_state.setdefault(SessionKey.DASHBOARDS, {})
    return every
