"""The chart of a trend: a share over all iterations, with its interval as a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.parts import Point, across, frame, plain
from comparator.ui.frame.charts.theme import Palette


class Note(NamedTuple):
    """Words at a line across a chart, at a place of the x axis."""

    at: int
    text: str


MOST_TICKS = 16
"""More names on an axis would run into each other."""


def trend_chart(
    rows: Sequence[Point],
    notes: Sequence[Note],
    *,
    level: float | None,
    level_words: str,
    colour: str,
    palette: Palette,
    height: int = 215,
) -> go.Figure:
    """A share for each step from left to right with its interval as a band; however many, names are thinned out.

    `level` is a line across all of them, with its words at the right.
    """
    places = list(range(len(rows)))
    ends = [row.interval or Interval(low=row.value, high=row.value) for row in rows]
    banded = any(row.interval for row in rows)
    band = {
        "type": "scatter",
        "x": [*places, *reversed(places)],
        "y": [*(end.high for end in ends), *(end.low for end in reversed(ends))],
        "fill": "toself",
        "mode": "lines",
        "fillcolor": colour,
        "opacity": 0.16,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    dots = {
        "type": "scatter",
        "x": places,
        "y": [row.value for row in rows],
        "customdata": [plain(row.words) for row in rows],
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2},
        "marker": {
            "size": 8,
            "color": [colour if row.interval else palette.page for row in rows],
            "line": {"color": colour, "width": 2},
        },
        "cliponaxis": False,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    every = -(-len(rows) // MOST_TICKS)
    # The newest is always named.
    ticks = [at for at in places if (len(rows) - 1 - at) % max(every, 1) == 0]
    layout = frame(4, palette=palette, right=84)
    layout |= {"height": height, "margin": {"l": 8, "r": 84, "t": 22, "b": 8}}
    layout["xaxis"] |= {
        "range": [-0.5, len(rows) - 0.5],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [plain(safe.cut(rows[at].name, 14)) for at in ticks],
        "autotickangles": [0, -45, -90],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "autorange": False,
        "range": [-0.02, 1.02],
        "tickvals": [0, 0.5, 1],
        "tickformat": ".0%",
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
    }
    shapes = [across("y", 0.5, palette.muted)]
    words = []
    if level is not None:
        shapes.append(across("y", level, colour, dash="dot"))
        words.append(
            {"text": plain(level_words), "x": 1.005, "xref": "paper", "xanchor": "left", "y": level}
            | {"showarrow": False, "font": {"color": palette.ink, "size": 13}}
        )
    for note in notes:
        shapes.append(across("x", note.at - 0.5, palette.ink, dash="dash"))
        right = note.at < len(rows) / 2
        words.append(
            {"text": plain(note.text), "x": note.at - 0.5, "y": 1, "yref": "paper", "yanchor": "bottom"}
            | {"xanchor": "left" if right else "right", "showarrow": False}
            | {"font": {"color": palette.ink, "size": 13}}
        )
    layout["shapes"], layout["annotations"] = shapes, words
    # The band comes last, so that the first trace is the one with the marks.
    return go.Figure(data=[dots, *([band] if banded else [])], layout=layout)
