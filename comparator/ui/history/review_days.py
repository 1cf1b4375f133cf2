"""Reviews by day, as A and B: what may be told while nobody knows who made which output."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.review_days import review_days
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Bars, Chart, Tone
from comparator.ui.frame.charts.chart import draw


def review_days_chart(asked: HistoryFilter) -> None:
    """Draw the last days with reviews; nothing where there are none."""
    days = review_days(session.services().database, asked)
    if not days:
        return
    chart = Chart(
        "review_days",
        "Reviews by day",
        [{"Day": each.day, "A wins": each.a, "Tie": each.ties, "B wins": each.b} for each in days],
        Bars("Day", {"A wins": Tone.A, "Tie": Tone.TIE, "B wins": Tone.B}),
    )
    if chart.words:
        st.caption(safe.text(chart.words))
    draw(chart)
