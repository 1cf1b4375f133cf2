"""The filters of the history; they stand in the address, so that a search can be linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.choices import Choice, Choices, choices
from comparator.reporting.history.conditions import HistoryFilter
from comparator.ui.frame import safe, session
from comparator.ui.frame.lists.list_rows import RULES, SOURCES, STATUS

WINNERS = {"A": "A wins", "B": "B wins", "TIE": "Tie"}
JUDGES = {"anthropic": "Anthropic model", "offline": "Offline check"}
ORDERS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "touched": "Last changed first",
    "title": "Title, A to Z",
    "title-": "Title, Z to A",
    "clearest": "Clearest first",
    "closest": "Closest first",
    "surest": "Highest stated confidence first",
    "least-sure": "Lowest stated confidence first",
    "dearest": "Dearest first",
    "cheapest": "Cheapest first",
}
CONSISTENT = {"yes": "Same winner in both orders", "no": "Winner changes with the order"}
RUNS = {
    "valid": "Both valid",
    "void": "One is void",
    "cut_off": "One is cut off",
    "superseded": "One is superseded",
}
ORDER = "order"
TASK = "task"


def filters() -> HistoryFilter:
    """Ask what to list; the filter for the project that is looked at."""
    search, status, winner, judge, order, more = st.columns(
        [6, 4, 4, 4, 4, 4], gap="small", vertical_alignment="bottom"
    )
    text = search.text_input(
        "Search",
        key="q",
        type="search",
        live=True,
        placeholder="Words of title or task",
        bind="query-params",
    )
    with status:
        state = _one("Status", {name: text.capitalize() for name, text in STATUS.items()}, key="status")
    with winner:
        won = _one("Winner", WINNERS, key="winner")
    with judge:
        by = _one("Judge", JUDGES, key="judge")
    by_order = order.selectbox(
        "Order", list(ORDERS), format_func=ORDERS.__getitem__, key=ORDER, bind="query-params"
    )
    with more:
        further = _further()
    return HistoryFilter.model_validate(
        {
            **further,
            "text": (text or "").strip(),
            "status": state,
            "winner": won,
            "judge_kind": by,
            "project_id": session.project_id(),
            "among": readable(),
            "order": by_order or "newest",
            "reader": session.me().id,
        }
    )


def readable() -> frozenset[str] | None:
    """The projects whose results the person in front of the page may see; None for all."""
    if session.sees_all(Act.SEE_RESULTS):
        return None
    return frozenset(project.id for project in session.projects(Act.SEE_RESULTS))


def is_filtered(asked: HistoryFilter) -> bool:
    """Whether anything but project and order is asked for."""
    return bool(_asked(asked.model_dump(exclude={"project_id", "among", "order", "reader"})))


def _further() -> dict[str, object]:
    """The filters that are used less often, behind one button that tells how many are set."""
    task = st.session_state.get(TASK)
    chosen = session.project_id()
    among = readable() if chosen is None else frozenset({chosen})
    offered = choices(session.services().database, among, task_id=task)
    count = sum(bool(st.session_state.get(key)) for key in _FURTHER)
    with st.popover(
        f"More ({count:d})" if count else "More", key="more_filters", icon=":material/tune:", width="stretch"
    ):
        return _further_filters(offered)


def _further_filters(offered: Choices) -> dict[str, object]:
    one, two, three = st.columns(3, gap="small")
    with one:
        task = _chosen("Task", offered.tasks, key=TASK)
        tag = _one("Tag", {tag: tag for tag in offered.tags}, key="tag")
        candidate = _chosen("Candidate", offered.candidates, key="candidate", empty="After the reveal")
        iterations = {each: each for each in offered.iterations}
        iteration = _one("Iteration", iterations, key="iteration", empty="After the reveal")
        runs = _one("Runs", RUNS, key="runs")
    with two:
        model = _one("Judge model", {each: each for each in offered.judge_models}, key="model")
        consistent = _one("Orders", CONSISTENT, key="orders")
        rubric = _chosen("Rubric", offered.rubrics, key="rubric", empty="Of a chosen task")
        reviewer = _chosen("Reviewer", offered.reviewers, key="reviewer")
        source = _one("Verdict", {name: text.capitalize() for name, text in SOURCES.items()}, key="source")
    with three:
        rule = _one("Decided", {name: text.capitalize() for name, text in RULES.items()}, key="rule")
        first = st.date_input("Created from", value=None, key="since", bind="query-params")
        last = st.date_input("Created until", value=None, key="until", bind="query-params")
        least = _money("Cost in USD from", key="cost_from")
        most = _money("Cost in USD below", key="cost_to")
    st.button("Clear filters", key="no_filters", on_click=_clear, icon=":material/filter_alt_off:")
    return {
        "task_id": task,
        "tag": tag,
        "candidate_id": candidate,
        "iteration": iteration,
        "judge_model": model,
        "rubric_id": rubric,
        "reviewer_id": reviewer,
        "decided_by": rule,
        "verdict_source": source,
        "position_consistent": None if consistent is None else consistent == "yes",
        "run_state": runs,
        "since": _start_of(first),
        "until": _start_of(last + timedelta(days=1)) if isinstance(last, date) else None,
        "cost_from": least,
        "cost_to": most,
    }


_FURTHER = (
    *(TASK, "tag", "candidate", "iteration", "runs", "since", "cost_from"),
    *("model", "orders", "rubric", "reviewer", "source", "rule", "until", "cost_to"),
)


def _clear() -> None:
    for key in _FURTHER:
        st.session_state[key] = None


def _asked(values: Mapping[str, object]) -> list[str]:
    return [name for name, value in values.items() if value not in (None, "")]


def _one(label: str, offered: Mapping[str, str], *, key: str, empty: str = "None yet") -> str | None:
    return st.selectbox(
        safe.text(label),
        list(offered),
        index=None,
        format_func=lambda value: offered.get(value, value),
        key=key,
        placeholder="Any" if offered else empty,
        disabled=not offered,
        bind="query-params",
    )


def _chosen(label: str, offered: Sequence[Choice], *, key: str, empty: str = "None yet") -> str | None:
    return _one(label, {choice.value: choice.name for choice in offered}, key=key, empty=empty)


def _money(label: str, *, key: str) -> Decimal | None:
    value = st.number_input(
        safe.text(label),
        min_value=0.0,
        value=None,
        step=0.01,
        format="%.4f",
        key=key,
        placeholder="Any",
        bind="query-params",
    )
    return None if value is None else Decimal(str(value))


def _start_of(day: object) -> datetime | None:
    """The start of a day as the reader's clock has it."""
    if not isinstance(day, date):
        return None
    offset = st.context.timezone_offset
    # Minutes that the reader's clock is behind UTC.
    return datetime.combine(day, time(), tzinfo=UTC) + timedelta(minutes=offset or 0)
