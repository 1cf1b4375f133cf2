"""The list of all comparisons, a page at a time, with what can be saved of each."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.grid import output_starts
from comparator.reporting.history.listing import HistoryPage
from comparator.store.pairs.comparison_list import ListOrder
from comparator.ui.components.listing import Column, Sorting, listing
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.inputs.file_to_save import save
from comparator.ui.frame.lists.list_rows import HEADS, PROVENANCE, RESULT, history_row, read_page
from comparator.ui.frame.lists.pair_links import open_pair
from comparator.ui.frame.state import PageScript
from comparator.ui.history.export import export_button
from comparator.ui.history.filters import ORDER, is_filtered
from comparator.ui.history.grid import grid, read_grid
from comparator.ui.history.views import saved_views_button
from comparator.workflow.exporting.comparison_json import provenance_json, result_json

PAGE_SIZE = 25
VIEW, LIST, GRID = "view", "List", "Grid"
SORTED = {
    Column.TITLE: (ListOrder.TITLE, ListOrder.TITLE_BACKWARDS),
    Column.WINNER: (ListOrder.CLOSEST, ListOrder.CLEAREST),
    Column.TIME: (ListOrder.OLDEST, ListOrder.NEWEST),
}
"""The orders, rising and falling, that a column's head offers."""


def history_list(asked: HistoryFilter) -> None:
    """Show the comparisons that fit, as a list or a grid; open or save what is chosen."""
    gridded = st.session_state.get(VIEW) == GRID
    page, pages = read_grid(asked) if gridded else read_page(asked, key="page", size=PAGE_SIZE)
    if not page.total:
        _empty(filtered=is_filtered(asked))
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.segmented_control(
                "View",
                [LIST, GRID],
                default=LIST,
                format_func=safe.text,
                key=VIEW,
                required=True,
                label_visibility="collapsed",
                persist_state="session",
            )
            st.caption(safe.text(words.counted(page.total, "comparison")), width="content")
        with st.container(horizontal=True, horizontal_alignment="right"):
            saved_views_button()
            export_button(asked, page.total)
    if gridded:
        grid(page.rows)
    else:
        _list(asked, page)
    if pages > 1:
        st.pagination(pages, key="page", bind="query-params")


def _list(asked: HistoryFilter, page: HistoryPage) -> None:
    services = session.services()
    starts = output_starts(services.database, services.blobs, [row.line.id for row in page.rows])
    chosen = listing(
        [history_row(row, group=asked.group, starts=starts[row.line.id]) for row in page.rows],
        tuple(Column),
        key="history_list",
        labels=HEADS,
        sorting=_sorting(asked.order),
        on_sort=_sort,
        on_open=open_pair,
    )
    if chosen is None:
        return
    if not session.may_with(Act.SEE_RESULTS, chosen.id):
        return
    if chosen.action in (RESULT.name, PROVENANCE.name):
        export(chosen.id, chosen.action)


def export(comparison_id: str, what: str) -> None:
    """Save the file that was asked for. Raises InputError where there is no verdict yet."""
    name, written = {
        RESULT.name: ("comparison.json", result_json),
        PROVENANCE.name: ("comparison.provenance.json", provenance_json),
    }[what]
    text = written(session.as_me(), comparison_id)
    name = name.replace("comparison", f"comparison-{comparison_id[:8]}", 1)
    save(text, name=name)
    st.toast(safe.text(f"{name} was downloaded."))


def _sorting(order: ListOrder) -> Sorting:
    for column, (rising, falling) in SORTED.items():
        if order in (rising, falling):
            return Sorting(by=column, descending=order is falling, offered=tuple(SORTED))
    return Sorting(by=None, descending=False, offered=tuple(SORTED))


def _sort(column: Column) -> None:
    """Sort by the column, the other way round where it is sorted by it already."""
    rising, falling = SORTED[column]
    now = st.session_state.get(ORDER)
    first = rising if column is Column.TITLE else falling
    other = falling if column is Column.TITLE else rising
    st.session_state[ORDER] = (other if now == first.value else first).value


def _empty(*, filtered: bool) -> None:
    if filtered:
        st.info("No comparisons match these filters. Remove one of them.", icon=":material/filter_alt_off:")
        return
    empty_page(
        "No comparisons yet",
        "Every comparison will be listed here with its status, winner and scores.",
        step=("New comparison", PageScript.NEW, ":material/add_circle:"),
        key="history_new",
    )
