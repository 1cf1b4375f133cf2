"""The dashboards of the project that is looked at: only what may be shown of it now."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.scoring.verdict import DecidedBy
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.run_usage import run_usage
from comparator.reporting.results.spending import by_project, cost
from comparator.reporting.scope import KIND_NAMES, ResultFilter
from comparator.reporting.trust.judge import trust
from comparator.reporting.trust.labelled_record import labelled_pairs
from comparator.reporting.trust.reviewers import people
from comparator.reporting.why.pairs import Slice, pairs
from comparator.reporting.why.slices import name_of_part
from comparator.store.core.database import Database
from comparator.ui.dashboards.cards import project_cards
from comparator.ui.dashboards.data import Headline, all_candidates, details, headline
from comparator.ui.dashboards.differ.tab import how_they_differ_part
from comparator.ui.dashboards.first_screen import first_screen
from comparator.ui.dashboards.open import (
    hidden_badge,
    nothing_yet,
    others_blind,
    progress_figures,
    still_blind,
)
from comparator.ui.dashboards.pairs_behind import behind_asked, behind_clicked
from comparator.ui.dashboards.tabs.cost import cost_charts, in_all, projects_chart
from comparator.ui.dashboards.tabs.over_time import over_time
from comparator.ui.dashboards.tabs.people import people_charts
from comparator.ui.dashboards.tabs.plan import memo_part, plan_part
from comparator.ui.dashboards.tabs.ranking import field_charts
from comparator.ui.dashboards.tabs.result import result_charts
from comparator.ui.dashboards.tabs.trust import agreement_charts, bias_charts, correction_charts
from comparator.ui.dashboards.tabs.where import where
from comparator.ui.dashboards.why.charts import why
from comparator.ui.dashboards.why.next_steps import next_steps
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import numbers, show
from comparator.ui.frame.charts.labelled import record_charts
from comparator.ui.frame.inputs.choices import choose_project
from comparator.ui.frame.lists.filters import (
    OUTCOMES,
    ResultChoice,
    chips,
    filters,
    one_of,
    outcome_filter,
    part_filter,
)
from comparator.ui.frame.lists.kept_filters import leave_other_project
from comparator.ui.frame.lists.result_reads import reads
from comparator.ui.frame.words import counted

PAIRS_SHOWN = 100
LOOK_SECONDS = 5.0
TRUST = {
    "agreement": "Agreement",
    "bias": "Bias and quotes",
    "corrections": "Corrections and confidence",
    "reviewers": "Reviewers",
}
"""The parts of the tab Trust."""
LABELLED = {"labelled": "Labelled pairs"}
"""A further part, of a project with labels."""
WHOLE_PROJECT = "project"
TRUST_OF = {"chosen": "These candidates", WHOLE_PROJECT: "Whole project"}
"""The pairs by which it judges."""
TRUST_HINT = (
    "“These candidates” counts every revealed pair of the chosen candidates, iterations, runs and parts. The choice of "
    "verdicts makes no difference, because Trust compares the judge's verdicts with people's. “Whole project” counts "
    "every pair of valid runs, whatever is chosen."
)


def dashboards() -> None:
    """Show the project's dashboards; where none is chosen and there are several, ask for one."""
    database = session.services().database
    projects = session.projects(Act.SEE_RESULTS)
    project_id = session.project_id() or (projects[0].id if len(projects) == 1 else None)
    if project_id is None:
        if projects:
            choose_project(projects, why="Results are shown for one project at a time.")
            _every_project(database)
        else:
            nothing_yet()
        return
    if not session.may(Act.SEE_RESULTS, project_id=project_id):
        st.info("You can see the results once this project is closed.", icon=":material/lock:")
        return
    leave_other_project()
    state = project_state(database, project_id)
    if not state.comparisons:
        nothing_yet()
    elif state.revealed_meetings:
        with database.one_moment():
            _revealed(state, project_id)
    elif state.unrevealed < state.comparisons:
        _no_result(state, project_id)
    else:
        hidden_badge()
        progress_figures(state)
        plan_part(project_id)
        still_blind(state, project_id=project_id)
        show(record_charts(project_id))
        show(cost_charts(cost(database, project_id), (), of=project_id))


def _every_project(database: Database) -> None:
    projects = session.projects(Act.SEE_RESULTS)
    project_cards(database, projects)
    names = {project.id: project.name for project in projects}
    if found := by_project(database, tuple(names)):
        show([projects_chart(found, names)])


def _revealed(state: ProjectState, project_id: str) -> None:
    behind_asked(project_id)
    chosen = filters(state.revealed_meetings, project_id=project_id, reads=reads(project_id))
    database, asked = session.services().database, chosen.asked
    chips(chosen, lambda part: name_of_part(database, part, project_id=project_id))
    top = headline(database, asked, chosen.names, known=chosen.outcomes)
    first_screen(top)
    if top.result.by_kind:
        parts = (
            "why",
            "where",
            "differ",
            *(("time",) if top.history else ()),
            "result",
            "trust",
            "field",
            "cost",
            "plan",
        )
        _part(part_filter(parts), top, chosen, project_id)
    others_blind(state, project_id=project_id)
    behind_clicked(project_id)
    st.caption(
        "Click a bar or dot to list the pairs behind it; the tables under the charts have the same links. "
        "[How each figure is computed, and when it is withheld](help?page=statistics)"
    )


def _no_result(state: ProjectState, project_id: str) -> None:
    """A project in which only runs of one and the same candidate were compared: it tries the judge."""
    behind_asked(project_id)
    st.info(
        "No two different candidates are revealed in this project, so there is no winner. "
        "Figures on the judge are below.",
        icon=":material/info:",
    )
    others_blind(state, project_id=project_id)
    if state.meetings:
        plan_part(project_id)
    _trust(project_id)
    show(cost_charts(cost(session.services().database, project_id), (), of=project_id))
    behind_clicked(project_id)


def _trust(project_id: str, asked: ResultFilter | None = None) -> None:
    """How far to trust judge and reviewers, by the pairs of the two candidates or by those of the whole project."""
    database, of = session.services().database, asked
    row = st.container(horizontal=True, vertical_alignment="bottom")
    if asked is not None:
        with row:
            of = None if one_of("trust_of", TRUST_OF, "Pairs", hint=TRUST_HINT) == WHOLE_PROJECT else asked
    found = trust(database, project_id, of=of)
    if not found.models:
        st.info(
            "No model has judged any of these pairs."
            if of
            else "No model has judged in this project yet. Agreement with reviewers, position bias, "
            "quotes and stated confidence will appear here.",
            icon=":material/info:",
        )
        about = "reviewers"
    else:
        parts = TRUST | (LABELLED if labelled_pairs(database, project_id) else {})
        with row:
            about = one_of("trust", parts, "Show")
    behind = of or project_id
    match about:
        case "agreement":
            ceiling = people(database, project_id, of=of).ceiling
            charts = agreement_charts(found, ceiling=ceiling, of=behind)
        case "bias":
            charts = bias_charts(found, of=behind)
        case "corrections":
            charts = correction_charts(found, of=behind)
        case "labelled":
            charts = record_charts(project_id)
        case _:
            charts = people_charts(people(database, project_id, of=of), of=behind)
    show(charts)


def _part(part: str, top: Headline, chosen: ResultChoice, project_id: str) -> None:
    database = session.services().database
    match part:
        case "why":
            why(top)
        case "where":
            where(top)
        case "differ":
            how_they_differ_part(top)
        case "time":
            over_time(top)
        case "result":
            if not top.result.by_kind:
                st.info("No pair of these two is counted yet.", icon=":material/info:")
                return
            show(result_charts(top, details(database, chosen.asked)))
            if top.result.n:
                _pairs(top)
        case "trust":
            _trust(project_id, asked=chosen.asked)
        case "field":
            every = all_candidates(database, chosen.asked)
            charts = tuple(field_charts(every, asked=chosen.asked))
            if not charts:
                st.info(
                    "A ranking appears here once three candidates are revealed; changes over time, once "
                    "there are two iterations or versions.",
                    icon=":material/info:",
                )
            show(charts)
        case "cost":
            asked = chosen.asked
            st.caption(safe.text(in_all(cost(database, project_id))))
            spent, usage = cost(database, project_id, of=asked), run_usage(database, asked)
            show(cost_charts(spent, usage, of=asked))
        case _:
            plan_part(project_id)
            memo_part(top)
            next_steps(top)


def _pairs(top: Headline) -> None:
    with st.container(border=True, key="box_pairs"):
        st.subheader("The pairs behind these numbers", anchor="pairs")
        outcome = outcome_filter()
        rows = pairs(session.services().database, top.asked, only=Slice(outcome=outcome), limit=PAIRS_SHOWN)
        more = f"; the first {PAIRS_SHOWN} are listed" if len(rows) == PAIRS_SHOWN < top.result.n else ""
        st.caption(
            safe.text(
                f"{counted(top.result.n, 'pair')} counted, largest lead of {top.names.one} first{more}."
            )
        )
        if rows:
            numbers(
                "pairs",
                [
                    {
                        "Task": row.title,
                        f"Result of {top.names.one}": OUTCOMES[row.outcome.value],
                        "Overall difference": row.difference,
                        "Whose verdict": KIND_NAMES[row.kind],
                        "Decided by": DecidedBy(row.decided_by).short,
                        "Judge's orders agreed": _yes_no(row.position_consistent),
                        "Pair": row.comparison_id,
                    }
                    for row in rows
                ],
                of=f"{top.asked.one}.{top.asked.two}.{outcome or ''}",
            )


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
