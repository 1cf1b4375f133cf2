"""One chart of the dashboards: what it counts, the chart, the numbers behind it as a table and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from comparator.ui import safe
from comparator.ui.state import Page, Param

Cell = str | int | float | None
LINK = "Pair"
REVIEW = "/review?c="
_FORMULA = ("=", "+", "-", "@", "\t")


def panel(
    name: str,
    *,
    title: str,
    counts: str,
    figure: go.Figure | None,
    rows: Sequence[Mapping[str, Cell]],
) -> None:
    """Show a chart. `title` states what is counted, `counts` how many and how; `rows` are the numbers."""
    with st.container(border=True):
        st.subheader(safe.text(title), anchor=False)
        st.caption(safe.text(counts))
        if figure is not None:
            st.plotly_chart(
                figure,
                key=f"chart_{name}",
                theme=None,
                config={"displayModeBar": False, "displaylogo": False},
            )
        if rows:
            with st.expander("The numbers", key=f"numbers_{name}", expanded=figure is None):
                numbers(name, rows)


def numbers(name: str, rows: Sequence[Mapping[str, Cell]]) -> None:
    """The rows as a table, with a button that saves them as CSV; the column "Pair" holds ids and becomes links."""
    table = pd.DataFrame([dict(row) for row in rows])
    shown = table.copy()
    if LINK in table:
        shown[LINK] = REVIEW + table[LINK]
    st.dataframe(
        shown,
        key=f"table_{name}",
        hide_index=True,
        column_config={LINK: st.column_config.LinkColumn(LINK, display_text="open")},
    )
    st.download_button(
        "Save as CSV",
        data=csv(rows),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"csv_{name}",
        icon=":material/download:",
        on_click="ignore",
    )


def csv(rows: Sequence[Mapping[str, Cell]]) -> str:
    """The rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    held = [{name: _held(value) for name, value in row.items()} for row in rows]
    return pd.DataFrame(held).to_csv(index=False)


def pair_link(comparison_id: str, *, label: str) -> None:
    """A link to the review page of a pair."""
    st.page_link(
        Page.REVIEW,
        label=safe.middle(label, 60),
        icon=":material/balance:",
        query_params={Param.COMPARISON.value: comparison_id},
    )


def _held(value: Cell) -> Cell:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
