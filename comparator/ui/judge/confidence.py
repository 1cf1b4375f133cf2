"""The tab Confidence."""

from __future__ import annotations

import streamlit as st

from comparator.ui.judge.scope import Scope


def show(_: Scope) -> None:
    """Say what will stand here."""
    with st.container(border=True, width=720):
        st.subheader("The judge's confidence is not calibrated yet", anchor=False)
        st.caption(
            "Here will stand how often the judge is right at each confidence that it states, from at least 50 blind "
            "reviews."
        )
