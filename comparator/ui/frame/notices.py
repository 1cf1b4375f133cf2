"""What a page says beside its own: that it is empty, the lead's brief, that a demo is one, how far a model is."""

from collections.abc import Callable
from datetime import datetime
from pathlib import PurePath
from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs.drafting import Answered, Drafting
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.state import PageScript
from comparator.workflow.examples import DEMO
from comparator.workflow.projects.settings import purge_project


def empty_page(
    title: str,
    sentence: str,
    *,
    step: tuple[str, PageScript, str],
    key: str,
    picture: Callable[[], object] | None = None,
) -> None:
    """Show it; `step` is the label, page and icon of its button, for whoever may open that page.

    `picture` draws an example of what will stand here.
    """
    label, page, icon = step
    with st.container(border=True, width=620):
        st.subheader(safe.text(title), anchor=False)
        if picture is not None:
            picture()
        safe.caption(sentence)
        if session.may_somewhere(shell.NEEDS[PurePath(page).stem]) and st.button(
            safe.text(label), key=key, type="primary", icon=icon
        ):
            session.go(page)


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
    return next((project.settings.brief for project in here if project.id == project_id), "")


_ALL = ""


def demo_note() -> None:
    """Where the demo is looked at: what it is, and to an administrator a button that removes it."""
    demo = next((project for project in session.projects() if project.name == DEMO), None)
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


def model_progress(doing: str, began: datetime, *, answered: Answered | None = None, then: str) -> None:
    """A bar of what is answered, where that is known; else only the seconds, as nobody knows how long an answer takes.

    `then` is what one can do meanwhile.
    """
    seconds = (session.services().now() - began).total_seconds()
    if answered is None or not answered.of:
        st.info(safe.text(f"{doing} ({seconds:.0f} s). {then}".strip()), icon="spinner")
        return
    so_far = f"{answered.done:,} of {answered.of:,}"
    st.progress(
        answered.done / answered.of, text=safe.text(f"{doing}: {so_far} ({seconds:.0f} s). {then}".strip())
    )


@st.fragment(run_every=0.5)
def follow_draft(drafting: Drafting[Any], id: str, doing: str, *, act: Act, then: str = "") -> None:
    """How far the model is with this draft, for whoever may do the act somewhere; the whole page once it is done."""
    with shell.guard():
        session.require_somewhere(act)
        begun = drafting.look(id)
        if begun is None or begun.done:
            st.rerun()
        model_progress(doing, begun.began, then=then)
        if st.button("Continue without", key=f"forget_{id}", type="tertiary"):
            drafting.forget(id)
            st.rerun()
