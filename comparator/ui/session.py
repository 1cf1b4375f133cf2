"""What a page works with: the services and the judging desk of this process, and who sits in front of it."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from comparator.domain.errors import RightsError
from comparator.domain.rights import Act
from comparator.jobs.desk import Desk
from comparator.settings import Settings
from comparator.ui.state import Key
from comparator.workflow import people
from comparator.workflow.services import Services, open_services


class Me(NamedTuple):
    """The person in front of the page."""

    id: str
    name: str


@st.cache_resource(show_spinner=False)
def services() -> Services:
    """The services of this process, opened once. Raises SettingsError or StoreError with what to do."""
    return open_services(Settings.load())


@st.cache_resource(show_spinner=False)
def local_me() -> Me:
    """The person at this machine."""
    person = people.local_person(services())
    return Me(person.id, person.name)


def identity() -> Me | None:
    """Who asks, by this session's sign-in; None for nobody known. Tests put another one in its place."""
    return local_me()


def me() -> Me:
    """The person in front of the page. Raises RightsError where nobody is signed in."""
    found = identity()
    if found is None:
        raise RightsError(
            "You are not signed in, or your sign-in has ended. Reload the page to sign in again."
        )
    return found


def may(act: Act, *, project_id: str | None) -> bool:
    """Whether the person in front of the page may do this in the project, or (None) on the whole server."""
    return people.may(services(), me().id, act, project_id=project_id)


def may_somewhere(act: Act) -> bool:
    """Whether the person in front of the page may do this in at least one project, or could once there is one."""
    found = people.projects_with(services(), me().id, act)
    return found is None or bool(found)


@st.cache_resource(show_spinner=False, on_release=Desk.stop)
def desk() -> Desk:
    """The one desk of this process that has comparisons judged in the background."""
    return Desk(services())


def project_id() -> str | None:
    """The project that is looked at; None for all."""
    return st.session_state.get(Key.PROJECT) or None
