"""The list of all comparisons, a page at a time, with what can be saved of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from comparator.domain.labels import PerOutput
from comparator.domain.rights import Act
from comparator.reporting.history.check_results import CheckFindings, check_results
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryPage, HistoryRow
from comparator.store.pairs.comparison_list import ListOrder
from comparator.ui.components.listing import Column, Save, Sorting, listing
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.lists.list_page import read_page
from comparator.ui.frame.lists.list_rows import HEADS, JUDGMENTS, PROVENANCE, RESULT, history_row
from comparator.ui.frame.lists.pair_links import open_pair
from comparator.ui.frame.state import PageScript, SessionKey
from comparator.ui.history.export import export_button
from comparator.ui.history.filters import ORDER, is_filtered
from comparator.ui.history.grid import grid, read_grid
from comparator.ui.history.judgments import show_judgments
from comparator.ui.history.views import saved_views_button
from comparator.workflow.exporting.comparison_json import provenance_json, result_json

PAGE_SIZE = 25
VIEW, LIST, GRID = "view", "List", "Grid"
COLUMNS = "columns"
USUAL = (Column.STATUS, Column.WINNER, Column.FLAGS, Column.TIME)
SORTED = {
    Column.TITLE: (ListOrder.TITLE, ListOrder.TITLE_BACKWARDS),
    Column.WINNER: (ListOrder.CLOSEST, ListOrder.CLEAREST),
    Column.CONFIDENCE: (ListOrder.LEAST_SURE, ListOrder.SUREST),
    Column.COST: (ListOrder.CHEAPEST, ListOrder.DEAREST),
    Column.TIME: (ListOrder.OLDEST, ListOrder.NEWEST),
    Column.TOUCHED: (None, ListOrder.TOUCHED),
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
            columns = () if gridded else _columns()
    if gridded:
        grid(page.rows)
    else:
        _list(asked, page, columns)
    if pages > 1:
        st.pagination(pages, key="page", bind="query-params")


def _list(asked: HistoryFilter, page: HistoryPage, columns: Sequence[Column]) -> None:
    checked = check_results(session.services().database, page.rows) if Column.CHECKS in columns else {}
    found = checks_found(checked, page.rows)
    chosen = listing(
        [history_row(row, group=asked.group, checks=found.get(row.line.id, "")) for row in page.rows],
        columns,
        key="history_list",
        labels=HEADS,
        save=st.session_state.pop(SessionKey.EXPORT, None),
        sorting=_sorting(asked.order),
        on_sort=_sort,
        on_open=open_pair,
    )
    if chosen is None:
        return
    if not session.may_with(Act.SEE_RESULTS, chosen.id):
        return
    if chosen.action in (RESULT.name, PROVENANCE.name):
        st.session_state[SessionKey.EXPORT] = saved = export(chosen.id, chosen.action)
        st.session_state[SessionKey.NOTICE] = f"{saved.name} was downloaded."
        st.rerun()
    if chosen.action == JUDGMENTS.name:
        show_judgments(chosen.id, next((row.made_by for row in page.rows if row.line.id == chosen.id), None))


def checks_found(
    checked: Mapping[str, Sequence[CheckFindings]], rows: Sequence[HistoryRow]
) -> dict[str, str]:
    """What checks found in each comparison, in words: A before B, by their names where those may be told."""
    found = {}
    for row in rows:
        names = row.made_by or PerOutput[str](A="A", B="B")
        found[row.line.id] = "; ".join(
            f"{each.name}: {names.A} {_count(each.found.A)}, {names.B} {_count(each.found.B)}"
            for each in checked.get(row.line.id, ())
        )
    return found


def _count(number: int | None) -> str:
    return "–" if number is None else str(number)


def export(comparison_id: str, what: str) -> Save:
    """The file that was asked for. Raises InputError where there is no verdict yet."""
    services, me = session.services(), session.me().id
    short = comparison_id[:8]
    if what == RESULT.name:
        name, text = "comparison.json", result_json(services, comparison_id, person_id=me)
    else:
        name, text = "comparison.provenance.json", provenance_json(services, comparison_id, person_id=me)
    return Save(id=services.new_id(), name=name.replace("comparison", f"comparison-{short}", 1), text=text)


def _columns() -> tuple[Column, ...]:
    """The columns that the reader wants to see; title and actions always stand there."""
    offered = [column for column in Column if column not in (Column.TITLE, Column.ACTIONS)]
    with st.popover("Columns", key="columns_button", icon=":material/view_column:"):
        wanted = st.pills(
            "Columns",
            [HEADS[column] for column in offered],
            selection_mode="multi",
            default=[HEADS[column] for column in USUAL],
            key=COLUMNS,
            label_visibility="collapsed",
            bind="query-params",
        )
    return (Column.TITLE, *(column for column in offered if HEADS[column] in wanted), Column.ACTIONS)


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
    st.session_state[ORDER] = (other if other and now == first.value else first).value if first else now


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
