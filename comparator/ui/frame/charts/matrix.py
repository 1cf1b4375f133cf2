"""Who beat whom, as a field of figures."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from comparator.ui.frame import safe
from comparator.ui.frame.charts.parts import (
    EDGE,
    ROW,
    figure,
    frame,
    in_rows,
    plain,
)
from comparator.ui.frame.charts.theme import Palette


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
    layout = frame(len(names), palette=palette, right=90, labels=shown)
    layout["xaxis"] |= {
        "side": "top",
        "range": [-0.5, len(names) - 0.5],
        "tickmode": "array",
        "tickvals": places,
        "ticktext": shown,
        "tickangle": -35,
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    }
    layout["yaxis"] |= in_rows(shown)
    layout["height"] = EDGE + 70 + ROW * len(names)
    layout["margin"] |= {"t": 8, "b": 8}
    return figure(data=[cells_drawn, marks], layout=layout)
