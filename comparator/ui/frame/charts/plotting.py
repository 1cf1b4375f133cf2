"""What all drawings share: Plotly's layout, marks, lines and words, and foreign words made harmless for it."""

import html
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go
import plotly.io

from comparator.ui.frame import safe
from comparator.ui.frame.charts.theme import Palette

# Our charts use nothing of Plotly's template, yet each figure would carry it to the browser.
plotly.io.templates.default = None

CHECKED = False
"""Whether Plotly checks each property of a figure, which takes four times as long. Tests turn it on."""
FONT = '"Source Sans", Helvetica, Arial, sans-serif'
TICK_LIMIT = 40
"""Characters on a line of an axis."""
LETTER, LINE = 7.2, 18
"""About how many pixels a character takes, and a line of words."""
STAYS = {
    "selected": {"marker": {"opacity": 1}},
    "unselected": {"marker": {"opacity": 1}},
    "cliponaxis": False,
}
"""Of marks that a click chooses: nothing fades."""
# Else Plotly measures each label again to hide those past the edge: half the time that a large grid takes.
HIDDEN = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticklabeloverflow": "allow"}


def figure(data: Sequence[dict[str, Any]], layout: dict[str, Any]) -> go.Figure:
    """A chart from traces and a layout."""
    return go.Figure(data=data, layout=layout, _validate=CHECKED)


def base_layout(palette: Palette, *, height: int, legend: bool = False) -> dict[str, Any]:
    """What all charts share; Plotly finds the margins."""
    return {
        # Streamlit hands each figure to Plotly twice. A figure of the same revision is not drawn again.
        "datarevision": 1,
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 34, "b": 8},
        # Not see-through: a picture saved from the page is put on a page of any colour.
        "paper_bgcolor": palette.page,
        "plot_bgcolor": palette.page,
        "font": {"family": FONT, "color": palette.ink, "size": 13},
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "x": 0,
            "traceorder": "normal",
            "maxheight": 200,
        },
        "hoverlabel": {"bgcolor": palette.raised, "font": {"color": palette.ink}},
        "xaxis": HIDDEN
        | {"automargin": True, "gridcolor": palette.line, "tickfont": {"color": palette.muted}},
        "yaxis": HIDDEN | {"automargin": True, "ticklabelstandoff": 6},
        # What Streamlit sets on a chart with marks to click. Set in advance, it does not draw the chart again.
        "clickmode": "event+select",
        "hovermode": "closest",
        "dragmode": "pan",
    }


def marks(x: Iterable[Any], y: Iterable[Any], words: Iterable[str], **more: Any) -> dict[str, Any]:
    """A mark at each place, with its words where somebody points at it."""
    return {
        "type": "scatter",
        "x": list(x),
        "y": list(y),
        "customdata": [plain(word) for word in words],
        "mode": "markers",
        "hovertemplate": "%{customdata}<extra></extra>",
        **STAYS,
        **more,
    }


def stroke(
    x: Iterable[Any], y: Iterable[Any], *, colour: str, width: float = 2, **more: Any
) -> dict[str, Any]:
    """A line through these places, broken where one is None."""
    line = {"color": colour, "width": width, "dash": more.pop("dash", "solid")}
    trace = {"type": "scatter", "x": list(x), "y": list(y), "mode": "lines", "line": line}
    return trace | {"showlegend": False, "hoverinfo": "skip"} | more


def rule(
    x: tuple[float, float], y: tuple[float, float], colour: str, *, dash: str = "solid", **more: Any
) -> dict[str, Any]:
    """A straight line behind the marks; `more` says what the places refer to."""
    ends = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    return {
        "type": "line",
        **ends,
        "line": {"color": colour, "width": more.pop("width", 1), "dash": dash},
        **more,
    }


def upright(
    at: float, colour: str, *, dash: str = "solid", yref: str = "paper", **more: Any
) -> dict[str, Any]:
    """A line from the bottom to the top at a place of the x axis."""
    return rule((at, at), (0, 1), colour, dash=dash, yref=yref, **more)


def caption(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """Words at a place of the chart."""
    return {"text": plain(text), "x": x, "y": y, "showarrow": False, **more}


def places_with_gaps(places: Iterable[int], cuts: Sequence[int]) -> list[int | None]:
    """The places of a line, with a gap before each that a cut parts from the one before.

    >>> places_with_gaps([0, 1, 3, 4], [2, 4])
    [0, 1, None, 3, None, 4]
    """
    line: list[int | None] = []
    before: int | None = None
    for at in places:
        if before is not None and any(before < cut <= at for cut in cuts):
            line.append(None)
        line.append(at)
        before = at
    return line


def plain(value: str) -> str:
    """Foreign text for a chart, which would take tags, links and formulas in it for its own."""
    return html.escape(safe.visible(value), quote=False).replace("$", f"${safe.JOINER}")


def on_two_lines(name: str, limit: int = TICK_LIMIT) -> str:
    """A name on at most two lines of so many characters, cut in its middle where it is longer."""
    lines = wrap(name, limit)
    if len(lines) > 2:
        lines = [lines[0], f"… {name[2 - limit :]}"]
    return "<br>".join(plain(line) for line in lines)
