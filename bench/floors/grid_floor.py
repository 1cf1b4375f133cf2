"""The floor of the grid: a page with its figure from constants; `GRID_CONSTANTS` names the file that holds it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st


@st.cache_resource(show_spinner=False)
def figure() -> go.Figure:
    """The figure, read once."""
    told = json.loads(Path(os.environ["GRID_CONSTANTS"]).read_text(encoding="utf-8"))
    return go.Figure(told["figure"])


st.title("Dashboards", anchor=False)
st.plotly_chart(figure(), key="grid", theme=None)
