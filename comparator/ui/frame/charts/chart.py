"""One chart from one frame of rows: its picture, the numbers as a table and CSV, and the pairs behind each mark."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from comparator.interop.written.rows import no_formula
from comparator.reporting.scope import Rated
from comparator.stats.intervals import ENOUGH, Estimate, Interval
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.drawing import HIGH, LOW, NOTE, WIDE, Cell, Drawing, Row
from comparator.ui.frame.charts.lines import Lines, Multiples
from comparator.ui.frame.charts.plotting import plain
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme, theme
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.inputs import file_to_save
from comparator.ui.frame.lists.list_rows import open_pair
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.ui.frame.words import counted


class Link(str):
    """An address of this app in a cell of a table, or behind a mark of a chart."""

    __slots__ = ()

    def saying(self, *words: str) -> Link:
        """The address of a list of pairs with what the list is of, in words."""
        more = urlencode({SAYS: ": ".join(filter(None, words))})
        return Link(f"{self}&{more}") if f"{BEHIND}=" in self else self


BEHIND, SAYS = "behind", "says"
"""In an address: which pairs a list has, and what it is of, in words."""
PAIR, PAIRS = "Pair", "Pairs behind it"
"""Columns that lead to a review, by its id, and to a list of pairs."""
IN_VIEW, ROW_HEIGHT = 10, 35
"""Rows of a table that are seen at once; the others are scrolled to. Pixels of a row, as Streamlit has them."""
REVIEW = "/review?c="
FOLLOWED = "dashboards_followed"
"""In the session's state: the address of the list behind the mark of a chart that was clicked."""
SIGNED, LONGEST_LINE = 13, 70
"""Pixels of a line under a picture, and the most characters of one: small charts hold no more."""
PICTURE = "picture"
"""In the session's state: the format in which a chart is saved."""
SMALL = 0.01
"""Figures below this, such as p-values, keep all their digits."""
SHARES = re.compile("Win rate|Share|^Won |Met by|Difference( to the rest)?$|Same winner|Guessing")
"""Columns of shares, where their figures are no counts."""
_CLICKED = "clicked_chart"
"""In the session's state: the chart in which a mark is still chosen."""


@dataclass(frozen=True)
class Chart:
    """Rows with a title that states the finding; without a drawing they are a table.

    `opens` has the addresses behind the marks: for each series, in the order of the drawing, one a row. `note` stands
    above the chart in two lines at most; `help`, how the figure is computed, behind "?".
    """

    name: str
    title: str
    rows: Sequence[Row] = ()
    drawing: Drawing | None = None
    opens: Mapping[str, Sequence[Link | None]] = field(default_factory=dict)
    cells: Callable[[int], Link] | None = None
    """Of a heat map: the address behind the square at a place, written when it is asked for."""
    note: str = ""
    help: str = ""
    pairs: int | None = None
    """What it rests on, where that is less than all pairs of the page."""
    under: Callable[[], None] | None = None
    """Shows what stands between the picture and its numbers."""
    more: Sequence[Chart] = ()
    """Further charts in the same box, each under its own title."""

    @property
    def is_drawn(self) -> bool:
        """Whether there is a picture."""
        return bool(self.rows) and self.drawing is not None and self.drawing.is_worth_drawing(self.rows)

    @property
    def words(self) -> str:
        """The note, with what the picture would have shown where there is none."""
        if self.drawing is None or self.is_drawn or not self.rows:
            return self.note
        return f"{self.note} {self.drawing.words(self.rows)}".strip()

    def figure(self, theme: ColourTheme) -> go.Figure | None:
        """The picture in these colours."""
        return self.drawing.figure(self.rows, theme) if self.drawing is not None and self.is_drawn else None

    @property
    def numbers(self) -> list[Row]:
        """The rows with a column of links for each series that opens something."""
        columns = {
            name if name in (PAIR, PAIRS) else f"Pairs: {name}": links for name, links in self.opens.items()
        }
        return [
            {**row, **{name: self.link(at, links[at], name) for name, links in columns.items()}}
            for at, row in enumerate(self.rows)
        ]

    def link(self, at: int, link: Link | None, series: str) -> Link | None:
        """The address with what its list is of: the row and the series."""
        name, value = next(iter(self.rows[at].items()), ("", ""))
        # A number alone does not say what it counts.
        first = f"{name} {value}" if str(value).isdigit() else str(value)
        return link and link.saying(first, "" if series in (PAIR, PAIRS) else series.removeprefix("Pairs: "))


def ends(value: object) -> dict[str, Cell]:
    """The columns of an interval, or of a figure's, empty where there is none; with a note where tasks are few."""
    interval = (
        value.interval if isinstance(value, Estimate) else value if isinstance(value, Interval) else None
    )
    return {
        LOW: None if interval is None else round(interval.low, 4),
        HIGH: None if interval is None else round(interval.high, 4),
        **({NOTE: f"fewer than {ENOUGH} tasks"} if isinstance(value, Estimate) and value.few else {}),
    }


def outcome(record: Rated) -> dict[str, Cell]:
    """The columns of a record: its win rate with the interval, and how its pairs ended."""
    return {
        "Win rate": None if record.share is None else round(record.share, 4),
        **ends(record.rate),
        "Pairs": record.n,
        "Won": record.won,
        "Tied": record.tied,
        "Lost": record.lost,
    }


def show(charts: Iterable[Chart], on_choose: Callable[[Any], None] | None = None) -> None:
    """Show these charts one below the other, each as soon as it is there; `on_choose` as `draw` has it."""
    for first in charts:
        with st.container(border=True, key=f"box_{first.name}"):
            for chart in (first, *first.more):
                st.subheader(
                    safe.text(chart.title), anchor=False, help=safe.text(chart.help) if chart.help else None
                )
                if chart.words:
                    st.caption(safe.text(chart.words))
                draw(chart, on_choose)
                if chart.under is not None:
                    chart.under()
                if chart.rows and chart.drawing is None:
                    numbers(chart.name, chart.numbers)
                elif chart.rows:
                    # A table costs the browser as much as a chart, so it is sent only when it is opened.
                    under = st.expander("The numbers", key=f"numbers_{chart.name}", on_change="rerun")
                    if under.open:
                        with under:
                            numbers(
                                chart.name, chart.numbers, all_shares=isinstance(chart.drawing, Multiples)
                            )


def name_source(project_id: str, pairs: int) -> None:
    """Have each picture of this page name the project, the date and the number of pairs."""
    source = f"{session.project_name(project_id)} · {session.services().now():%Y-%m-%d}"
    st.session_state[SessionKey.CHART_SOURCE] = (source, pairs)


def draw(chart: Chart, on_choose: Callable[[Any], None] | None = None) -> None:
    """The picture alone, if there is one; a click on a mark follows the address behind it.

    With `on_choose`, it is told which marks were clicked, or the box that was drawn across.
    """
    figure = chart.figure(theme())
    if figure is None:
        return
    sign(figure, chart, theme())
    picture = st.session_state.get(PICTURE) or "png"
    takes_boxes = isinstance(chart.drawing, Lines) and chart.drawing.selects
    config: dict[str, Any] = {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["select2d", "pan2d", "toImage"] if takes_boxes else ["toImage"]],
        "toImageButtonOptions": {
            "format": picture,
            "filename": chart.name,
            "scale": 1 if picture == "svg" else 2,
        },
    }
    name = f"chart_wide_{chart.name}" if figure.layout.meta == WIDE else f"chart_{chart.name}"
    if not chart.opens and chart.cells is None and on_choose is None:
        st.plotly_chart(figure, key=name, theme=None, config=config)
        return
    key = f"{name}_{st.session_state.setdefault(f'clicks_{chart.name}', 0):d}"

    def follow() -> None:
        chosen = st.session_state[key].selection
        if not (chosen.points or chosen.box):
            return
        st.session_state[_CLICKED] = chart.name
        if on_choose is not None:
            take_marks_back()
            on_choose(chosen)
            return
        first = chosen.points[0]
        address = behind(chart, curve=first["curve_number"], at=first["point_index"])
        if address is None or address.startswith(REVIEW):
            take_marks_back()
        if address is None:
            return
        if address.startswith(REVIEW):
            open_pair(address.removeprefix(REVIEW))
        st.session_state[FOLLOWED] = address

    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        config=config,
        on_select=follow,
        selection_mode=("points", "box") if takes_boxes else "points",
    )


def sign(figure: go.Figure, chart: Chart, theme: ColourTheme) -> None:
    """Write the source and the title under the picture, so that it can be saved and sent alone."""
    source = st.session_state.get(SessionKey.CHART_SOURCE)
    if not source:
        return
    name, pairs = source
    n = f"n = {counted(pairs if chart.pairs is None else chart.pairs, 'pair')}"
    lines = (f"{name} · {n}", *textwrap.wrap(chart.title, LONGEST_LINE))
    figure.layout.height += SIGNED * (len(lines) + 1)
    figure.layout.title = {
        "text": "<br>".join(map(plain, lines)),
        "font": {"size": 11, "color": PALETTES[theme].muted},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        # Of the first line.
        "y": (SIGNED * (len(lines) - 1) + 4) / figure.layout.height,
        "yref": "container",
        "yanchor": "bottom",
        "pad": {"l": 8, "t": 8},
        "automargin": True,
    }


def take_marks_back() -> None:
    """Make a new chart of the one in which a mark was clicked.

    A mark stays chosen in the browser, so that a second click on it would say nothing.
    """
    name = st.session_state.pop(_CLICKED, None)
    if name is not None:
        st.session_state[f"clicks_{name}"] += 1


def behind(chart: Chart, *, curve: int, at: int) -> Link | None:
    """The address behind a mark; None where there is none, as behind a break."""
    if chart.cells is not None:
        return chart.cells(at) if curve == 0 else None
    every = list(chart.opens.items())
    if isinstance(chart.drawing, Lines) and len(every) == 1:
        # Line after line, each with all steps.
        at, curve = at + curve * len(chart.drawing.steps), 0
    name, links = every[curve] if curve < len(every) else ("", ())
    return chart.link(at, links[at], name) if at < len(links) else None


def numbers(
    name: str,
    rows: Sequence[Row],
    *,
    on_pick: Callable[[str | None], None] | None = None,
    in_view: int = IN_VIEW,
    number: int = 0,
    all_rows: Callable[[], Sequence[Row]] | None = None,
    all_shares: bool = False,
) -> None:
    """The rows as a table, with a button that saves them as CSV; a click on a row tells `on_pick` its pair.

    Where there are more than these, their `number` is told, and the file has `all_rows`.
    The links to pairs stay in view at the left; the others are at the right.
    """
    if not rows:
        st.caption("There is nothing to list yet.")
        return
    links = _links(rows)
    table = pd.DataFrame([dict(row) for row in rows]).dropna(axis="columns", how="all")
    if PAIR in table:
        table[PAIR] = REVIEW + table[PAIR]
    chosen: dict[str, Any] = {}
    if on_pick is not None:

        def pick() -> None:
            selection = st.session_state[f"rows_{name}"].selection
            at = [*(at for at, _ in selection.cells), *selection.rows]
            on_pick(str(rows[at[0]][PAIR]) if at else None)

        modes = ("single-row", "single-cell")
        chosen = {"key": f"rows_{name}", "on_select": pick, "selection_mode": modes}
    shares = shares_among(rows, all_shares=all_shares)
    words: Any = {name: partial(in_words, is_share=name in shares) for name in table.select_dtypes("number")}
    # A table that only shows has no identity of its own in the browser; its box has.
    st.container(key=f"table_{name}").dataframe(
        table.style.format(words, na_rep="") if words else table,
        hide_index=True,
        placeholder="",
        height=ROW_HEIGHT * (in_view + 1) if len(rows) > in_view else "auto",
        **chosen,
        column_order=[
            *(str(column) for column in table if column not in (*links, *([PAIR] if on_pick else ()))),
            *links,
        ],
        column_config={
            PAIR: st.column_config.LinkColumn(PAIR, display_text="open", pinned=True),
            **{
                column: st.column_config.LinkColumn(
                    display_text="list them" if column.startswith("Pairs") else "open",
                    pinned=column == PAIR,
                )
                for column in links
            },
        },
    )
    if number > len(rows):
        st.caption(safe.text(f"The first {len(rows):,} of {number:,} rows; “Save as CSV” has all of them."))
    elif len(rows) > in_view:
        st.caption(safe.text(f"{len(rows):,} rows; scroll for more."))
    file_to_save(
        "Save as CSV",
        lambda: csv(all_rows() if all_rows else rows),
        name=f"{name}.csv",
        key=f"csv_{name}",
        icon=":material/download:",
    )


def shares_among(rows: Sequence[Row], *, all_shares: bool = False) -> set[str]:
    """The columns of shares; the ends of an interval are such where the figure before them is one."""
    names = list(
        dict.fromkeys(name for row in rows for name, value in row.items() if isinstance(value, float))
    )
    if all_shares:
        return set(names)
    shares = {name for name in names if SHARES.search(name)}
    return shares | {LOW, HIGH} if LOW in names and names[names.index(LOW) - 1] in shares else shares


def in_words(value: Cell, *, is_share: bool = False) -> str:
    """A figure as the charts have it.

    >>> in_words(0.612, is_share=True), in_words(0.2917), in_words(2.0), in_words(0.0004), in_words(1276)
    ('61%', '0.29', '2', '0.0004', '1,276')
    """
    if isinstance(value, float) and is_share:
        return percent(value)
    if isinstance(value, float) and abs(value) >= SMALL:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return "" if value is None else value if isinstance(value, str) else f"{value:,}"


def csv(rows: Sequence[Row]) -> str:
    """The rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    plain = [{name: no_formula(value) for name, value in row.items()} for row in without_links(rows)]
    # So that a carriage return in a text does not start a row of its own.
    return pd.DataFrame(plain).to_csv(index=False, lineterminator="\r\n")


def without_links(rows: Sequence[Row]) -> list[Row]:
    """The rows without the columns that lead to lists of pairs."""
    links = _links(rows)
    return [{name: value for name, value in row.items() if name not in links} for row in rows]


def _links(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(name for row in rows for name, value in row.items() if isinstance(value, Link))
    )


def pair_link(comparison_id: str, *, label: str) -> None:
    """A link to the review page of a pair."""
    st.page_link(
        PageScript.REVIEW,
        label=safe.middle(label, 60),
        icon=":material/balance:",
        query_params={Param.COMPARISON.value: comparison_id},
    )
