"""Dots with their intervals: one a row, or one a step from left to right."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, heads, names, parted, rules
from comparator.ui.frame.charts.parts import (
    EDGE,
    ROW,
    WIDE,
    Point,
    across,
    figure,
    frame,
    in_rows,
    on_two_lines,
    plain,
    sides,
)
from comparator.ui.frame.charts.theme import Palette

SQUARE = 10
"""Pixels across the mark of a row of counts only: less than a dot, and enough to cover the caps of its interval."""
STRIP = 0.06
"""How much of the chart's width such marks add at the left."""
BELOW = -0.04
"""Where words begin that keep clear of a dot at a share of nothing."""


def points(
    rows: Sequence[Point],
    *,
    colour: str,
    even: float,
    low: str,
    high: str,
    palette: Palette,
    between: tuple[float, float] | None = None,
    row_height: int = ROW,
) -> go.Figure:
    """A dot with its interval for each row and its figures beside it; `low` and `high` say what the sides mean.

    The axis is even on both sides of `even`, or goes `between` two values. A row of counts only has a small square at
    the left edge.
    """
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    ends = [row.interval or Interval(low=row.value, high=row.value) for row in rows]
    drawn = [both for both, row in zip(ends, rows, strict=True) if not row.counts_only]
    reach = max([*(abs(end - even) for both in drawn for end in (both.low, both.high)), 0.5]) * 1.15
    low_end, high_end = between or (even - reach, even + reach)
    # Squares have a strip of their own, in which no value lies.
    strip = (high_end - low_end) * STRIP if len(drawn) < len(rows) else 0
    dots = {
        "type": "scatter",
        "y": places,
        "x": [low_end - strip / 2 if row.counts_only else row.value for row in rows],
        "mode": "markers",
        "marker": {
            "size": [SQUARE if row.counts_only else 13 for row in rows],
            "symbol": ["square" if row.counts_only else "circle" for row in rows],
            "color": [colour if row.interval else palette.page for row in rows],
            "line": {"color": [palette.muted if row.counts_only else colour for row in rows], "width": 2},
            # Plotly would draw marks of several sizes half transparent.
            "opacity": 1,
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [end.high - row.value for end, row in zip(ends, rows, strict=True)],
            "arrayminus": [row.value - end.low for end, row in zip(ends, rows, strict=True)],
            "color": colour,
            "thickness": 3,
            "width": 6,
        },
        "customdata": [plain(row.hover or f"{row.name}: {row.words}") for row in rows],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    at_right = [
        {
            "y": place,
            "x": 1.02,
            "xref": "paper",
            "xanchor": "left",
            "text": plain(row.words),
            "showarrow": False,
            "font": {"color": palette.ink, "size": 13},
        }
        for place, row in zip(places, rows, strict=True)
    ]
    longest = max((len(row.words) for row in rows), default=0)
    names = [on_two_lines(row.name) for row in rows]
    layout = frame(len(rows), palette=palette, right=min(230, 40 + 7 * longest), labels=names)
    layout |= {"height": EDGE + row_height * max(len(rows), 1), "meta": WIDE}
    layout["xaxis"] |= {
        "range": [low_end - strip, high_end],
        "gridcolor": palette.line,
        "zeroline": False,
    }
    layout["yaxis"] |= in_rows(names)
    layout["shapes"] = [across("x", even, palette.muted, dash="dash")]
    layout["annotations"] = [*at_right, *sides(low=low, high=high, palette=palette)]
    return figure(data=[dots], layout=layout)


def steps(
    rows: Sequence[Point], *, colour: str, even: float, palette: Palette, breaks: Sequence[BreakMark] = ()
) -> go.Figure:
    """A dot with its interval for each step from left to right, and its words in a row below all of them.

    No line goes through `breaks`. The dots are the first trace.
    """
    places = list(range(len(rows)))
    texts = ["<br>".join(plain(line) for line in row.words.split("\n")) for row in rows]
    words = {
        "type": "scatter",
        "x": places,
        "y": [BELOW] * len(rows),
        "mode": "text",
        "text": texts,
        "textposition": "bottom center",
        "textfont": {"size": 12},
        "hoverinfo": "skip",
    }
    joined = parted(places, [mark.at for mark in breaks])
    line = {
        "type": "scatter",
        "x": joined,
        "y": [None if at is None else rows[at].value for at in joined],
        "mode": "lines",
        "line": {"color": palette.line, "width": 2},
        "zorder": -1,
        "connectgaps": False,
        "hoverinfo": "skip",
    }
    dots = {
        "type": "scatter",
        # By place, since two names may be cut to the same one.
        "x": places,
        "customdata": [plain(row.name) for row in rows],
        "y": [row.value for row in rows],
        "mode": "markers",
        "text": texts,
        "marker": {
            "size": 12,
            "color": [colour if row.interval else palette.page for row in rows],
            "line": {"color": colour, "width": 2},
        },
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [row.interval.high - row.value if row.interval else 0 for row in rows],
            "arrayminus": [row.value - row.interval.low if row.interval else 0 for row in rows],
            "color": colour,
            "thickness": 2,
        },
        "cliponaxis": False,
        "hovertemplate": "%{customdata}: %{text}<extra></extra>",
    }
    layout = frame(6, palette=palette, labels=["100%"])
    layout["xaxis"] |= {
        "range": [-0.5, len(rows) - 0.5],
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [plain(safe.cut(row.name, 24)) for row in rows],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "range": [-0.22, 1.1],
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
        "tickformat": ".0%",
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
    }
    layout["shapes"] = [across("y", even, palette.muted, dash="dash"), *rules(breaks, palette)]
    layout["annotations"] = names(breaks, len(rows), palette)
    over = [heads(breaks, palette, top=1.06)] if breaks else []
    return figure(data=[dots, *over, words, line], layout=layout)
