"""The chart of a trend: a share over all iterations, with its interval as a band."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, heads, names, rules
from comparator.ui.frame.charts.parts import Point, across, figure, frame, plain
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
    title: str = "",
    breaks: Sequence[BreakMark] = (),
    height: int = 190,
) -> go.Figure:
    """A share for each step from left to right with its interval as a band; however many, names are thinned out.

    `level` is a line across all of them, with its words at the right, in lines of at most 80 pixels. No other line and
    no band goes through `breaks`. The lines of the `title` take their room from the height.
    """
    places = list(range(len(rows)))
    stretches = _stretches(len(rows), breaks)
    banded = any(row.interval for row in rows)
    dots = {
        "type": "scatter",
        "x": places,
        "y": [row.value for row in rows],
        "customdata": [plain(row.words) for row in rows],
        "mode": "markers",
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
    layout = frame(4, palette=palette, right=84, labels=["100%"])
    layout["height"] = height
    head = title.split("\n") if title else []
    above = 40 if breaks else 22
    layout["margin"] |= {"t": above + 18 * len(head), "b": 8}
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
        "range": [-0.02, 1.02],
        "tickvals": [0, 0.5, 1],
        "tickformat": ".0%",
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
    }
    shapes = [across("y", 0.5, palette.muted), *rules(breaks, palette)]
    words = names(breaks, len(rows), palette)
    if head:
        words.append(
            {
                "text": "<br>".join(map(plain, head)),
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "align": "left",
            }
            | {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": above - 2, "showarrow": False}
            | {"font": {"color": palette.muted, "size": 13}}
        )
    if level is not None:
        shapes.append(across("y", level, colour, dash="dot"))
        words.append(
            {
                "text": "<br>".join(map(plain, level_words.split("\n"))),
                "x": 1.005,
                "xref": "paper",
                "xanchor": "left",
                "y": level,
            }
            | {"showarrow": False, "align": "left", "font": {"color": palette.ink, "size": 13}}
        )
    for note in notes:
        shapes.append(across("x", note.at - 0.5, palette.ink, dash="dash"))
        right = note.at < len(rows) / 2
        words.append(
            {"text": plain(note.text), "x": note.at - 0.5, "y": 1, "yref": "paper", "yanchor": "bottom"}
            | {"xanchor": "left" if right else "right", "showarrow": False}
            # Above the names of breaks.
            | {"yshift": 22 if breaks else 0}
            | {"font": {"color": palette.ink, "size": 13}}
        )
    layout["shapes"], layout["annotations"] = shapes, words
    # The dots come first, so that the first trace is the one with the marks.
    over = [heads(breaks, palette, top=1.02)] if breaks else []
    band = [_band(rows, stretches, colour)] if banded else []
    return figure(data=[dots, *over, _line(rows, stretches, colour), *band], layout=layout)


def _stretches(steps: int, breaks: Sequence[BreakMark]) -> list[list[int]]:
    """The places in stretches that no break parts."""
    return [
        list(part) for _, part in groupby(range(steps), key=lambda at: sum(mark.at <= at for mark in breaks))
    ]


def _line(rows: Sequence[Point], stretches: Sequence[Sequence[int]], colour: str) -> dict[str, Any]:
    # A value that is missing parts one stretch from the next.
    return {
        "type": "scatter",
        "x": [at for part in stretches for at in (*part, None)],
        "y": [value for part in stretches for value in (*(rows[at].value for at in part), None)],
        "mode": "lines",
        "line": {"color": colour, "width": 2},
        "connectgaps": False,
        "hoverinfo": "skip",
    }


def _band(rows: Sequence[Point], stretches: Sequence[Sequence[int]], colour: str) -> dict[str, Any]:
    ends = [row.interval or Interval(low=row.value, high=row.value) for row in rows]
    return {
        "type": "scatter",
        "x": [at for part in stretches for at in (*part, *reversed(part), None)],
        "y": [
            value
            for part in stretches
            for value in (*(ends[at].high for at in part), *(ends[at].low for at in reversed(part)), None)
        ],
        "fill": "toself",
        "mode": "lines",
        "fillcolor": colour,
        "opacity": 0.16,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
