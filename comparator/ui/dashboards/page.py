"""The dashboards of the project that is looked at: only what may be shown of it now."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.findings import Findings, findings_of
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.spending import cost
from comparator.ui.dashboards.cards import project_cards
from comparator.ui.dashboards.first_screen import first_screen, overview
from comparator.ui.dashboards.open import before_the_reveal, nothing_yet, others_blind
from comparator.ui.dashboards.pairs_behind import show_addressed_pairs, show_clicked_pairs
from comparator.ui.dashboards.tabs.cost import charts_of_result, cost_charts, in_all
from comparator.ui.dashboards.tabs.differ import how_they_differ_part
from comparator.ui.dashboards.tabs.over_time import over_time
from comparator.ui.dashboards.tabs.plan import plan_and_report, plan_part
from comparator.ui.dashboards.tabs.trust import trust_part
from comparator.ui.dashboards.tabs.where import where
from comparator.ui.dashboards.why.charts import why
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import name_source, show
from comparator.ui.frame.charts.labelled import record_charts
from comparator.ui.frame.lists.filters import PARTS, chips, filters, one_of


def dashboards() -> None:
    """Show the project's dashboards; where none is chosen and there are several, ask for one."""
    database = session.services().database
    projects = session.projects(Act.SEE_RESULTS)
    project_id = session.project_id() or (projects[0].id if len(projects) == 1 else None)
    if project_id is None:
        if projects:
            project_cards(database, projects)
        else:
            nothing_yet()
        return
    if not session.may(Act.SEE_RESULTS, project_id=project_id):
        st.info("You can see the results once this project is closed.", icon=":material/lock:")
        return
    state = project_state(database, project_id)
    if not state.comparisons:
        nothing_yet()
    elif state.revealed_meetings:
        with database.one_moment():
            _show_result(state, project_id)
    elif state.unrevealed < state.comparisons:
        _no_result(state, project_id)
    else:
        before_the_reveal(state, project_id=project_id)
        show(record_charts(project_id))


def _show_result(state: ProjectState, project_id: str) -> None:
    show_addressed_pairs(project_id)
    chosen = filters(state.revealed_meetings, project_id)
    chips(chosen.filter)
    findings = findings_of(session.services().database, chosen.filter, chosen.names)
    name_source(project_id, findings.result.n)
    first_screen(findings)
    if findings.result.by_kind:
        parts = {part: words for part, words in PARTS.items() if part != "time" or findings.history}
        _part(one_of("part", parts, "Part", label_visibility="collapsed"), findings)
    others_blind(state, project_id=project_id)
    show_clicked_pairs(project_id)
    st.caption(
        "Click a bar, dot or cell to list the pairs behind it; the tables under the charts have the same links. "
        "[How each figure is computed, and when it is withheld](help?page=statistics)"
    )


def _no_result(state: ProjectState, project_id: str) -> None:
    """A project in which only runs of one and the same candidate were compared: it tries the judge."""
    show_addressed_pairs(project_id)
    st.info(
        "No two different candidates are revealed in this project, so there is no winner. "
        "Figures on the judge are below.",
        icon=":material/info:",
    )
    others_blind(state, project_id=project_id)
    if state.meetings:
        plan_part(project_id)
    trust_part(project_id)
    show(cost_charts(cost(session.services().database, project_id), None, of=None))
    show_clicked_pairs(project_id)


def _part(part: str, findings: Findings) -> None:
    database, result_filter = session.services().database, findings.filter
    if not findings.result.n and part in ("overview", "why", "where", "differ", "time"):
        st.info("No pair of these two is counted yet.", icon=":material/info:")
        return
    match part:
        case "overview":
            overview(findings)
        case "why":
            why(findings)
        case "where":
            where(findings)
        case "differ":
            how_they_differ_part(findings)
        case "time":
            over_time(findings)
        case "trust":
            trust_part(result_filter.project_id, findings)
        case "cost":
            show(charts_of_result(findings))
            st.caption(safe.text(in_all(cost(database, result_filter.project_id))))
        case _:
            plan_and_report(findings)
