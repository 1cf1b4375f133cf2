"""What waits: how many, one button to begin, and the list, which looks again by itself while the judge is at work."""

from __future__ import annotations

from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, QueueCounts, counts, history
from comparator.reporting.history.neutral import neutral_name, neutral_rows
from comparator.reporting.queue import QueueProgress, progress
from comparator.store.people.projects import ReviewMode
from comparator.ui.components.listing import Column, Row, listing
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.brief import brief
from comparator.ui.frame.inputs.what_first import ask_what_first
from comparator.ui.frame.lists.list_rows import HEADS, JUDGE_ACTION, queue_row, why_it_stays
from comparator.ui.frame.state import Key, Page, Param
from comparator.ui.frame.still_allowed import require_here
from comparator.workflow.projects.settings import change_settings, project_settings
from comparator.workflow.review.claiming import take_next

PAGE_SIZE = 25
MOST_PROJECTS = 12
START_KEY = "S"
LOOK_AGAIN_SECONDS = 2.0
TABS = {
    "to_review": "To review",
    "draft": "Drafts",
    "failed": "Failed",
    "to_judge": "To judge",
    "judging": "Being judged",
    "void": "Void",
}
COLUMNS = (Column.TITLE, Column.FLAGS, Column.TIME, Column.ACTIONS)
HEADS_HERE = {**HEADS, Column.TIME: "Waiting since"}
NOTHING = {
    "to_review": "No pairs to review.",
    "draft": "No drafts.",
    "failed": "No judgment has failed.",
    "to_judge": "No pairs to judge.",
    "judging": "The judge is idle.",
    "void": "No pair has a void run.",
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
    following = take_next(
        session.services(),
        person_id=session.me().id,
        project_id=session.project_id(),
        all_runs=session.all_runs(),
    )
    if following is None:
        shell.tell_next("All pairs are reviewed.")
        st.rerun()
    st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: following})


def _queue() -> None:
    with shell.guard():
        require_here()
        waiting = _counts()
        mine = _progress(session.project_id())
        _figures(waiting, mine)
        brief(session.project_id(), expanded=mine.done == 0)
        _how_far(mine)
        _what_comes_first()
        left = mine.left
        if left and st.button(
            "Start reviewing" if waiting.to_review else "Continue reviewing",
            key="queue_start",
            type="primary",
            icon=":material/play_arrow:",
            shortcut=START_KEY,
            width=240,
        ):
            begin_review()
        if not left:
            st.info(
                _NOTHING_LEFT if waiting.to_review + waiting.drafts else _ALL_DONE, icon=":material/done_all:"
            )
        _list(waiting)


def _what_comes_first() -> None:
    """Judge first or blind first, for the project that is looked at, where the person may change its settings."""
    here = session.projects()
    looked_at = session.project_id() or (here[0].id if len(here) == 1 else None)
    if looked_at is None or not session.may(Act.CHANGE_SETTINGS, project_id=looked_at):
        return
    mode = project_settings(session.services(), looked_at).mode
    blind = ask_what_first(blind=mode.blind, key=f"queue_blind_{looked_at}_{mode.blind}")
    if blind != mode.blind:
        chosen = ReviewMode.of(blind=blind, prefers=mode.prefers)
        change_settings(session.services(), looked_at, person_id=session.me().id, mode=chosen)
        st.rerun()


_ALL_DONE = "Every pair is reviewed. Set up another comparison, or look at the results in the history."
_NOTHING_LEFT = "Nothing to review: you skipped the remaining pairs, or somebody else is reviewing them."


def _how_far(mine: QueueProgress) -> None:
    """How far the reviewer is, and about how long the rest takes; by project where all are looked at."""
    projects = session.projects() if session.project_id() is None else ()
    if len(projects) < 2:
        _bar(mine, "You have reviewed")
        return
    shown = [(project, _progress(project.id)) for project in projects[:MOST_PROJECTS]]
    with st.container(width=640, gap="small"):
        for project, far in shown:
            if far.total:
                _bar(far, f"{neutral_name(session.services().database, project.id, project.name)}: reviewed")


def _bar(far: QueueProgress, name: str) -> None:
    if not far.total:
        return
    pace = far.minutes_left
    rest = (
        "" if not far.left else _TOO_FEW if pace is None else f" · about {words.counted(pace, 'minute')} left"
    )
    st.progress(
        far.done / far.total,
        text=safe.text(f"{name} {far.done:d} of {words.counted(far.total, 'pair')}{rest}"),
        width=640,
    )


_TOO_FEW = " · time left appears after a few reviews"


def _figures(waiting: QueueCounts, mine: QueueProgress) -> None:
    with st.container(horizontal=True, gap="large"):
        st.metric("To judge", f"{waiting.to_judge + waiting.judging:d}", width="content")
        st.metric("To review", f"{waiting.to_review:d}", width="content")
        st.metric(
            "Second opinion",
            f"{mine.second_opinions:d}",
            width="content",
            help="Pairs to review that have a final review and need another one.",
        )
        st.metric("Drafts", f"{waiting.drafts:d}", width="content")
        st.metric("Failed", f"{waiting.failed:d}", width="content")
        st.metric("Done", f"{waiting.done:d}", width="content")
    if mine.void or session.all_runs():
        # The widget's own value is lost when another page is looked at.
        st.toggle(
            "Include pairs with a void run",
            value=session.all_runs(),
            key="queue_void",
            help="A run is void if it left no output, or an error instead of one. Its pairs are counted separately.",
            on_change=_turn_over,
        )
    if mine.void:
        st.caption(
            safe.text(
                f"Left out: {words.counted(mine.void, 'pair')} with a void run. The history lists them as void."
            )
        )
    if waiting.superseded:
        st.caption(
            safe.text(
                f"Left out: {words.counted(waiting.superseded, 'pair')} with outputs that a later import "
                "replaced. The history lists them as superseded."
            )
        )


def _turn_over() -> None:
    st.session_state[Key.ALL_RUNS] = bool(st.session_state.get("queue_void"))


def _list(waiting: QueueCounts) -> None:
    numbers = {
        "to_review": waiting.to_review,
        "draft": waiting.drafts,
        "failed": waiting.failed,
        "to_judge": waiting.to_judge,
        "judging": waiting.judging,
        "void": waiting.void,
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tab = st.segmented_control(
            "Which",
            [name for name in TABS if name != "void" or waiting.void],
            default=next((name for name, count in numbers.items() if count), "to_review"),
            format_func=lambda each: safe.inked(TABS[each]),
            key="queue_tab",
            required=True,
            label_visibility="collapsed",
        )
        text = st.text_input(
            "Find",
            key="queue_text",
            placeholder="Find by words or tag",
            label_visibility="collapsed",
            width=260,
        )
    status = tab or "to_review"
    if not numbers[status]:
        st.caption(NOTHING[status])
        return
    database = session.services().database
    number = st.session_state.get(f"queue_page_{status}", 1)
    wanted = _filter(
        project_id=session.project_id(), status=status, order="oldest", text=text, reader=session.me().id
    )
    page = history(database, wanted, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE)
    pages = -(-page.total // PAGE_SIZE)
    if not page.rows:
        st.caption("No matching pairs.")
    chosen = listing(
        [_row(row) for row in neutral_rows(database, page.rows)],
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


def _row(row: HistoryRow) -> Row:
    """One row; without a word of the judge's where the reader scores before seeing it."""
    shown = queue_row(row, judges=session.may_somewhere(Act.JUDGE))
    if not row.covered:
        return shown
    return shown.model_copy(update={"flags": why_it_stays(row)})


def _progress(project_id: str | None) -> QueueProgress:
    services = session.services()
    return progress(
        services.database,
        person_id=session.me().id,
        at=services.now(),
        project_id=project_id,
        all_runs=session.all_runs(),
    )


def _filter(**values: Any) -> HistoryFilter:
    return HistoryFilter.model_validate(values)


def _counts() -> QueueCounts:
    return counts(session.services().database, project_id=session.project_id())


def _empty() -> None:
    with st.container(border=True, width=620):
        st.subheader("Nothing to review yet", anchor=False)
        st.caption("Pairs to review will be listed here.")
        if not session.may_somewhere(Act.SUBMIT):
            return
        st.caption("Start with two outputs of the same task, each a file or a folder.")
        if st.button("New comparison", key="queue_new", type="primary", icon=":material/add_circle:"):
            st.switch_page(Page.NEW)
