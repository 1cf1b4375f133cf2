"""The demo says that it is one, and goes with one click."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import session, shell
from comparator.workflow.examples import DEMO
from comparator.workflow.projects.settings import purge_project

_ALL = ""


def demo_note() -> None:
    """Where the demo is looked at: what it is, and to an administrator a button that removes it."""
    demo = next((each for each in session.projects() if each.name == DEMO), None)
    if demo is None or session.project_id() != demo.id:
        return
    with shell.row():
        st.caption(
            "A finished example: tasks, outputs, judgments and reviews were written for it; no model was asked."
        )
        if session.may(Act.PURGE, project_id=None):
            st.button("Remove it", type="tertiary", key="remove_demo", on_click=_remove, args=(demo.id,))


def _remove(project_id: str) -> None:
    purge_project(session.as_me(), project_id, reason="The demo was removed on its page.")
    session.look_at(_ALL)
