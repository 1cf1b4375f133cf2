"""How themes are drawn: a bar to each side, ties apart, and small trends by iteration."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

import plotly.graph_objects as go

from comparator.reporting.themes.picture import ThemeSides, ThemeTrend
from comparator.stats.figures import Estimate
from comparator.ui.frame import charts
from comparator.ui.frame.charts.break_marks import parted
from comparator.ui.frame.charts.parts import EDGE, WIDE, Heading, above, across, figure, frame, in_rows
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme

COLUMNS = 3
CELL = 130
SIDES = (0.0, 0.74)
EVEN = (0.77, 0.85)
"""Which part of the width the two sides have, and which the ties."""


def to_each_side(found: Sequence[ThemeSides], *, one: str, two: str, theme: ColourTheme) -> go.Figure:
    """Pairs in which each theme speaks for candidate two (to the left), for one (to the right), and for neither."""
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    places = list(range(len(found)))
    most = max([1, *(max(each.one, each.two) for each in found)])
    most_even = max([1, *(each.even for each in found)])
    ended = [
        f"Decided pairs: {each.for_winner:,} for the winner, {each.for_loser:,} for the loser"
        for each in found
    ]

    def bar(
        counts: list[int], *, name: str, colour: str, sign: int, axis: str, hatched: bool
    ) -> dict[str, Any]:
        return {
            "type": "bar",
            "orientation": "h",
            "y": places,
            "x": [sign * count for count in counts],
            "xaxis": axis,
            "name": charts.plain(name),
            "text": [f"{count:,}" if count else "" for count in counts],
            "textposition": "outside",
            "textangle": 0,
            "cliponaxis": False,
            "textfont": {"color": shown.ink, "size": 13},
            "customdata": counts,
            "hovertext": ended,
            "hovertemplate": "%{customdata} %{fullData.name}<br>%{hovertext}<extra></extra>",
            "marker": {
                "color": colour,
                "pattern": {"shape": charts.HATCHED if hatched else charts.PLAIN, "fgcolor": shown.page,
                            "fillmode": "overlay", "fgopacity": 0.4, "size": 8, "solidity": 0.15},
            },
        }  # fmt: skip

    names = [charts.plain(each.theme.name) for each in found]
    layout = frame(len(found), palette=shown, right=150, labels=names)
    layout |= {"height": EDGE + 34 * max(len(found), 1), "meta": WIDE}
    layout |= {"barmode": "overlay", "bargap": 0.35, "showlegend": False}
    hidden = {"fixedrange": True, "showgrid": False, "showticklabels": False, "zeroline": False}
    layout["xaxis"] = {**hidden, "domain": SIDES, "range": [-most * 1.18, most * 1.18]}
    layout["xaxis2"] = {**hidden, "domain": EVEN, "range": [0, most_even * 1.9], "anchor": "y"}
    layout["yaxis"] |= in_rows(names)
    layout["shapes"] = [across("x", 0, shown.muted)]
    layout["annotations"] = [
        *above(_headings(one, two), colour=shown.muted),
        *(
            {
                "y": place,
                "x": 1.01,
                "xref": "paper",
                "xanchor": "left",
                "text": charts.plain(_words(each)),
                "showarrow": False,
                "font": {"color": shown.ink, "size": 13},
            }
            for place, each in zip(places, found, strict=True)
        ),
    ]
    data = [
        bar([each.two for each in found], name=f"for {two}", colour=colours[1], sign=-1, axis="x", hatched=True),
        bar([each.one for each in found], name=f"for {one}", colour=colours[0], sign=1, axis="x", hatched=False),
        bar([each.even for each in found], name="for both alike", colour=shown.tie, sign=1, axis="x2",
            hatched=False),
    ]  # fmt: skip
    return figure(data=data, layout=layout)


def _headings(one: str, two: str) -> tuple[Heading, ...]:
    # On two lines: long names would meet in the middle of a narrow chart.
    middle = sum(SIDES) / 2
    return (
        Heading(f"← speaks for {two}", middle - 0.01, "right", 16),
        Heading(f"speaks for {one} →", middle + 0.01, "left", 0),
        Heading("both alike", EVEN[0], "left", 16),
        Heading("right side’s share", 1.01, "left", 0),
    )


def _words(each: ThemeSides) -> str:
    """The share with its interval; of few tasks, that there is none."""
    if not isinstance(each.share, Estimate):
        return f"{each.tasks} task{'' if each.tasks == 1 else 's'}, no share"
    ends = each.share.interval
    return f"{each.share.value:.0%} ({ends.low * 100:.0f} to {ends.high * 100:.0f})"


def small_trends(
    found: Sequence[ThemeTrend], iterations: Sequence[str], *, theme: ColourTheme, cuts: Sequence[int] = ()
) -> go.Figure:
    """A small chart for each theme: iterations from left to right, up where it speaks for candidate one.

    No line goes through the `cuts`, which are the places of iterations that do not compare with the one before.
    """
    places = parted(range(len(iterations)), cuts)
    colour, shown = charts.CANDIDATES[theme][0], PALETTES[theme]
    rows = max(1, ceil(len(found) / COLUMNS))
    reach = max([0.1, *(abs(lead) for each in found for lead in each.leads if lead is not None)]) * 1.15
    layout = frame(rows, palette=shown, labels=())
    layout |= {"height": 40 + CELL * rows, "annotations": [], "shapes": []}
    layout["margin"] = {"l": 8, "r": 16, "t": 24, "b": 24}
    del layout["xaxis"], layout["yaxis"]
    data: list[dict[str, Any]] = []
    for number, each in enumerate(found):
        row, column = divmod(number, COLUMNS)
        name = "" if number == 0 else str(number + 1)
        left, top = column / COLUMNS, 1 - row / rows
        layout[f"xaxis{name}"] = {
            "domain": [left, left + 0.9 / COLUMNS],
            "anchor": f"y{name}",
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "range": [-0.5, len(iterations) - 0.5],
            "tickmode": "array",
            "tickvals": [0, len(iterations) - 1],
            "ticktext": [charts.plain(iterations[0]), charts.plain(iterations[-1])],
            "tickfont": {"color": shown.muted, "size": 11},
        }
        layout[f"yaxis{name}"] = {
            "domain": [top - 0.62 / rows, top - 0.12 / rows],
            "anchor": f"x{name}",
            "fixedrange": True,
            "showgrid": False,
            "showticklabels": False,
            "zeroline": True,
            "zerolinecolor": shown.line,
            "range": [-reach, reach],
        }
        layout["annotations"].append(
            {
                "text": charts.plain(each.theme.name),
                "x": left,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "top",
                "showarrow": False,
                "font": {"color": shown.ink, "size": 12},
            }
        )
        layout["shapes"] += [
            {"type": "line", "xref": f"x{name}", "yref": f"y{name} domain", "x0": cut - 0.5, "x1": cut - 0.5}
            | {"y0": 0, "y1": 1, "line": {"color": shown.muted, "width": 1, "dash": "dash"}}
            for cut in cuts
        ]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": places,
                "y": [None if at is None else each.leads[at] for at in places],
                "xaxis": f"x{name}",
                "yaxis": f"y{name}",
                "line": {"color": colour, "width": 2},
                "marker": {"size": 5},
                "connectgaps": False,
                "showlegend": False,
                "customdata": ["" if at is None else charts.plain(iterations[at]) for at in places],
                "hovertemplate": "%{customdata}: %{y:+.0%}<extra></extra>",
            }
        )
    return figure(data=data, layout=layout)
