"""What was chosen on the dashboards of each project, for the way back to them; nothing of it goes along to another."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.ui.frame import address
from comparator.ui.frame.state import SessionKey

ITS_OWN = ("within", "pair", "adopt", "measure", "since", "band")
"""Filters that name something of their project, and mean nothing in another."""


def kept() -> dict[str, str]:
    """What was chosen in the project that is looked at; parts are lines of one value."""
    return _every().setdefault(_here(), {})


def several(name: str) -> list[str]:
    """What the address says of a filter of several values, or what was chosen before."""
    asked = list(dict.fromkeys(address.values(name)))
    if asked or address.moved(name):
        kept()[name] = "\n".join(asked)
        return asked
    return [each for each in kept().get(name, "").split("\n") if each]


def choose_several(name: str, chosen: Sequence[str]) -> None:
    """In a callback: choose these values; they stand in the address, and are kept for the way back."""
    chosen = list(dict.fromkeys(chosen))
    kept()[name] = "\n".join(chosen)
    address.choose(name, chosen)


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
