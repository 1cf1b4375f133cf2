"""What a page works with: the services of this process, its worker, and who sits in front of it."""

from typing import Any, NamedTuple, NoReturn

import streamlit as st

from comparator.bootstrap import load_settings, open_services
from comparator.domain.errors import ComparatorError, RightsError
from comparator.domain.rights import Act
from comparator.domain.scoring.rubric import Rubric
from comparator.jobs.child import app_worker
from comparator.jobs.drafting import Drafting
from comparator.judges.protocol import QuestionResult
from comparator.reporting.scope import Verdicts
from comparator.settings import JudgeKind
from comparator.store.people.projects import Project
from comparator.ui.frame.per_process import Once
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.web.sign_in import invited_person, session_in
from comparator.workflow.judging import asking
from comparator.workflow.people import people, sign_in
from comparator.workflow.people.people import Permissions, permissions_of
from comparator.workflow.people.sign_in import end
from comparator.workflow.services import NOBODY, Services


class Me(NamedTuple):
    """The person in front of the page."""

    id: str
    name: str


def _services() -> Services:
    # Nobody may do anything until somebody acts: see `as_me`.
    return open_services(load_settings()).by(NOBODY)


services = Once(_services, end=Services.close)
"""The services of this process, opened once. Raises SettingsError or StoreError with what to do."""


@Once
def local_me() -> Me:
    """The person at this machine."""
    person = people.local_person(services())
    return Me(person.id, person.name)


def identity() -> Me | None:
    """Who asks, by this session's sign-in; None for nobody known. Tests put another one in its place."""
    if not services().settings.signs_in:
        return local_me()
    if st.user.is_logged_in:
        claims = st.user.to_dict()
        return None if sign_in.come_in(services(), claims) is None else _by_provider(claims)
    person_id = invited_person(services(), st.context.cookies)
    if person_id is None:
        return None
    return Me(person_id, people.name_of(services(), person_id))


def _by_provider(claims: dict[str, Any]) -> Me:
    # Once a session: what claim and lists say now is put in force then.
    came = (sign_in.subject_of(claims), sign_in.issued(claims))
    known = st.session_state.get(SessionKey.SIGNED_IN)
    if known is None or known[0] != came:
        person = sign_in.enter(services(), claims)
        known = st.session_state[SessionKey.SIGNED_IN] = (came, Me(person.id, person.name))
    who: Me = known[1]
    return who


def sign_out() -> None:
    """End this session's sign-in, and the one that an invitation was exchanged for."""
    if session := session_in(services(), st.context.cookies):
        end(services(), session)
    st.session_state.pop(SessionKey.SIGNED_IN, None)
    if st.user.is_logged_in:
        # Leads on to the provider's own; that address does nothing for whoever is signed in still.
        st.logout()


def me() -> Me:
    """The person in front of the page. Raises RightsError where nobody is signed in."""
    who = identity()
    if who is None:
        raise RightsError(
            "You are not signed in, or your sign-in has ended. Reload the page to sign in again."
        )
    return who


def as_me() -> Services:
    """The services of this process, for acts of the person in front of the page. Raises RightsError as `me` does."""
    return services().by(me().id)


def may(act: Act, *, project_id: str | None) -> bool:
    """Whether the person in front of the page may do this in the project, or (None) on the whole server."""
    return people.may(as_me(), act, project_id=project_id)


def may_with(act: Act, comparison_id: str) -> bool:
    """Whether the person in front of the page may do this with the comparison; False where there is none."""
    return people.may(as_me(), act, comparison_id=comparison_id)


def judge(comparison_id: str, *, kind: JudgeKind | None = None, model: str | None = None) -> None:
    """Have the comparison judged in the background. Raises RightsError, NotFound."""
    asking.ask(services().by(me().id), comparison_id, kind=kind, model=model)
    app_worker(services()).wake()


def usual_judge() -> str:
    """Which judge reads unless somebody says otherwise, or why none can."""
    try:
        identity = services().judge().identity
    except ComparatorError as error:
        return str(error)
    if identity.kind == "offline":
        off = services().settings.judge == "offline"
        why = "COMPARATOR_JUDGE is “offline”" if off else "ANTHROPIC_API_KEY is not set"
        return f"none, as {why}; people review without one"
    return identity.model


def named_judges() -> tuple[str, ...]:
    """The names of COMPARATOR_JUDGES; none where these cannot be read, and the page Judge says why."""
    try:
        return tuple(services().named_judges())
    except ComparatorError:
        return ()


def wake_worker() -> None:
    """Have the process that works in the background started, or look for work."""
    app_worker(services()).wake()


def permissions() -> Permissions:
    """Where the person in front of the page may do what, asked now."""
    return permissions_of(as_me())


def may_somewhere(act: Act) -> bool:
    """Whether the person in front of the page may do this in at least one project, or could once there is one."""
    return permissions().somewhere(act)


@Once
def drafting() -> Drafting[QuestionResult[Rubric]]:
    """The rubrics that this process has written for pages New."""
    return Drafting(services())


@Once
def inquiring() -> Drafting[object]:
    """What this process asks a model about the findings of projects."""
    return Drafting(services())


@Once
def guidance_drafting() -> Drafting[QuestionResult[str]]:
    """The guidance that this process has drafted, by project."""
    return Drafting(services())


def projects(act: Act = Act.READ) -> tuple[Project, ...]:
    """The projects in which the person in front of the page may do this, by name."""
    return permissions().projects(act)


def only_project(act: Act) -> str | None:
    """The id of the project in which the person may do this, where there is just one."""
    here = projects(act)
    return here[0].id if len(here) == 1 else None


def project_name(project_id: str) -> str:
    """What a project is called; empty for one that the person in front of the page may not read."""
    return next((project.name for project in projects() if project.id == project_id), "")


def sees_all(act: Act) -> bool:
    """Whether the person in front of the page may do this in every project."""
    return permissions().all_projects(act)


_TAKEN = "You no longer have access: your role here was removed or changed. Reload the page."


def require_here(act: Act) -> None:
    """Raise RightsError unless the act is allowed in the project that is looked at, or in all where all are.

    For a part of a page that runs by itself: the page asked only when it was opened.
    """
    looked_at = project_id()
    if not (may(act, project_id=looked_at) if looked_at else sees_all(act)):
        raise RightsError(_TAKEN)


def require_somewhere(act: Act) -> None:
    """Raise RightsError unless the act is allowed in at least one project."""
    if not may_somewhere(act):
        raise RightsError(_TAKEN)


def look_at(project_id: str) -> None:
    """Choose the project, as the choice on the left does; for the callback of a widget, before the next run."""
    st.session_state[Param.PROJECT] = project_id
    leave_project()


def leave_project() -> None:
    """In a callback: take out of the address what names something of the project that is left."""
    st.session_state.pop(Param.WITHIN, None)
    st.query_params.pop(Param.WITHIN, None)
    for name in ("pair", "scope", "from", "adopt"):
        if name in st.session_state:
            # What a box on the page is bound to may not be deleted: the box takes its first answer instead.
            st.session_state[name] = ""
        else:
            st.query_params.pop(name, None)
    st.session_state[SessionKey.PROJECT_CHOSEN] = True
    if "verdicts" in st.session_state:
        # Set, so that the browser shows the words that it has in the next project.
        st.session_state["verdicts"] = Verdicts.EITHER
    if Param.ITERATION in st.session_state:
        st.session_state[Param.ITERATION] = []


def with_project(**query: str) -> dict[str, str]:
    """Query parameters for an address of its own, with the project that is looked at.

    Links of Streamlit's to another page have it already.
    """
    name = st.session_state.get(SessionKey.PROJECT_NAME)
    return {**query, Param.PROJECT: name} if name else query


def go(page: PageScript, **query: str | list[str]) -> NoReturn:
    """Go on to another page. The project stays in the address, to which Streamlit binds its choice."""
    st.switch_page(page, query_params=query)


def project_id() -> str | None:
    """The project that is looked at; None for all."""
    return st.session_state.get(Param.PROJECT) or None
