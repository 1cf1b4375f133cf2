"""A part of a page that runs by itself asks again for the right that the page was opened with."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.rights import Role
from comparator.reporting.history.listing import all_projects
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.frame.session import Me
from comparator.ui.frame.state import Param
from comparator.workflow.people.people import give_role, take_role
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, said, unjudged

QUEUE = "from comparator.ui.queue import _queue\n_queue()"


def test_an_open_tab_shows_nothing_more_once_the_role_is_taken(
    home: Path, services: Services, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    unjudged(services, pair)
    (project,) = all_projects(services.database)
    with services.write() as unit:
        ben = people.ensure_person(unit, "oidc:test|ben", name="Ben")
    admin = session.me().id
    give_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    monkeypatch.setattr(session, "identity", lambda: Me(ben.id, ben.name))
    tab = AppTest.from_string(QUEUE, default_timeout=PATIENCE)
    tab.session_state[Param.PROJECT] = project.id

    tab.run()
    assert "your role" not in said(tab)
    take_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    tab.run()

    assert "your role here was removed" in said(tab)
    assert not tab.subheader
    assert not tab.button
    assert not tab.get("bidi_component")
