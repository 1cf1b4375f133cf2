"""The list of all comparisons, a page at a time, with what can be saved of each."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.history import HistoryFilter, HistoryPage, history
from comparator.ui import safe, session, words
from comparator.ui.components.listing import Column, Save, listing
from comparator.ui.history_filters import is_filtered
from comparator.ui.history_rows import HEADS, PROVENANCE, RESULT, history_row
from comparator.ui.state import Key, Page, Param
from comparator.workflow.export import provenance_json, result_json

PAGE_SIZE = 25
COLUMNS = (
    Column.TITLE,
    Column.STATUS,
    Column.WINNER,
    Column.JUDGE,
    Column.FLAGS,
    Column.TIME,
    Column.ACTIONS,
)


def history_list(asked: HistoryFilter) -> None:
    """Show the comparisons that fit; open or save what is chosen."""
    number = st.session_state.get("page", 1)
    page = _read(asked, number)
    pages = max(-(-page.total // PAGE_SIZE), 1)
    if number > pages:
        st.session_state["page"] = pages
        page = _read(asked, pages)
    if not page.total:
        _empty(filtered=is_filtered(asked))
        return
    st.caption(safe.text(words.counted(page.total, "comparison")))
    chosen = listing(
        [history_row(row) for row in page.rows],
        COLUMNS,
        key="history_list",
        labels=HEADS,
        save=st.session_state.pop(Key.EXPORT, None),
    )
    if pages > 1:
        st.pagination(pages, key="page", bind="query-params")
    if chosen is None:
        return
    if chosen.action in (RESULT.name, PROVENANCE.name):
        st.session_state[Key.EXPORT] = export(chosen.id, chosen.action)
        st.rerun()
    st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: chosen.id})


def export(comparison_id: str, what: str) -> Save:
    """The file that was asked for. Raises InputError where there is no verdict yet."""
    services = session.services()
    short = comparison_id[:8]
    if what == RESULT.name:
        name, text = "comparison.json", result_json(services, comparison_id)
    else:
        name, text = "comparison.provenance.json", provenance_json(services, comparison_id)
    return Save(id=services.new_id(), name=name.replace("comparison", f"comparison-{short}", 1), text=text)


def _read(asked: HistoryFilter, number: int) -> HistoryPage:
    return history(session.services().database, asked, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE)


def _empty(*, filtered: bool) -> None:
    if filtered:
        st.info("No comparison fits these filters. Take one of them away.", icon=":material/filter_alt_off:")
        return
    with st.container(border=True, width=620):
        st.subheader("No comparisons yet", anchor=False)
        st.caption("Here stands every comparison with its status, winner and scores, once there is one.")
        if st.button("New comparison", key="history_new", type="primary", icon=":material/add_circle:"):
            st.switch_page(Page.NEW)
