"""The time line of one task: how its outputs scored iteration by iteration, broken where scores stop to compare."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from comparator.domain.errors import NotFound
from comparator.domain.rights import Act
from comparator.reporting.history.timeline import Timeline, project_of, timeline
from comparator.reporting.results.candidates import natural
from comparator.reporting.scope import Runs
from comparator.ui.frame import charts, safe, session, words
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.box import Box, show
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme, theme
from comparator.ui.frame.lists.filters import RUNS

EVERY_RUN = "Also pairs with an unusable, cut-off or superseded output, and warm-up pairs"
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "triangle-down")
"""More than there are colours, so that colour and symbol together tell 35 candidates apart."""
WRITTEN = 24
"""So many dots have room for their values; with more, the table holds them."""

TOP = 10.8
"""The upper end of the axis of scores."""


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
    what = {found.iterations[each.at]: break_marks.what(each) for each in found.breaks}
    timeline_box = Box(
        name="timeline",
        title="Overall score of this task's outputs by iteration",
        counts=(
            f"Mean overall score, 2.0 to 10.0, of n = {verdicts} outputs; each dot has its mean and "
            f"its number of outputs. {RUNS[runs.value]}. "
            f"{break_marks.sentence(found.breaks, found.iterations)}".rstrip()
            + left
        ),
        figure=figure_of(found, theme=theme()) if len(found.iterations) > 1 else None,
        rows=[
            {
                "Iteration": each.iteration,
                "Candidate": safe.visible(each.candidate),
                "Task version": each.version,
                "Mean overall": float(each.overall),
                "Outputs": each.n,
                "Reviewed": each.reviewed,
                "Not comparable with the iteration before": what.get(each.iteration, ""),
            }
            for each in found.moments
        ],
    )
    show([timeline_box])


def _may_see(task_id: str) -> bool:
    try:
        project_id = project_of(session.services().database, task_id)
    except NotFound:
        return False
    return session.may(Act.SEE_RESULTS, project_id=project_id)


def figure_of(found: Timeline, *, theme: ColourTheme) -> go.Figure:
    """The lines of all candidates, with the breaks between them."""
    figure = go.Figure()
    order = list(found.iterations)
    own, colours = charts.SERIES[theme], PALETTES[theme]
    marks = [break_marks.mark_of(each, step=order[each.at], at=each.at) for each in found.breaks]
    names = sorted({each.candidate for each in found.moments}, key=natural)
    written = "lines+markers+text" if len(order) * len(names) <= WRITTEN else "lines+markers"
    for place, name in enumerate(names):
        colour = own[place % len(own)]
        # Candidates stand beside each other, so that no dot or value covers another.
        shifted = 0.7 * ((place + 0.5) / len(names) - 0.5)
        versions = sorted({each.version for each in found.moments if each.candidate == name})
        for version in versions:
            # A line does not lead across a change of the task, nor through another break.
            spots = {
                order.index(each.iteration): each
                for each in found.moments
                if each.candidate == name and each.version == version
            }
            places = break_marks.parted([*spots], [mark.at for mark in marks])
            moments = [None if at is None else spots[at] for at in places]
            figure.add_scatter(
                x=[None if at is None else at + shifted for at in places],
                y=[each and float(each.overall) for each in moments],
                mode=written,
                text=[each and f"{each.overall:.1f} ({each.n})" for each in moments],
                textposition="top center",
                cliponaxis=False,
                name=charts.plain(safe.cut(name, 30)),
                legendgroup=str(place),
                showlegend=version == versions[0],
                line={"color": colour, "width": 2},
                marker={"size": 9, "symbol": SYMBOLS[place % len(SYMBOLS)], "color": colour},
                customdata=[each and [charts.plain(each.iteration), each.n] for each in moments],
                hovertemplate="%{customdata[0]}: %{y:.2f}, n = %{customdata[1]}<extra>%{fullData.name}</extra>",
            )
    if marks:
        figure.add_scatter(**break_marks.heads(marks, colours, top=TOP) | {"showlegend": False})
    figure.update_layout(
        datarevision=1,
        height=320,
        # The names of breaks stand between the legend and the chart.
        margin={"l": 8, "r": 16, "t": 56 if marks else 34, "b": 8},
        shapes=break_marks.rules(marks, colours),
        annotations=break_marks.names(marks, len(order), colours),
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
        range=[1.6, TOP],
        tickvals=[2, 4, 6, 8, 10],
        gridcolor=colours.line,
        zeroline=False,
        fixedrange=True,
        automargin=True,
    )
    return figure
