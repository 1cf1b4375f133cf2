"""Saved views of the history: each has a name, and an address that leads to it."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.store.people.projects import SavedView
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import Param, SessionKey
from comparator.ui.history.filters import looked_at
from comparator.workflow.projects.settings import save_view, views_of

LEFT_OUT = ("page", Param.COMPARISON.value, Param.PROJECT.value)
"""Parts of an address that belong to no view."""


def saved_views_button() -> None:
    """List the project's views, and save what is seen now; nothing where no project is chosen."""
    project_id = looked_at()
    if project_id is None:
        return
    views = views_of(session.services(), project_id)
    label = f"Views ({len(views):d})" if views else "Views"
    with st.popover(label, key="views_button", icon=":material/bookmarks:"):
        for view in views:
            _view(project_id, view)
        with st.form("save_view", border=False):
            name = st.text_input("Name", key="view_name", max_chars=80, placeholder="Lost since iteration 27")
            if st.form_submit_button("Save this view", icon=":material/bookmark_add:"):
                _save(project_id, name or "")


def _view(project_id: str, view: SavedView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"view_{view.name}"):
        st.link_button(
            safe.middle(view.name, 60),
            f"/history?{urlencode(session.with_project())}&{view.address}",
            icon=":material/bookmark:",
            type="tertiary",
            width="stretch",
        )
        st.button(
            "",
            key=f"remove_{view.name}",
            icon=":material/delete:",
            type="tertiary",
            help=safe.text(f"Remove the view {view.name}"),
            on_click=_remove,
            args=(project_id, view),
        )


def _save(project_id: str, name: str) -> None:
    parts = [
        (key, value)
        for key in st.query_params
        if key not in LEFT_OUT
        for value in st.query_params.get_all(key)
    ]
    try:
        save_view(
            session.as_me(),
            project_id,
            name=name,
            address=urlencode(parts),
        )
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return
    st.session_state[SessionKey.NOTICE] = "The view was saved."
    st.rerun()


def _remove(project_id: str, view: SavedView) -> None:
    save_view(session.as_me(), project_id, name=view.name, address=None)
