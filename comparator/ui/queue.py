"""Queue: how many pairs wait for the reviewer, a button to start, the progress, and the list of waiting pairs."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import (
    QueueCounts,
    counts,
    neutral_name,
    neutral_rows,
)
from comparator.reporting.queue import NextStep, QueueProgress, next_step, not_for, progress
from comparator.store.pairs.comparison_list import ListGroup, ListOrder
from comparator.store.reviewing.queue import NotFor
from comparator.ui.components.listing import Column, Flag, listing
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs import begin_review, project_sees_first
from comparator.ui.frame.lists.list_rows import (
    HEADS,
    JUDGE_ACTION,
    STATUS,
    open_pair,
    queue_row,
    read_page,
)
from comparator.ui.frame.notices import brief, empty_page
from comparator.ui.frame.start_batch import start_batch, waiting_here
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.workflow.judging.asking import asks_a_model
from comparator.workflow.review.panel import Scope, next_in_line

LOOK_AGAIN_SECONDS = 2.0
TITLE_LENGTH = 60
PAGE_SIZE = 25
TAB = "queue_tab"
TABS = {
    "to_review": "To review",
    "draft": "Drafts",
    "failed": "Failed",
    "to_judge": "To judge",
    "judging": "Being judged",
    "void": "Unusable, not reviewed",
}
OWN = ("to_review", "draft")
"""What every reviewer has."""
ORDERS = {
    ListOrder.OLDEST: "Oldest first",
    ListOrder.CLOSEST: "Closest scores first",
    ListOrder.LEAST_SURE: "Least confident judge first",
}
"""None of them shows who leads."""
BY_JUDGE = (ListOrder.CLOSEST, ListOrder.LEAST_SURE)
COLUMNS = (Column.TITLE, Column.TIME, Column.ACTIONS)
ELSEWHERE: dict[NotFor | None, Flag] = {
    NotFor.SKIPPED: Flag(
        text="skipped", hover="You skipped it or cannot judge it. Open it to take that back."
    ),
    NotFor.REVIEWED: Flag(text="reviewed by you", hover="It needs a review by somebody else, too."),
    NotFor.TAKEN: Flag(text="open elsewhere", hover="Another reviewer has it open."),
}
"""Why a pair of the list does not wait for whoever looks."""


def queue() -> None:
    """The whole queue of the project that is looked at."""
    waiting = _counts()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Queue", anchor=False, width="content")
        start_batch(first=not waiting.to_review + waiting.drafts)
    if not any(waiting.model_dump().values()):
        empty_page(
            "Nothing to review yet",
            "Pairs to review will be listed here. Start with two outputs of the same task.",
            step=("New comparison", PageScript.NEW, ":material/add_circle:"),
            key="queue_new",
        )
        return
    # Where only the judge can go on, nobody has to reload the page to see that it has.
    if waiting.judging or (waiting.to_judge and not waiting.to_review + waiting.drafts):
        st.fragment(run_every=LOOK_AGAIN_SECONDS)(_look_again)(waiting)
    _queue(waiting)


def _look_again(before: QueueCounts) -> None:
    """Show the page anew once something has changed. Of a page that is a fragment itself, the project would not stay in
    the address."""
    with shell.guard():
        if _counts() != before:
            st.rerun()


def _queue(waiting: QueueCounts) -> None:
    services, project_id = session.as_me(), session.project_id()
    mine = progress(services.database, person_id=session.me().id, at=services.now(), project_id=project_id)
    brief(project_id, expanded=mine.done == 0)
    if mine.left:
        _next_one(mine, waiting)
    else:
        _nothing_left(waiting)
    waiting_pairs(waiting)
    _not_counted(waiting, mine)


def _next_one(mine: QueueProgress, waiting: QueueCounts) -> None:
    """How many pairs wait, which comes next, and the button that opens it."""
    services = session.as_me()
    following = next_in_line(services, Scope(project_id=session.project_id()))
    with st.container(
        border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(width=520, gap="xsmall"):
            drafts = (
                f", and {words.counted(waiting.drafts, 'draft')}"
                if waiting.to_review and waiting.drafts
                else ""
            )
            to_review = words.counted(mine.left - waiting.drafts if drafts else mine.left, "pair")
            st.subheader(safe.text(f"{to_review} to review{drafts}"), anchor=False)
            if following is not None:
                pair, why = following
                title = neutral_name(services.database, pair.project_id, pair.title)
                safe.caption(f"Next, {why}: {safe.beginning(title, TITLE_LENGTH)}")
            if mine.done:
                rest = (
                    f", about {words.counted(mine.minutes_left, 'minute')} left" if mine.minutes_left else ""
                )
                # What is being judged comes back: a bar that ran backwards would count it twice.
                total = mine.total + waiting.judging
                text = safe.text(f"{mine.done:,} of {total:,} reviewed{rest}")
                st.progress(mine.done / total, text=text)
            if (project_id := session.project_id()) is None:
                st.caption("To review blind first, choose a project on the left.")
            elif asks_a_model(services, project_id):
                project_sees_first(project_id)
        with st.container(width=240, horizontal_alignment="center", gap="xsmall"):
            started = st.button(
                "Continue reviewing" if mine.done or not waiting.to_review else "Start reviewing",
                key="queue_start",
                type="primary",
                icon=":material/play_arrow:",
                shortcut="S",
                width="stretch",
            )
            if not mine.done:
                help_page = {Param.PAGE.value: "reviewing"}
                st.page_link(
                    PageScript.HELP, label="How to review", icon=":material/help:", query_params=help_page
                )
    if started:
        begin_review()


def _not_counted(waiting: QueueCounts, mine: QueueProgress) -> None:
    """Which pairs wait for others or for nobody, and where those are that this list does not have."""
    # Whoever still has pairs to review does not look for these.
    revealed = 0 if mine.left else waiting.revealed
    reasons = {
        "that you skipped or cannot judge": mine.skipped,
        "that you reviewed, or that another reviewer has open": (
            waiting.to_review + waiting.drafts - mine.left - mine.skipped
        ),
        "with outputs that a later import replaced": waiting.superseded,
        "read to measure a judge, with verdicts kept apart": waiting.measured,
        "of revealed sets, where a review would not be blind": revealed,
    }
    pairs = [f"{words.counted(number, 'pair')} {why}" for why, number in reasons.items() if number > 0]
    if not pairs:
        return
    with shell.row():
        safe.caption(f"Not counted: {', '.join(pairs)}.", width="content")
        if waiting.superseded + revealed:
            st.page_link(
                PageScript.HISTORY,
                label="Show them in the history",
                query_params={"status": STATUS["not_reviewed" if revealed else "superseded"].capitalize()},
            )


def _nothing_left(waiting: QueueCounts) -> None:
    """Why this person has nothing to review, and what to do next."""
    unread, project_id = waiting.to_judge + waiting.judging, session.project_id()
    title, sentence, results = "Nothing to review", "", "See the results"
    if waiting.to_review + waiting.drafts:
        sentence = "You skipped the remaining pairs, or somebody else is reviewing them."
    elif unread:
        title, verb = "Nothing to review yet", "waits" if unread == 1 else "wait"
        sentence = f"{words.counted(unread, 'pair')} {verb} for the judge. Open one below to review it now."
    elif waiting.failed:
        sentence = "The pairs below could not be judged. Try them again, or open one and score it."
    elif waiting.void:
        sentence = "The pairs that are left have an unusable output."
    else:
        title = "Nothing left to review" if waiting.revealed else "All pairs are reviewed"
        sentence = "The dashboards show which candidate is better and how sure that is, once it is revealed."
        if project_id and next_step(session.services().database, project_id) is NextStep.REVEAL:
            results = "Reveal who won"
    with st.container(border=True, width=620):
        st.subheader(safe.text(title), anchor=False)
        safe.caption(sentence)
        if not (waiting.done + waiting.revealed and session.may_somewhere(Act.SEE_RESULTS)):
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button(
                safe.text(results), key="queue_results", type="primary", icon=":material/bar_chart:"
            ):
                session.go(PageScript.DASHBOARDS)
            st.page_link(PageScript.HISTORY, label="Export all", icon=":material/download:")


def _counts() -> QueueCounts:
    return counts(session.services().database, project_id=session.project_id())


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
    there = [name for name, count in numbers.items() if count]
    if not there:
        return
    status = there[0]
    if len(there) > 1:
        if TAB in st.session_state and not (
            st.session_state.get(SessionKey.TAB_CHOSEN) and st.session_state[TAB] in there
        ):
            st.session_state[TAB] = status
        # Not beside the box: there its buttons would not wrap on a phone.
        tab = st.segmented_control(
            "Which",
            there,
            default=None if TAB in st.session_state else status,
            format_func=lambda name: safe.text(f"{TABS[name]} ({numbers[name]:,})"),
            key=TAB,
            on_change=_chosen,
            required=True,
            label_visibility="collapsed",
        )
        status = tab or status
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
    database = session.services().database
    by_project = session.project_id() is None and len(session.projects()) > 1
    wanted = HistoryFilter.model_validate(
        {
            "project_id": session.project_id(),
            "status": status,
            "order": order,
            "group": ListGroup.PROJECT if by_project else None,
            "text": text,
            "reader": session.me().id,
            "measured": False if status == "to_judge" else None,
        }
    )
    page, pages = read_page(wanted, key=f"queue_page_{status}", size=PAGE_SIZE)
    if order in BY_JUDGE and (unsorted := numbers[status] - page.total) > 0 and not text:
        sentence = (
            f"Left out: {words.counted(unsorted, 'pair')} that you score before you see what the judge said."
        )
        safe.caption(sentence)
    elif not page.rows:
        st.caption("No matching pairs.")
    elif text:
        safe.caption(f"Found: {page.total:,} of {numbers[status]:,}")
    elif status == "to_judge":
        _say_how_many_are_ordered(numbers[status])
    now, me = session.services().now(), session.me().id
    elsewhere = (
        not_for(database, [row.line.id for row in page.rows], person_id=me, at=now) if status in OWN else {}
    )
    chosen = listing(
        [
            queue_row(
                row,
                elsewhere=ELSEWHERE.get(elsewhere.get(row.line.id)),
                group=named.line.project_name if by_project else "",
            )
            for named, row in zip(page.rows, neutral_rows(database, page.rows), strict=True)
        ],
        COLUMNS,
        key=f"queue_list_{status}",
        labels=HEADS,
        on_open=open_pair,
    )
    if pages > 1:
        st.pagination(pages, key=f"queue_page_{status}")
    if chosen is not None and chosen.action == JUDGE_ACTION:
        session.judge(chosen.id)
        st.rerun()


def _say_how_many_are_ordered(waiting: int) -> None:
    """Of the pairs that no judge has tried, those that a new batch would not take."""
    ordered = waiting - sum(len(pairs.usual) - pairs.failed for pairs in waiting_here().values())
    if ordered > 0 and session.may_somewhere(Act.JUDGE):
        with shell.row():
            sentence = f"{ordered:,} of {waiting:,} are in a batch that has not ended."
            safe.caption(sentence, width="content")
            st.page_link(PageScript.BATCHES, label="Open Batches", icon=":material/layers:")


def _chosen() -> None:
    st.session_state[SessionKey.TAB_CHOSEN] = True
