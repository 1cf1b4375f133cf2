"""What waits: how many, one button to begin, and the list, which looks again by itself while the judge is at work."""

from __future__ import annotations

from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history import QueueCounts, counts, history, next_to_review
from comparator.reporting.history_conditions import HistoryFilter
from comparator.ui import session, shell
from comparator.ui.components.listing import Column, listing
from comparator.ui.history_rows import HEADS, JUDGE_ACTION, queue_row
from comparator.ui.state import Page, Param

PAGE_SIZE = 25
LOOK_AGAIN_SECONDS = 2.0
TABS = {
    "to_review": "To review",
    "draft": "Drafts",
    "failed": "Failed",
    "to_judge": "To judge",
    "judging": "Being judged",
}
COLUMNS = (Column.TITLE, Column.WINNER, Column.FLAGS, Column.TIME, Column.ACTIONS)
HEADS_HERE = {**HEADS, Column.WINNER: "Judge's winner, A : B", Column.TIME: "Waiting since"}
NOTHING = {
    "to_review": "Nothing waits for a review.",
    "draft": "No review has been begun and left.",
    "failed": "No judgment has failed.",
    "to_judge": "Nothing waits for the judge.",
    "judging": "The judge is reading nothing at this moment.",
}


def queue() -> None:
    """The whole queue of the project that is looked at."""
    waiting = _counts()
    if not any(waiting.model_dump().values()):
        _empty()
        return
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if waiting.judging else None)(_queue)
    part()


def begin_review() -> None:
    """Open the comparison that comes next; a sentence where none is left."""
    following = next_to_review(
        session.services().database, person_id=session.me().id, project_id=session.project_id()
    )
    if following is None:
        shell.tell_next("All pairs are reviewed.")
        st.rerun()
    st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: following})


def _queue() -> None:
    with shell.guard():
        waiting = _counts()
        _figures(waiting)
        left = waiting.to_review + waiting.drafts
        if left and st.button(
            "Start reviewing" if waiting.to_review else "Go on reviewing",
            key="queue_start",
            type="primary",
            icon=":material/play_arrow:",
            width=240,
        ):
            begin_review()
        if not left:
            st.info(
                "Every pair is reviewed. Set up another comparison, or look at the results in the history.",
                icon=":material/done_all:",
            )
        _list(waiting)


def _figures(waiting: QueueCounts) -> None:
    with st.container(horizontal=True, gap="large"):
        st.metric("To judge", f"{waiting.to_judge + waiting.judging:d}", width="content")
        st.metric("To review", f"{waiting.to_review:d}", width="content")
        st.metric("Drafts", f"{waiting.drafts:d}", width="content")
        st.metric("Failed", f"{waiting.failed:d}", width="content")
        st.metric("Done", f"{waiting.done:d}", width="content")


def _list(waiting: QueueCounts) -> None:
    numbers = {
        "to_review": waiting.to_review,
        "draft": waiting.drafts,
        "failed": waiting.failed,
        "to_judge": waiting.to_judge,
        "judging": waiting.judging,
    }
    tab = st.segmented_control(
        "Which",
        list(TABS),
        default=next((name for name, count in numbers.items() if count), "to_review"),
        format_func=TABS.__getitem__,
        key="queue_tab",
        required=True,
        label_visibility="collapsed",
    )
    status = tab or "to_review"
    if not numbers[status]:
        st.caption(NOTHING[status])
        return
    pages = -(-numbers[status] // PAGE_SIZE)
    number = min(st.session_state.get(f"queue_page_{status}", 1), pages)
    page = history(
        session.services().database,
        _filter(project_id=session.project_id(), status=status, order="oldest"),
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
    )
    judges = session.may_somewhere(Act.JUDGE)
    chosen = listing(
        [queue_row(row, judges=judges) for row in page.rows],
        COLUMNS,
        key=f"queue_list_{status}",
        labels=HEADS_HERE,
    )
    if pages > 1:
        st.pagination(pages, key=f"queue_page_{status}")
    if chosen is None:
        return
    if chosen.action == JUDGE_ACTION:
        session.judge(chosen.id)
        st.rerun()
    st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: chosen.id})


def _filter(**values: Any) -> HistoryFilter:
    return HistoryFilter.model_validate(values)


def _counts() -> QueueCounts:
    return counts(session.services().database, project_id=session.project_id())


def _empty() -> None:
    with st.container(border=True, width=620):
        st.subheader("Nothing to review yet", anchor=False)
        st.caption("Here stand the pairs that wait for you, with what the judge says of them.")
        if not session.may_somewhere(Act.SUBMIT):
            return
        st.caption("Begin with two outputs of the same task: a file or a folder each.")
        if st.button("New comparison", key="queue_new", type="primary", icon=":material/add_circle:"):
            st.switch_page(Page.NEW)
