"""The floor of dashboards and history: Streamlit pages with the same texts, filters, charts and lists, from constants.

`DASHBOARDS_CONSTANTS` names the file that measured/dashboards.py wrote: what the real page showed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import plotly.io
import streamlit as st

from comparator.ui.components.page.listing import Column, ListRow, listing
from comparator.ui.frame.charts import Chart, Link, Row, numbers, show
from comparator.ui.frame.charts.chart import draw
from comparator.ui.frame.charts.drawing import Drawing
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.filters import PARTS
from comparator.ui.frame.lists.list_rows import HEADS
from comparator.ui.history.page import USUAL

plotly.io.templates.default = None


@st.cache_resource(show_spinner=False)
def constants() -> dict[str, Any]:
    """What the real page showed, with its figures, read once."""
    found: dict[str, Any] = json.loads(Path(os.environ["DASHBOARDS_CONSTANTS"]).read_text(encoding="utf-8"))
    for each in (*found["charts"], *found["boxes"], found.get("picture") or {}):
        if each.get("figure"):
            each["figure"] = go.Figure(each["figure"], skip_invalid=True)
    return found


@dataclass(frozen=True)
class Drawn(Drawing):
    """A figure as the real page showed it."""

    told: go.Figure

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:  # noqa: D102, ARG002
        return True

    def words(self, rows: Sequence[Row]) -> str:  # noqa: D102, ARG002
        return ""

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:  # noqa: D102, ARG002
        return self.told


def box(told: Mapping[str, Any]) -> Chart:
    """A chart with its rows and with what a click leads to."""
    links = set(told["links"])
    return Chart(
        told["name"],
        told["title"],
        note=told["note"],
        drawing=Drawn(told["figure"]) if told["figure"] else None,
        rows=[
            {name: Link(cell) if name in links else cell for name, cell in row.items()}
            for row in told["rows"]
        ],
    )


def history(told: Mapping[str, Any]) -> None:
    """The history with its picture and a page of the list."""
    st.title("History", anchor=False)
    search, *choices, more = st.columns([5, 4, 4, 4, 5.5, 4, 4], gap="small", vertical_alignment="bottom")
    search.text_input("Search", key="search")
    for place, column in enumerate(choices):
        column.selectbox(f"Filter {place}", ["one", "two"], key=f"filter_{place}")
    more.popover("More", icon=":material/tune:", key="more_filters", width="stretch").caption("More")
    if told["picture"] is not None:
        with st.container(border=True, key="picture"):
            picture(told["picture"])
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption("Comparisons")
        st.popover("Views", key="views_button", icon=":material/bookmarks:").caption("Views")
        st.button("Save all", key="save_all")
        st.popover("Columns", key="columns_button", icon=":material/view_column:").caption("Columns")
    listing(
        [ListRow.model_validate(row) for row in told["listed"]],
        (Column.TITLE, *USUAL, Column.ACTIONS),
        key="list",
        labels=HEADS,
    )


def picture(told: Mapping[str, Any]) -> None:
    """One figure over versions."""
    what, over, against = st.columns([4, 3, 4], vertical_alignment="bottom")
    what.selectbox("Figure", ["Win rate", "Mean score"], key="metric")
    over.segmented_control("Over", ["Iterations", "Days"], default="Iterations", key="over")
    if len(told["offered"]) > 1:
        against.selectbox("Against", told["offered"], key="against")
    if told["figure"]:
        st.plotly_chart(
            told["figure"],
            key="chart_picture",
            theme=None,
            on_select="rerun",
            selection_mode=("points", "box"),
        )
    st.caption("Win rate: share of pairs won, ties counted as half; reviews, else the judge.")
    with st.expander("The numbers", key="numbers_picture"):
        numbers("picture", told["rows"])


def dashboards(told: Mapping[str, Any]) -> None:
    """The first screen and one tab of two candidates."""
    st.title("Dashboards", anchor=False)
    filters(told)
    with st.container(horizontal=True, vertical_alignment="center", key="dashboards_answer"):
        st.badge(told["badge"], icon=":material/help:", color="gray")
        st.subheader(told["headline"], anchor=False)
    st.caption(told["under_headline"])
    for each in told["charts"]:
        draw(box(each))
    for column, (label, value, tooltip) in zip(st.columns(3), told["metrics"], strict=True):
        column.metric(label, value, help=tooltip)
    parts = [name for key, name in PARTS.items() if key != "time" or told["iterations"] > 1]
    st.segmented_control("Part", parts, default=told.get("part", parts[0]), label_visibility="collapsed")
    boxes = [box(each) for each in told["boxes"]]
    if "tasks" in told:
        grid, *boxes = boxes
        grid_with_controls(grid, told["tasks"])
    show(boxes)
    if told.get("themes"):
        themes()
    st.caption(
        "Click a bar or dot to list the pairs behind it; the tables under the charts have the same links. "
        "[How each figure is computed, and when it is withheld](help?page=statistics)"
    )


def filters(told: Mapping[str, Any]) -> None:
    """What can be chosen above the first screen."""
    pair, scope, verdicts, more = st.columns([6, 3, 4, 2], gap="small", vertical_alignment="bottom")
    pair.selectbox("Candidates", [" and ".join(told["names"])], key="pair")
    if told["iterations"] > 1:
        scope.segmented_control("Iterations", ["This one", f"All {told['iterations']}"], default="This one")
    verdicts.selectbox("Verdicts", ["Reviews, else the judge", "All reviews"], key="verdicts")
    with more, st.popover("More", icon=":material/tune:", key="dashboards_more"):
        for name in ("Runs", "Offline check", "New candidate"):
            st.selectbox(name, ["one", "two"], key=f"more_{name}")
        st.segmented_control("Charts are saved as", ["PNG", "SVG"], default="PNG")


def grid_with_controls(grid: Chart, tasks: Sequence[str]) -> None:
    """The grid, and what chooses its order, one of its squares and an earlier iteration."""
    st.segmented_control("Rows by", ["Last change", "Worst", "Name"], default="Last change", key="rows")
    show([grid])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Task", tasks, key="grid_task", width=320)
        st.selectbox("Iteration", ["one", "two"], key="grid_iteration", width=160)
        st.button("List the pairs", key="grid_open", icon=":material/list:")
    st.selectbox("What changed since", ["one", "two"], key="since", width=240)


def themes() -> None:
    """What a lead is offered before findings are collected."""
    with st.container(border=True, key="theme_work"):
        st.subheader("Themes of the reasons", anchor=False)
        st.caption(
            "A codebook of named reasons, from the strengths, weaknesses and rationales that judges stated and the "
            "reasons that reviewers gave. First collect them; that needs no model."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input("Pairs to read, at most", min_value=1, value=100, key="theme_pairs", width=180)
            st.number_input("Seed", min_value=0, value=0, key="theme_seed", width=120)
            st.button("Collect findings", key="theme_collect", type="primary", icon=":material/format_quote:")


if st.query_params.get("page") == "history":
    history(constants())
else:
    dashboards(constants())
