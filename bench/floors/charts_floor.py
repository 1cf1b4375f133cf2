"""The floor of a changed filter: one button, and the same charts from constants; `CHARTS_CONSTANTS` names their file.

The file holds two lists of figures, those before and those after a click.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import plotly.graph_objects as go
import plotly.io
import streamlit as st

plotly.io.templates.default = None


@st.cache_resource(show_spinner=False)
def figures() -> list[list[go.Figure]]:
    """The figures, read once."""
    told = json.loads(Path(os.environ["CHARTS_CONSTANTS"]).read_text(encoding="utf-8"))
    return [[go.Figure(figure, skip_invalid=True) for figure in drawn] for drawn in told]


def count() -> None:
    """Note one click more."""
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1


st.button("Count", key="count", on_click=count)
for number, figure in enumerate(figures()[st.session_state.get("clicks", 0) % 2]):
    st.plotly_chart(figure, key=f"chart_{number}", theme=None)
