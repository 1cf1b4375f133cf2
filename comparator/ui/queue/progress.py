"""How many pairs wait, how far the reviewer is, and about how long the rest takes."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.history.listing import QueueCounts
from comparator.reporting.history.neutral import neutral_name
from comparator.reporting.queue import QueueProgress, progress
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.state import SessionKey

MOST_PROJECTS = 12


def how_far(mine: QueueProgress) -> None:
    """How far the reviewer is, and about how long the rest takes; by project where all are looked at."""
    projects = session.projects() if session.project_id() is None else ()
    if len(projects) < 2:
        _bar(mine, "You have reviewed")
        return
    shown = [(project, progress_in(project.id)) for project in projects[:MOST_PROJECTS]]
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
    skipped = f" · {far.skipped:d} skipped" if far.skipped else ""
    st.progress(
        far.done / far.total,
        text=safe.text(f"{name} {far.done:d} of {words.counted(far.total, 'pair')}{skipped}{rest}"),
        width=640,
    )


_TOO_FEW = " · time left appears after a few reviews"


def figures(waiting: QueueCounts, mine: QueueProgress) -> None:
    """The numbers of the queue, and what is left out of them."""
    with st.container(horizontal=True, gap="medium"):
        _figure("To judge", waiting.to_judge + waiting.judging)
        st.metric("To review", f"{waiting.to_review:d}", width="content")
        _figure(
            "Second opinion",
            mine.second_opinions,
            about="Pairs to review that have a final review and need another one.",
        )
        _figure("Drafts", waiting.drafts)
        _figure("Failed", waiting.failed)
        # The bar below tells of the person's own.
        done = "Done" if waiting.done == mine.done else "Done by everyone"
        st.metric(safe.text(done), f"{waiting.done:d}", width="content")
    if mine.void or session.all_runs():
        # The widget's own value is lost when another page is looked at.
        st.toggle(
            "Include pairs with an unusable output",
            value=session.all_runs(),
            key="queue_void",
            help="An output is unusable if the run left none, or only an error. Its pairs are counted separately.",
            on_change=_turn_over,
        )
    others = waiting.to_review + waiting.drafts - mine.left - mine.skipped
    elsewhere = [
        f"{words.counted(number, 'pair')} {why}"
        for number, why in (
            (mine.skipped, "that you skipped or cannot judge"),
            (others, "that you reviewed, or that another reviewer has open"),
        )
        if number > 0
    ]
    if elsewhere:
        st.caption(safe.text(f"Not waiting for you: {', '.join(elsewhere)}. The list marks them."))
    if mine.void:
        st.caption(
            safe.text(
                f"Left out: {words.counted(mine.void, 'pair')} with an unusable output. The history lists them."
            )
        )
    if waiting.superseded:
        st.caption(
            safe.text(
                f"Left out: {words.counted(waiting.superseded, 'pair')} with outputs that a later import "
                "replaced. The history lists them as superseded."
            )
        )


def _figure(name: str, count: int, *, about: str | None = None) -> None:
    """A count that is not always of interest: none is not shown."""
    if count:
        st.metric(safe.text(name), f"{count:d}", width="content", help=safe.text(about) if about else None)


def _turn_over() -> None:
    st.session_state[SessionKey.ALL_RUNS] = bool(st.session_state.get("queue_void"))


def progress_in(project_id: str | None) -> QueueProgress:
    """The reviewer's progress in a project, or (None) in all."""
    services = session.services()
    return progress(
        services.database,
        person_id=session.me().id,
        at=services.now(),
        project_id=project_id,
        all_runs=session.all_runs(),
    )
