"""The tab Probes."""

from __future__ import annotations

import streamlit as st

from comparator.ui.judge.scope import Scope


def show(_: Scope) -> None:
    """Say what will stand here."""
    with st.container(border=True, width=720):
        st.subheader("No probe has been run yet", anchor=False)
        st.caption(
            "Here will stand how often the judge falls for a trick: the same output twice, a planted defect, "
            "padding, reformatting, a compliment, a changed label, and injections."
        )
