"""The pairs that wait, in tabs by what they wait for."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, QueueCounts
from comparator.reporting.history.neutral import neutral_rows
from comparator.reporting.queue import not_for
from comparator.store.pairs.comparison_list import ListGroup, ListOrder
from comparator.store.reviewing.queue import NotFor
from comparator.ui.components.listing import Column, Flag, ListRow, listing
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.lists.list_page import read_page
from comparator.ui.frame.lists.list_rows import HEADS, JUDGE_ACTION, queue_row, why_it_stays
from comparator.ui.frame.lists.pair_links import open_pair
from comparator.ui.frame.state import SessionKey

PAGE_SIZE = 25
TAB = "queue_tab"
TABS = {
    "to_review": "To review",
    "draft": "Drafts",
    "failed": "Failed",
    "to_judge": "To judge",
    "judging": "Being judged",
    "void": "Unusable output",
}
OWN = ("to_review", "draft")
"""What every reviewer has."""
ORDERS = {
    ListOrder.OLDEST: "Longest waiting first",
    ListOrder.CLOSEST: "Closest scores first",
    ListOrder.LEAST_SURE: "Least confident judge first",
}
"""None of them shows who leads."""
BY_JUDGE = (ListOrder.CLOSEST, ListOrder.LEAST_SURE)
COLUMNS = (Column.TITLE, Column.FLAGS, Column.TIME, Column.ACTIONS)
HEADS_HERE = {**HEADS, Column.TIME: "Waiting since"}
ELSEWHERE = {
    NotFor.SKIPPED: Flag(
        text="skipped", hover="You skipped it or cannot judge it. Open it to take that back."
    ),
    NotFor.REVIEWED: Flag(text="reviewed by you", hover="It needs a review by somebody else, too."),
    NotFor.TAKEN: Flag(text="open elsewhere", hover="Another reviewer has it open."),
}
"""Why a pair of the list does not wait for whoever looks."""


def waiting_pairs(waiting: QueueCounts) -> None:
    """The tabs with a list below them."""
    numbers = {
        "to_review": waiting.to_review,
        "draft": waiting.drafts,
        "failed": waiting.failed,
        "to_judge": waiting.to_judge,
        "judging": waiting.judging,
        "void": waiting.void,
    }
    first = next((name for name, count in numbers.items() if count), "to_review")
    if not st.session_state.get(SessionKey.TAB_CHOSEN) and TAB in st.session_state:
        st.session_state[TAB] = first
    # Not beside the box: there its buttons would not wrap on a phone.
    tab = st.segmented_control(
        "Which",
        [name for name in TABS if numbers[name] or name == "to_review"],
        default=None if TAB in st.session_state else first,
        format_func=lambda each: safe.text(f"{TABS[each]} ({numbers[each]:,})"),
        key=TAB,
        on_change=_chosen,
        required=True,
        label_visibility="collapsed",
    )
    status = tab or "to_review"
    with st.container(horizontal=True, gap="small"):
        text = st.text_input(
            "Find",
            key="queue_text",
            placeholder="Find by words or tag",
            label_visibility="collapsed",
            width=260,
        )
        order = (
            st.selectbox(
                "Sort",
                list(ORDERS),
                format_func=ORDERS.__getitem__,
                key="queue_order",
                persist_state="session",
                label_visibility="collapsed",
                width=260,
            )
            if status in OWN
            else ListOrder.OLDEST
        )
    if not numbers[status]:
        return
    database = session.services().database
    group = ListGroup.PROJECT if session.project_id() is None and len(session.projects()) > 1 else None
    wanted = HistoryFilter.model_validate(
        {
            "project_id": session.project_id(),
            "status": status,
            "order": order,
            "group": group,
            "text": text,
            "reader": session.me().id,
        }
    )
    page, pages = read_page(wanted, key=f"queue_page_{status}", size=PAGE_SIZE)
    if order in BY_JUDGE and (unsorted := numbers[status] - page.total) > 0 and not text:
        sentence = (
            f"Left out: {words.counted(unsorted, 'pair')} that you score before you see what the judge said."
        )
        st.caption(safe.text(sentence))
    elif not page.rows:
        st.caption("No matching pairs.")
    now, me = session.services().now(), session.me().id
    elsewhere = (
        not_for(database, [row.line.id for row in page.rows], person_id=me, at=now) if status in OWN else {}
    )
    chosen = listing(
        [_row(row, elsewhere.get(row.line.id), group) for row in neutral_rows(database, page.rows)],
        COLUMNS,
        key=f"queue_list_{status}",
        labels=HEADS_HERE,
        on_open=open_pair,
    )
    if pages > 1:
        st.pagination(pages, key=f"queue_page_{status}")
    if chosen is not None and chosen.action == JUDGE_ACTION:
        session.judge(chosen.id)
        st.rerun()


def _chosen() -> None:
    st.session_state[SessionKey.TAB_CHOSEN] = True


def _row(row: HistoryRow, elsewhere: NotFor | None, group: ListGroup | None) -> ListRow:
    """One row; without a word of the judge's where the reader scores before seeing it."""
    shown = queue_row(row, judges=session.may_somewhere(Act.JUDGE), group=group)
    mark = () if elsewhere is None else (ELSEWHERE[elsewhere],)
    flags = why_it_stays(row) if row.covered else shown.flags
    return shown.model_copy(update={"flags": (*mark, *flags)})
