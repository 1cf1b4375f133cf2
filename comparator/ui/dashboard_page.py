"""The dashboards of the project that is looked at: only what may be shown of it now."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.candidates import ProjectState, project_state
from comparator.reporting.history import all_projects
from comparator.ui import safe, session
from comparator.ui.dashboard_filters import filters
from comparator.ui.dashboard_open import nothing_yet, progress_figures, still_blind
from comparator.ui.dashboard_result import result_part
from comparator.ui.dashboard_trust import cost_part, trust_part


def dashboards() -> None:
    """Show the project's dashboards; where none is chosen and there are several, ask for one."""
    database = session.services().database
    projects = all_projects(database)
    project_id = session.project_id() or (projects[0].id if len(projects) == 1 else None)
    if project_id is None:
        if projects:
            st.info(
                "Choose a project at the top left: a result belongs to one project.", icon=":material/folder:"
            )
        else:
            nothing_yet()
        return
    state = project_state(database, project_id)
    if not state.comparisons:
        nothing_yet()
        return
    if state.open:
        _open(state, project_id)
    else:
        _revealed(state, project_id)


def _open(state: ProjectState, project_id: str) -> None:
    progress_figures(state)
    still_blind(state, project_id=project_id)
    cost_part(project_id)


def _revealed(state: ProjectState, project_id: str) -> None:
    baseline = False
    if state.meetings:
        asked, met = filters(state, project_id=project_id)
        baseline = asked.baseline
        result_part(asked, met)
    else:
        st.info(safe.text("No two different candidates met in this project."), icon=":material/info:")
    trust_part(project_id, baseline=baseline)
    cost_part(project_id)
    st.caption("What each figure means, and when it is withheld: docs/statistics.md.")
