"""The lead's brief, where reviewers see it."""

from __future__ import annotations

import streamlit as st

from comparator.ui.frame import session

NAME = "Brief"
ICON = ":material/assignment:"


def brief(project_id: str | None, *, expanded: bool) -> None:
    """The brief of the project (None: of the only one there is), if it has one, as the lead wrote it."""
    text = _text(project_id)
    if text:
        with st.expander(NAME, expanded=expanded, icon=ICON):
            st.text(text)


def brief_button(project_id: str | None) -> None:
    """The same behind a button, for a page that needs its height for something else."""
    text = _text(project_id)
    if text:
        with st.popover(NAME, icon=ICON, type="tertiary"):
            st.text(text)


def _text(project_id: str | None) -> str:
    here = session.projects()
    if project_id is None and len(here) == 1:
        project_id = here[0].id
    return next((each.settings.brief for each in here if each.id == project_id), "")
