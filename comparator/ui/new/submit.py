"""From the filled page New to a stored comparison that the judge has begun to read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import streamlit as st

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.errors import Conflict
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.ui.frame import session, shell
from comparator.ui.frame.lists.pair_links import pair_address
from comparator.ui.frame.state import PageScript
from comparator.ui.new.draft import Draft, OpenDraft, Slot
from comparator.ui.new.leaks import forget_readings, names_of, readings_of, snapshots_of, sources_of
from comparator.ui.new.rubric import edited, reply_of, rubric_of
from comparator.workflow.judging.rubrics import redact_rubric, store_drafted, store_own
from comparator.workflow.judging.which_judges import judge_of_project
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import redactions_for, result_place
from comparator.workflow.submit.set_up import submit
from comparator.workflow.submit.submission import Submission, Submitted


def judge_and_review(
    services: Services, page: OpenDraft, task: TaskText, redactions: Sequence[Redaction]
) -> Submitted:
    """Store the comparison with its rubric, have it judged in the background, and forget the draft.

    Raises InputError and other errors of ours; the draft stays then.
    """
    me = session.me()
    with st.spinner("Preparing both outputs for the review", show_time=True):
        submitted = submit(
            services,
            _submission(page.draft, task, redactions),
            person_id=me.id,
            readings=readings_of(page.draft),
        )
    if not submitted.known:
        _store_rubric(services, page, submitted, redactions, me=me)
        session.judge(submitted.comparison_id, kind=page.draft.judge, model=page.draft.model or None)
    forget_readings(page.draft)
    page.discard()
    return submitted


def open_review(submitted: Submitted) -> None:
    """On to the review, where the judge's values come in as they are given."""
    if submitted.known:
        shell.tell_next("These two outputs were compared before; this is that comparison.")
    st.switch_page(PageScript.REVIEW, query_params=pair_address(submitted.comparison_id))


def prepare(page: OpenDraft, task: TaskText, redactions: Sequence[Redaction]) -> None:
    """Have pictures of web pages taken while the form is still being filled."""
    if page.draft.scan is None or snapshots_of(page.draft) is None:
        return
    submission = _submission(page.draft, task, redactions)
    key = f"{page.draft.scan.of} {page.draft.project} {sorted(repr(each) for each in redactions)}"
    session.pictures_ahead().ask(key, submission, readings=readings_of(page.draft))


def _submission(draft: Draft, task: TaskText, redactions: Sequence[Redaction]) -> Submission:
    outputs = snapshots_of(draft)
    assert outputs is not None
    assert draft.scan is not None
    return Submission(
        task=task,
        outputs=outputs,
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
        out_path=result_place(sources_of(draft)),
    )


def _store_rubric(
    services: Services,
    page: OpenDraft,
    submitted: Submitted,
    redactions: Sequence[Redaction],
    *,
    me: session.Me,
) -> None:
    draft, rubric = page.draft.rubric, rubric_of(page)
    if draft is None or rubric is None:
        return
    locked = "The rubric of this task is already locked; the judge uses that one."
    reply = reply_of(draft)
    if reply is not None:
        judge = judge_of_project(services, page.draft.project, page.draft.judge, page.draft.model or None)
        try:
            stored = store_drafted(services, judge, submitted.comparison_id, reply)
        finally:
            asyncio.run(judge.close())
        if stored.locked and stored.rubric != reply.rubric:
            shell.tell_next(locked)
            return
    if not edited(page) and not draft.lock and not draft.share:
        return
    try:
        store_own(
            services,
            submitted.comparison_id,
            redact_rubric(
                rubric,
                redactions_for(rubric, candidates=names_of(page.draft), redactions=redactions),
            ),
            person_id=me.id,
            author=me.name,
            locked=draft.lock,
            shared=draft.share,
        )
    except Conflict:
        shell.tell_next(locked)
