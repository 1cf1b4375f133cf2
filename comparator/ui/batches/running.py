"""All batches with live progress, and what can be done with each: pause, resume, cancel, retry."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs.batches import manage_batches
from comparator.jobs.batches.manage_batches import BatchReport
from comparator.store.bulk.batches import BatchState
from comparator.store.judging.budgets import MILLION, Budget, BudgetUnit
from comparator.ui.batches.words import STATES, facts
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.inputs.choices import result_button
from comparator.ui.frame.lists.pair_links import pair_address
from comparator.ui.frame.state import PageScript

LOOK_AGAIN_SECONDS = 1.0
_BUDGET = "batch_budget_{}"
COLOURS: dict[BatchState, Literal["blue", "orange", "gray", "green"]] = {
    BatchState.RUNNING: "blue",
    BatchState.PAUSED: "orange",
    BatchState.CANCELLED: "gray",
    BatchState.DONE: "green",
}


def batch_list() -> None:
    """The batches that the person may steer, the newest first; looks again by itself while one is running."""
    found = _reports()
    if not found:
        return
    running = any(each.batch.state is BatchState.RUNNING for each in found)
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if running else None)(_list)
    part(running)


def _reports() -> tuple[BatchReport, ...]:
    allowed = {each.id for each in session.projects(Act.JUDGE)}
    found = manage_batches.reports(session.services(), project_id=session.project_id())
    return tuple(each for each in found if each.batch.project_id in allowed)


def _list(running: bool) -> None:
    with shell.guard():
        found = _reports()
        for report in found:
            # What cannot be done with one leaves the others on the page.
            with shell.guard():
                _row(report)
        if running and not any(each.batch.state is BatchState.RUNNING for each in found):
            # The last one has ended: the page needs to look again no more.
            st.rerun()


def _row(report: BatchReport) -> None:
    batch, counts = report.batch, report.counts
    with st.container(border=True, gap="small"):
        head, buttons = st.columns(2, vertical_alignment="center")
        with head, st.container(horizontal=True, vertical_alignment="center"):
            st.badge(STATES[batch.state], color=COLOURS[batch.state])
            safe.write(safe.text(f"{batch.name}, {report.project}"))
        if batch.state in (BatchState.RUNNING, BatchState.PAUSED):
            ended = counts.done + counts.failed
            st.progress(ended / counts.total if counts.total else 0.0)
        st.caption(safe.text(facts(report)))
        if batch.problem:
            st.warning(safe.text(batch.problem), icon=":material/pause_circle:")
        if batch.state is BatchState.PAUSED and report.budget is not None:
            _ceiling(report.budget, key=_BUDGET.format(batch.id))
        if counts.failed:
            _failures(report)
        # Last: the row stands as a whole where an act is refused.
        with buttons, st.container(horizontal=True, horizontal_alignment="right"):
            _buttons(report)


def _buttons(report: BatchReport) -> None:
    services, batch, me = session.services(), report.batch, session.me().id
    key = f"batch_{{}}_{batch.id}"
    if batch.state is BatchState.RUNNING and st.button(
        "Pause", key=key.format("pause"), icon=":material/pause:"
    ):
        manage_batches.pause(services, batch.id, person_id=me)
        st.rerun()
    resumed = batch.state is BatchState.PAUSED and st.button(
        "Resume", key=key.format("resume"), icon=":material/play_arrow:"
    )
    if report.counts.failed and st.button(
        "Retry failures",
        key=key.format("retry"),
        icon=":material/refresh:",
        help="Finished readings are not charged again.",
    ):
        manage_batches.retry(services, batch.id, person_id=me)
        st.rerun()
    if batch.state is BatchState.DONE and report.counts.done:
        result_button(batch.project_id, key=key.format("result"))
    if batch.state in (BatchState.RUNNING, BatchState.PAUSED) and st.button(
        "Cancel",
        key=key.format("cancel"),
        icon=":material/close:",
        help="Finished readings are kept. Start another batch to judge the rest.",
    ):
        manage_batches.cancel(services, batch.id, person_id=me)
        st.rerun()
    if resumed:
        # Last: where the budget is refused, the other buttons stay.
        manage_batches.resume(services, batch.id, **_chosen_ceiling(report), person_id=me)
        st.rerun()


def _ceiling(budget: Budget, *, key: str) -> None:
    """What Resume goes on with."""
    if budget.unit is BudgetUnit.MONEY:
        st.number_input(
            "Budget, USD", min_value=0.0, value=float(budget.ceiling), step=1.0, key=key, width=180
        )
    else:
        tokens = int(budget.ceiling * MILLION)
        st.number_input("Budget, tokens", min_value=1, value=tokens, step=100_000, key=key, width=180)


def _chosen_ceiling(report: BatchReport) -> dict[str, Any]:
    chosen = st.session_state.get(_BUDGET.format(report.batch.id))
    if chosen is None or report.budget is None:
        return {}
    if report.budget.unit is BudgetUnit.TOKENS:
        return {"tokens": int(chosen)}
    return {"money": Decimal(str(chosen))}


def _failures(report: BatchReport) -> None:
    with st.expander("What failed", key=f"batch_failed_{report.batch.id}"):
        for failure in manage_batches.failures(session.services(), report.batch.id):
            with st.container(horizontal=True, vertical_alignment="center"):
                if st.button("Open", key=f"batch_open_{report.batch.id}_{failure.comparison_id}"):
                    st.switch_page(PageScript.REVIEW, query_params=pair_address(failure.comparison_id))
                st.caption(safe.text(f"{failure.title}: {failure.problem}"))
