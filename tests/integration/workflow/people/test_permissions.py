"""Where a person may do what, found out for a whole page at once."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.domain.errors import RightsError
from comparator.domain.rights import Act, Role
from comparator.settings import Settings
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit
from comparator.store.pairs import comparisons, outputs
from comparator.store.people import people, projects
from comparator.workflow.doctor import close_home, open_to_others
from comparator.workflow.people.people import give_role, may, may_see_output, permissions_of
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services
from tests.worlds.workbench import Workbench


@pytest.fixture
def services(workbench: Workbench) -> Services:
    return workbench.services


def _project(database: Database, services: Services, name: str) -> str:
    with database.write() as connection:
        return projects.ensure_project(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id), name
        ).id


def test_roles_of_one_project_reach_no_further_and_closing_opens_results(services: Services) -> None:
    database = services.database
    first, second = (_project(database, services, name) for name in ("First", "Second"))
    with database.write() as connection:
        ben = people.ensure_person(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id), "oidc:test|ben", name="Ben"
        ).id
    assert not permissions_of(services.by(ben)).somewhere(Act.READ)
    give_role(services, ben, Role.REVIEWER, project_id=first)

    found = permissions_of(services.by(ben))
    assert [project.id for project in found.projects(Act.REVIEW)] == [first]
    assert not found.all_projects(Act.REVIEW)
    assert not found.everywhere(Act.REVIEW)
    assert not found.somewhere(Act.SEE_RESULTS)

    with database.write() as connection:
        projects.set_closed(connection, first, datetime.now(UTC))
    assert [project.id for project in permissions_of(services.by(ben)).projects(Act.SEE_RESULTS)] == [first]

    give_role(services, ben, Role.VIEWER, project_id=None)
    found = permissions_of(services.by(ben))
    assert second in {project.id for project in found.projects(Act.SEE_RESULTS)}
    assert found.everywhere(Act.SEE_RESULTS)
    assert not found.everywhere(Act.PURGE)


def test_a_reviewer_of_one_project_who_views_all_does_not_see_all_results(services: Services) -> None:
    first = _project(services.database, services, "First")
    with services.database.write() as connection:
        eve = people.ensure_person(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id), "oidc:test|eve", name="Eve"
        ).id
    give_role(services, eve, Role.VIEWER, project_id=None)
    give_role(services, eve, Role.REVIEWER, project_id=first)
    found = permissions_of(services.by(eve))
    assert found.everywhere(Act.SEE_RESULTS)
    assert not found.all_projects(Act.SEE_RESULTS)
    assert first not in {project.id for project in found.projects(Act.SEE_RESULTS)}


@pytest.mark.parametrize("subject", ["oidc:test|ida", "local:ida"])
def test_a_page_as_a_whole_and_each_question_agree_for_every_role_and_act(
    services: Services, subject: str
) -> None:
    database = services.database
    open_, closed = (_project(database, services, name) for name in ("Open", "Closed"))
    with database.write() as connection:
        projects.set_closed(connection, closed, datetime.now(UTC))
        nobody, *people_ids = (
            people.ensure_person(
                Unit(connection, at=datetime.now(UTC), new_id=services.new_id), f"{subject}{n}", name="Ida"
            ).id
            for n in range(2 * len(Role) + 1)
        )
    held = [(role, where) for role in Role for where in (None, closed)]
    for person_id, (role, where) in zip(people_ids, held, strict=True):
        give_role(services, person_id, role, project_id=where)

    for person_id in (nobody, *people_ids):
        found = permissions_of(services.by(person_id))
        for act in Act:
            in_projects = {project.id for project in found.projects(act)}
            for project_id in (open_, closed):
                assert may(services.by(person_id), act, project_id=project_id) == (project_id in in_projects)
            assert may(services.by(person_id), act, project_id=None) == found.everywhere(act)
        is_admin = subject.startswith("local:") or person_id == people_ids[0]
        assert found.everywhere(Act.PURGE) == is_admin


def test_a_lead_makes_reviewers_and_viewers_of_the_own_project_and_nobody_a_lead(services: Services) -> None:
    own, other = (_project(services.database, services, name) for name in ("Own", "Other"))
    with services.database.write() as connection:
        unit = Unit(connection, at=datetime.now(UTC), new_id=services.new_id)
        lead, ben = (people.ensure_person(unit, f"oidc:test|{name}", name=name).id for name in ("lia", "ben"))
    give_role(services, lead, Role.LEAD, project_id=own)

    for role in (Role.REVIEWER, Role.VIEWER):
        give_role(services.by(lead), ben, role, project_id=own)

    for role, project_id in [
        (Role.LEAD, own),
        (Role.ADMIN, own),
        (Role.REVIEWER, other),
        (Role.VIEWER, None),
    ]:
        with pytest.raises(RightsError):
            give_role(services.by(lead), ben, role, project_id=project_id)


def test_a_reference_that_its_project_hides_is_seen_by_those_alone_who_may_show_it(
    workbench: Workbench,
) -> None:
    services = workbench.services
    id = workbench.submitted(reference=workbench.file("reference.txt", "420 kg"))
    with services.database.write() as connection:
        comparison = comparisons.get(connection, id)
        assert comparison.reference_view is not None
        (file,) = outputs.list_files(connection, comparison.reference_view)
        unit = Unit(connection, at=datetime.now(UTC), new_id=services.new_id)
        lead, ben = (people.ensure_person(unit, f"oidc:test|{name}", name=name).id for name in ("lia", "ben"))
    own = workbench.me
    give_role(own, lead, Role.LEAD, project_id=comparison.project_id)
    give_role(own, ben, Role.REVIEWER, project_id=comparison.project_id)

    seen = []
    for shown in (True, False):
        change_settings(own, comparison.project_id, show_reference=shown)
        seen.append([may_see_output(services, person, file.id) for person in (lead, ben)])

    assert seen == [[True, True], [True, False]]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_home_and_a_database_that_were_there_before_become_their_owners_alone(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    open_services(settings).close()
    settings.home.chmod(0o755)
    database, kept = settings.home / "comparator.db", settings.home / "comparator.db.first"
    kept.touch()
    for path in (database, kept):
        path.chmod(0o644)
    assert set(open_to_others(settings)) == {settings.home, database, kept}

    open_services(settings).close()

    assert mode(settings.home) == 0o700
    assert {mode(path) for path in settings.home.glob("comparator.db*")} == {0o600}
    assert open_to_others(settings) == ()


def test_a_database_elsewhere_is_closed_as_well(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    database = tmp_path / "elsewhere" / "mine.db"
    settings = Settings(home=tmp_path / "home", database_url=f"sqlite:///{database}")

    open_services(settings).close()

    assert mode(database) == 0o600


def test_what_the_system_does_not_let_close_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(home=tmp_path / "home")
    open_services(settings).close()
    settings.home.chmod(0o755)
    # As on a disk without rights: the call does nothing, or is refused.
    monkeypatch.setattr(Path, "chmod", lambda self, mode, **more: None)
    with caplog.at_level(logging.WARNING):
        open_services(settings).close()
    assert f"may read {settings.home}" in caplog.text


def test_a_folder_that_belongs_to_everybody_is_left_to_them(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    home.mkdir()
    home.chmod(0o1777)
    (told,) = close_home(Settings(home=home))
    assert str(home) in told
    assert home.stat().st_mode & 0o7777 == 0o1777
