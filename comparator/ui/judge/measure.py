"""Measuring judges on the labelled pairs of a project: one button, and how far those are that are read."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs.manage_batches import report, reports
from comparator.jobs.start_batches import start
from comparator.reporting.trust.labelled_record import labelled_pairs
from comparator.store.bulk.batches import BatchRequest, BatchState
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.words import counted

LOOK_SECONDS = 2.0
SAMPLE = 50
DEAR = 5.0
"""US dollars that a judge may cost unless something else is said."""


def measure(project_id: str) -> None:
    """A form that has judges read the project's labelled pairs; while they do, how far they are."""
    if session.may(Act.JUDGE, project_id=project_id) and not follow_trials(project_id):
        _form(project_id, len(labelled_pairs(session.services().database, project_id)))


def follow_trials(project_id: str) -> bool:
    """How far the batches are by which a judge is measured or guidance tried; whether one runs."""
    under_way = [
        each
        for each in reports(session.services(), project_id=project_id)
        if each.batch.trial and each.counts.left
    ]
    running = [each for each in under_way if each.batch.state is BatchState.RUNNING]
    for each in under_way:
        if each.batch.state is BatchState.PAUSED:
            why = f" {each.batch.problem}" if each.batch.problem else ""
            st.info(
                safe.text(f"{each.batch.name} is paused.{why} Resume it on the page Batches."),
                icon=":material/pause:",
            )
    if running:
        _follow(tuple(each.batch.id for each in running))
    return bool(running)


@st.fragment(run_every=LOOK_SECONDS)
def _follow(batch_ids: tuple[str, ...]) -> None:
    """A bar for each of these batches; the whole page again once one has ended."""
    for each in (report(session.services(), id) for id in batch_ids):
        if each.batch.state is not BatchState.RUNNING:
            st.rerun()
        ended, total = each.counts.done + each.counts.failed, each.counts.total
        pairs = counted(total, "pair")
        st.progress(ended / max(total, 1), text=safe.text(f"{each.batch.name}: {ended:,} of {pairs} read"))


def _form(project_id: str, pairs: int) -> None:
    with st.popover("Measure a judge", icon=":material/straighten:", key="judge_measure"):
        if not pairs:
            st.caption(
                "No pair of this project has a known winner yet. Import pairs with labels (comparator probe writes "
                "some), or review before the judge's scores are shown."
            )
            return
        safe.caption(
            f"The judge reads {counted(pairs, 'pair')} whose winner is known, in both orders. No verdict changes, "
            f"and finished readings are not charged again. Judge: {session.usual_judge()}."
        )
        known = session.named_judges()
        # None of them means the judge of the settings.
        names = known and st.multiselect(
            "Judges", list(known), key="judge_names", placeholder="As set", width=640
        )
        with shell.row("bottom"):
            sample = st.number_input(
                "Pairs, at most",
                min_value=1,
                max_value=pairs,
                value=min(SAMPLE, pairs),
                key="judge_sample",
                width=200,
            )
            budget = st.number_input(
                "Budget per judge, USD",
                min_value=0.0,
                value=DEAR,
                key="judge_budget",
                width=220,
                help="0 sets no budget, which a model without a known price needs.",
            )
            pressed = st.button("Measure", key="judge_start", icon=":material/play_arrow:")
        if pressed:
            with shell.guard():
                _start(project_id, tuple(names), sample=int(sample), budget=float(budget))


def _start(project_id: str, names: tuple[str, ...], *, sample: int, budget: float) -> None:
    services = session.as_me()
    # The offline check costs nothing, and has no price to compare with a ceiling.
    free = not names and services.judge().identity.kind == "offline"
    request = BatchRequest(
        project_id=project_id,
        named=names,
        labelled=True,
        sample=sample,
        budget=Decimal(str(budget)) if budget and not free else None,
    )
    start(services, request)
    session.wake_worker()
    shell.tell_next("The pairs are being read. The figures appear here as they come in.")
    st.rerun()
