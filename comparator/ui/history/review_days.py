"""Reviews by day, as A and B: what may be told while nobody knows who made which output."""

from __future__ import annotations

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.review_days import review_days
from comparator.ui.frame import charts, session
from comparator.ui.frame.charts.box import Box, chart
from comparator.ui.frame.charts.theme import PALETTES, theme


def review_days_chart(asked: HistoryFilter) -> None:
    """Draw the last days with reviews; nothing where there are none."""
    days = review_days(session.services().database, asked)
    if not days:
        return
    shown = PALETTES[theme()]
    figure = charts.stacked(
        [each.day for each in days],
        [
            charts.Segment("A wins", shown.mark.A, shown.page, tuple(each.a for each in days)),
            charts.Segment("tie", shown.tie, shown.page, tuple(each.ties for each in days)),
            charts.Segment(
                "B wins", shown.mark.B, shown.page, tuple(each.b for each in days), charts.HATCHED
            ),
        ],
        palette=shown,
    )
    chart(Box("review_days", "Reviews by day", "", figure, ()), picture="png")
