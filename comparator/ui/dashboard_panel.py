"""One chart of the dashboards: what it counts, the chart, the numbers behind it as a table and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from comparator.ui import safe
from comparator.ui.state import Page, Param

Cell = str | int | float | None
Row = Mapping[str, Cell]
PAIR, PAIRS = "Pair", "Pairs behind it"
"""Columns that lead to a review, and to a list of pairs: they hold an id, and an address."""
REVIEW = "/review?c="
_FORMULA = ("=", "+", "-", "@", "\t")


class Panel(NamedTuple):
    """A chart with what belongs to it. `title` states what is counted, `counts` how many and how."""

    name: str
    title: str
    counts: str
    figure: go.Figure | None
    rows: Sequence[Row]


def show(panels: Sequence[Panel], *, picture: str = "png") -> None:
    """Show these charts one below the other; `picture` is the format in which each can be saved."""
    for panel in panels:
        with st.container(border=True):
            st.subheader(safe.text(panel.title), anchor=False)
            st.caption(safe.text(panel.counts))
            if panel.figure is not None:
                st.plotly_chart(
                    panel.figure,
                    key=f"chart_{panel.name}",
                    theme=None,
                    config={
                        "displaylogo": False,
                        "displayModeBar": True,
                        "modeBarButtons": [["toImage"]],
                        "toImageButtonOptions": {
                            "format": picture,
                            "filename": panel.name,
                            "scale": 1 if picture == "svg" else 2,
                        },
                    },
                )
            if panel.rows:
                with st.expander("The numbers", key=f"numbers_{panel.name}", expanded=panel.figure is None):
                    numbers(panel.name, panel.rows)


def numbers(name: str, rows: Sequence[Row]) -> None:
    """The rows as a table, with a button that saves them as CSV."""
    table = pd.DataFrame([dict(row) for row in rows])
    if PAIR in table:
        table[PAIR] = REVIEW + table[PAIR]
    st.dataframe(
        table,
        key=f"table_{name}",
        hide_index=True,
        column_config={
            PAIR: st.column_config.LinkColumn(PAIR, display_text="open"),
            PAIRS: st.column_config.LinkColumn(PAIRS, display_text="list them"),
        },
    )
    st.download_button(
        "Save as CSV",
        data=lambda: csv(rows),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"csv_{name}",
        icon=":material/download:",
        on_click="ignore",
    )


def csv(rows: Sequence[Row]) -> str:
    """The rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    held = [{name: _held(value) for name, value in row.items() if name != PAIRS} for row in rows]
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
