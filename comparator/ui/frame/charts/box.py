"""One chart of the dashboards: what it counts, the chart, the numbers behind it as a table and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from comparator.interop.write.rows import no_formula
from comparator.ui.frame import safe
from comparator.ui.frame.charts.parts import WIDE
from comparator.ui.frame.inputs.file_to_save import file_to_save
from comparator.ui.frame.lists.pair_links import open_pair, pair_address
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted


class Link(str):
    """An address of this app in a cell of a table, or behind a mark of a chart."""

    __slots__ = ()


Cell = str | int | float | Link | None
Row = Mapping[str, Cell]
PAIR, PAIRS = "Pair", "Pairs behind it"
"""Columns that lead to a review, by its id, and to a list of pairs."""
IN_VIEW = 10
"""Rows that Streamlit shows of a table; the others are scrolled to."""
REVIEW = "/review?c="
CLICKED = {"clickmode": "event+select", "hovermode": "closest", "dragmode": "pan"}
"""What Streamlit sets on a chart with marks to click. Set in advance, it does not have Plotly draw the chart again."""
FOLLOWED = "dashboards_followed"
"""In the session's state: the address of the list behind the mark of a chart that was clicked."""
_CLICKED = "clicked_chart"
"""In the session's state: the chart in which a mark is still chosen."""


class Box(NamedTuple):
    """A chart with what belongs to it. `title` states what is counted, `counts` how many and how.

    `marks` are the addresses behind the chart's marks: one sequence a trace, one address a mark.
    """

    name: str
    title: str
    counts: str
    figure: go.Figure | None
    rows: Sequence[Row]
    marks: Sequence[Sequence[Link | None]] = ()


def show(boxes: Iterable[Box], *, picture: str = "png") -> None:
    """Show these charts one below the other, each as soon as it is there; `picture` is the format to save them in."""
    for box in boxes:
        with st.container(border=True, key=f"box_{box.name}"):
            st.subheader(safe.text(box.title), anchor=False)
            st.caption(safe.text(box.counts))
            if box.figure is not None:
                chart(box, picture=picture)
            if box.rows:
                # A table costs the browser as much as a chart, so it is sent only when it is opened.
                under = st.expander(
                    "The numbers",
                    key=f"numbers_{box.name}",
                    expanded=box.figure is None,
                    on_change="rerun",
                )
                if under.open:
                    with under:
                        numbers(box.name, box.rows)


def chart(box: Box, *, picture: str) -> None:
    """The chart alone; a click on a mark follows the address behind it."""
    figure = box.figure
    config: dict[str, Any] = {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {
            "format": picture,
            "filename": box.name,
            "scale": 1 if picture == "svg" else 2,
        },
    }
    name = (
        f"chart_wide_{box.name}" if figure is not None and figure.layout.meta == WIDE else f"chart_{box.name}"
    )
    if not box.marks:
        st.plotly_chart(figure, key=name, theme=None, config=config)
        return
    key = f"{name}_{st.session_state.setdefault(f'clicks_{box.name}', 0):d}"

    def follow() -> None:
        chosen = st.session_state[key].selection.points
        if not chosen:
            return
        st.session_state[_CLICKED] = box.name
        address = _behind(box, curve=chosen[0]["curve_number"], at=chosen[0]["point_index"])
        if address is None or address.startswith(REVIEW):
            take_marks_back()
        if address is None:
            return
        if address.startswith(REVIEW):
            open_pair(address.removeprefix(REVIEW))
        st.session_state[FOLLOWED] = address

    # A cached figure has these already, and must not be changed.
    if figure is not None and figure.layout.clickmode is None:
        figure.update_layout(CLICKED)
    st.plotly_chart(figure, key=key, theme=None, config=config, on_select=follow, selection_mode="points")


def take_marks_back() -> None:
    """Make a new chart of the one in which a mark was clicked.

    A mark stays chosen in the browser, so that a second click on it would say nothing.
    """
    name = st.session_state.pop(_CLICKED, None)
    if name is not None:
        st.session_state[f"clicks_{name}"] += 1


def _behind(box: Box, *, curve: int, at: int) -> Link | None:
    """The address behind a mark; None where there is none, as behind a break."""
    links = box.marks[curve] if curve < len(box.marks) else ()
    return links[at] if at < len(links) else None


def numbers(name: str, rows: Sequence[Row], *, of: str = "", pinned: str = PAIR) -> None:
    """The rows as a table, with a button that saves them as CSV.

    `of` names what they are about: the rows of something else begin at the top, wherever these were scrolled to.
    The column of links `pinned` stays in view at the left; the others are at the right.
    """
    links = _links(rows)
    table = pd.DataFrame([dict(row) for row in rows])
    if PAIR in table:
        table[PAIR] = REVIEW + table[PAIR]
    # A table that only shows has no identity of its own in the browser; its box has.
    st.container(key=f"table_{name}_{of}").dataframe(
        table,
        hide_index=True,
        column_order=[*(str(column) for column in table if column not in links), *links],
        column_config={
            PAIR: st.column_config.LinkColumn(PAIR, display_text="open", pinned=pinned == PAIR),
            **{
                column: st.column_config.LinkColumn(
                    display_text="list them" if column.startswith("Pairs") else "open",
                    pinned=column == pinned,
                )
                for column in links
            },
        },
    )
    if len(rows) > IN_VIEW:
        every = counted(len(rows), "row")
        st.caption(safe.text(f"The first {IN_VIEW} of {every} are in view; “Save as CSV” has all of them."))
    file_to_save(
        "Save as CSV",
        lambda: csv(rows),
        name=f"{name}.csv",
        key=f"csv_{name}",
        icon=":material/download:",
    )


def linked(rows: Sequence[Row], marks: Mapping[str, Sequence[Link | None]]) -> list[Row]:
    """The rows with a column of links for each of these kinds of marks."""
    columns = {name if name == PAIRS else f"Pairs: {name}": links for name, links in marks.items()}
    return [{**row, **{name: links[at] for name, links in columns.items()}} for at, row in enumerate(rows)]


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
        query_params=pair_address(comparison_id),
    )
