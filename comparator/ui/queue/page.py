"""What waits: how many, one button to begin, and the list, which looks again by itself while the judge is at work."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.listing import QueueCounts, counts
from comparator.reporting.history.neutral import neutral_name
from comparator.store.pairs.comparisons import Comparison
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.brief import brief
from comparator.ui.frame.inputs.choices import project_sees_first
from comparator.ui.frame.lists.pair_links import pair_address
from comparator.ui.frame.recheck_rights import require_here
from comparator.ui.frame.state import PageScript, Param
from comparator.ui.queue.progress import figures, how_far, progress_in
from comparator.ui.queue.start import start_batch
from comparator.ui.queue.waiting import waiting_pairs
from comparator.workflow.review.panel import next_in_line, take_next

START_KEY = "S"
LOOK_AGAIN_SECONDS = 2.0
TITLE_LENGTH = 60


def queue() -> None:
    """The whole queue of the project that is looked at."""
    waiting = _counts()
    start_batch(expanded=not waiting.to_review + waiting.drafts)
    if not any(waiting.model_dump().values()):
        _empty()
        return
    # Where only the judge can go on, nobody has to reload the page to see that it has.
    looks = waiting.judging or (waiting.to_judge and not waiting.to_review + waiting.drafts)
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if looks else None)(_queue)
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
    st.switch_page(PageScript.REVIEW, query_params=pair_address(following))


def _queue() -> None:
    with shell.guard():
        require_here()
        waiting = _counts()
        mine = progress_in(session.project_id())
        figures(waiting, mine)
        brief(session.project_id(), expanded=mine.done == 0)
        how_far(mine)
        left = mine.left
        following = next_in_line(
            session.services(),
            person_id=session.me().id,
            project_id=session.project_id(),
            all_runs=session.all_runs(),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            started = left and st.button(
                "Start reviewing" if waiting.to_review else "Continue reviewing",
                key="queue_start",
                type="primary",
                icon=":material/play_arrow:",
                shortcut=START_KEY,
                width=240,
            )
            if left and following is not None:
                st.caption(safe.text(f"Next: {_title(following)}"), width="content")
            _what_comes_first(following)
        if not mine.done:
            help_page = {Param.PAGE.value: "reviewing"}
            st.page_link(
                PageScript.HELP, label="How to review", icon=":material/help:", query_params=help_page
            )
        if started:
            begin_review()
        if not left:
            _nothing_left(waiting)
        waiting_pairs(waiting)


def _title(pair: Comparison) -> str:
    return safe.beginning(
        neutral_name(session.services().database, pair.project_id, pair.title), TITLE_LENGTH
    )


def _what_comes_first(following: Comparison | None) -> None:
    """Judge first or blind first, for the project that is looked at, else for the next pair's, where the person may."""
    here = {project.id: project.name for project in session.projects()}
    looked_at = session.project_id() or (next(iter(here)) if len(here) == 1 else None)
    of_next = looked_at is None
    if looked_at is None and following is not None:
        looked_at = following.project_id
    if looked_at is None:
        return
    label = f"In {here.get(looked_at, 'its project')}, a reviewer sees first" if of_next else ""
    project_sees_first(looked_at, label=label)


def _nothing_left(waiting: QueueCounts) -> None:
    """Why there is nothing to review for whoever looks."""
    unread = waiting.to_judge + waiting.judging
    if waiting.to_review + waiting.drafts:
        st.info(_NOTHING_LEFT, icon=":material/done_all:")
    elif unread:
        verb = "waits" if unread == 1 else "wait"
        sentence = f"Nothing to review yet: {words.counted(unread, 'pair')} {verb} for the judge."
        st.info(safe.text(sentence), icon=":material/hourglass_top:")
    else:
        failed = bool(waiting.failed)
        st.info(
            _FAILED if failed else _ALL_DONE, icon=":material/error:" if failed else ":material/done_all:"
        )


_FAILED = "Nothing to review: the pairs below could not be judged. Try them again, or open one and score it."
_ALL_DONE = "Every pair is reviewed. Set up another comparison, or look at the results in the history."
_NOTHING_LEFT = "Nothing to review: you skipped the remaining pairs, or somebody else is reviewing them."


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
            st.switch_page(PageScript.NEW)
