"""What a page works with: the services and the judging desk of this process, and who sits in front of it."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from comparator.jobs.desk import Desk
from comparator.settings import Settings
from comparator.ui.state import Key
from comparator.workflow.people import local_person
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
def me() -> Me:
    """The person at this machine."""
    person = local_person(services())
    return Me(person.id, person.name)


@st.cache_resource(show_spinner=False, on_release=Desk.stop)
def desk() -> Desk:
    """The one desk of this process that has comparisons judged in the background."""
    return Desk(services())


def project_id() -> str | None:
    """The project that is looked at; None for all."""
    return st.session_state.get(Key.PROJECT) or None
