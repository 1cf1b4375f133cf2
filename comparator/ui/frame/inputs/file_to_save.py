"""Files that the browser saves: each is written when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from comparator.ui.components import component
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.state import SessionKey
from comparator.web.files import offer


def file_to_save(
    label: str,
    written: Callable[[], str | bytes],
    *,
    name: str,
    key: str,
    icon: str,
) -> None:
    """Show the button; what it saves is called `name`."""

    @st.fragment
    def button() -> None:
        if st.button(safe.text(label), key=key, icon=icon):
            st.session_state[SessionKey.TO_WRITE] = (written, name, session.project_id())
            write_what_is_left()

    # A fragment is a block, which takes all the width it gets.
    with st.container(width="content"):
        button()


def write_what_is_left() -> None:
    """Write the file that was asked for, unless the project has changed since.

    The app calls this again after each page: a click elsewhere, as on another tab or page, breaks the writing off.
    """
    waiting = st.session_state.get(SessionKey.TO_WRITE)
    if waiting is None:
        return
    written, name, project_id = waiting
    if project_id == session.project_id():
        with shell.guard(), st.spinner("Writing …"):
            save(written(), name=name)
    del st.session_state[SessionKey.TO_WRITE]


def save(data: str | bytes, *, name: str) -> None:
    """Have the browser save this as a file."""
    address = offer(session.services().settings, data, name=name, person_id=session.me().id)
    component("save", "components/save.js")(key=f"save_{name}", data=address)
