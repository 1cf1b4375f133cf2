"""The heat map: a coloured square for each cell that there is, with a sign on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan
from typing import Any, NamedTuple

import plotly.graph_objects as go

from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, rules
from comparator.ui.frame.charts.drawing import Drawing, Row, rows_axis
from comparator.ui.frame.charts.plotting import HIDDEN, figure, layout, marks, plain, stroke
from comparator.ui.frame.charts.theme import PALETTES, SHADES, ColourTheme, Palette, shades

LARGEST = 18
"""Pixels of a square where the columns have room for it."""
MOST_NAMES = 20
"""Names of columns that have room beside each other on paper; of more, every other one is written, and so on."""
STRONG = 0.4
"""From here on a sign has the colour of the page, so that it stands out from its square."""
BETWEEN, ARM = 4, 0.22
"""Pixels between two rows, and from the middle of a sign to its end as a share of the square."""
USUAL_WIDTH, PAPER_WIDTH = 700, 280
"""Pixels of the columns together on a usual page, and on paper. On a wider page, signs are wider as well."""
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
    began: bool = False
    """Whether it is framed."""


@dataclass(frozen=True)
class HeatMap(Drawing):
    """A row of squares for each row of the frame; a dashed line stands before the column of each break."""

    label: str
    columns: Sequence[str]
    squares: Sequence[Square]
    breaks: Sequence[BreakMark] = ()
    missing: Sequence[tuple[int, int, bool, str]] = ()
    """Rows and columns of cells without a square: hatched if a run is unusable, else a dot; with their words."""
    beside: Sequence[str] = ()
    """Words at the right of each row."""
    lines: Sequence[Sequence[float]] = ()
    """Before these words, a small line for each row through values from 0 to 1."""
    width: int = USUAL_WIDTH

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(self.squares) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(f"{each.words}." for each in self.squares)

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette = PALETTES[theme]
        size = min(LARGEST, max(self.width // len(self.columns) - 1, 4))
        # Squares are marks of a scatter chart, since Plotly's own heat map tells Streamlit of no click. Lists, not
        # arrays: Streamlit hands each figure to Plotly twice, which takes the same array for a new one.
        squares = marks(
            [each.column for each in self.squares],
            [each.row for each in self.squares],
            [each.words for each in self.squares],
            marker={
                "symbol": "square",
                "size": size,
                # In steps, whose colours paper has as well.
                "color": [round(each.value * SHADES) / SHADES for each in self.squares],
                "cmin": -1,
                "cmax": 1,
                "colorscale": [[at / (2 * SHADES), colour] for at, colour in enumerate(shades(theme))],
                "line": {"width": [2 if each.began else 0 for each in self.squares], "color": palette.ink},
            },
        )
        hatched = [each for *_, each, _ in self.missing]
        absent = marks(
            [column for _, column, *_ in self.missing],
            [row for row, *_ in self.missing],
            [words for *_, words in self.missing],
            marker={
                "symbol": ["hash-open" if each else "circle" for each in hatched],
                "size": [size * 0.7 if each else 4 for each in hatched],
                "color": palette.muted,
                "opacity": 0.6,
            },
        )
        every = -(-len(self.columns) // MOST_NAMES)
        # The newest is always named.
        named = [at for at in range(len(self.columns)) if (len(self.columns) - 1 - at) % every == 0]
        found = layout(palette, height=60 + ceil((size + BETWEEN) * (len(rows) + 0.2)))
        found["height"] += 8 * min(max(map(len, self.columns)), 10)
        found["margin"] |= {"t": 8, "r": 48}
        found["xaxis"] |= {
            "side": "top",
            "range": [-0.6, len(self.columns) - 0.4],
            "tickvals": named,
            "ticktext": [plain(safe.cut(self.columns[at], 10)) for at in named],
            "tickangle": -60 if max(map(len, self.columns)) > 3 else 0,
        }
        found["yaxis"] |= {
            "range": [len(rows) - 0.4, -0.6],
            "tickvals": list(range(len(rows))),
            "ticktext": [plain(safe.cut(str(row[self.label]), 28)) for row in rows],
        }
        beside = rows_axis(found, found["yaxis"]["ticktext"], self.beside)
        found["yaxis"] |= {"range": [len(rows) - 0.4, -0.6]}
        if beside:
            found["yaxis2"] |= {"range": [len(rows) - 0.4, -0.6]}
        small: list[dict[str, Any]] = []
        if self.lines:
            found["xaxis"]["domain"] = [0, 0.88]
            found["xaxis2"] = HIDDEN | {"domain": [0.9, 1], "range": [-0.05, 1.05], "showticklabels": False}
            if beside:
                found["yaxis2"]["anchor"] = "x2"
            points = [
                (at / max(len(line) - 1, 1), row + 0.35 - 0.7 * value)
                for row, line in enumerate(self.lines)
                for at, value in [*enumerate(line), (0, float("nan"))]
            ]
            there = [None if isnan(y) else y for _, y in points]
            small = [stroke([x for x, _ in points], there, colour=palette.ink, width=1.5, xaxis="x2")]
        arm = ARM * size
        across, down = arm * len(self.columns) / self.width, arm / (size + BETWEEN)
        signs = [
            _signs(
                [each for each in self.squares if _ink(each, palette) == ink],
                across=across,
                down=down,
                ink=ink,
            )
            for ink in (palette.ink, palette.page)
        ]
        found["shapes"] = [*rules(self.breaks, palette), *signs]
        return figure([squares, *([absent] if self.missing else []), *beside, *small], found)


def _ink(square: Square, palette: Palette) -> str:
    return palette.page if abs(square.value) > STRONG else palette.ink


def _signs(squares: Sequence[Square], *, across: float, down: float, ink: str) -> dict[str, Any]:
    """The signs of these squares as one path. As texts, or as marks, thousands would take the browser too long."""
    path = "".join(
        f"M{each.column + x0 * across:.3f},{each.row + y0 * down:.3f}"
        f"L{each.column + x1 * across:.3f},{each.row + y1 * down:.3f}"
        for each in squares
        for x0, y0, x1, y1 in SIGNS[each.sign]
    )
    return {"type": "path", "path": path or "M0,0", "line": {"color": ink, "width": 1.5}}
