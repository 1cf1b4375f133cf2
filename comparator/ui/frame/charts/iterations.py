"""Charts of many iterations: a share over all of them, one bar of wins and losses, and tasks by iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.bars import stacked
from comparator.ui.frame.charts.parts import Point, Segment, across, frame, plain
from comparator.ui.frame.charts.theme import Palette


class Note(NamedTuple):
    """Words at a line across a chart, at a place of the x axis."""

    at: int
    text: str


MOST_TICKS = 16
"""More names on an axis would run into each other."""


def course(
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


def record(*segments: Segment, palette: Palette) -> go.Figure:
    """One large bar of three parts, each with its count and name on it or, where it is narrow, in the legend."""
    figure = stacked(["pairs"], segments, palette=palette)
    figure.layout.annotations = ()
    total = sum(sum(each.counts) for each in segments) or 1
    for bar, segment in zip(figure.data, segments, strict=True):
        share = segment.counts[0] / total
        if share > 0.2:
            bar.text = [f"{segment.counts[0]:,} {plain(segment.name)}"]
        else:
            # A narrow part has no room for its count.
            bar.text, bar.name = [""], f"{segment.counts[0]:,} {plain(segment.name)}"
        bar.textfont.size = 15
        bar.width = [0.9]
    figure.update_layout(
        height=96,
        # So that a legend of two rows takes its room from the bar rather than covering it.
        minreducedheight=40,
        margin={"l": 0, "r": 0, "t": 26, "b": 0},
        bargap=0,
        yaxis={"visible": False},
    )
    return figure


MOST_LARGE = 40
"""Columns of a grid whose squares are large; those of more would overlap."""
STRONG = 0.4
"""From here on a sign is written in the colour of the page, so that it stands out from its square."""


class Square(NamedTuple):
    """One cell of a grid: its place, a value from -1 to 1 for its colour, a sign, and the words of its tooltip."""

    row: int
    column: int
    value: float
    sign: str
    words: str

    @property
    def strong(self) -> bool:
        """Whether it has a strong colour."""
        return abs(self.value) > STRONG


def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    weak: Sequence[Square],
    strong: Sequence[Square],
    *,
    colours: tuple[str, str],
    palette: Palette,
) -> go.Figure:
    """A square for each cell that there is, the first colour at 1 and the second at -1; the sign tells it as well.

    Squares are marks of a scatter chart, since a heat map of Plotly's tells Streamlit of no click; those of weak and
    of strong colours are a trace each, in this order.
    """
    size = 18 if len(columns) <= MOST_LARGE else 12
    # One colour a trace, and arrays: Plotly looks at each value of a list, which takes longer than all the rest.
    marks = [
        {
            "type": "scatter",
            "x": np.array([each.column for each in squares]),
            "y": np.array([each.row for each in squares]),
            "customdata": np.array([plain(each.words) for each in squares]),
            "text": np.array([each.sign for each in squares]),
            "mode": "markers+text",
            "textposition": "middle center",
            "textfont": {"size": 11, "color": ink},
            "marker": {
                "symbol": "square",
                "size": size,
                "color": np.array([each.value for each in squares]),
                "cmin": -1,
                "cmax": 1,
                "colorscale": [[0, colours[1]], [0.5, palette.line], [1, colours[0]]],
                "line": {"width": 0},
            },
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for squares, ink in ((weak, palette.ink), (strong, palette.page))
    ]
    layout = frame(1, palette=palette)
    layout |= {"height": 60 + (size + 4) * len(rows), "margin": {"l": 8, "r": 48, "t": 8, "b": 8}}
    layout["xaxis"] |= {
        "side": "top",
        "range": [-0.6, len(columns) - 0.4],
        "tickmode": "array",
        "tickvals": list(range(len(columns))),
        "ticktext": [plain(safe.cut(each, 10)) for each in columns],
        "tickangle": 0 if max(map(len, columns), default=0) < 4 else -60,
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "range": [len(rows) - 0.4, -0.6],
        "autorange": False,
        "tickmode": "array",
        "tickvals": list(range(len(rows))),
        "ticktext": [plain(safe.cut(each, 28)) for each in rows],
        "zeroline": False,
    }
    return go.Figure(data=marks, layout=layout)
