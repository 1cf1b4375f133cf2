"""The button that leads from what is finished to the dashboards of its project."""

from __future__ import annotations

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.frame.state import PageScript


def result_button(project_id: str, *, key: str) -> None:
    """Open the project's dashboards on a click."""
    if st.button(
        "Open the result",
        key=key,
        icon=":material/monitoring:",
        on_click=session.look_at,
        args=(project_id,),
    ):
        st.switch_page(PageScript.DASHBOARDS)
