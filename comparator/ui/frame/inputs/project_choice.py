"""Asks for a project on a page that is about one, where all are looked at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session


def choose_project(projects: Sequence[Project], *, why: str) -> None:
    """Say why one is needed, and offer them; the choice holds for all pages, as that on the left does."""
    names = {project.id: project.name for project in projects}
    st.info(safe.text(why), icon=":material/folder:")
    st.selectbox(
        "Project to look at",
        list(names),
        index=None,
        format_func=lambda id: names[id],
        placeholder="Choose a project",
        key=_CHOICE,
        on_change=_look_at,
        width=420,
    )


def _look_at() -> None:
    session.look_at(st.session_state[_CHOICE])


_CHOICE = "project_choice"
