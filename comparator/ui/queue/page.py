"""Queue: how many pairs wait for the reviewer, a button to start, the progress, and the list of waiting pairs."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.history.listing import QueueCounts, counts
from comparator.reporting.history.neutral import neutral_name
from comparator.reporting.queue import QueueProgress, progress
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.brief import brief
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.recheck_rights import require_here
from comparator.ui.frame.start_batch import start_batch
from comparator.ui.frame.state import PageScript, Param
from comparator.ui.queue.waiting import waiting_pairs
from comparator.workflow.review.panel import next_in_line, take_next

LOOK_AGAIN_SECONDS = 2.0
TITLE_LENGTH = 60


def queue() -> None:
    """The whole queue of the project that is looked at."""
    waiting = _counts()
    start_batch(expanded=not waiting.to_review + waiting.drafts)
    if not any(waiting.model_dump().values()):
        empty_page(
            "Nothing to review yet",
            "Pairs to review will be listed here. Start with two outputs of the same task.",
            step=("New comparison", PageScript.NEW, ":material/add_circle:"),
            key="queue_new",
        )
        return
    # Where only the judge can go on, nobody has to reload the page to see that it has.
    looks = waiting.judging or (waiting.to_judge and not waiting.to_review + waiting.drafts)
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if looks else None)(_queue)
    part()


def begin_review() -> None:
    """Open the comparison that comes next; a sentence where none is left."""
    following = take_next(session.as_me(), project_id=session.project_id())
    if following is None:
        shell.tell_next("All pairs are reviewed.")
        st.rerun()
    session.go(PageScript.REVIEW, c=following)


def _queue() -> None:
    with shell.guard():
        require_here()
        services, project_id = session.as_me(), session.project_id()
        waiting, me = _counts(), session.me().id
        mine = progress(services.database, person_id=me, at=services.now(), project_id=project_id)
        following = next_in_line(services, project_id=project_id)
        brief(project_id, expanded=mine.done == 0)
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            st.metric("For you to review", safe.text(f"{mine.left:,}"), width="content")
            started = mine.left and st.button(
                "Start reviewing" if waiting.to_review else "Continue reviewing",
                key="queue_start",
                type="primary",
                icon=":material/play_arrow:",
                shortcut="S",
                width=240,
            )
            if mine.left and following is not None:
                title = neutral_name(services.database, following.project_id, following.title)
                st.caption(safe.text(f"Next: {safe.beginning(title, TITLE_LENGTH)}"), width="content")
            if not mine.done:
                help_page = {Param.PAGE.value: "reviewing"}
                st.page_link(
                    PageScript.HELP, label="How to review", icon=":material/help:", query_params=help_page
                )
        if started:
            begin_review()
        _progress(mine)
        for sentence in _elsewhere(waiting, mine):
            st.caption(safe.text(sentence))
        if not mine.left:
            st.info(safe.text(_nothing_left(waiting)), icon=":material/done_all:")
        waiting_pairs(waiting)


def _progress(mine: QueueProgress) -> None:
    if mine.total:
        rest = f" · about {words.counted(mine.minutes_left, 'minute')} left" if mine.minutes_left else ""
        done = f"You have reviewed {mine.done:,} of {words.counted(mine.total, 'pair')}{rest if mine.left else ''}"
        st.progress(mine.done / mine.total, text=safe.text(done), width=640)


def _elsewhere(waiting: QueueCounts, mine: QueueProgress) -> list[str]:
    """Which pairs wait for others, and which no count includes; one sentence for each."""
    others = waiting.to_review + waiting.drafts - mine.left - mine.skipped
    reasons = [
        f"{words.counted(number, 'pair')} {why}"
        for number, why in (
            (mine.skipped, "that you skipped or cannot judge"),
            (others, "that you reviewed, or that another reviewer has open"),
        )
        if number > 0
    ]
    left_out = [
        f"{words.counted(number, 'pair')} {why}"
        for number, why in (
            (mine.void, "with an unusable output"),
            (waiting.superseded, "with outputs that a later import replaced"),
        )
        if number
    ]
    return [
        f"{what}: {', '.join(parts)}. {where}"
        for what, parts, where in (
            ("Not for you", reasons, "The list marks them."),
            ("Left out", left_out, "The history lists them."),
        )
        if parts
    ]


def _nothing_left(waiting: QueueCounts) -> str:
    """Why this person has nothing to review."""
    unread = waiting.to_judge + waiting.judging
    if waiting.to_review + waiting.drafts:
        return "Nothing to review: you skipped the remaining pairs, or somebody else is reviewing them."
    if unread:
        verb = "waits" if unread == 1 else "wait"
        return f"Nothing to review yet: {words.counted(unread, 'pair')} {verb} for the judge."
    if waiting.failed:
        return "Nothing to review: the pairs below could not be judged. Try them again, or open one and score it."
    return "Every pair is reviewed. Set up another comparison, or look at the results in the history."


def _counts() -> QueueCounts:
    return counts(session.services().database, project_id=session.project_id())
