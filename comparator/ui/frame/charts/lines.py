"""Lines over steps, broken where figures stop to compare: one chart, or small charts side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, cast

import plotly.graph_objects as go

from comparator.ui.frame import safe
from comparator.ui.frame.charts.break_marks import BreakMark, above, heads, rules
from comparator.ui.frame.charts.drawing import HIGH, LOW, NOTE, WIDE, Drawing, Row, hollow_words, is_hollow
from comparator.ui.frame.charts.plotting import (
    HIDDEN,
    LETTER,
    LINE,
    base_layout,
    caption,
    figure,
    marks,
    on_two_lines,
    places_with_gaps,
    plain,
    rule,
    stroke,
    upright,
)
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, SERIES, ColourTheme

HEIGHT = 300
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "triangle-down")
DASHES = ("solid", "dash", "dot", "dashdot")
NAME = 22
"""Characters of a name at the end of its line."""
MOST_BANDS, MOST_TICKS = 4, 16
"""With more lines or steps than these, bands of intervals would hide each other, and names on an axis collide."""
_TOP, _BOTTOM, BELOW = 34, 40, 20


@dataclass(frozen=True)
class Lines(Drawing):
    """A line over the steps for each value of the column `by`, or a single one, with its interval as a band."""

    x: str
    value: str
    steps: Sequence[str]
    by: str = ""
    n: str = ""
    form: str = ".0%"
    breaks: Sequence[BreakMark] = ()
    notes: Sequence[BreakMark] = ()
    """What people noted at a step; lines go on through them."""
    even: float | None = None
    levels: Sequence[tuple[int, int, float]] = ()
    """Stretches of steps, from the first up to, not including, the last, and the mean of each."""
    chosen: tuple[int, int] | None = None
    """The first and last step of a span to highlight."""
    selects: bool = False
    """Whether a box drawn across chooses steps."""
    between: tuple[float, float] | None = None
    """The ends of the y axis; around the data where they are None."""
    height: int = HEIGHT

    @property
    def _inside(self) -> int:
        """Pixels between the lower and the upper edge."""
        return self.height - _TOP - _BOTTOM

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len({row[self.x] for row in rows if row[self.value] is not None}) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(f"{self.in_words(row)}." for row in rows if row[self.value] is not None)

    def in_words(self, row: Row) -> str:
        """A row in words: its line, step, value, interval and number."""
        name = f"{row[self.by]}, " if self.by else ""
        ends = [row.get(column) for column in (LOW, HIGH)]
        interval = "" if None in ends else f" (95%: {' to '.join(format(end, self.form) for end in ends)})"
        n = f", n = {row[self.n]:,}" if self.n else ""
        note = f", {row[NOTE]}" if row.get(NOTE) else ""
        return f"{name}{row[self.x]}: {format(row[self.value], self.form)}{interval}{n}{note}"

    def lines(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """The rows of each line."""
        by_line: dict[str, list[Row]] = {}
        for row in rows:
            by_line.setdefault(str(row[self.by]) if self.by else "", []).append(row)
        return by_line

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, lines = PALETTES[theme], self.lines(rows)
        places = {step: at for at, step in enumerate(self.steps)}
        colours = {name: SERIES[theme][at % len(SERIES[theme])] for at, name in enumerate(lines)}
        cuts = [int(mark.at) for mark in self.breaks]
        dots = [
            marks(
                [places[str(row[self.x])] for row in own],
                [row[self.value] for row in own],
                ["" if row[self.value] is None else self.in_words(row) for row in own],
                name=plain(name),
                marker={
                    "size": 8,
                    "symbol": SYMBOLS[at % len(SYMBOLS)],
                    "color": [palette.page if is_hollow(row) else colours[name] for row in own],
                    "line": {"color": colours[name], "width": 2},
                },
            )
            for at, (name, own) in enumerate(lines.items())
        ]
        low, high = self._range(rows)
        rest: list[dict[str, Any]] = []
        noted = sorted([*self.breaks, *self.notes])
        shapes = [*rules(self.breaks, palette), *rules(self.notes, palette, dash="dot")]
        for at, (name, own) in enumerate(lines.items()):
            known = [row for row in own if row[self.value] is not None]
            joined = places_with_gaps([places[str(row[self.x])] for row in known], cuts)
            values = {places[str(row[self.x])]: row[self.value] for row in known}
            there = [None if place is None else values[place] for place in joined]
            rest.append(stroke(joined, there, colour=colours[name], dash=DASHES[at % len(DASHES)]))
            certain = [row for row in known if row.get(LOW) is not None and len(lines) <= MOST_BANDS]
            # Where a point has no interval, each of the others has a bar: a band would pass that point by.
            starts = range(len(self.steps)) if len(certain) < len(known) else cuts
            stretches: dict[int, list[Row]] = {}
            for row in certain:
                step = places[str(row[self.x])]
                stretches.setdefault(sum(start <= step for start in starts), []).append(row)
            for stretch in stretches.values():
                steps = [places[str(row[self.x])] for row in stretch]
                edge = [*(row[HIGH] for row in stretch), *(row[LOW] for row in reversed(stretch))]
                filled = {"fill": "toself", "fillcolor": colours[name], "opacity": 0.14}
                wide = 14 if len(stretch) == 1 else 0
                rest.append(
                    stroke([*steps, *reversed(steps)], edge, colour=colours[name], width=wide, **filled)
                )
        layout = base_layout(palette, height=self.height)
        words = self._ends(lines, colours, (low, high))
        # Above the chart, where nothing is drawn: what the marks are called, and over them the mean of each stretch.
        called = above(
            [(mark.at - 0.5, mark.short) for mark in noted], len(self.steps), shift=7, colour=palette.muted
        )
        top = max((word["yshift"] + LINE for word in called), default=2)
        means = [
            ((first + end - 1) / 2, f"{'' if at else 'mean '}{format(mean, self.form)}")
            for at, (first, end, mean) in enumerate(self.levels)
        ]
        called += above(means, len(self.steps), shift=top, colour=palette.ink)
        shapes += [
            rule((at - 0.4, end - 0.6), (mean, mean), palette.ink, dash="dot", width=2)
            for at, end, mean in self.levels
        ]
        if self.even is not None:
            below = _rectangle(0, 1, low=low, high=self.even, colour=palette.muted, reach=0)
            shapes += [
                below | {"xref": "paper"},
                rule((0, 1), (self.even, self.even), palette.muted, xref="paper"),
            ]
        if self.chosen is not None:
            shapes.append(_rectangle(*self.chosen, low=low, high=high, colour=palette.accent, reach=0.5))
        longest = max((len(word["text"]) for word in words if word.get("xref") == "paper"), default=0)
        layout["margin"] = {"l": 8, "r": int(28 + min(longest, NAME + 4) * LETTER), "b": _BOTTOM}
        layout["margin"]["t"] = max([_TOP, *(word["yshift"] + LINE + 4 for word in called)])
        if self.selects:
            # Streamlit takes no click on a mark while dragging selects.
            layout["selectdirection"] = "h"
        if hollow := hollow_words(rows, self.value):
            layout["margin"]["b"] += BELOW
            layout["xaxis"]["title"] = {
                "text": hollow,
                "standoff": 4,
                "font": {"color": palette.muted, "size": 12},
            }
        apart = -(-len(self.steps) // MOST_TICKS)
        # The newest is always named.
        ticks = [at for at in range(len(self.steps)) if (len(self.steps) - 1 - at) % apart == 0]
        layout["xaxis"] |= {
            "range": [-0.5, len(self.steps) - 0.5],
            "tickvals": ticks,
            "ticktext": [plain(safe.cut(self.steps[at], 14)) for at in ticks],
            # On a narrow screen they stand upright before they run into each other.
            "autotickangles": [0, -45, -90],
        }
        layout["yaxis"] |= {
            "range": [low, high],
            "tickformat": self.form,
            "nticks": 6,
            "showgrid": True,
            "gridcolor": palette.line,
        }
        layout |= {"shapes": shapes, "annotations": [*words, *called]}
        over = [heads(noted, palette, top=high)] if noted else []
        return figure([*dots, *over, *rest], layout)

    def _range(self, rows: Sequence[Row]) -> tuple[float, float]:
        """The ends of the y axis."""
        if self.between:
            return self.between
        drawn: list[Any] = [row.get(column) for row in rows for column in (self.value, LOW, HIGH)]
        drawn = [value for value in drawn if value is not None] + ([] if self.even is None else [self.even])
        least, most = min(drawn), max(drawn)
        room = (most - least) * 0.08 or abs(most) * 0.1 or 1
        return least - room, most + room

    def _ends(
        self, lines: Mapping[str, Sequence[Row]], colours: Mapping[str, str], ends: tuple[float, float]
    ) -> list[dict[str, Any]]:
        """Names at the right, apart from each other by at least a line of words; of a single line, its latest value."""
        least = (ends[1] - ends[0]) * LINE / self._inside
        last: dict[str, Any] = {
            name: [row[self.value] for row in rows if row[self.value] is not None][-1]
            for name, rows in lines.items()
            if any(row[self.value] is not None for row in rows)
        }
        wanted = sorted(last, key=lambda name: last[name])
        places: list[float] = []
        for name in wanted:
            places.append(last[name] if not places else max(last[name], places[-1] + least))
        # What was pushed over the top comes down again, and pushes those below it.
        top = ends[1]
        for at in range(len(places) - 1, -1, -1):
            places[at] = min(places[at], top)
            top = places[at] - least
        beside = {"xref": "paper", "xanchor": "left", "xshift": 8, "yanchor": "middle"}
        return [
            caption(
                safe.cut(name, NAME) if len(last) > 1 else f"latest {format(last[name], self.form)}",
                1,
                y,
                font={"color": colours[name], "size": 13},
                **beside,
            )
            for name, y in zip(wanted, places, strict=True)
        ]


def _rectangle(
    first: int, last: int, *, low: float, high: float, colour: str, reach: float
) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": first - reach,
        "x1": last + reach,
        "y0": low,
        "y1": high,
        "fillcolor": colour,
        "opacity": 0.12,
        "line": {"width": 0},
        "layer": "below",
    }


TITLE_LIMIT = 22
"""Characters in a line of a small chart's title, so that it ends before the next one on a phone."""


@dataclass(frozen=True)
class Multiples(Drawing):
    """A small line for each of these columns, as far as it goes, to one scale; broken before the places in `cuts`."""

    label: str
    columns: Sequence[str]
    cuts: Sequence[int] = ()
    form: str = ".0%"
    even: float = 0.5
    """The middle of the scale."""
    across: int = 3
    """So many stand beside each other."""
    links: Mapping[str, str] = field(default_factory=dict)
    """The addresses to which the names of the columns lead."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(rows) > 1 and any(row[name] is not None for row in rows for name in self.columns)

    def words(self, rows: Sequence[Row]) -> str:
        return "A chart appears with a second iteration."

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, names = PALETTES[theme], [plain(str(row[self.label])) for row in rows]
        down = -(-len(self.columns) // self.across)
        values: list[Any] = [row[name] for row in rows for name in self.columns if row[name] is not None]
        most = ceil(round(10 * max([0.1, *(abs(value - self.even) for value in values)]), 6)) / 10
        scale = (self.even - most, self.even, self.even + most)
        layout = base_layout(palette, height=50 + 150 * down)
        layout |= {"annotations": [], "shapes": [], "meta": WIDE}
        layout["margin"] |= {"b": 28, "r": 40}
        layout["grid"] = {
            "rows": down,
            "columns": self.across,
            "pattern": "independent",
            "xgap": 0.2,
            "ygap": 0.5,
        }
        dots: list[dict[str, Any]] = []
        lines: list[dict[str, Any]] = []
        colour = CANDIDATES[theme][0]
        for at, name in enumerate(self.columns):
            axis = str(at + 1) if at else ""
            last = max((place for place, row in enumerate(rows) if row[name] is not None), default=0)
            value = rows[last][name]
            latest = names[last] if value is None else f"latest {format(value, self.form)}"
            layout[f"xaxis{axis}"] = {
                "range": [-0.5, last + 0.5],
                "tickvals": [0, last],
                "ticktext": [names[0], latest],
            } | HIDDEN
            layout[f"yaxis{axis}"] = HIDDEN | {
                "range": [self.even - most * 1.15, self.even + most * 1.15],
                "tickvals": scale,
                "tickformat": self.form,
                "tickfont": {"color": palette.muted},
                "showticklabels": at % self.across == 0,
                "automargin": True,
            }
            own: dict[str, Any] = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
            domain = f"y{axis} domain"
            anchors = {"xanchor": "left", "yanchor": "bottom"}
            title = caption("", 0, 1, xref=f"x{axis} domain", yref=domain, align="left", **anchors)
            shown = on_two_lines(name, TITLE_LIMIT)
            if link := self.links.get(name):
                shown = f'<a href="{link}" target="_self" style="color:{colour}">{shown}</a>'
            layout["annotations"].append(title | {"text": shown})
            middle = {"xref": f"x{axis} domain", "yref": f"y{axis}"}
            layout["shapes"].append(rule((0, 1), (self.even, self.even), palette.line, **middle))
            layout["shapes"] += [
                upright(cut - 0.5, palette.muted, dash="dash", xref=f"x{axis}", yref=domain)
                for cut in self.cuts
                if cut <= last
            ]
            dots.append(
                marks(
                    range(len(rows)),
                    [row[name] for row in rows],
                    [
                        "" if value is None else f"{row[self.label]}: {format(value, self.form)}"
                        for row in rows
                        for value in (cast("float | None", row[name]),)
                    ],
                    marker={"size": 6, "color": colour},
                    **own,
                )
            )
            joined = places_with_gaps(range(len(rows)), self.cuts)
            there = [None if place is None else rows[place][name] for place in joined]
            lines.append(stroke(joined, there, colour=colour, **own))
        # Marks first: the address behind a mark goes by the place of its trace.
        return figure([*dots, *lines], layout)
