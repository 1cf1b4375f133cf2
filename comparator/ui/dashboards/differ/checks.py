"""The project's own checks: what is looked for in all outputs, counted before it is shown."""

from __future__ import annotations

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.store.pairs.checks import Check
from comparator.ui.frame import safe, session
from comparator.ui.frame.words import counted
from comparator.workflow.projects.checks import (
    LONGEST_NAME,
    add_check,
    check_some,
    checks_of,
    left_to_check,
    remove_check,
)


def look(project_id: str) -> None:
    """Have every check look at the outputs that it has not seen, and say how far it is."""
    services = session.services()
    left = left_to_check(services, project_id)
    if not left:
        return
    every = left
    with st.status(safe.text(f"Checking {counted(every, 'output')}")) as status:
        while done := check_some(services, project_id):
            left = max(left - done, 0)
            status.update(label=safe.text(f"Checking: {every - left} of {counted(every, 'output')}"))
        status.update(state="complete")


def checks_part(project_id: str) -> None:
    """List the checks, and add one."""
    with st.container(border=True, key="checks"):
        st.subheader("Checks", anchor=False)
        st.caption(
            "A check counts how often something stands in each output. It becomes a measure above, a property in "
            "Where, a filter, and a column of the history, for everyone in the project."
        )
        for check in checks_of(session.services(), project_id):
            _check(check)
        _add(project_id)


def _check(check: Check) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"check_{check.id}"):
        kind = "pattern" if check.is_regex else "text"
        case = ", case matters" if check.match_case else ""
        safe.write(safe.text(f"{check.name}: {kind} “{check.pattern}”{case}"))
        st.button(
            "",
            key=f"remove_check_{check.id}",
            icon=":material/delete:",
            type="tertiary",
            help=safe.text(f"Remove the check {check.name}"),
            on_click=_remove,
            args=(check.id,),
        )
    if check.problem:
        st.warning(safe.text(check.problem), icon=":material/timer_off:")


def _add(project_id: str) -> None:
    with st.form("add_check", border=False, clear_on_submit=False):
        name, pattern = st.columns([4, 6], vertical_alignment="bottom")
        called = name.text_input("Name", key="check_name", max_chars=LONGEST_NAME, placeholder="Rollback")
        text = pattern.text_input(
            "Look for", key="check_pattern", max_chars=400, placeholder="kubectl rollout undo"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            is_regex = st.checkbox("Regular expression (RE2)", key="check_regex")
            match_case = st.checkbox("Match case", key="check_case")
            added = st.form_submit_button("Add check", icon=":material/playlist_add_check:")
    if not added:
        return
    try:
        add_check(
            session.services(),
            project_id,
            name=called or "",
            pattern=text or "",
            is_regex=is_regex,
            match_case=match_case,
            person_id=session.me().id,
        )
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return
    st.rerun()


def _remove(check_id: str) -> None:
    remove_check(session.services(), check_id, person_id=session.me().id)
