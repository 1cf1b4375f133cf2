"""The tab Guidance."""

from __future__ import annotations

import streamlit as st

from comparator.ui.judge.scope import Scope


def show(_: Scope) -> None:
    """Say what will stand here."""
    with st.container(border=True, width=720):
        st.subheader("This project has no guidance yet", anchor=False)
        st.caption(
            "Here will stand the project's notes to the judge, their versions, and the test that each passed."
        )
