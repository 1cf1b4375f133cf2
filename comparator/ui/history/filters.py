"""The filters of the history; they stand in the address, so that a search can be linked."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import streamlit as st

from comparator.domain.labels import Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.verdict import DecidedBy
from comparator.reporting.history.conditions import Choices, HistoryFilter, choices
from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.lists.list_rows import SOURCES, STATUS
from comparator.ui.frame.state import Param
from comparator.workflow.examples import DEMO
from comparator.workflow.examples import PROJECT as EXAMPLES

WINNERS = {winner.value: winner.in_words for winner in Winner}
ORDERS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "Title, A to Z",
    "title-": "Title, Z to A",
    "clearest": "Largest lead first",
    "closest": "Smallest lead first",
    "least-sure": "Lowest stated confidence first",
}
CONSISTENT = {"yes": "Same winner in both orders", "no": "Winner changes with the order"}
RUNS = {
    "valid": "Both usable",
    "void": "One is unusable",
    "cut_off": "One is cut off",
    "superseded": "One is superseded",
}
DECIDED = {decided_by.value: decided_by.short.capitalize() for decided_by in DecidedBy}
BY_NAME, MINE = "by:", "mine"
WIDTH = 140
"""Pixels of a filter."""
ORDER = "order"
TASK, CANDIDATE = "task", "candidate"
ITERATION, SINCE, UNTIL = Param.ITERATION, "since", "until"
CHOSEN, LOST = "picture_chosen", "tasks_lost"
"""In the session's state: whether something was chosen in the picture since the last run, and which task beside it."""


class Further(NamedTuple):
    """A filter behind the button More: its key in the address, its label, and the field of `HistoryFilter`."""

    key: str
    label: str
    field: str


FURTHER = (
    Further(TASK, "Task", "task_id"),
    Further("tag", "Tag", "tag"),
    Further(CANDIDATE, "Candidate", "candidate_id"),
    Further("runs", "Runs", "run_state"),
    Further("judge", "Judge", "judge_kind"),
    Further("model", "Judge model", "judge_model"),
    Further("orders", "Orders", "position_consistent"),
    Further("source", "Verdict", "verdict_source"),
    Further("rule", "Decided", "decided_by"),
    Further("reviewer", "Reviewer", "reviewer_id"),
    Further("check", "Check found something", "check_id"),
)
"""The filters of one value."""
ABREAST, FURTHER_WIDTH = 5, 820
"""Filters beside each other, and pixels of their row: all of them fit above or below the button."""
OPTIONS: dict[str, Mapping[str, str]] = {
    "judge_kind": words.JUDGE_KINDS,
    "run_state": RUNS,
    "position_consistent": CONSISTENT,
    "verdict_source": {name: text.capitalize() for name, text in SOURCES.items()},
    "decided_by": DECIDED,
}
"""The values that are the same in every project, by the field."""


def filters() -> HistoryFilter:
    """Ask what to list; the filter for the project that is looked at."""
    offered = choices_here()
    text = st.text_input(
        "Search",
        key="q",
        type="search",
        live=True,
        placeholder="Task or reason",
        bind="query-params",
        label_visibility="collapsed",
        width=WIDTH,
    )
    statuses = {MINE: "Reviewed by me"} | {name: text.capitalize() for name, text in STATUS.items()}
    state = _one("Status", statuses, key="status", in_line=True)
    won = _one("Winner", _winners(offered), key="winner", in_line=True)
    iterations = list(offered.by["iterations"])
    chosen = (
        st.multiselect(
            "Iterations",
            iterations,
            key=_kept_to(ITERATION, iterations),
            placeholder="Any iteration",
            label_visibility="collapsed",
            bind="query-params",
            width=WIDTH,
        )
        if len(iterations) > 1
        else []
    )
    count = sum(bool(st.session_state.get(key)) for key in _FURTHER)
    with st.popover(f"More ({count:d})" if count else "More", key="more_filters", icon=":material/tune:"):
        further = _further(offered.by)
    if state == MINE:
        further["reviewer_id"] = session.me().id
    named = won is not None and won.startswith(BY_NAME)
    return HistoryFilter.model_validate(
        {
            **further,
            "text": (text or "").strip(),
            "in_reasons": bool((text or "").strip()),
            "iterations": chosen,
            "status": None if state == MINE else state,
            "winner": None if named else won,
            "won_by": won.removeprefix(BY_NAME) if won and named else None,
            "project_id": session.project_id(),
            "among": readable(),
            "reader": session.me().id,
        }
    )


def readable() -> frozenset[str] | None:
    """The projects whose results the person in front of the page may see; None for all."""
    if session.sees_all(Act.SEE_RESULTS):
        return None
    return frozenset(project.id for project in session.projects(Act.SEE_RESULTS))


def looked_at() -> str | None:
    """The project that is looked at, or the only one; None for several, or where its results may not be seen."""
    chosen = session.project_id()
    if chosen is not None:
        return chosen if session.may(Act.SEE_RESULTS, project_id=chosen) else None
    own = own_projects()
    demo = [project for project in session.projects(Act.SEE_RESULTS) if project.name == DEMO]
    # Until there is anything else, the demo is what there is to look at.
    return own[0].id if len(own) == 1 else None if own or not demo else demo[0].id


def own_projects() -> tuple[Project, ...]:
    """The projects whose results may be seen, without the demo and the examples: no figure of all projects has them."""
    return tuple(
        project for project in session.projects(Act.SEE_RESULTS) if project.name not in (DEMO, EXAMPLES)
    )


def is_filtered(history_filter: HistoryFilter) -> bool:
    """Whether anything but project and order is asked for."""
    history_filter = history_filter.copy_with(project_id=None, among=None, reader=None)
    return history_filter.copy_with(order=HistoryFilter().order) != HistoryFilter()


def choices_here() -> Choices:
    """What can be chosen in the project that is looked at, or in all."""
    chosen = session.project_id()
    among = readable() if chosen is None else frozenset({chosen})
    return choices(session.services().database, among)


def _winners(offered: Choices) -> dict[str, str]:
    """Who can have won: outputs as long as some are not revealed, and candidates that are."""
    outputs = {name: words for name, words in WINNERS.items() if offered.blind or name == "TIE"}
    return {f"{BY_NAME}{name}": f"{name} wins" for name in offered.winners} | outputs


def _further(offered: Mapping[str, Mapping[str, str]]) -> dict[str, object]:
    """Ask for what is used less often: the value of each field."""
    values: dict[str, object] = {}
    with st.container(width=FURTHER_WIDTH):
        places = (place for _ in range(ABREAST) for place in st.columns(ABREAST, gap="small"))
        for one in FURTHER:
            if options := OPTIONS.get(one.field) or offered[one.field]:
                with next(places):
                    values[one.field] = _one(one.label, options, key=one.key)
        order, since, until = st.columns(3, gap="small")
        values["order"] = order.selectbox(
            "Order", list(ORDERS), format_func=ORDERS.__getitem__, key=ORDER, bind="query-params"
        )
        first = since.date_input("Created from (UTC)", value=None, key=SINCE, bind="query-params")
        last = until.date_input("Created until (UTC)", value=None, key=UNTIL, bind="query-params")
    values["since"] = _start_of(first)
    values["until"] = _start_of(last + timedelta(days=1)) if isinstance(last, date) else None
    return values


_FURTHER = (
    *(further.key for further in FURTHER),
    *(SINCE, UNTIL),
)


def tasks_lost(ids: Sequence[str], *, since: str) -> None:
    """Name the tasks that were won before this step and lost since; the list has the pairs of one that is pressed."""
    titles = choices_here().by["task_id"]
    offered = [id for id in ids if id in titles]
    if not offered:
        return
    chosen = st.session_state.get(TASK)
    st.session_state[LOST] = chosen if chosen in offered else None
    with st.container(horizontal=True, vertical_alignment="center"):
        safe.caption(
            f"{words.counted(len(offered), 'task')} lost since {since}, won before:", width="content"
        )
        st.pills(
            "Tasks",
            offered,
            format_func=lambda id: safe.middle(titles[id], 40),
            key=LOST,
            label_visibility="collapsed",
            on_change=lambda: st.session_state.update({TASK: st.session_state[LOST], CHOSEN: True}),
        )


def clear_button(history_filter: HistoryFilter) -> None:
    """Where anything is filtered: what takes it all away."""
    if is_filtered(history_filter):
        st.button("Clear filters", key="no_filters", on_click=_clear, icon=":material/filter_alt_off:")


def _clear() -> None:
    st.session_state.update(dict.fromkeys((*_FURTHER, "status", "winner")), q="", **{ITERATION: []})


def _kept_to(key: str, offered: Sequence[str]) -> str:
    """The widget's key, with none but these chosen: a value that is gone would end the page."""
    chosen = st.session_state.get(key)
    if chosen and not set(chosen) <= set(offered):
        st.session_state[key] = [value for value in chosen if value in offered]
    return key


def _one(
    label: str,
    offered: Mapping[str, str],
    *,
    key: str,
    in_line: bool = False,
) -> str | None:
    return st.selectbox(
        safe.text(label),
        list(offered),
        index=None,
        format_func=lambda value: offered.get(value, value),
        key=key,
        placeholder=f"Any {label.lower()}" if in_line else "Any",
        bind="query-params",
        label_visibility="collapsed" if in_line else "visible",
        width=WIDTH if in_line else "stretch",
    )


def _start_of(day: object) -> datetime | None:
    """The start of a day in UTC, as the picture above the list counts days and as everybody reads a link."""
    if not isinstance(day, date):
        return None
    return datetime.combine(day, time(), tzinfo=UTC)
