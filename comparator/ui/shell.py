"""What every page stands in: the navigation with the project on top and the person at the bottom, and the errors."""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.reporting.history import all_projects
from comparator.ui import safe, session
from comparator.ui.state import Key, Param

log = logging.getLogger(__name__)

# A Material symbol would be loaded from the network for the browser's tab.
ICON = (Path(__file__).parent / "icon.svg").read_text(encoding="utf-8")
ALL = ""
ALL_PROJECTS = "All projects"


def run(page: st.Page, *, menu: Sequence[st.Page]) -> None:
    """Show the frame and, in it, the page; an error of either is told in one place.

    `menu` are the pages that stand in the navigation, from top to bottom.
    """
    with guard():
        with st.sidebar:
            _project_switcher()
            for target in menu:
                st.page_link(target)
            st.space("stretch")
            st.caption(f":material/person: {safe.middle(session.me().name, 30)}")
        _notice()
        page.run()


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Tell errors instead of failing: ours as they are, anything else with an id that stands in the log."""
    try:
        yield
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
    except Exception:
        # A bug: told with an id instead of a page that is gone.
        number = secrets.token_hex(4)
        log.exception("error %s", number)
        st.error(
            f"Something went wrong (id {safe.code(number)}). The log of the app says what, under this id. "
            "Reload the page to go on.",
            icon=":material/bug_report:",
        )


def project_name() -> str | None:
    """Its name; None for all."""
    chosen = session.project_id()
    return next((p.name for p in all_projects(session.services().database) if p.id == chosen), None)


def tell_next(sentence: str) -> None:
    """One sentence that the next page shows once."""
    st.session_state[Key.NOTICE] = sentence


def _notice() -> None:
    sentence = st.session_state.pop(Key.NOTICE, None)
    if sentence:
        st.toast(safe.text(sentence), icon=":material/info:", duration="long")


def _project_switcher() -> None:
    names = {project.id: project.name for project in all_projects(session.services().database)}
    if st.session_state.get(_SWITCHER) not in (ALL, *names):
        asked = st.query_params.get(Param.PROJECT.value, st.session_state.get(Key.PROJECT))
        st.session_state[_SWITCHER] = asked if asked in names else ALL
    chosen = st.selectbox(
        "Project",
        [ALL, *names],
        format_func=lambda id: names.get(id, ALL_PROJECTS),
        key=_SWITCHER,
        persist_state="session",
    )
    st.session_state[Key.PROJECT] = chosen or ALL
    if (chosen or None) != st.query_params.get(Param.PROJECT.value):
        if chosen:
            st.query_params[Param.PROJECT.value] = chosen
        else:
            st.query_params.pop(Param.PROJECT.value, None)


_SWITCHER = "project_switcher"
