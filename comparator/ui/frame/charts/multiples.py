"""Small charts of several columns side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from comparator.ui.frame import safe
from comparator.ui.frame.charts.drawing import Drawing, Row
from comparator.ui.frame.charts.plotting import (
    HIDDEN,
    caption,
    figure,
    layout,
    marks,
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

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(rows) > 1 and any(row[name] is not None for row in rows for name in self.columns)

    def words(self, rows: Sequence[Row]) -> str:
        return "A chart appears with a second iteration."

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, names = PALETTES[theme], [plain(str(row[self.label])) for row in rows]
        down = -(-len(self.columns) // self.across)
        values: list[Any] = [row[name] for row in rows for name in self.columns if row[name] is not None]
        reach = max([0.1, *map(abs, values)]) * 1.15
        found = layout(palette, height=40 + 130 * down) | {"annotations": [], "shapes": []}
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
                "tickvals": [0, len(rows) - 1],
                "ticktext": [names[0], names[-1]],
            } | HIDDEN
            found[f"yaxis{axis}"] = {"range": [-reach, reach], "showticklabels": False, "fixedrange": True}
            own: dict[str, Any] = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
            domain = f"y{axis} domain"
            anchors = {"xanchor": "left", "yanchor": "bottom"}
            title = caption(safe.cut(name, 36), 0, 1, xref=f"x{axis} domain", yref=domain, **anchors)
            found["annotations"].append(title)
            found["shapes"] += [
                upright(cut - 0.5, palette.muted, dash="dash", xref=f"x{axis}", yref=domain)
                for cut in self.cuts
            ]
            dots.append(
                marks(
                    range(len(rows)),
                    [row[name] for row in rows],
                    [str(row[self.label]) for row in rows],
                    marker={"size": 6, "color": colour},
                    **own,
                )
                | {"hovertemplate": "%{customdata}: %{y:+.0%}<extra></extra>"}
            )
            joined = parted(range(len(rows)), self.cuts)
            there = [None if place is None else rows[place][name] for place in joined]
            lines.append(stroke(joined, there, colour=colour, **own))
        # Marks first: the address behind a mark goes by the place of its trace.
        return figure([*dots, *lines], found)
