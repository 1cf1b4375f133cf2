"""The chart of a trend: a share over all iterations, with its interval as a band."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, heads, names, rules
from comparator.ui.frame.charts.parts import Point, across, below, figure, frame, plain
from comparator.ui.frame.charts.theme import Palette


class Note(NamedTuple):
    """Words at a line across a chart, at a place of the x axis."""

    at: int
    text: str


class Level(NamedTuple):
    """A value that a line across all steps marks, and its words at the right, in lines of at most 80 pixels."""

    value: float
    words: str


MOST_TICKS = 16
"""More names on an axis would run into each other."""
HEIGHT = 190
"""Pixels, the lines of the title included."""
FONT_SIZE = 13
"""Of the words in the chart, in pixels."""


def trend_chart(
    rows: Sequence[Point],
    notes: Sequence[Note] = (),
    *,
    level: Level | None = None,
    colour: str,
    palette: Palette,
    title: str = "",
    breaks: Sequence[BreakMark] = (),
) -> go.Figure:
    """A share for each step from left to right with its interval as a band; however many, names are thinned out.

    No line but that of the `level` and no band goes through `breaks`.
    """
    stretches = _stretches(len(rows), breaks)
    head = title.split("\n") if title else []
    above = 40 if breaks else 22
    layout = _layout(rows, palette, top=above + 18 * len(head))
    shapes = [across("y", 0.5, palette.muted), *rules(breaks, palette)]
    words = names(breaks, len(rows), palette)
    if head:
        words.append(_title_words(head, palette, above=above))
    if level is not None:
        shapes.append(across("y", level.value, colour, dash="dot"))
        words.append(_level_words(level, palette))
    for note in notes:
        shapes.append(across("x", note.at - 0.5, palette.ink, dash="dash"))
        # Above the names of breaks.
        words.append(_note_words(note, len(rows), palette, shift=22 if breaks else 0))
    layout["shapes"], layout["annotations"] = shapes, words
    # The dots come first, so that the first trace is the one with the marks.
    over = [heads(breaks, palette, top=1.02)] if breaks else []
    band = [_band(rows, stretches, colour)] if any(row.interval for row in rows) else []
    dots, line = _dots(rows, colour, palette), _line(rows, stretches, colour)
    return figure(data=[dots, *over, line, *band], layout=layout)


def _layout(rows: Sequence[Point], palette: Palette, *, top: int) -> dict[str, Any]:
    """Both axes, in a frame with this margin at the top."""
    every = max(-(-len(rows) // MOST_TICKS), 1)
    # The newest is always named.
    ticks = [at for at in range(len(rows)) if (len(rows) - 1 - at) % every == 0]
    layout = frame(4, palette=palette, right=84, labels=["100%"])
    layout["height"] = HEIGHT
    names = [plain(safe.cut(rows[at].name, 14)) for at in ticks]
    known = below(names)
    layout["margin"] |= {"t": top, "b": 8} | known
    layout["xaxis"] |= {
        "range": [-0.5, len(rows) - 0.5],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": names,
        "autotickangles": [0, -45, -90],
        "automargin": not known,
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
    return layout


def _title_words(head: Sequence[str], palette: Palette, *, above: int) -> dict[str, Any]:
    return {
        "text": "<br>".join(map(plain, head)),
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "align": "left",
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": above - 2,
        "showarrow": False,
        "font": {"color": palette.muted, "size": FONT_SIZE},
    }


def _level_words(level: Level, palette: Palette) -> dict[str, Any]:
    return {
        "text": "<br>".join(map(plain, level.words.split("\n"))),
        "x": 1.005,
        "xref": "paper",
        "xanchor": "left",
        "y": level.value,
        "showarrow": False,
        "align": "left",
        "font": {"color": palette.ink, "size": FONT_SIZE},
    }


def _note_words(note: Note, steps: int, palette: Palette, *, shift: int) -> dict[str, Any]:
    return {
        "text": plain(note.text),
        "x": note.at - 0.5,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "xanchor": "left" if note.at < steps / 2 else "right",
        "showarrow": False,
        "yshift": shift,
        "font": {"color": palette.ink, "size": FONT_SIZE},
    }


def _dots(rows: Sequence[Point], colour: str, palette: Palette) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(range(len(rows))),
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
