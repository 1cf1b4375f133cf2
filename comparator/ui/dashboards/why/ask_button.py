"""A button that has a model answer, with the cost beside it, and how far it is."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs.drafting import Write
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.model_progress import model_progress
from comparator.ui.frame.recheck_rights import require_here


def ask_button(
    task: str, label: str, write: Write[object], *, name: str, icon: str, doing: str, caption: str
) -> None:
    """The button, what went wrong the last time, or, while the model is at it, for how long."""
    running = session.inquiring().look(task)
    if running is not None and not running.done:
        _follow(task, doing)
        return
    if running is not None:
        session.inquiring().forget(task)
        if running.problem is not None:
            st.error(safe.text(running.problem), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(safe.text(label), key=name, icon=icon):
            session.inquiring().begin(task, write, kind=None, model=None)
            st.rerun()
        st.caption(safe.text(caption))


@st.fragment(run_every=0.5)
def _follow(task: str, doing: str) -> None:
    with shell.guard():
        require_here(Act.JUDGE)
        running = session.inquiring().look(task)
        if running is None or running.done:
            st.rerun()
        model_progress(doing, running.began)
