"""From the filled page New to a stored comparison that the judge has begun to read."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.errors import Conflict
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.ui.frame import session, shell
from comparator.ui.frame.state import PageScript
from comparator.ui.new.draft import Draft, Slot, discard
from comparator.ui.new.leaks import forget_readings, names_of, readings_of, redactions_of
from comparator.workflow.judging.asking import judge_of_project
from comparator.workflow.judging.rubrics import redact_rubric, store_drafted, store_own
from comparator.workflow.submit.intake import Submission, Submitted, redactions_for
from comparator.workflow.submit.set_up import submit


def judge_and_review(draft: Draft, task: TaskText) -> None:
    """Store the comparison with its rubric, have it judged in the background, and go on to the review.

    Raises InputError and other errors of ours; the draft stays then.
    """
    redactions = redactions_of(draft)
    with st.spinner("Preparing both outputs for the review", show_time=True):
        submitted = submit(
            session.as_me(),
            _submission(draft, task, redactions),
            readings=readings_of(draft),
        )
    if submitted.known:
        shell.tell_next("These two outputs were compared before; this is that comparison.")
    else:
        _store_rubric(draft, submitted, redactions)
        session.judge(submitted.comparison_id, kind=draft.judge, model=draft.model)
    forget_readings(draft)
    discard()
    session.go(PageScript.REVIEW, c=submitted.comparison_id)


def _submission(draft: Draft, task: TaskText, redactions: Sequence[Redaction]) -> Submission:
    assert draft.outputs is not None
    assert draft.scan is not None
    return Submission(
        task=task,
        outputs=draft.outputs,
        candidates=names_of(draft),
        inputs=draft.snapshot(Slot.INPUTS),
        reference=draft.snapshot(Slot.REFERENCE),
        redactions=tuple(redactions),
        findings=draft.scan.findings,
        taken_back=frozenset(draft.taken_back),
        project=draft.project,
        mode=ReviewMode.of(blind=draft.blind, prefers=False),
        title=draft.title,
        tags=draft.tags,
    )


def _store_rubric(draft: Draft, submitted: Submitted, redactions: Sequence[Redaction]) -> None:
    given, services, me = draft.rubric, session.as_me(), session.me()
    if given is None:
        return
    rubric = given.edited
    locked = "The rubric of this task is already locked; the judge uses that one."
    if given.reply:
        judge = judge_of_project(services, draft.project, draft.judge, draft.model)
        stored = store_drafted(services, judge, submitted.comparison_id, given.reply)
        if stored.locked and stored.rubric != given.reply.value:
            shell.tell_next(locked)
            return
    if rubric == given.shown and not given.lock and not given.share:
        return
    neutral = redactions_for(rubric, candidates=names_of(draft), redactions=redactions)
    try:
        store_own(
            services,
            submitted.comparison_id,
            redact_rubric(rubric, neutral),
            author=me.name,
            locked=given.lock,
            shared=given.share,
        )
    except Conflict:
        shell.tell_next(locked)
