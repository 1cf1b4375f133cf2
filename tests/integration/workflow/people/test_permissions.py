"""Where a person may do what, found out for a whole page at once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from comparator.domain.rights import Act, Role
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.people import people, projects
from comparator.workflow.people.people import give_role
from comparator.workflow.people.permissions import permissions
from comparator.workflow.services import Services
from tests.worlds.workbench import Workbench


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path)


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
    assert not permissions(services, ben).somewhere(Act.READ)
    give_role(services, ben, Role.REVIEWER, project_id=first, by=None)

    found = permissions(services, ben)
    assert [project.id for project in found.projects(Act.REVIEW)] == [first]
    assert not found.all_projects(Act.REVIEW)
    assert not found.everywhere(Act.REVIEW)
    assert not found.somewhere(Act.SEE_RESULTS)

    with database.write() as connection:
        projects.set_closed(connection, first, datetime.now(UTC))
    assert [project.id for project in permissions(services, ben).projects(Act.SEE_RESULTS)] == [first]

    give_role(services, ben, Role.VIEWER, project_id=None, by=None)
    found = permissions(services, ben)
    assert second in {project.id for project in found.projects(Act.SEE_RESULTS)}
    assert found.everywhere(Act.SEE_RESULTS)
    assert not found.everywhere(Act.PURGE)


def test_whoever_sits_at_the_machine_may_do_everything_everywhere(workbench: Workbench) -> None:
    found = permissions(workbench.services, workbench.person)
    assert found.everywhere(Act.PURGE)
    assert found.all_projects(Act.READ)
    assert found.somewhere(Act.SUBMIT)


def test_a_reviewer_of_one_project_who_views_all_does_not_see_all_results(services: Services) -> None:
    first = _project(services.database, services, "First")
    with services.database.write() as connection:
        eve = people.ensure_person(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id), "oidc:test|eve", name="Eve"
        ).id
    give_role(services, eve, Role.VIEWER, project_id=None, by=None)
    give_role(services, eve, Role.REVIEWER, project_id=first, by=None)
    found = permissions(services, eve)
    assert found.everywhere(Act.SEE_RESULTS)
    assert not found.all_projects(Act.SEE_RESULTS)
    assert first not in {project.id for project in found.projects(Act.SEE_RESULTS)}
