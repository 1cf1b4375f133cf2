"""Counts by day on an axis of dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import plotly.graph_objects as go

from comparator.ui.frame.charts.drawing import Drawing, Row, low
from comparator.ui.frame.charts.plotting import STAYS, figure, layout
from comparator.ui.frame.charts.theme import PALETTES, SERIES, ColourTheme

DAY = 24 * 60 * 60 * 1000
"""Milliseconds, in which Plotly counts on an axis of dates."""
FEW_DAYS = 14
"""Up to so many days each has its date on the axis."""


@dataclass(frozen=True)
class Days(Drawing):
    """A bar for each of these columns on each day; days without a row stay empty in their place."""

    label: str
    columns: Sequence[str]

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(rows) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(
            f"{row[self.label]}: {', '.join(f'{row[name]:,} {low(name)}' for name in self.columns)}."
            for row in rows
        )

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, days = PALETTES[theme], [str(row[self.label]) for row in rows]
        bars = [
            {
                "type": "bar",
                "name": name,
                "x": days,
                "y": [row[name] for row in rows],
                "width": 0.4 * DAY,
                "marker": {"color": colour},
                "hovertemplate": "%{x|%-d %B %Y}: %{y:,} %{fullData.name}<extra></extra>",
                **STAYS,
            }
            for name, colour in zip(self.columns, SERIES[theme], strict=False)
        ]
        found = layout(palette, height=260, legend=True) | {"barmode": "group"}
        found["xaxis"] |= {"type": "date"}
        if (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days <= FEW_DAYS:
            found["xaxis"] |= {"dtick": DAY, "tickformat": "%-d %b"}
        found["yaxis"] |= {
            "rangemode": "tozero",
            "tickformat": ",d",
            "showgrid": True,
            "gridcolor": palette.line,
        }
        return figure(bars, found)
