"""What several pages ask: a project, what a reviewer sees first, what becomes of a telling word, and the result."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.domain.blinding.leak_patterns import LeakKind
from comparator.domain.blinding.redaction import PatternDecision
from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import PageScript


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


FIRST = {False: "Judge first", True: "Blind first"}


def ask_what_first(*, blind: bool, key: str, label: str = "") -> bool:
    """The choice that is made; True for blind first. `blind` is what it begins with; a label is shown if given."""
    chosen = st.segmented_control(
        safe.text(label or "What a reviewer sees first"),
        list(FIRST),
        default=blind,
        format_func=lambda each: safe.inked(FIRST[each]),
        key=key,
        required=True,
        label_visibility="visible" if label else "collapsed",
        help="Blind first: the reviewer scores before the judge's values open.",
    )
    return bool(chosen)


DECISIONS = {
    PatternDecision.REDACT: "Neutralise",
    PatternDecision.KEEP: "Keep",
    PatternDecision.MARK: "Mark the pair",
}


def decisions_on(kind: LeakKind) -> list[PatternDecision]:
    """What can be decided on a finding of a kind: no words can make a passage neutral that tells outright."""
    return [
        PatternDecision.MARK if kind is LeakKind.TELLING else PatternDecision.REDACT,
        PatternDecision.KEEP,
    ]


def result_button(project_id: str, *, key: str) -> None:
    """Open the project's dashboards on a click."""
    if st.button(
        "Open the result",
        key=key,
        icon=":material/monitoring:",
        on_click=session.look_at,
        args=(project_id,),
    ):
        st.switch_page(PageScript.DASHBOARDS)
