"""What the history of all projects begins with: work by day, and each project's win rates as a small chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.history.review_days import activity
from comparator.store.people.projects import Project
from comparator.ui.frame import session
from comparator.ui.frame.charts import Chart, Lines, Row
from comparator.ui.frame.charts.chart import show
from comparator.ui.frame.charts.drawing import Drawing
from comparator.ui.frame.charts.plotting import figure, layout, plain
from comparator.ui.frame.charts.theme import PALETTES, SERIES, ColourTheme

MOST = 9
ABREAST = 3
HEIGHT = 150


@dataclass(frozen=True)
class ProjectRates(Drawing):
    """A small chart for each project, with a line for each candidate over the project's own steps."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        """Whether there is any project."""
        return bool(rows)

    def words(self, rows: Sequence[Row]) -> str:
        """Nothing: without rows there is nothing to say."""
        del rows
        return ""

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        """The small charts, three to a row."""
        palette, projects = PALETTES[theme], list(dict.fromkeys(str(row["Project"]) for row in rows))
        down = -(-len(projects) // ABREAST)
        found: dict[str, Any] = layout(palette, height=40 + HEIGHT * down)
        data: list[dict[str, Any]] = []
        for at, project in enumerate(projects):
            own = [row for row in rows if row["Project"] == project]
            left, top = at % ABREAST / ABREAST, 1 - at // ABREAST / down
            number = str(at + 1) if at else ""
            found[f"xaxis{number}"] = found["xaxis"] | {
                "domain": [left, left + 0.9 / ABREAST],
                "anchor": f"y{number}",
                "showticklabels": False,
                "type": "category",
            }
            found[f"yaxis{number}"] = found["yaxis"] | {
                "domain": [max(0, top - 0.75 / down), top],
                "anchor": f"x{number}",
                "range": [0, 1],
                "tickformat": ".0%",
                "tickvals": [0, 0.5, 1],
                "showgrid": True,
                "gridcolor": palette.line,
            }
            for order, name in enumerate(dict.fromkeys(str(row["Candidate"]) for row in own)):
                line = [row for row in own if row["Candidate"] == name]
                data.append(
                    {
                        "type": "scatter",
                        "mode": "lines+markers",
                        "x": [str(row["Step"]) for row in line],
                        "y": [row["Win rate"] for row in line],
                        "xaxis": f"x{number}",
                        "yaxis": f"y{number}",
                        "line": {"color": SERIES[theme][order % len(SERIES[theme])], "width": 2},
                        "hovertemplate": "%{x}: %{y:.0%}<extra>" + plain(name) + "</extra>",
                    }
                )
            found.setdefault("annotations", []).append(
                {
                    "text": plain(project),
                    "x": left,
                    "y": top,
                    "xref": "paper",
                    "yref": "paper",
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "showarrow": False,
                }
            )
        return figure(data, found)


def every_project(projects: Sequence[Project]) -> None:
    """Show what these projects did by day and, of those that are revealed, who won more from step to step."""
    database = session.services().database
    days = activity(database, [each.id for each in projects])
    rates = list(_rates(projects))
    charts = [
        Chart(
            "activity",
            "Comparisons and reviews per day",
            [
                {"Day": day, "What": what, "Number": number}
                for day, pairs, reviews in days
                for what, number in (("Comparisons", pairs), ("Reviews", reviews))
            ],
            Lines("Day", "Number", [day for day, _, _ in days], by="What", form=",d"),
        )
    ]
    if rates:
        charts.append(
            Chart(
                "project_rates",
                "Win rates of revealed projects",
                rates,
                ProjectRates(),
                note="Share of pairs won against each project's usual reference, step by step.",
            )
        )
    if days:
        show(charts)
    else:
        st.caption(
            "Daily numbers of comparisons and reviews will appear here. The demo and the examples are not counted."
        )


def _rates(projects: Sequence[Project]) -> Iterator[Row]:
    drawn = 0
    for project in projects:
        if drawn == MOST:
            return
        found = picture(
            session.services().database,
            HistoryFilter(project_id=project.id),
            Metric.WIN_RATE,
            axis=Axis.ITERATIONS,
        )
        if len(found.steps) < 2:
            continue
        drawn += 1
        for line in found.lines:
            for step, dot in zip(found.steps, line.dots, strict=True):
                if dot is not None:
                    yield {
                        "Project": project.name,
                        "Candidate": line.name,
                        "Step": step,
                        "Win rate": round(dot.value, 4),
                        "Pairs": dot.n,
                    }
