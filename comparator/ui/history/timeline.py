"""The time line of one task: how its outputs scored from iteration to iteration, broken where the task changed."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from comparator.domain.errors import NotFound
from comparator.domain.rights import Act
from comparator.reporting.history.timeline import Timeline, project_of, timeline
from comparator.reporting.results.candidates import natural
from comparator.reporting.tally.scope import Runs
from comparator.ui.frame import charts, safe, session, words
from comparator.ui.frame.charts.panel_box import Panel, show
from comparator.ui.frame.charts.theme import Palette, palette, theme
from comparator.ui.frame.lists.filters import RUNS

EVERY_RUN = "Also pairs with an unusable, cut off or superseded output, and warm-up pairs"
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "triangle-down")
"""More than there are colours, so that colour and symbol together tell 35 candidates apart."""
WRITTEN = 24
"""So many dots have room for their values; with more, the table holds them."""


def task_timeline(task_id: str) -> None:
    """Show how the task's outputs scored by iteration; a sentence where nothing is revealed yet.

    Its id stands in the address: of a task of another project, nothing is told to who may not see that one's results.
    """
    if not _may_see(task_id):
        return
    every = st.toggle("Timeline: all runs", key="timeline_runs", help=EVERY_RUN, bind="query-params")
    runs = Runs.ALL if every else Runs.VALID
    found = timeline(session.services().database, task_id, runs=runs)
    left = f" {words.counted(found.blind, 'comparison')} left out until the reveal." if found.blind else ""
    if not found.moments:
        st.caption(
            safe.text(
                "The timeline of this task appears once reviewers or a model have judged its comparisons "
                f"and they are revealed. The offline check does not count.{left}"
            )
        )
        return
    verdicts = sum(each.n for each in found.moments)
    timeline_panel = Panel(
        name="timeline",
        title="Overall score of this task's outputs by iteration",
        counts=(
            f"Mean overall score, 2.0 to 10.0, of n = {verdicts} outputs; each dot has its mean and "
            f"its number of outputs. {RUNS[runs.value]}. A dashed line: the task's prompt or "
            f"expectations changed, so scores before and after are not comparable.{left}"
        ),
        figure=_figure(found, palette()) if len(found.iterations) > 1 else None,
        rows=[
            {
                "Iteration": each.iteration,
                "Candidate": safe.visible(each.candidate),
                "Task version": each.version,
                "Mean overall": float(each.overall),
                "Outputs": each.n,
                "Reviewed": each.reviewed,
            }
            for each in found.moments
        ],
    )
    show([timeline_panel])


def _may_see(task_id: str) -> bool:
    try:
        project_id = project_of(session.services().database, task_id)
    except NotFound:
        return False
    return session.may(Act.SEE_RESULTS, project_id=project_id)


def _figure(found: Timeline, colours: Palette) -> go.Figure:
    figure = go.Figure()
    order = list(found.iterations)
    own = charts.SERIES[theme()]
    names = sorted({each.candidate for each in found.moments}, key=natural)
    written = "lines+markers+text" if len(order) * len(names) <= WRITTEN else "lines+markers"
    for place, name in enumerate(names):
        colour = own[place % len(own)]
        # Candidates stand beside each other, so that no dot or value covers another.
        shifted = 0.7 * ((place + 0.5) / len(names) - 0.5)
        versions = sorted({each.version for each in found.moments if each.candidate == name})
        for version in versions:
            # A line does not lead across a change of the task.
            moments = [each for each in found.moments if each.candidate == name and each.version == version]
            figure.add_scatter(
                x=[order.index(each.iteration) + shifted for each in moments],
                y=[float(each.overall) for each in moments],
                mode=written,
                text=[f"{each.overall:.1f} ({each.n})" for each in moments],
                textposition="top center",
                cliponaxis=False,
                name=charts.plain(safe.cut(name, 30)),
                legendgroup=str(place),
                showlegend=version == versions[0],
                line={"color": colour, "width": 2},
                marker={"size": 9, "symbol": SYMBOLS[place % len(SYMBOLS)], "color": colour},
                customdata=[[charts.plain(each.iteration), each.n] for each in moments],
                hovertemplate="%{customdata[0]}: %{y:.2f}, n = %{customdata[1]}<extra>%{fullData.name}</extra>",
            )
    for later in found.breaks:
        figure.add_vline(
            x=order.index(later) - 0.5, line={"color": colours.muted, "width": 1, "dash": "dash"}
        )
    figure.update_layout(
        datarevision=1,
        height=320,
        margin={"l": 8, "r": 16, "t": 34, "b": 8},
        paper_bgcolor=colours.page,
        plot_bgcolor=colours.page,
        font={"color": colours.ink, "size": 13},
        legend={"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0},
        hoverlabel={"bgcolor": colours.raised, "font": {"color": colours.ink}},
    )
    figure.update_xaxes(
        tickmode="array",
        tickvals=list(range(len(order))),
        ticktext=[charts.plain(safe.cut(each, 20)) for each in order],
        tickfont={"color": colours.muted},
        range=[-0.5, len(order) - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    figure.update_yaxes(
        title="Mean overall score",
        range=[1.6, 10.8],
        tickvals=[2, 4, 6, 8, 10],
        gridcolor=colours.line,
        zeroline=False,
        fixedrange=True,
        automargin=True,
    )
    return figure
