"""Bars: counts one after the other, and values to both sides of zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import plotly.graph_objects as go

from comparator.ui.frame.charts.parts import (
    HATCHED,
    PLAIN,
    Segment,
    across,
    figure,
    frame,
    in_rows,
    on_two_lines,
    pattern,
    plain,
    sides,
)
from comparator.ui.frame.charts.theme import Palette

MOST_FROM_LEFT = 4
"""The names of more segments end where the bars end: begun with them, the last would lie under the chart's button."""


NARROW = 0.014
"""A digit of a count needs this share of the chart's width, on the narrowest screen that charts are made for."""


GAP = 0.35
"""The share of a row that is left free between two bars."""


def stacked(rows: Sequence[str], segments: Sequence[Segment], *, palette: Palette) -> go.Figure:
    """A bar for each row, its counts one after the other with their numbers in them; the first row is on top."""
    bars, layout = _stacked(rows, segments, palette)
    return figure(data=bars, layout=layout)


def _stacked(
    rows: Sequence[str], segments: Sequence[Segment], palette: Palette
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    # By place, since two rows may have the same name.
    places, names = list(range(len(rows))), [on_two_lines(row) for row in rows]
    most = max((sum(counts) for counts in zip(*(each.counts for each in segments), strict=True)), default=0)
    bars: list[dict[str, Any]] = [
        {
            "type": "bar",
            "y": places,
            "customdata": names,
            "x": segment.counts,
            "name": plain(segment.name),
            "orientation": "h",
            "text": [f"{count:,}" if count and not _narrow(count, most) else "" for count in segment.counts],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "textfont": {"color": segment.on, "size": 13},
            "marker": {
                "color": segment.colour,
                "line": {"color": palette.page, "width": 1},
                "pattern": pattern(segment.pattern, palette),
            },
            "hovertemplate": "%{customdata}: %{x} %{fullData.name}<extra></extra>",
        }
        for segment in segments
    ]
    layout = frame(len(rows), palette=palette, legend=True, labels=names)
    layout |= {"barmode": "stack", "bargap": GAP}
    layout["yaxis"] |= in_rows(names)
    if len(segments) > MOST_FROM_LEFT:
        layout["legend"] |= {"x": 0.95, "xanchor": "right"}
    layout["xaxis"] |= {
        "range": [0, max(most, 1) * 1.05],
        "showgrid": False,
        "showticklabels": False,
        "zeroline": False,
    }
    layout["annotations"] = [
        {
            "text": text,
            "x": x,
            # On the bar's upper edge, however high the row is.
            "y": at - (1 - GAP) / 2,
            "yanchor": "bottom",
            "showarrow": False,
            "font": {"color": palette.ink, "size": 11},
        }
        for at in places
        for x, text in _above([each.counts[at] for each in segments], most)
    ]
    return bars, layout


def _narrow(count: int, most: int) -> bool:
    return count < most * NARROW * (len(f"{count:,}") + 1)


def _above(counts: Sequence[int], most: int) -> Iterator[tuple[float, str]]:
    """Counts whose segments are too narrow for them, with their places; those side by side are told together."""
    start, left = 0, 0
    small: list[int] = []
    for count in (*counts, most + 1):
        if count and not _narrow(count, most):
            if small:
                yield (start + left) / 2, ", ".join(f"{each:,}" for each in small)
            small, start = [], left + count
        elif count:
            small.append(count)
        left += count


def diverging(
    rows: Sequence[tuple[str, float]], *, colours: tuple[str, str], low: str, high: str, palette: Palette
) -> go.Figure:
    """A bar for each row from zero to its value, the first colour to the right and the second to the left."""
    values = [value for _, value in rows]
    names = [on_two_lines(name) for name, _ in rows]
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    bars = {
        "type": "bar",
        "y": places,
        "customdata": names,
        "x": values,
        "orientation": "h",
        "text": [f"{value:+z.1f}" for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"color": palette.ink, "size": 13},
        "marker": {
            "color": [colours[0] if value > 0 else colours[1] for value in values],
            "pattern": pattern([PLAIN if value > 0 else HATCHED for value in values], palette),
        },
        "hovertemplate": "%{customdata}: %{x:+.1f}<extra></extra>",
    }
    # The button that saves the picture stands at the right edge.
    layout = frame(len(rows), palette=palette, right=48, labels=names)
    layout["yaxis"] |= in_rows(names)
    reach = max([*(abs(value) for value in values), 0.5]) * 1.25
    layout["xaxis"] |= {"range": [-reach, reach], "gridcolor": palette.line, "zeroline": False}
    layout["shapes"] = [across("x", 0, palette.muted)]
    layout["annotations"] = sides(low=low, high=high, palette=palette)
    return figure(data=[bars], layout=layout)


def record(*segments: Segment, palette: Palette) -> go.Figure:
    """One large bar of three parts, each with its count and name on it or, where it is narrow, in the legend."""
    bars, layout = _stacked(["pairs"], segments, palette)
    total = sum(sum(each.counts) for each in segments) or 1
    for bar, segment in zip(bars, segments, strict=True):
        share = segment.counts[0] / total
        if share > 0.2:
            bar["text"] = [f"{segment.counts[0]:,} {plain(segment.name)}"]
        else:
            # A narrow part has no room for its count.
            bar |= {"text": [""], "name": f"{segment.counts[0]:,} {plain(segment.name)}"}
        bar["textfont"] = {"color": segment.on, "size": 15}
        bar["width"] = [0.9]
    layout["yaxis"]["visible"] = False
    return figure(
        data=bars,
        layout={
            **layout,
            "annotations": [],
            "height": 96,
            # So that a legend of two rows takes its room from the bar rather than covering it.
            "minreducedheight": 40,
            # As much as a legend of one row takes: Plotly would draw the chart twice to make more room.
            "margin": {"l": 0, "r": 0, "t": 30, "b": 0},
            "bargap": 0,
        },
    )
