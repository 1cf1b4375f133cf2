"""Charts that can be read without hovering, in the colours of the page's theme; what they count stands beside them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from textwrap import shorten, wrap
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.theme import PALETTES, Palette, Theme

Figure = go.Figure

FONT = '"Source Sans", sans-serif'
"""The page's: Streamlit's own."""
ROW = 44
EDGE = 76
TICK_LIMIT = 40
"""Characters on a line of an axis."""

# The two candidates. Blue and orange belong to the outputs A and B, which are drawn anew for each pair. Whoever sees no
# green tells teal and purple hardly apart, so the bars of the second candidate are hatched as well.
CANDIDATES = {Theme.LIGHT: ("#0f766e", "#8a3b78"), Theme.DARK: ("#5cc8ba", "#dd8ecb")}
# More of them in one chart; each line has a mark of its own as well.
SERIES = {
    Theme.LIGHT: (*CANDIDATES[Theme.LIGHT], "#5b6472", "#7a5a00", "#31508f"),
    Theme.DARK: (*CANDIDATES[Theme.DARK], "#9aa4b2", "#d9b54a", "#8fb0f0"),
}

PLAIN, HATCHED = "", "/"
"""Patterns of bars."""


class Segment(NamedTuple):
    """A part of each bar: what it counts, its colour, the colour of figures on it, one count a bar, and its pattern."""

    name: str
    colour: str
    on: str
    counts: tuple[int, ...]
    pattern: str = PLAIN


class Point(NamedTuple):
    """A value with its interval, if there are enough observations for one, and the words beside it."""

    name: str
    value: float
    interval: Interval | None
    words: str


def paper_colours(theme: Theme) -> dict[str, str]:
    """Which colour of a chart in this theme is which on paper; empty where they are the same."""
    if theme is Theme.LIGHT:
        return {}
    screen, light = (
        [
            *SERIES[each],
            *(getattr(PALETTES[each], name) for name in ("page", "raised", "line", "ink", "muted", "tie")),
        ]
        for each in (theme, Theme.LIGHT)
    )
    return dict(zip(screen, light, strict=True))


def stacked(rows: Sequence[str], segments: Sequence[Segment], *, palette: Palette) -> go.Figure:
    """A bar for each row, its counts one after the other with their numbers in them; the first row is on top."""
    names = [plain(row) for row in rows]
    bars = [
        {
            "type": "bar",
            "y": names,
            "x": segment.counts,
            "name": plain(segment.name),
            "orientation": "h",
            "text": [f"{count:,}" if count else "" for count in segment.counts],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "textfont": {"color": segment.on, "size": 13},
            "marker": {
                "color": segment.colour,
                "line": {"color": palette.page, "width": 1},
                "pattern": _pattern(segment.pattern, palette),
            },
            "hovertemplate": "%{y}: %{x} %{fullData.name}<extra></extra>",
        }
        for segment in segments
    ]
    layout = frame(len(rows), palette=palette, legend=True)
    layout |= {"barmode": "stack", "bargap": 0.35}
    layout["xaxis"] |= {
        "rangemode": "tozero",
        "tickformat": ",d",
        "showgrid": False,
        "showticklabels": False,
        "zeroline": False,
    }
    return go.Figure(data=bars, layout=layout)


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

    The axis is even on both sides of `even`, or goes `between` two values.
    """
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    ends = [row.interval or Interval(low=row.value, high=row.value) for row in rows]
    dots = {
        "type": "scatter",
        "y": places,
        "x": [row.value for row in rows],
        "mode": "markers",
        "marker": {
            "size": 13,
            "color": [colour if row.interval else palette.page for row in rows],
            "line": {"color": colour, "width": 2},
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
        "customdata": [plain(row.words) for row in rows],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    beside = [
        {
            "y": place,
            "x": 1.02,
            "xref": "paper",
            "xanchor": "left",
            "text": plain(row.words),
            "showarrow": False,
            "font": {"family": FONT, "color": palette.ink, "size": 13},
        }
        for place, row in zip(places, rows, strict=True)
    ]
    reach = max([*(abs(end - even) for both in ends for end in (both.low, both.high)), 0.5]) * 1.15
    layout = frame(len(rows), palette=palette, right=230)
    layout["height"] = EDGE + row_height * max(len(rows), 1)
    layout["xaxis"] |= {
        "range": list(between) if between else [even - reach, even + reach],
        "gridcolor": palette.line,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [_lines(row.name) for row in rows],
        "range": [len(rows) - 0.5, -0.5],
        "autorange": False,
        "zeroline": False,
    }
    layout["shapes"] = [across("x", even, palette.muted, dash="dash")]
    layout["annotations"] = [*beside, *_sides(low=low, high=high, palette=palette)]
    return go.Figure(data=[dots], layout=layout)


def diverging(
    rows: Sequence[tuple[str, float]], *, colours: tuple[str, str], low: str, high: str, palette: Palette
) -> go.Figure:
    """A bar for each row from zero to its value, the first colour to the right and the second to the left."""
    values = [value for _, value in rows]
    names = [_lines(name) for name, _ in rows]
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    bars = {
        "type": "bar",
        "y": places,
        "customdata": names,
        "x": values,
        "orientation": "h",
        "text": [f"{value:+.1f}" for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"color": palette.ink, "size": 13},
        "marker": {
            "color": [colours[0] if value > 0 else colours[1] for value in values],
            "pattern": _pattern([PLAIN if value > 0 else HATCHED for value in values], palette),
        },
        "hovertemplate": "%{customdata}: %{x:+.1f}<extra></extra>",
    }
    # The button that saves the picture stands at the right edge.
    layout = frame(len(rows), palette=palette, right=48)
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": places,
        "ticktext": names,
        "showgrid": False,
        "zeroline": False,
    }
    reach = max([*(abs(value) for value in values), 0.5]) * 1.25
    layout["xaxis"] |= {"range": [-reach, reach], "gridcolor": palette.line, "zeroline": False}
    layout["shapes"] = [across("x", 0, palette.muted)]
    layout["annotations"] = _sides(low=low, high=high, palette=palette)
    return go.Figure(data=[bars], layout=layout)


def steps(rows: Sequence[Point], *, colour: str, even: float, palette: Palette) -> go.Figure:
    """A dot with its interval for each step from left to right, and its words beside it."""
    places = list(range(len(rows)))
    line = {
        "type": "scatter",
        # By place, since two names may be cut to the same one.
        "x": places,
        "customdata": [plain(row.name) for row in rows],
        "y": [row.value for row in rows],
        "mode": "markers+lines+text",
        "text": ["<br>".join(plain(line) for line in row.words.split("\n")) for row in rows],
        "textposition": "middle right",
        "textfont": {"size": 12},
        "line": {"color": palette.line, "width": 2},
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
    layout = frame(6, palette=palette, right=60)
    layout["xaxis"] |= {
        "range": [-0.4, len(rows) - 0.6],
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [plain(safe.cut(row.name, 24)) for row in rows],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "autorange": False,
        "range": [-0.15, 1.1],
        "tickformat": ".0%",
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
    }
    layout["shapes"] = [across("y", even, palette.muted, dash="dash")]
    return go.Figure(data=[line], layout=layout)


def matrix(
    names: Sequence[str],
    cells: Sequence[Sequence[str]],
    shares: Sequence[Sequence[float | None]],
    *,
    palette: Palette,
) -> go.Figure:
    """Who beat whom: a row's share of points against a column in figures, shaded from one half outwards."""
    shown = [plain(safe.cut(name, 24)) for name in names]
    places = list(range(len(names)))
    cells_drawn = {
        "type": "heatmap",
        "z": [
            [abs(share - 0.5) * (share >= 0.5) if share is not None else None for share in row]
            for row in shares
        ],
        "x": places,
        "y": places,
        "text": [list(row) for row in cells],
        "texttemplate": "%{text}",
        "textfont": {"color": palette.ink, "size": 12},
        "colorscale": [[0, palette.raised], [1, palette.tie]],
        "zmin": 0,
        # More than the most that is drawn, so that figures stay readable on the fullest shade.
        "zmax": 0.65,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }
    # A field of a heatmap cannot be chosen by a click, so each that is filled has an invisible mark on it.
    filled = [(y, x) for y, row in enumerate(shares) for x, share in enumerate(row) if share is not None]
    marks = {
        "type": "scatter",
        "x": [x for _, x in filled],
        "y": [y for y, _ in filled],
        "mode": "markers",
        "marker": {"size": ROW, "symbol": "square", "opacity": 0},
        "unselected": {"marker": {"opacity": 0}},
        "hoverinfo": "none",
    }
    layout = frame(len(names), palette=palette)
    layout["xaxis"] |= {
        "side": "top",
        "tickmode": "array",
        "tickvals": places,
        "ticktext": shown,
        "tickangle": -35,
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    }
    layout["yaxis"] |= {"tickmode": "array", "tickvals": places, "ticktext": shown, "zeroline": False}
    layout |= {"height": EDGE + 70 + ROW * len(names), "margin": {"l": 8, "r": 90, "t": 8, "b": 8}}
    return go.Figure(data=[cells_drawn, marks], layout=layout)


def plain(value: str) -> str:
    """Foreign text for a chart, which would take tags, links and formulas in it for its own."""
    return html.escape(safe.visible(value), quote=False).replace("$", f"${safe.JOINER}")


def _lines(name: str) -> str:
    """A name on at most two lines, words of its middle left out where it is longer than they are."""
    lines = wrap(name, TICK_LIMIT)
    if len(lines) > 2:
        last = shorten(" ".join(reversed(name.split())), TICK_LIMIT, placeholder=" …").split()
        # A last word that is too long for a line gives its end.
        lines = [lines[0], " ".join(reversed(last)) if len(last) > 1 else f"… {name[2 - TICK_LIMIT :]}"]
    return "<br>".join(plain(line) for line in lines)


def frame(rows: int, *, palette: Palette, legend: bool = False, right: int = 16) -> dict[str, Any]:
    """The layout that all charts share. One dictionary: altering a figure step by step takes many times as long."""
    return {
        "height": EDGE + ROW * max(rows, 1),
        "margin": {"l": 8, "r": right, "t": 34, "b": 8 if legend else 24},
        # Not see-through: a picture saved from the page is put on a page of any colour.
        "paper_bgcolor": palette.page,
        "plot_bgcolor": palette.page,
        "font": {"family": FONT, "color": palette.ink, "size": 13},
        "showlegend": legend,
        "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        "hoverlabel": {"bgcolor": palette.raised, "font": {"color": palette.ink}},
        "xaxis": {"fixedrange": True, "tickfont": {"color": palette.muted}},
        "yaxis": {
            "fixedrange": True,
            "autorange": "reversed",
            "automargin": True,
            "ticksuffix": "  ",
            "showgrid": False,
        },
    }


def _pattern(shape: str | Sequence[str], palette: Palette) -> dict[str, Any]:
    """Lines on the colour of the bar."""
    lines = {"fillmode": "overlay", "fgcolor": palette.page, "fgopacity": 0.4, "size": 8, "solidity": 0.15}
    return {"shape": shape, **lines}


def across(axis: str, at: float, colour: str, *, dash: str = "solid") -> dict[str, Any]:
    """A line across the chart at a value of the axis."""
    other = "y" if axis == "x" else "x"
    return {
        "type": "line",
        f"{axis}ref": axis,
        f"{other}ref": "paper",
        f"{axis}0": at,
        f"{axis}1": at,
        f"{other}0": 0,
        f"{other}1": 1,
        "line": {"color": colour, "width": 1, "dash": dash},
    }


def _sides(*, low: str, high: str, palette: Palette) -> list[dict[str, Any]]:
    return [
        {
            "text": plain(text),
            "x": x,
            "y": 1,
            "xref": "paper",
            "yref": "paper",
            "xanchor": anchor,
            "yanchor": "bottom",
            "yshift": up,
            "showarrow": False,
            "font": {"color": palette.muted, "size": 12},
        }
        # On lines of their own: long names would meet in the middle of a narrow chart.
        for text, x, anchor, up in ((f"← {low}", 0, "left", 15), (f"{high} →", 1, "right", 0))
    ]
