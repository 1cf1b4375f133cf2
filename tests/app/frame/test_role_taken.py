"""An open tab asks again for the right that the page was opened with."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.rights import Role
from comparator.reporting.history.listing import all_projects
from comparator.store.people import people, projects
from comparator.ui.frame import session
from comparator.ui.frame.session import Me
from comparator.workflow.people.people import give_role, take_role
from comparator.workflow.services import Services
from tests.app.conftest import judged, open_page, said


@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_open_tab_shows_nothing_more_once_the_role_is_taken(
    app: AppTest,
    services: Services,
    pair: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    *,
    elsewhere: bool,
) -> None:
    judged(pair)
    (project,) = all_projects(services.database)
    with services.write() as unit:
        ben = people.ensure_person(unit, "oidc:test|ben", name="Ben")
    admin = session.me().id
    give_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    if elsewhere:
        with services.write() as unit:
            other = projects.ensure_project(unit, "Of another team").id
        give_role(services.by(admin), ben.id, Role.REVIEWER, project_id=other)
    monkeypatch.setattr(session, "identity", lambda: Me(ben.id, ben.name))
    tab = open_page(app, "queue", project=project.id)
    assert "1 pair to review" in [each.value for each in tab.subheader]

    take_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    tab.run()

    assert "1 pair to review" not in said(tab)
    assert "1 pair to review" not in [each.value for each in tab.subheader]
    assert [each.key for each in tab.get("bidi_component")] == ["narrow"]
