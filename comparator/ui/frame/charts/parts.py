"""What all charts share: values, colours, names of foreign origin, and the layout."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence
from math import ceil
from textwrap import shorten, wrap
from typing import Any, NamedTuple

import plotly.graph_objects as go
import plotly.io

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, SERIES, ColourTheme, Palette

# Our charts use nothing of Streamlit's template, yet each figure would carry it to the browser.
plotly.io.templates.default = None

Figure = go.Figure
CHECKED = False
"""Whether Plotly checks each property of a figure, which takes four times as long. Tests turn it on."""


def figure(data: Sequence[dict[str, Any]], layout: dict[str, Any]) -> go.Figure:
    """A chart from traces and a layout."""
    return go.Figure(data=data, layout=layout, _validate=CHECKED)


FONT = '"Source Sans", sans-serif'
"""The page's: Streamlit's own."""
ROW = 44
EDGE = 76
WIDE = "words on both sides"
"""The `meta` of a chart that a phone has not width enough for."""
SUFFIX, SUFFIX_WIDTH = "  ", 9
"""Between the label of a row and the chart, and how many pixels that is."""
TICK_LIMIT = 40
"""Characters on a line of an axis."""

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
    hover: str = ""
    """What is said of it when it is pointed at; its name and the words beside it where this is empty."""
    counts_only: bool = False
    """Whether its value is not drawn: a small square at the chart's edge stands for it."""


SHADES = 8
"""So many steps a heat map has to each side."""


def shades(theme: ColourTheme) -> list[str]:
    """The colours of a heat map, evenly from candidate two over the middle to candidate one.

    >>> len(shades(ColourTheme.LIGHT)), shades(ColourTheme.LIGHT)[0] == CANDIDATES[ColourTheme.LIGHT][1]
    (17, True)
    """
    one, two = CANDIDATES[theme]
    middle = PALETTES[theme].line

    def between(low: str, high: str, at: float) -> str:
        channels = ((int(low[n : n + 2], 16), int(high[n : n + 2], 16)) for n in (1, 3, 5))
        return "#" + "".join(f"{round(a + (b - a) * at):02x}" for a, b in channels)

    return [
        *(between(two, middle, at / SHADES) for at in range(SHADES)),
        *(between(middle, one, at / SHADES) for at in range(SHADES + 1)),
    ]


def paper_colours(theme: ColourTheme) -> dict[str, str]:
    """Which colour of a chart in this theme is which on paper; empty where they are the same."""
    if theme is ColourTheme.LIGHT:
        return {}
    screen, light = (
        [
            *SERIES[each],
            *shades(each),
            *(getattr(PALETTES[each], name) for name in ("page", "raised", "line", "ink", "muted", "tie")),
        ]
        for each in (theme, ColourTheme.LIGHT)
    )
    return dict(zip(screen, light, strict=True))


def plain(value: str) -> str:
    """Foreign text for a chart, which would take tags, links and formulas in it for its own."""
    return html.escape(safe.visible(value), quote=False).replace("$", f"${safe.JOINER}")


def on_two_lines(name: str) -> str:
    """A name on at most two lines, words of its middle left out where it is longer than they are."""
    lines = wrap(name, TICK_LIMIT)
    if len(lines) > 2:
        last = shorten(" ".join(reversed(name.split())), TICK_LIMIT, placeholder=" …").split()
        # A last word that is too long for a line gives its end.
        lines = [lines[0], " ".join(reversed(last)) if len(last) > 1 else f"… {name[2 - TICK_LIMIT :]}"]
    return "<br>".join(plain(line) for line in lines)


BELOW, SHORT = 32, 22
"""Pixels below a chart with short labels, and how wide those are at most."""


def width_of(labels: Iterable[str]) -> int:
    """Pixels that the widest of these axis labels needs, at most.

    >>> width_of(["Will", "Correctness<br>(content)"]), width_of([])
    (75, 0)
    """
    lines = (html.unescape(line) for label in labels for line in label.split("<br>"))
    return ceil(max((sum(map(_width, line)) for line in lines), default=0))


def _width(letter: str) -> float:
    """Pixels of a letter, at most, in the page's font or in the browser's own where that is missing."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 17
    if letter in "ijltfrI|!,.:;'\"()[]{}/\\- ":
        return 4.6
    return 11 if letter in "mwMW%@" or not letter.isascii() else 7.6


def frame(
    rows: int,
    *,
    palette: Palette,
    legend: bool = False,
    right: int = 16,
    labels: Iterable[str] | None = None,
) -> dict[str, Any]:
    """The layout that all charts share. One dictionary: altering a figure step by step takes many times as long.

    With the `labels` of the vertical axis the left margin is known in advance. Without them Plotly draws the chart
    twice to find it.
    """
    return {
        # Streamlit hands each figure to Plotly twice. A figure of the same revision is not drawn again.
        "datarevision": 1,
        "height": EDGE + ROW * max(rows, 1),
        "margin": {
            "l": 8 + (0 if labels is None else SUFFIX_WIDTH + width_of(labels)),
            "r": right,
            "t": 34,
            "b": 8 if legend else 24,
        },
        # Not see-through: a picture saved from the page is put on a page of any colour.
        "paper_bgcolor": palette.page,
        "plot_bgcolor": palette.page,
        "font": {"family": FONT, "color": palette.ink, "size": 13},
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            # At the chart's edge: placed by the plot, it would stay where it was after a resize.
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "x": 0,
            "traceorder": "normal",
            # In pixels: in a low chart its rows would have a scroll bar.
            "maxheight": 200,
        },
        "hoverlabel": {"bgcolor": palette.raised, "font": {"color": palette.ink}},
        "xaxis": {"fixedrange": True, "tickfont": {"color": palette.muted}},
        "yaxis": {
            "fixedrange": True,
            "automargin": labels is None,
            "ticksuffix": SUFFIX,
            "showgrid": False,
        },
    }


def below(labels: Sequence[str]) -> dict[str, Any]:
    """The margin below a chart whose horizontal axis has these labels; without one, Plotly has to find it.

    Short labels need the same room at any angle. Longer ones stand upright on a narrow screen only.

    >>> below(["1", "35"]), below(["iteration-35"])
    ({'b': 32}, {})
    """
    return {"b": BELOW} if width_of(labels) <= SHORT else {}


def in_rows(labels: Sequence[str]) -> dict[str, Any]:
    """The vertical axis of a chart with a row for each label, the first on top; by place, since labels may repeat."""
    return {
        "range": [len(labels) - 0.5, -0.5],
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "zeroline": False,
    }


def pattern(shape: str | Sequence[str], palette: Palette) -> dict[str, Any]:
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


MOST_ON_A_LINE = 44


class Heading(NamedTuple):
    """Words above a chart: where they stand across its width, 0 to 1, which end is there, and how many pixels up."""

    text: str
    x: float
    anchor: str
    up: int


def above(headings: Iterable[Heading], *, colour: str) -> list[dict[str, Any]]:
    """The words above a chart."""
    return [
        {
            "text": plain(each.text),
            "x": each.x,
            "y": 1,
            "xref": "paper",
            "yref": "paper",
            "xanchor": each.anchor,
            "yanchor": "bottom",
            "yshift": each.up,
            "showarrow": False,
            "font": {"color": colour, "size": 12},
        }
        for each in headings
    ]


def sides(*, low: str, high: str, palette: Palette) -> list[dict[str, Any]]:
    """What the two sides of a chart mean, as words above it."""
    # Long names would meet in the middle of a narrow chart: they get lines of their own.
    up = 15 if len(low) + len(high) > MOST_ON_A_LINE else 0
    both = (Heading(f"← {low}", 0, "left", up), Heading(f"{high} →", 1, "right", 0))
    return above(both, colour=palette.muted)
