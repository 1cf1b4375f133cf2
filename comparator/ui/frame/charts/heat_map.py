"""The heat map: tasks by iteration, one coloured square for each that there is."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, rules
from comparator.ui.frame.charts.parts import SHADES, figure, frame, in_rows, plain, width_of
from comparator.ui.frame.charts.theme import Palette

MOST_LARGE = 40
"""Columns of a heat map whose squares are large; those of more would overlap."""
MOST_NAMES = 30
"""Names of columns that have room beside each other at 820 pixels; of more, every other one is written, and so on."""
STRONG = 0.4
"""From here on a sign has the colour of the page, so that it stands out from its square."""
BETWEEN = 4
"""Pixels between two rows."""
ARM = 4
"""Pixels from the middle of a sign to its end."""
USUAL_WIDTH = 700
"""Pixels of the columns together on a usual page. On a wider one, signs are wider as well."""
SIGNS = {
    "+": ((-1, 0, 1, 0), (0, -1, 0, 1)),
    "−": ((-1, 0, 1, 0),),
    "=": ((-1, -0.5, 1, -0.5), (-1, 0.5, 1, 0.5)),
}
"""The lines of each sign, from one point to another, in arms from its middle."""


class Square(NamedTuple):
    """One cell: its place, a value from -1 to 1 for its colour, a sign, and the words of its tooltip."""

    row: int
    column: int
    value: float
    sign: str
    words: str

    @property
    def strong(self) -> bool:
        """Whether it has a strong colour."""
        return abs(self.value) > STRONG


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    weak: Sequence[Square],
    strong: Sequence[Square],
    *,
    colours: Sequence[str],
    palette: Palette,
    breaks: Sequence[BreakMark] = (),
) -> go.Figure:
    """A square for each cell that there is, with the colours from -1 to 1 in even steps; the sign tells it as well.

    A dashed line stands before the column of each break.

    Squares are marks of a scatter chart, since Plotly's own heat map tells Streamlit of no click; those of weak and
    of strong colours are a trace each, in this order.
    """
    every = max(-(-len(columns) // MOST_NAMES), 1)
    # The newest is always named.
    named = [at for at in range(len(columns)) if (len(columns) - 1 - at) % every == 0]
    size = 18 if len(columns) <= MOST_LARGE else 12
    # Lists, not arrays: Streamlit hands each figure to Plotly twice, which takes the same array for a new one.
    marks = [
        {
            "type": "scatter",
            "x": [each.column for each in squares],
            "y": [each.row for each in squares],
            "customdata": [plain(each.words) for each in squares],
            "mode": "markers",
            "marker": {
                "symbol": "square",
                "size": size,
                # In steps, whose colours paper has as well.
                "color": [round(each.value * SHADES) / SHADES for each in squares],
                "cmin": -1,
                "cmax": 1,
                "colorscale": [[at / (2 * SHADES), colour] for at, colour in enumerate(colours)],
                "line": {"width": 0},
            },
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for squares in (weak, strong)
    ]
    names = [plain(safe.cut(each, 28)) for each in rows]
    layout = frame(1, palette=palette, right=48, labels=names)
    ticks = [plain(safe.cut(columns[at], 10)) for at in named]
    angled = max(map(len, columns), default=0) > 3
    # Known in advance, or Plotly draws the chart twice to find it. Angled, a name is as high as it is wide, at most.
    top = 14 + (width_of(ticks) if angled else 18)
    layout["height"] = top + 8 + ceil((size + BETWEEN) * (len(rows) + 0.2))
    layout["margin"] |= {"t": top, "b": 8}
    layout["xaxis"] |= {
        "side": "top",
        "range": [-0.6, len(columns) - 0.4],
        "tickmode": "array",
        "tickvals": named,
        "ticktext": ticks,
        "tickangle": -60 if angled else 0,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {**in_rows(names), "range": [len(rows) - 0.4, -0.6]}
    signs = [
        _signs(squares, across=ARM * len(columns) / USUAL_WIDTH, down=ARM / (size + BETWEEN), ink=ink)
        for squares, ink in ((weak, palette.ink), (strong, palette.page))
    ]
    layout["shapes"] = [*rules(breaks, palette), *signs]
    return figure(data=marks, layout=layout)


def _signs(squares: Sequence[Square], *, across: float, down: float, ink: str) -> dict[str, Any]:
    """The signs of these squares as one path. As texts, or as marks, thousands would take the browser too long."""
    path = "".join(
        f"M{each.column + x0 * across:.3f},{each.row + y0 * down:.3f}"
        f"L{each.column + x1 * across:.3f},{each.row + y1 * down:.3f}"
        for each in squares
        for x0, y0, x1, y1 in SIGNS[each.sign]
    )
    return {"type": "path", "path": path or "M0,0", "line": {"color": ink, "width": 1.5}}
