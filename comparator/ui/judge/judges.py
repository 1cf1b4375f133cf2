"""The tab Judges."""

from __future__ import annotations

import streamlit as st

from comparator.ui.judge.scope import Scope


def show(_: Scope) -> None:
    """Say what will stand here."""
    with st.container(border=True, width=720):
        st.subheader("One judge is set up", anchor=False)
        st.caption(
            "Here will stand every judge that a project may ask: model, server, tools and repetitions."
        )
