"""The kinds of charts: each draws a frame of rows, says when it is not worth drawing, and then says it in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import plotly.graph_objects as go

from comparator.ui.frame.charts.plotting import (
    HIDDEN,
    STAYS,
    base_layout,
    caption,
    figure,
    marks,
    on_two_lines,
    plain,
    rule,
    stroke,
    upright,
)
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, ColourTheme, Palette, Tone
from comparator.ui.frame.estimates import percent

Cell = str | int | float | None
Row = Mapping[str, Cell]
LOW, HIGH = "Interval from", "Interval to"
"""The columns of a figure's interval."""
NOTE = "Note"
"""A column: what a reader has to know of a figure. Its dot is hollow."""
GUESSING = "Guessing"
"""A column: what a guess would get. A line marks it in its row, in place of one through the whole chart."""
WIDE = "words on both sides"
"""The `meta` of a chart that a phone has not width enough for."""
ROW, EDGE = 34, 76


class Drawing(Protocol):
    """A kind of chart with the columns of the frame that it draws.

    Its first traces have a mark for each row, in the order of the rows.
    """

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        """Whether there is something to compare: not a single bar, and not dots that are all alike."""

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        """The chart in the colours of this theme."""

    def words(self, rows: Sequence[Row]) -> str:
        """What the chart would show, as a sentence."""


@dataclass(frozen=True)
class Bars(Drawing):
    """A bar for each row, its counts one after the other; `beside` is a column of words at the right."""

    label: str
    series: Mapping[str, Tone]
    beside: str = ""
    overall: bool = False
    """Whether it is the one bar of the result, large and with its words on it."""
    first: int = 12
    """Rows that it draws; the table has all."""
    alike: bool = False
    """Whether all bars are of one length, so that their parts compare."""
    sides: tuple[str, str] | tuple[()] = ()
    """Where its two series go to both sides of one line: what the left, of the second, and the right one mean."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return self.overall or sum(any(row[name] for name in self.series) for row in rows[: self.first]) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(
            f"{row[self.label]}: {', '.join(f'{row[name]:,} {low(name)}' for name in self.series if row[name])}"
            + (f" ({low(self.beside)}: {row[self.beside]})." if self.beside else ".")
            for row in rows[: self.first]
            if any(row[name] for name in self.series)
        )

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        rows, palette = rows[: self.first], PALETTES[theme]
        names = _names(rows, self.label)
        bars = [
            _bar(name, [row[name] or 0 for row in rows], tone, theme)
            | {
                "y": list(range(len(rows))),
                "x": [row[name] or 0 for row in rows],
                "orientation": "h",
                "customdata": names,
                "hovertemplate": "%{customdata}: %{text} %{fullData.name}<extra></extra>",
            }
            for name, tone in self.series.items()
        ]
        layout = base_layout(palette, height=EDGE + ROW * len(rows), legend=True)
        # A number that does not fit into its part of the bar stands in the tooltip and in the table.
        layout |= {"barmode": "stack", "bargap": 0.35, "uniformtext": {"minsize": 11, "mode": "hide"}}
        layout |= {"barnorm": "percent"} if self.alike else {}
        if self.sides:
            bars[1]["x"] = [-count for count in bars[1]["x"]]
            most = max(abs(count) for bar in bars for count in bar["x"])
            layout |= {"barmode": "relative", "shapes": [upright(0, palette.muted)], "showlegend": False}
            layout["xaxis"] |= {"range": [-most, most], "title": _directions(self.sides, palette)}
        layout["xaxis"] |= {"showticklabels": False}
        if self.overall:
            for bar in bars:
                bar |= {"text": [f"{bar['x'][0]:,} {bar['name']}"], "width": 0.9}
            layout |= {"height": 96, "margin": {"l": 0, "r": 0, "t": 30, "b": 0}}
            layout["yaxis"] |= {"visible": False}
        beside = rows_axis(layout, names, [str(row[self.beside]) for row in rows] if self.beside else ())
        return figure([*bars, *beside], layout)


@dataclass(frozen=True)
class Dots(Drawing):
    """A dot for each row with its interval; the words beside it are made of its figures."""

    label: str
    value: str
    between: tuple[float, float] | None = (0, 1)
    """The ends of the axis; where they are None, it is even on both sides of `even`."""
    even: float = 0.5
    sides: tuple[str, str] = ("", "")
    """What the left and the right mean."""
    form: str = ".0%"
    n: str = ""
    first: int = 24
    legend: str = ""
    """What a sign before a name means."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        values = [row[self.value] for row in rows if row[self.value] is not None]
        return len(values) > 1 and (len(set(values)) > 1 or any(row.get(LOW) is not None for row in rows))

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(
            f"{row[self.label]}: {self.in_words(row)}." for row in rows if row[self.value] is not None
        )

    def in_words(self, row: Row, *, noted: bool = True) -> str:
        """The figures of a row, with its note.

        >>> Dots("Tag", "Rate", n="Pairs").in_words({"Rate": 0.575, LOW: 0.51, HIGH: 0.75, "Pairs": 40})
        '58% (51% to 75%), n = 40'
        """
        value, low, high = (
            "" if cell is None else percent(float(cell)) if self.form == ".0%" else format(cell, self.form)
            for cell in (row[self.value], row.get(LOW), row.get(HIGH))
        )
        interval = "" if not (low and high) or low == value == high else f" ({low} to {high})"
        # Nothing is neither more nor less.
        value = value.lstrip("+") if not float(value.rstrip("%")) else value
        n = f", n = {row[self.n]:,}" if self.n and row.get(self.n) else ""
        return f"{value}{interval}{n}" + (f", {row[NOTE]}" if noted and row.get(NOTE) else "")

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        rows, palette = rows[: self.first], PALETTES[theme]
        names = _names(rows, self.label)
        # A note that every row has says nothing of any.
        noted = not all(row.get(NOTE) for row in rows)
        words = ["" if row[self.value] is None else self.in_words(row, noted=noted) for row in rows]
        ends = [(row.get(LOW), row.get(HIGH)) for row in rows]
        values: list[Any] = [row[self.value] for row in rows]
        drawn: list[Any] = [
            value for value in (*values, *(end for both in ends for end in both)) if value is not None
        ]
        reach = max(abs(value - self.even) for value in drawn) * 1.15 or 1
        dots = marks(
            values,
            range(len(rows)),
            [f"{row[self.label]}: {text}" for row, text in zip(rows, words, strict=True)],
            marker={
                "size": 12,
                "color": [palette.page if is_hollow(row) else palette.ink for row in rows],
                "line": {"color": palette.ink, "width": 2},
            },
            error_x=_interval(values, ends, palette.ink),
        )
        layout = base_layout(palette, height=EDGE + ROW * len(rows)) | {"meta": WIDE}
        layout["xaxis"] |= {
            "range": [self.even - reach, self.even + reach]
            if self.between is None
            else _roomy(*self.between),
            "tickformat": self.form.replace("z", ""),
            "nticks": 6,
            "title": _directions(self.sides, palette) if any(self.sides) else None,
        }
        guesses = [
            (at, float(guess)) for at, row in enumerate(rows) if (guess := row.get(GUESSING)) is not None
        ]
        layout["shapes"] = [rule((x, x), (at - 0.5, at + 0.5), palette.muted) for at, x in guesses]
        if not any(GUESSING in row for row in rows):
            layout["shapes"] = [upright(self.even, palette.muted)]
        signs = (
            hollow_words(rows, self.value),
            "│ what guessing gets" if guesses else "",
            self.legend,
        )
        if legend := "   ".join(filter(None, signs)):
            above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 4}
            font = {"color": palette.muted, "size": 12}
            layout["annotations"] = [caption(legend, 0, 1, font=font, **above)]
        return figure([dots, *rows_axis(layout, names, words)], layout)


@dataclass(frozen=True)
class Dumbbells(Drawing):
    """For each row the value of one side where that of the other is 100%, joined by a line; words at the right."""

    label: str
    one: str
    two: str
    beside: str
    """The column of the words."""

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(rows) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(f"{row[self.label]}: {row[self.beside]}." for row in rows)

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette = PALETTES[theme]
        ratios = [float(row[self.one] or 0) / float(row[self.two] or 1) for row in rows]
        places = list(range(len(rows)))

        def dots(name: str, values: list[float], colour: str, symbol: str) -> dict[str, Any]:
            words = [f"{row[self.label]}: {row[self.beside]}" for row in rows]
            marker = {"size": 12, "color": colour, "symbol": symbol}
            return marks(values, places, words, name=plain(name), marker=marker)

        line = stroke(
            [x for ratio in ratios for x in (1, ratio, None)],
            [y for place in places for y in (place, place, None)],
            colour=palette.muted,
        )
        first, second = CANDIDATES[theme]
        layout = base_layout(palette, height=EDGE + ROW * len(rows), legend=True) | {"meta": WIDE}
        # A difference of a few hundredths looks like one.
        ends = min(0.5, *ratios), max(1.5, *ratios)
        layout["xaxis"] |= {"tickformat": ".0%", "nticks": 6, "range": _roomy(*ends)}
        layout["shapes"] = [upright(1, palette.muted)]
        beside = rows_axis(layout, _names(rows, self.label), [str(row[self.beside]) for row in rows])
        return figure(
            [
                dots(self.one, ratios, first, "circle"),
                dots(self.two, [1.0] * len(rows), second, "diamond"),
                line,
                *beside,
            ],
            layout,
        )


def _directions(sides: tuple[str, ...], palette: Palette) -> dict[str, Any]:
    """What the left and the right mean, below the axis."""
    return {"text": plain("← {}    {} →".format(*sides)), "font": {"color": palette.muted, "size": 12}}


def _roomy(low: float, high: float) -> tuple[float, float]:
    """With room for a whole dot at either end."""
    return low - (high - low) * 0.03, high + (high - low) * 0.04


def is_hollow(row: Row) -> bool:
    """Whether the figure of a row rests on few tasks, or on too few for its interval."""
    return bool(row.get(NOTE)) or (LOW in row and row[LOW] is None)


def hollow_words(rows: Sequence[Row], value: str) -> str:
    """What a hollow mark is, where the chart has one."""
    hollow = [row for row in rows if row[value] is not None and is_hollow(row)]
    signs = dict.fromkeys(str(row.get(NOTE) or "too few for an interval") for row in hollow)
    return f"○ {' or '.join(signs)}" if signs else ""


def low(name: str) -> str:
    """The heading of a column within a sentence.

    >>> low("Won by GPT"), low("A wins")
    ('won by GPT', 'A wins')
    """
    return name if name[1:2] == " " else name[:1].lower() + name[1:]


def _names(rows: Sequence[Row], label: str) -> list[str]:
    return [on_two_lines(str(row[label])) for row in rows]


def rows_axis(layout: dict[str, Any], names: Sequence[str], words: Sequence[str]) -> list[dict[str, Any]]:
    """Give each row its name at the left and its words at the right; by place, since names may repeat.

    Returns the invisible trace without which Plotly draws no second axis.
    """
    rows = {"range": [len(names) - 0.5, -0.5], "tickmode": "array", "tickvals": list(range(len(names)))}
    layout["yaxis"] |= rows | {"ticktext": list(names)}
    if not words:
        return []
    layout["yaxis2"] = (
        HIDDEN
        | rows
        | {"ticktext": [f"  {plain(word)}" for word in words], "overlaying": "y", "side": "right"}
    )
    layout["yaxis2"] |= {"automargin": True}
    return [
        {"type": "scatter", "x": [None], "y": [0], "yaxis": "y2", "showlegend": False, "hoverinfo": "skip"}
    ]


def _bar(name: str, counts: Sequence[Any], tone: Tone, theme: ColourTheme) -> dict[str, Any]:
    palette = PALETTES[theme]
    fill, ink = tone.colours(theme)
    return {
        "type": "bar",
        "name": plain(low(name)),
        "showlegend": any(counts),
        "text": [f"{count:,}" if count else "" for count in counts],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"color": ink, "size": 13},
        "marker": {
            "color": fill,
            "line": {"color": palette.page, "width": 1},
            "pattern": {
                "shape": tone.pattern,
                "fgcolor": palette.page,
                "fgopacity": 0.4,
                "size": 8,
                "solidity": 0.15,
            }
            | {"fillmode": "overlay"},
        },
        **STAYS,
    }


def _interval(values: Sequence[Any], ends: Sequence[tuple[Any, Any]], colour: str) -> dict[str, Any]:
    """Whiskers from the lower to the upper end, for the rows that have both."""
    arms = [
        (0, 0) if value is None or None in both else (both[1] - value, value - both[0])
        for value, both in zip(values, ends, strict=True)
    ]
    up, down = [[arm[at] for arm in arms] for at in (0, 1)]
    whiskers = {"type": "data", "symmetric": False, "array": up, "arrayminus": down}
    return whiskers | {"color": colour, "thickness": 3, "width": 6}
