"""The judge at work: each step as it happens, and on to the review when it is done."""

from __future__ import annotations

import re

import streamlit as st

from comparator.domain.judgment import JudgeState
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.state import Key, Page, Param
from comparator.ui.frame.still_allowed import require_with

_READINGS = re.compile(r"(\d+) of (\d+)")
STEPS = ("Reading both outputs", "Writing the rubric", "Judging in both orders")


def judging(comparison_id: str) -> None:
    """Follow the judge until it is done, then open the review. Leaving the page stops nothing."""
    st.subheader("The judge reads both outputs")
    st.caption("You can leave this page. Judging goes on, and the comparison waits in the queue.")
    _follow(comparison_id)


@st.fragment(run_every=0.7)
def _follow(comparison_id: str) -> None:
    with shell.guard():
        require_with(comparison_id)
        progress = session.progress(comparison_id)
        if progress.state is JudgeState.DONE:
            _done(comparison_id)
            return
        if progress.at_work:
            step = progress.step or STEPS[0]
            st.progress(share_of(step), text=safe.text(step))
        else:
            never = "The judge has not started." if progress.state is JudgeState.WAITING else ""
            _not_at_work(comparison_id, progress.problem or never or "The judge gave no answer.")


def _done(comparison_id: str) -> None:
    """On to the review, once: who comes back by the browser's button is not sent away again."""
    forwarded: set[str] = st.session_state.setdefault(Key.FORWARDED, set())
    if comparison_id not in forwarded:
        forwarded.add(comparison_id)
        st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: comparison_id})
    st.success("The judge is done.", icon=":material/check:")
    left, right, _ = st.columns([1, 1, 3])
    if left.button("Open the review", key="judging_review", type="primary"):
        st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: comparison_id})
    if right.button("Compare others", key="judging_new"):
        st.query_params.clear()
        st.rerun()


def share_of(step: str) -> float:
    """How far the judge is, 0.0 to 1.0, by the step it names.

    >>> share_of("Judging in both orders: 1 of 2 readings done")
    0.65
    """
    if found := _READINGS.search(step):
        done, wanted = int(found[1]), int(found[2])
        return round(0.3 + 0.7 * min(done / max(wanted, 1), 1.0), 2)
    return {STEPS[0]: 0.05, STEPS[1]: 0.15}.get(step, 0.0)


def _not_at_work(comparison_id: str, problem: str) -> None:
    st.error(safe.text(problem), icon=":material/error:")
    left, right, _ = st.columns([1, 2, 3])
    if left.button("Try again", key="judging_retry", icon=":material/refresh:", type="primary"):
        session.judge(comparison_id)
        st.rerun(scope="fragment")
    if right.button("Review without the judge", key="judging_skip"):
        st.switch_page(Page.REVIEW, query_params={Param.COMPARISON.value: comparison_id})
