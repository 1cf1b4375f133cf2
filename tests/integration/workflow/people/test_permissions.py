"""Where a person may do what, found out for a whole page at once."""

from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.domain.errors import RightsError
from comparator.domain.rights import Act, Role
from comparator.settings import Settings
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


def _projects(services: Services, *names: str) -> list[str]:
    with services.write() as unit:
        return [projects.ensure_project(unit, name).id for name in names]


def test_roles_reach_no_further_and_a_reviewer_sees_the_results_of_the_own_project_once_it_is_closed(
    services: Services, workbench: Workbench
) -> None:
    first, second = _projects(services, "First", "Second")
    ben = workbench.signed_in("Ben")
    assert not permissions_of(services.by(ben)).somewhere(Act.READ)
    give_role(services, ben, Role.REVIEWER, project_id=first)

    permissions = permissions_of(services.by(ben))
    assert [project.id for project in permissions.projects(Act.REVIEW)] == [first]
    assert not permissions.all_projects(Act.REVIEW)
    assert not permissions.everywhere(Act.REVIEW)
    assert not permissions.somewhere(Act.SEE_RESULTS)

    with services.write() as unit:
        projects.set_closed(unit, first, unit.at)
    assert [project.id for project in permissions_of(services.by(ben)).projects(Act.SEE_RESULTS)] == [first]

    give_role(services, ben, Role.VIEWER, project_id=None)
    permissions = permissions_of(services.by(ben))
    assert second in {project.id for project in permissions.projects(Act.SEE_RESULTS)}
    assert permissions.everywhere(Act.SEE_RESULTS)
    assert not permissions.everywhere(Act.PURGE)

    with services.write() as unit:
        projects.set_closed(unit, first, None)
    permissions = permissions_of(services.by(ben))
    assert permissions.everywhere(Act.SEE_RESULTS)
    assert not permissions.all_projects(Act.SEE_RESULTS)
    assert first not in {project.id for project in permissions.projects(Act.SEE_RESULTS)}


@pytest.mark.parametrize("subject", ["oidc:test|ida", "local:ida"])
def test_a_page_and_each_question_agree_for_every_role_and_act(services: Services, subject: str) -> None:
    open_, closed = _projects(services, "Open", "Closed")
    with services.write() as unit:
        projects.set_closed(unit, closed, unit.at)
        nobody, *people_ids = (
            people.ensure_person(unit, f"{subject}{n}", name="Ida").id for n in range(2 * len(Role) + 1)
        )
    held = [(role, where) for role in Role for where in (None, closed)]
    for person_id, (role, where) in zip(people_ids, held, strict=True):
        give_role(services, person_id, role, project_id=where)

    for person_id in (nobody, *people_ids):
        permissions = permissions_of(services.by(person_id))
        for act in Act:
            in_projects = {project.id for project in permissions.projects(act)}
            for project_id in (open_, closed):
                assert may(services.by(person_id), act, project_id=project_id) == (project_id in in_projects)
            assert may(services.by(person_id), act, project_id=None) == permissions.everywhere(act)
        is_admin = subject.startswith("local:") or person_id == people_ids[0]
        assert permissions.everywhere(Act.PURGE) == is_admin


def test_a_lead_makes_reviewers_in_the_own_project_alone(services: Services, workbench: Workbench) -> None:
    own, other = _projects(services, "Own", "Other")
    lead, ben = map(workbench.signed_in, ("lia", "ben"))
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


def test_a_hidden_reference_is_seen_by_those_alone_who_may_show_it(workbench: Workbench) -> None:
    services = workbench.services
    id = workbench.submitted(reference=workbench.file("reference.txt", "420 kg"))
    with services.database.read() as connection:
        comparison = comparisons.get(connection, id)
        assert comparison.reference_view is not None
        (file,) = outputs.list_files(connection, comparison.reference_view)
    lead, ben = map(workbench.signed_in, ("lia", "ben"))
    own = workbench.me
    give_role(own, lead, Role.LEAD, project_id=comparison.project_id)
    give_role(own, ben, Role.REVIEWER, project_id=comparison.project_id)

    seen = []
    for show_reference in (True, False):
        change_settings(own, comparison.project_id, show_reference=show_reference)
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

    elsewhere = tmp_path / "elsewhere.db"
    open_services(Settings(home=tmp_path / "home", database_url=f"sqlite:///{elsewhere}")).close()
    assert mode(elsewhere) == 0o600


def test_a_folder_that_belongs_to_everybody_is_left_to_them(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    home.mkdir()
    home.chmod(0o1777)
    (problem,) = close_home(Settings(home=home))
    assert str(home) in problem
    assert home.stat().st_mode & 0o7777 == 0o1777
