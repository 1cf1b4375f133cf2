"""Charts that can be read without hovering, in the colours of the page's theme; what they count stands beside them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from comparator.stats.figures import Interval
from comparator.ui import safe
from comparator.ui.theme import Palette, Theme

Figure = go.Figure

ROW = 44
EDGE = 76
TICK_LIMIT = 44

# The two candidates. Blue and orange belong to the outputs A and B, which are drawn anew for each pair. Teal and purple
# differ in lightness and hue for every kind of colour vision, and each stands with its name.
CANDIDATES = {Theme.LIGHT: ("#0f766e", "#8a3b78"), Theme.DARK: ("#5cc8ba", "#dd8ecb")}


class Segment(NamedTuple):
    """A part of each bar: what it counts, its colour, the colour of figures on it, and one count a bar."""

    name: str
    colour: str
    on: str
    counts: tuple[int, ...]


class Point(NamedTuple):
    """A value with its interval, if there are enough observations for one, and the words beside it."""

    name: str
    value: float
    interval: Interval | None
    words: str


def stacked(rows: Sequence[str], segments: Sequence[Segment], *, palette: Palette) -> go.Figure:
    """A bar for each row, its counts one after the other with their numbers in them; the first row is on top."""
    figure = go.Figure()
    names = [plain(row) for row in rows]
    for segment in segments:
        figure.add_bar(
            y=names,
            x=segment.counts,
            name=plain(segment.name),
            orientation="h",
            text=[str(count) if count else "" for count in segment.counts],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": segment.on, "size": 13},
            marker={"color": segment.colour, "line": {"color": palette.page, "width": 1}},
            hovertemplate="%{y}: %{x} %{fullData.name}<extra></extra>",
        )
    _frame(figure, len(rows), palette=palette, legend=True)
    figure.update_layout(barmode="stack", bargap=0.35)
    figure.update_xaxes(
        rangemode="tozero", tickformat=",d", showgrid=False, showticklabels=False, zeroline=False
    )
    return figure


def points(
    rows: Sequence[Point],
    *,
    colour: str,
    even: float,
    low: str,
    high: str,
    palette: Palette,
    between: tuple[float, float] | None = None,
) -> go.Figure:
    """A dot with its interval for each row and its figures beside it; `low` and `high` say what the sides mean.

    The axis is even on both sides of `even`, or goes `between` two values.
    """
    figure = go.Figure()
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    for place, row in zip(places, rows, strict=True):
        ends = row.interval
        figure.add_scatter(
            y=[place],
            x=[row.value],
            mode="markers",
            marker={
                "size": 13,
                "color": colour if ends else palette.page,
                "line": {"color": colour, "width": 2},
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [ends.high - row.value if ends else 0],
                "arrayminus": [row.value - ends.low if ends else 0],
                "color": colour,
                "thickness": 3,
                "width": 6 if ends else 0,
            },
            hovertemplate=f"{plain(row.words)}<extra></extra>",
        )
        figure.add_annotation(
            y=place,
            x=1.02,
            xref="paper",
            xanchor="left",
            text=plain(row.words),
            showarrow=False,
            font={"color": palette.ink, "size": 13},
        )
    ends_of = [
        abs(e - even)
        for r in rows
        for e in (r.value, *((r.interval.low, r.interval.high) if r.interval else ()))
    ]
    reach = max([*ends_of, 0.5]) * 1.15
    _frame(figure, len(rows), palette=palette, right=230)
    figure.update_yaxes(
        tickmode="array",
        tickvals=places,
        ticktext=[plain(safe.cut(row.name, TICK_LIMIT)) for row in rows],
        range=[len(rows) - 0.5, -0.5],
        autorange=False,
        zeroline=False,
    )
    span = list(between) if between else [even - reach, even + reach]
    figure.update_xaxes(range=span, gridcolor=palette.line, zeroline=False)
    figure.add_vline(x=even, line={"color": palette.muted, "width": 1, "dash": "dash"})
    _sides(figure, low=low, high=high, palette=palette)
    return figure


def diverging(
    rows: Sequence[tuple[str, float]], *, colours: tuple[str, str], low: str, high: str, palette: Palette
) -> go.Figure:
    """A bar for each row from zero to its value, the first colour to the right and the second to the left."""
    values = [value for _, value in rows]
    names = [plain(safe.cut(name, TICK_LIMIT)) for name, _ in rows]
    # By place, since two rows may have the same name.
    places = list(range(len(rows)))
    figure = go.Figure(
        go.Bar(
            y=places,
            customdata=names,
            x=values,
            orientation="h",
            text=[f"{value:+.1f}" for value in values],
            textposition="outside",
            cliponaxis=False,
            textfont={"color": palette.ink, "size": 13},
            marker={"color": [colours[0] if value > 0 else colours[1] for value in values]},
            hovertemplate="%{customdata}: %{x:+.1f}<extra></extra>",
        )
    )
    # The button that saves the picture stands at the right edge.
    _frame(figure, len(rows), palette=palette, right=48)
    figure.update_yaxes(tickmode="array", tickvals=places, ticktext=names, showgrid=False, zeroline=False)
    reach = max([*(abs(value) for value in values), 0.5]) * 1.25
    figure.update_xaxes(range=[-reach, reach], gridcolor=palette.line, zeroline=False)
    figure.add_vline(x=0, line={"color": palette.muted, "width": 1})
    _sides(figure, low=low, high=high, palette=palette)
    return figure


def steps(rows: Sequence[Point], *, colour: str, even: float, palette: Palette) -> go.Figure:
    """A dot with its interval for each step from left to right, and its share above it."""
    figure = go.Figure(
        go.Scatter(
            x=[plain(row.name) for row in rows],
            y=[row.value for row in rows],
            mode="markers+lines+text",
            text=[plain(row.words) for row in rows],
            textposition="top right",
            line={"color": palette.line, "width": 2},
            marker={
                "size": 12,
                "color": [colour if row.interval else palette.page for row in rows],
                "line": {"color": colour, "width": 2},
            },
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [row.interval.high - row.value if row.interval else 0 for row in rows],
                "arrayminus": [row.value - row.interval.low if row.interval else 0 for row in rows],
                "color": colour,
                "thickness": 2,
            },
            cliponaxis=False,
            hovertemplate="%{x}: %{text}<extra></extra>",
        )
    )
    _frame(figure, 6, palette=palette)
    figure.update_xaxes(type="category", showgrid=False)
    figure.update_yaxes(
        autorange=False, range=[-0.05, 1.1], tickformat=".0%", gridcolor=palette.line, zeroline=False
    )
    figure.add_hline(y=even, line={"color": palette.muted, "width": 1, "dash": "dash"})
    return figure


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
    figure = go.Figure(
        go.Heatmap(
            z=[
                [abs(s - 0.5) * (1 if s >= 0.5 else 0) if s is not None else None for s in row]
                for row in shares
            ],
            x=places,
            y=places,
            text=[list(row) for row in cells],
            texttemplate="%{text}",
            textfont={"color": palette.ink, "size": 12},
            colorscale=[[0, palette.raised], [1, palette.tie]],
            zmin=0,
            zmax=0.5,
            showscale=False,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    _frame(figure, len(names), palette=palette)
    figure.update_xaxes(
        side="top",
        tickmode="array",
        tickvals=places,
        ticktext=shown,
        tickangle=-35,
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    figure.update_yaxes(tickmode="array", tickvals=places, ticktext=shown, zeroline=False)
    figure.update_layout(height=EDGE + 70 + ROW * len(names), margin={"l": 8, "r": 90, "t": 8, "b": 8})
    return figure


def plain(value: str) -> str:
    """Foreign text for a chart, which would take tags, links and formulas in it for its own."""
    return html.escape(safe.visible(value), quote=False).replace("$", f"${safe.JOINER}")


def _frame(figure: go.Figure, rows: int, *, palette: Palette, legend: bool = False, right: int = 16) -> None:
    figure.update_layout(
        height=EDGE + ROW * max(rows, 1),
        margin={"l": 8, "r": right, "t": 34, "b": 8 if legend else 24},
        # Not see-through: a picture saved from the page is put on a page of any colour.
        paper_bgcolor=palette.page,
        plot_bgcolor=palette.page,
        font={"color": palette.ink, "size": 13},
        showlegend=legend,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        hoverlabel={"bgcolor": palette.raised, "font": {"color": palette.ink}},
    )
    figure.update_xaxes(fixedrange=True, tickfont={"color": palette.muted})
    figure.update_yaxes(
        fixedrange=True, autorange="reversed", automargin=True, ticksuffix="  ", showgrid=False
    )


def _sides(figure: go.Figure, *, low: str, high: str, palette: Palette) -> None:
    for text, x, anchor in ((f"← {low}", 0, "left"), (f"{high} →", 1, "right")):
        figure.add_annotation(
            text=plain(text),
            x=x,
            y=1,
            xref="paper",
            yref="paper",
            xanchor=anchor,
            yanchor="bottom",
            showarrow=False,
            font={"color": palette.muted, "size": 12},
        )
