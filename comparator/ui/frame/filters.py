"""The filters of the dashboards; they stand in the address, so that what is seen can be linked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from comparator.reporting.results.candidates import Meeting, Names, natural, stem
from comparator.reporting.results.pairs import Outcome
from comparator.reporting.tally.scope import ResultFilter, Runs, Verdicts
from comparator.ui.frame import safe
from comparator.ui.frame.words import counted

VERDICTS = {
    Verdicts.REVIEWED.value: "All reviews",
    Verdicts.BLIND.value: "Blind reviews",
    Verdicts.JUDGE.value: "Judge only (not reviewed)",
    Verdicts.EITHER.value: "Reviews, else the judge",
}
RUNS = {Runs.VALID.value: "Valid runs, no warm-ups", Runs.ALL.value: "All runs"}
PARTS = {
    "result": "Result",
    "trust": "How far to trust this",
    "field": "All candidates",
    "cost": "Cost and time",
    "plan": "Plan, memo, report",
}
ANY = "any"
OUTCOMES = {ANY: "All", Outcome.WON.value: "Won", Outcome.TIED.value: "Tied", Outcome.LOST.value: "Lost"}


class Chosen(NamedTuple):
    """What the page shows: whose result, told from the side of the candidate that may be adopted."""

    asked: ResultFilter
    names: Names


def filters(meetings: Sequence[Meeting], *, project_id: str, leader: Callable[[ResultFilter], str]) -> Chosen:
    """Ask what to count, of candidates of which something is revealed.

    `leader` says who won more, to be told of first where the names do not say who is the newer one.
    """
    met_by_ids = {".".join(sorted((met.one, met.two))): met for met in meetings}
    first = next(iter(met_by_ids))
    pair, new = st.columns([3, 2], gap="small", vertical_alignment="bottom")
    verdicts, runs, offline = st.columns([2, 2, 1], gap="small", vertical_alignment="bottom")
    chosen = pair.selectbox(
        "Candidates",
        list(met_by_ids),
        format_func=lambda ids: _pair(met_by_ids[ids]),
        key=_from_address("pair", met_by_ids, usual=first),
    )
    met = met_by_ids[chosen]
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
    counted = offline.toggle(
        "Offline check",
        key="offline",
        bind="query-params",
        help="Counts pairs on which only the offline check spoke. It cannot tell right from wrong.",
    )
    asked = ResultFilter(
        project_id=project_id,
        one=met.one,
        two=met.two,
        verdicts=Verdicts(whose),
        runs=Runs(which),
        offline=bool(counted),
    )
    # By name, so that where neither leads, the page tells of the same one each time.
    called = dict(sorted({met.one: met.one_name, met.two: met.two_name}.items(), key=lambda each: each[1]))
    asked = asked.model_copy(update=dict(zip(("one", "two"), called, strict=True)))
    usual_new = _newer(called) or _with(called) or leader(asked)
    # Whoever chose none is told of the leader, also when other verdicts have another one.
    if st.session_state.get("dashboards_adopt") == st.session_state.get("dashboards_leader"):
        st.session_state.pop("dashboards_adopt", None)
    st.session_state["dashboards_leader"] = usual_new
    adopted = new.selectbox(
        "To be adopted",
        list(called),
        format_func=lambda id: called.get(id, ""),
        key=_from_address("adopt", called, usual=usual_new),
        help="The result is told from the side of this one; the plan says whether it takes the other's place.",
    )
    _to_address("pair", chosen, usual=first)
    _to_address("adopt", adopted, usual=usual_new)
    _to_address("verdicts", whose, usual=Verdicts.REVIEWED.value)
    _to_address("runs", which, usual=Runs.VALID.value)
    other = next(id for id in called if id != adopted)
    asked = asked.model_copy(update={"one": adopted, "two": other})
    return Chosen(asked, Names(called[adopted], called[other]))


def _newer(called: Mapping[str, str]) -> str | None:
    """The one whose name counts on from the other's, as v32 does from v31; None where names do not tell."""
    (one, first), (two, second) = called.items()
    if stem(first) != stem(second) or natural(first) == natural(second):
        return None
    return one if natural(first) > natural(second) else two


def _with(called: Mapping[str, str]) -> str | None:
    """The one that is named "with" what the other is named "without", as with a skill; None where none is."""
    (one, first), (two, second) = called.items()
    if first.replace("without", "with") == second:
        return two
    return one if second.replace("without", "with") == first else None


def part_filter(parts: Iterable[str]) -> str:
    """Ask which part of the dashboards to show."""
    known = [name for name in PARTS if name in set(parts)]
    chosen = st.segmented_control(
        "Part",
        known,
        format_func=lambda each: safe.inked(PARTS[each]),
        key=_from_address("part", known, usual=known[0]),
        label_visibility="collapsed",
        required=True,
    )
    _to_address("part", chosen or known[0], usual=known[0])
    return chosen or known[0]


def picture_filter() -> str:
    """Ask in which format a chart is saved, by the camera at its top right."""
    chosen = st.segmented_control(
        "Charts are saved as",
        ["png", "svg"],
        format_func=lambda each: safe.inked(each.upper()),
        key=_from_address("picture", ("png", "svg"), usual="png"),
        required=True,
        help="By the camera at the top right of a chart.",
    )
    _to_address("picture", chosen or "png", usual="png")
    return chosen or "png"


def outcome_filter() -> Outcome | None:
    """Ask for pairs of one outcome; None for all."""
    chosen = st.segmented_control(
        "Outcome",
        list(OUTCOMES),
        format_func=lambda name: safe.inked(OUTCOMES[name]),
        key=_from_address("outcome", OUTCOMES, usual=ANY),
        label_visibility="collapsed",
        required=True,
    )
    _to_address("outcome", chosen or ANY, usual=ANY)
    return None if chosen in (None, ANY) else Outcome(chosen)


def _pair(met: Meeting) -> str:
    return f"{met.one_name} and {met.two_name} ({counted(met.revealed, 'pair')})"


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
