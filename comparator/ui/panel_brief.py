"""The lead's brief, where reviewers see it."""

from __future__ import annotations

import streamlit as st

from comparator.ui import session


def brief(project_id: str | None, *, expanded: bool) -> None:
    """The brief of the project (None: of the only one there is), if it has one, as the lead wrote it."""
    here = session.projects()
    if project_id is None and len(here) == 1:
        project_id = here[0].id
    project = next((each for each in here if each.id == project_id), None)
    if project is None or not project.settings.brief:
        return
    with st.expander("Brief", expanded=expanded, icon=":material/assignment:"):
        st.text(project.settings.brief)
