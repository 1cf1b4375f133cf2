"""Small charts of several columns side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import plotly.graph_objects as go

from comparator.ui.frame.charts.drawing import Drawing, Row
from comparator.ui.frame.charts.plotting import (
    HIDDEN,
    caption,
    figure,
    layout,
    marks,
    on_two_lines,
    parted,
    plain,
    stroke,
    upright,
)
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, ColourTheme


@dataclass(frozen=True)
class Multiples(Drawing):
    """A small line for each of these columns over the rows, all to one scale; broken before the places in `cuts`."""

    label: str
    columns: Sequence[str]
    cuts: Sequence[int] = ()
    across: int = 3
    form: str = "+.0%"
    even: float = 0.0
    """What the middle of the scale stands for."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(rows) > 1 and any(row[name] is not None for row in rows for name in self.columns)

    def words(self, rows: Sequence[Row]) -> str:
        return "A chart appears with a second iteration."

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, names = PALETTES[theme], [plain(str(row[self.label])) for row in rows]
        down = -(-len(self.columns) // self.across)
        values: list[Any] = [row[name] for row in rows for name in self.columns if row[name] is not None]
        most = max([0.1, *map(abs, values)])
        scale = (-most, 0.0, most)
        found = layout(palette, height=50 + 150 * down) | {"annotations": [], "shapes": []}
        found["margin"] |= {"b": 28}
        found["grid"] = {
            "rows": down,
            "columns": self.across,
            "pattern": "independent",
            "xgap": 0.1,
            "ygap": 0.5,
        }
        dots: list[dict[str, Any]] = []
        lines: list[dict[str, Any]] = []
        colour = CANDIDATES[theme][0]
        for at, name in enumerate(self.columns):
            axis = str(at + 1) if at else ""
            found[f"xaxis{axis}"] = {
                "range": [-0.5, len(rows) - 0.5],
                "tickvals": [0, len(rows) - 1],
                "ticktext": [names[0], names[-1]],
            } | HIDDEN
            found[f"yaxis{axis}"] = HIDDEN | {
                "range": [-most * 1.15, most * 1.15],
                "tickvals": scale,
                "ticktext": [format(self.even + value, self.form) for value in scale],
                "tickfont": {"color": palette.muted},
                "showticklabels": at % self.across == 0,
                "automargin": True,
                "zeroline": True,
                "zerolinecolor": palette.line,
            }
            own: dict[str, Any] = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
            domain = f"y{axis} domain"
            anchors = {"xanchor": "left", "yanchor": "bottom"}
            title = caption("", 0, 1, xref=f"x{axis} domain", yref=domain, align="left", **anchors)
            found["annotations"].append(title | {"text": on_two_lines(name)})
            found["shapes"] += [
                upright(cut - 0.5, palette.muted, dash="dash", xref=f"x{axis}", yref=domain)
                for cut in self.cuts
            ]
            dots.append(
                marks(
                    range(len(rows)),
                    [row[name] for row in rows],
                    [
                        "" if value is None else f"{row[self.label]}: {format(self.even + value, self.form)}"
                        for row in rows
                        for value in (cast("float | None", row[name]),)
                    ],
                    marker={"size": 6, "color": colour},
                    **own,
                )
            )
            joined = parted(range(len(rows)), self.cuts)
            there = [None if place is None else rows[place][name] for place in joined]
            lines.append(stroke(joined, there, colour=colour, **own))
        # Marks first: the address behind a mark goes by the place of its trace.
        return figure([*dots, *lines], found)
