"""Lines over steps, broken where figures stop to compare, each with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import LETTER, BreakMark, heads, names, rules
from comparator.ui.frame.charts.parts import figure, frame, plain
from comparator.ui.frame.charts.theme import Palette
from comparator.ui.frame.charts.trend import MOST_TICKS

HEIGHT = 300
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "triangle-down")
NAME = 22
"""Characters of a name at the end of its line."""
MOST_BANDS, MOST_NOISE = 4, 2
"""With more lines than these, bands of intervals and of noise would only hide each other; one line alone has them."""
_TOP, _BOTTOM = 34, 28


class Spot(NamedTuple):
    """A value at a step, its interval where there is one, and the words of its tooltip."""

    at: int
    value: float
    interval: Interval | None
    words: str


class Line(NamedTuple):
    """One line: its name, colour and values, and half the width of what chance gives."""

    name: str
    colour: str
    spots: tuple[Spot, ...]
    noise: float | None


class Scale(NamedTuple):
    """The y axis: its ends and how its values are written."""

    low: float
    high: float
    form: str
    prefix: str = ""


def lines(
    every: Sequence[Line],
    steps: Sequence[str],
    marks: Sequence[BreakMark],
    *,
    scale: Scale,
    chosen: tuple[int, int] | None,
    palette: Palette,
    banded: int = 0,
) -> go.Figure:
    """The lines. Each has one trace of dots, the first ones; a box drawn across chooses steps.

    Which bands are drawn says `drawn_bands`, with the place of the line that alone has them where there are many.
    `chosen` is a span of steps to highlight.
    """
    cuts = [mark.at for mark in marks]
    bands = drawn_bands(every, cuts, banded=banded)
    with_bands = lines_with_bands(every, banded=banded)
    with_noise = lines_with_noise(every, banded=banded)
    dots = [_dots(each, at) for at, each in enumerate(every)]
    rest = [
        trace
        for at, each in enumerate(every)
        for stretch in _stretches(each.spots, cuts)
        for trace in _drawn(each, stretch, banded=bands.intervals and each in with_bands, dash=at)
    ]
    ends = _ends(every, scale)
    longest = max((min(len(each.name), NAME) for each in every), default=0)
    layout = frame(4, palette=palette, right=int(24 + longest * LETTER))
    layout |= {
        "height": HEIGHT,
        "margin": {"l": 8, "r": int(28 + longest * LETTER), "t": _TOP, "b": _BOTTOM},
        "dragmode": "select",
        "clickmode": "event",
        "selectdirection": "h",
        "hovermode": "closest",
    }
    apart = max(-(-len(steps) // MOST_TICKS), 1)
    ticks = [at for at in range(len(steps)) if (len(steps) - 1 - at) % apart == 0]
    layout["xaxis"] |= {
        "range": [-0.5, len(steps) - 0.5],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [plain(safe.cut(steps[at], 14)) for at in ticks],
        # On a narrow screen they stand upright before they run into each other.
        "autotickangles": [0, -45, -90],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {
        "range": [scale.low, scale.high],
        "tickformat": scale.form,
        "tickprefix": scale.prefix,
        "nticks": 6,
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
    }
    layout["shapes"] = [
        *([_span(chosen, palette)] if chosen is not None else []),
        *(band for each in with_noise if bands.noise for band in _noise(each, cuts, palette)),
        *rules(marks, palette),
    ]
    layout["annotations"] = [*ends, *names(marks, len(steps), palette)]
    over = [heads(marks, palette, top=scale.high)] if marks else []
    return figure(data=[*dots, *over, *rest], layout=layout)


class Bands(NamedTuple):
    """Which bands a chart has."""

    intervals: bool
    noise: bool


def lines_with_bands(every: Sequence[Line], *, banded: int) -> Sequence[Line]:
    """Those with a band of intervals: all lines; of many the one at this place."""
    return _up_to(MOST_BANDS, every, banded)


def lines_with_noise(every: Sequence[Line], *, banded: int) -> Sequence[Line]:
    """Those with a band of noise: all lines; of several the one at this place."""
    return _up_to(MOST_NOISE, every, banded)


def _up_to(most: int, every: Sequence[Line], banded: int) -> Sequence[Line]:
    return every if len(every) <= most else every[banded : banded + 1]


def drawn_bands(every: Sequence[Line], cuts: Sequence[int], *, banded: int = 0) -> Bands:
    """Which bands are drawn: a band needs two marks in a stretch that no break parts."""
    return Bands(
        intervals=any(
            sum(spot.interval is not None for spot in stretch) > 1
            for each in lines_with_bands(every, banded=banded)
            for stretch in _stretches(each.spots, cuts)
        ),
        noise=any(
            each.noise is not None and len(stretch) > 1
            for each in lines_with_noise(every, banded=banded)
            for stretch in _stretches(each.spots, cuts)
        ),
    )


def _dots(line: Line, place: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [spot.at for spot in line.spots],
        "y": [spot.value for spot in line.spots],
        "customdata": [plain(spot.words) for spot in line.spots],
        "name": plain(line.name),
        "mode": "markers",
        "marker": {
            "size": 8,
            "symbol": [
                SYMBOLS[place % len(SYMBOLS)] + ("" if spot.interval else "-open") for spot in line.spots
            ],
            "color": line.colour,
            "line": {"color": line.colour, "width": 2},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "cliponaxis": False,
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _stretches(spots: Sequence[Spot], cuts: Sequence[int]) -> list[list[Spot]]:
    """The spots in stretches that no cut parts."""
    parts = groupby(spots, key=lambda spot: sum(cut <= spot.at for cut in cuts))
    return [list(stretch) for _, stretch in parts]


def _drawn(line: Line, stretch: Sequence[Spot], *, banded: bool, dash: int) -> list[dict[str, Any]]:
    trace = {
        "type": "scatter",
        "x": [spot.at for spot in stretch],
        "y": [spot.value for spot in stretch],
        "mode": "lines",
        "line": {
            "color": line.colour,
            "width": 2,
            "dash": ("solid", "dash", "dot", "dashdot")[dash % 4],
        },
        "hoverinfo": "skip",
    }
    whole = [(spot.at, spot.interval) for spot in stretch if spot.interval is not None]
    if not banded or len(whole) < 2:
        return [trace]
    band = {
        "type": "scatter",
        "x": [*(at for at, _ in whole), *(at for at, _ in reversed(whole))],
        "y": [*(each.high for _, each in whole), *(each.low for _, each in reversed(whole))],
        "fill": "toself",
        "mode": "lines",
        "fillcolor": line.colour,
        "opacity": 0.14,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    return [band, trace]


def _noise(line: Line, cuts: Sequence[int], palette: Palette) -> list[dict[str, Any]]:
    """For each stretch the height in which its dots would lie if nothing changed."""
    if line.noise is None:
        return []
    found = []
    for stretch in _stretches(line.spots, cuts):
        if len(stretch) < 2:
            continue
        middle = sum(spot.value for spot in stretch) / len(stretch)
        found.append(
            {"type": "rect", "xref": "x", "yref": "y", "x0": stretch[0].at - 0.4, "x1": stretch[-1].at + 0.4}
            | {"y0": middle - line.noise, "y1": middle + line.noise, "fillcolor": palette.muted}
            | {"opacity": 0.13, "line": {"width": 0}, "layer": "below"}
        )
    return found


def _span(chosen: tuple[int, int], palette: Palette) -> dict[str, Any]:
    return (
        {"type": "rect", "xref": "x", "yref": "paper", "x0": chosen[0] - 0.5, "x1": chosen[1] + 0.5}
        | {"y0": 0, "y1": 1, "fillcolor": palette.accent, "opacity": 0.1, "line": {"width": 0}}
        | {"layer": "below"}
    )


def _ends(every: Sequence[Line], scale: Scale) -> list[dict[str, Any]]:
    """Names at the right, apart from each other by at least a line of words."""
    least = (scale.high - scale.low) * 18 / (HEIGHT - _TOP - _BOTTOM)
    wanted = sorted((each.spots[-1].value, at) for at, each in enumerate(every) if each.spots)
    places: list[float] = []
    for value, _ in wanted:
        places.append(value if not places else max(value, places[-1] + least))
    # What was pushed over the top comes down again, and pushes those below it.
    top = scale.high
    for at in range(len(places) - 1, -1, -1):
        places[at] = min(places[at], top)
        top = places[at] - least
    return [
        {"text": plain(safe.cut(every[at].name, NAME)), "x": 1, "xref": "paper", "xanchor": "left"}
        | {"xshift": 8, "y": y, "yref": "y", "yanchor": "middle", "showarrow": False}
        | {"font": {"color": every[at].colour, "size": 13}}
        for (_, at), y in zip(wanted, places, strict=True)
    ]
