"""What every page stands in: the navigation with the project on top and the person at the bottom, and the errors."""

import contextlib
import logging
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import EVERYWHERE, Act
from comparator.settings import SIGN_IN_SETTINGS
from comparator.ui.components import component
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.workflow.people.people import Permissions

log = logging.getLogger(__name__)

# A Material symbol would be loaded from the network for the browser's tab.
ICON = (Path(__file__).parent / "icon.svg").read_text(encoding="utf-8")
NAMED = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="250" height="32"><g>{mark}</g><text x="44" y="22" font-size="18" '
    'font-weight="600" font-family="system-ui, sans-serif" fill="{ink}">Blind Comparator</text></svg>'
)
"""The mark with the name beside it."""
STYLE = Path(__file__).parent / "frame.css"
WIDE_STYLE = Path(__file__).parent / "wide.css"
ALL = ""
ALL_PROJECTS = "All projects"
FITS = 33
"""Characters of a project's name that the box of the switcher shows."""
NEEDS = {
    "": Act.READ,
    "queue": Act.READ,
    "review": Act.READ,
    "help": Act.READ,
    "new": Act.SUBMIT,
    "import": Act.SUBMIT,
    "batches": Act.JUDGE,
    "panel": Act.RUN_PANEL,
    "history": Act.SEE_RESULTS,
    "dashboards": Act.SEE_RESULTS,
    "judge": Act.SEE_RESULTS,
    "settings": Act.CHANGE_SETTINGS,
}
"""What a page, by its address, is for."""
TOGETHER = frozenset({"panel"})
"""Pages that stand in the navigation only where people sign in."""


def run(page: st.Page, *, menu: Sequence[st.Page], wide: Sequence[st.Page] = ()) -> None:
    """Show the frame and, in it, the page; an error of either is told in one place.

    `menu` are the pages that stand in the navigation, from top to bottom; `wide` are those that need the room, where
    the navigation is folded away until it is asked for.
    """
    mark = ICON.replace("<svg ", '<svg width="32" height="32" ', 1)
    ink = st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")
    st.logo(NAMED.format(mark=mark, ink=ink), size="large")
    # Streamlit starts with the navigation folded away on telephones only.
    narrow = component("narrow", "components/narrow.js")(
        key="narrow", data=f"{page.title} {session.project_id()}", on_narrow_change=lambda: None
    ).narrow
    with st.sidebar:
        safe.style(STYLE)
        if page in wide:
            safe.style(WIDE_STYLE)
    st.set_page_config(initial_sidebar_state="collapsed" if page in wide or narrow else "auto")
    with guard():
        me = session.identity()
        if me is None:
            _sign_in()
            return
        if page not in wide:
            _come_back(page)
        permissions, settings = session.permissions(), session.services().settings
        with st.sidebar:
            if permissions.somewhere(Act.READ):
                _project_switcher(permissions)
            for target in menu:
                if _may_open(target, permissions) and (target.url_path not in TOGETHER or settings.signs_in):
                    kept = {Param.WITHIN.value: st.session_state.get(Param.WITHIN, [])}
                    parts = kept if target.url_path == "dashboards" else {}
                    st.page_link(target, query_params=parts)
            st.space("stretch")
            st.caption(f":material/person: {safe.middle(me.name, 30)}")
            if settings.signs_in:
                st.button("Sign out", key="sign_out", icon=":material/logout:", on_click=session.sign_out)
        if st.session_state.pop(SessionKey.PROJECT_CHOSEN, False) and page in wide:
            # A pair of the project that was left would stand under the name of another.
            session.go(PageScript.QUEUE)
        if _may_open(page, permissions) and _may_here(page):
            _tell_if_lost(page)
            _notice()
            if page not in wide:
                st.session_state[SessionKey.FROM_QUEUE] = page.title in ("Queue", "Batches")
                st.session_state[SessionKey.BATCH] = None
            st.session_state.pop(SessionKey.CHART_SOURCE, None)
            page.run()
        else:
            _refused(permissions)


def _come_back(page: st.Page) -> None:
    """On the way back from a pair, show the page as it was left, with its project.

    Streamlit changes the address before it changes the page, so that the browser comes back to the old page with the
    pair's id in place of what was chosen there.
    """
    if Param.COMPARISON in st.query_params and SessionKey.LEFT in st.session_state:
        st.session_state[Param.PROJECT] = st.session_state.pop(SessionKey.LEFT_PROJECT)
        st.switch_page(page, query_params=st.session_state.pop(SessionKey.LEFT))


def _may_open(page: st.Page, permissions: Permissions) -> bool:
    """Whether the page is for this person; one that nobody thought of is for admins only."""
    act = NEEDS.get(page.url_path, Act.OPERATE)
    return permissions.everywhere(act) if act in EVERYWHERE else permissions.somewhere(act)


def _may_here(page: st.Page) -> bool:
    """Whether the person may see results, or run a panel, of what is looked at: of this project, or all at once."""
    act = NEEDS.get(page.url_path)
    if act not in (Act.SEE_RESULTS, Act.RUN_PANEL):
        return True
    project_id = session.project_id()
    return session.may(act, project_id=project_id) if project_id else session.sees_all(act)


def _sign_in() -> None:
    with st.container(width=520):
        st.title("Blind Comparator", anchor=False)
        st.caption("Which of two outputs does the task better? Sign in to review.")
        st.button("Sign in", key="sign_in", type="primary", icon=":material/login:", on_click=st.login)
        st.caption("With an invitation, open the link that you were sent.")


def _refused(permissions: Permissions) -> None:
    if permissions.somewhere(Act.READ):
        st.info(
            "This page is not for your role in this project. Choose another page or project on the left.",
            icon=":material/lock:",
        )
    else:
        st.info(
            "You are signed in, but you have no role here yet. Ask an admin or the lead of a project for one.",
            icon=":material/lock:",
        )


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Tell errors instead of failing: ours as they are, anything else with an id that stands in the log."""
    try:
        yield
    except ComparatorError as error:
        safe.problem(error)
    except Exception:
        # A bug: told with an id instead of a page that is gone.
        number = secrets.token_hex(4)
        log.exception("error %s", number, extra={"error_id": number})
        st.error(
            f"Something went wrong (id {safe.code(number)}). The log of the app says what, under this id. "
            "Reload the page to go on.",
            icon=":material/bug_report:",
        )


def row(align: Literal["center", "bottom"] = "center") -> DeltaGenerator:
    """A container whose elements stand beside each other."""
    return st.container(horizontal=True, vertical_alignment=align)


def tell_next(sentence: str) -> None:
    """One sentence that the next page shows once."""
    st.session_state[SessionKey.NOTICE] = sentence


def _tell_if_lost(page: st.Page) -> None:
    """Where an address names no page, Streamlit shows the first one; its own dialog about that is switched off."""
    path = unquote(urlsplit(st.context.url or "").path).strip("/")
    if not page.url_path and path not in NEEDS:
        tell_next(f"There is no page “{safe.cut(path, 40)}”. This is the queue.")


def _notice() -> None:
    sentence = st.session_state.pop(SessionKey.NOTICE, None)
    if sentence:
        st.toast(safe.text(sentence), icon=":material/info:", duration="long")


def _project_switcher(permissions: Permissions) -> None:
    names = {project.id: project.name for project in permissions.projects(Act.READ)}
    # Who works in some projects only looks at one of them at a time.
    choices = [ALL, *names] if permissions.all_projects(Act.READ) else [*names]
    name = names.get(st.session_state.get(Param.PROJECT, ALL), "")
    chosen = st.selectbox(
        "Project",
        choices,
        # The whole name, where the box cuts it.
        help=safe.text(name) if len(name) > FITS else None,
        format_func=lambda id: names.get(id, ALL_PROJECTS),
        key=Param.PROJECT,
        bind="query-params",
        on_change=session.leave_project,
    )
    st.session_state[SessionKey.PROJECT_NAME] = names.get(chosen, "")


def sign_in_help() -> None:
    """Show which settings make people sign in, and where the documentation says more."""
    with st.expander("Set up sign-in", icon=":material/person_add:"):
        st.caption("An administrator sets these before the start:")
        st.code("\n".join(SIGN_IN_SETTINGS), language=None, wrap_lines=True)
        safe.write(safe.Markdown("[Operations: sign-in](help?page=operations)"))
