"""The floor of dashboards and history: Streamlit pages with the same texts, filters, charts and lists, from constants.

`DASHBOARDS_CONSTANTS` names the file that bench_dashboards.py wrote: what the real page showed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from comparator.ui.components.listing import Column, ListRow, listing
from comparator.ui.frame.charts.panel_box import Panel, numbers, show
from comparator.ui.frame.lists.list_rows import HEADS
from comparator.ui.history.page import USUAL


@st.cache_resource(show_spinner=False)
def constants() -> dict[str, Any]:
    """What the real page showed, read once."""
    found: dict[str, Any] = json.loads(Path(os.environ["DASHBOARDS_CONSTANTS"]).read_text(encoding="utf-8"))
    return found


told = constants()
if st.query_params.get("page") == "history":
    st.title("History", anchor=False)
    search, *choices = st.columns([6, 4, 4, 4, 4, 3])
    search.text_input("Search", key="search")
    for place, column in enumerate(choices):
        column.selectbox(f"Filter {place}", ["one", "two"], key=f"filter_{place}")
    listing(
        [ListRow.model_validate(row) for row in told["listed"]],
        (Column.TITLE, *USUAL, Column.ACTIONS),
        key="list",
        labels=HEADS,
    )
    st.stop()
st.title("Dashboards", anchor=False)
for place, column in enumerate(st.columns(5)):
    column.selectbox(f"Filter {place}", ["one", "two"], key=f"filter_{place}")
st.header(told["headline"], anchor=False)
for caption in told["captions"]:
    st.caption(caption)
st.segmented_control("Part", ["Result", "Trust", "Candidates", "Cost", "Plan"], default="Result")
st.segmented_control("Charts are saved as", ["PNG", "SVG"], default="PNG")
show(
    tuple(
        Panel(
            each["name"],
            title=each["title"],
            counts=each["counts"],
            figure=go.Figure(each["figure"]) if each["figure"] else None,
            rows=each["rows"],
        )
        for each in told["panels"]
    )
)
with st.container(border=True):
    st.subheader("The pairs behind these numbers", anchor="pairs")
    st.segmented_control(
        "Outcome", ["All", "Won", "Tied", "Lost"], default="All", label_visibility="collapsed"
    )
    numbers("pairs", told["pairs"])
