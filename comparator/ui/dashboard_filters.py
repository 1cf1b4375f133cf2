"""The filters of the dashboards; they stand in the address, so that what is seen can be linked."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from comparator.reporting.candidates import Meeting, ProjectState
from comparator.reporting.results_pairs import Outcome
from comparator.reporting.results_scope import ResultFilter, Runs, Verdicts

VERDICTS = {
    Verdicts.REVIEWED.value: "All reviews",
    Verdicts.BLIND.value: "Blind reviews",
    Verdicts.JUDGE.value: "Judge only (not reviewed)",
    Verdicts.EITHER.value: "Reviews, else the judge",
}
RUNS = {Runs.VALID.value: "Valid runs only", Runs.ALL.value: "All runs"}
ANY = "any"
OUTCOMES = {ANY: "All", Outcome.WON.value: "Won", Outcome.TIED.value: "Tied", Outcome.LOST.value: "Lost"}


def filters(state: ProjectState, *, project_id: str) -> tuple[ResultFilter, Meeting]:
    """Ask what to count, for a project in which candidates met and all is revealed."""
    met_by_ids = {f"{met.one}.{met.two}": met for met in state.meetings}
    first = next(iter(met_by_ids))
    pair, verdicts, runs, baseline = st.columns([5, 4, 3, 4], gap="small", vertical_alignment="bottom")
    chosen = pair.selectbox(
        "Candidates",
        list(met_by_ids),
        format_func=lambda ids: _pair(met_by_ids[ids]),
        key=_from_address("pair", met_by_ids, usual=first),
    )
    whose = verdicts.selectbox(
        "Verdicts",
        list(VERDICTS),
        format_func=VERDICTS.__getitem__,
        key=_from_address("verdicts", VERDICTS, usual=Verdicts.REVIEWED.value),
    )
    which = runs.selectbox(
        "Runs",
        list(RUNS),
        format_func=RUNS.__getitem__,
        key=_from_address("runs", RUNS, usual=Runs.VALID.value),
    )
    counted = baseline.toggle(
        "Count the baseline",
        key="baseline",
        bind="query-params",
        help="The offline baseline measures form and coverage and cannot tell right from wrong.",
    )
    _to_address("pair", chosen, usual=first)
    _to_address("verdicts", whose, usual=Verdicts.REVIEWED.value)
    _to_address("runs", which, usual=Runs.VALID.value)
    met = met_by_ids[chosen]
    asked = ResultFilter(
        project_id=project_id,
        one=met.one,
        two=met.two,
        verdicts=Verdicts(whose),
        runs=Runs(which),
        baseline=bool(counted),
    )
    return asked, met


def outcome_filter() -> Outcome | None:
    """Ask for pairs of one outcome; None for all."""
    chosen = st.segmented_control(
        "Outcome",
        list(OUTCOMES),
        format_func=lambda name: OUTCOMES[name],
        key=_from_address("outcome", OUTCOMES, usual=ANY),
        label_visibility="collapsed",
        required=True,
    )
    _to_address("outcome", chosen or ANY, usual=ANY)
    return None if chosen in (None, ANY) else Outcome(chosen)


def _pair(met: Meeting) -> str:
    return f"{met.one_name} and {met.two_name} ({met.pairs} pairs)"


def _from_address(name: str, options: Iterable[str], *, usual: str) -> str:
    """The widget's key, with the address's value in it when the page opens. Streamlit's own binding would write the
    options' wording, names of candidates among it, into the address."""
    key = f"dashboards_{name}"
    known = tuple(options)
    if st.session_state.get(key) not in known:
        asked = st.query_params.get(name, usual)
        st.session_state[key] = asked if asked in known else usual
    return key


def _to_address(name: str, value: str, *, usual: str) -> None:
    if value == usual:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value
