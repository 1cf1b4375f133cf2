"""What the history of all projects begins with: work by day, and each project's win rates as a small chart."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, activity, picture
from comparator.store.people.projects import Project
from comparator.ui.frame import session
from comparator.ui.frame.charts import Chart, Days, Multiples, show

MOST = 24
"""Projects of which a small chart is drawn."""


def every_project(projects: Sequence[Project]) -> None:
    """Show what these projects did by day and, of all that are revealed, the demo too, who won more at each step."""
    database = session.services().database
    days = activity(database, [each.id for each in projects])
    rates = _rates(session.projects(Act.SEE_RESULTS))
    charts = [
        Chart(name, f"{name} per day", rows, Days("Day", [name]))
        for at, name in ((2, "Reviews"), (1, "Comparisons"))
        if (rows := [{"Day": day[0], name: day[at]} for day in days if day[at]])
    ]
    if rates:
        charts.insert(
            0,
            Chart(
                "project_rates",
                "Win rates of revealed projects",
                [
                    {
                        "Step": str(at + 1),
                        **{name: each[at] if at < len(each) else None for name, each in rates.items()},
                    }
                    for at in range(max(map(len, rates.values())))
                ],
                Multiples("Step", list(rates)),
                note="Share of pairs won against each project's usual reference, step by step.",
            ),
        )
    if charts:
        show(charts)
    else:
        st.caption(
            "Daily numbers of comparisons and reviews will appear here. The demo and the examples are not counted."
        )


def _rates(projects: Sequence[Project]) -> dict[str, list[float | None]]:
    """Of the first revealed projects, the first candidate's win rate by step."""
    rates: dict[str, list[float | None]] = {}
    for project in projects:
        if len(rates) == MOST:
            break
        asked = HistoryFilter(project_id=project.id)
        found = picture(session.services().database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS)
        if found.lines:
            dots = found.lines[0].dots
            rates[project.name] = [None if dot is None else round(dot.value, 4) for dot in dots]
    return rates
