"""Roles are given and taken on the command line."""

from pathlib import Path

import pytest

from comparator.bootstrap import load_settings, open_services
from comparator.domain.rights import Role
from comparator.store.people import people, projects
from comparator.workflow.people.people import local_person, permissions_of
from tests.worlds.process import invoke


@pytest.fixture
def ada(here: Path) -> str:
    """The id of somebody who signed in before, beside another one of the same name."""
    services = open_services(load_settings())
    with services.write() as unit:
        projects.ensure_project(unit, "Harvest")
        ada = people.ensure_person(unit, "oidc:idp|1", name="Ada", email="ada@example.org")
        people.ensure_person(unit, "oidc:idp|2", name="Ben", email="ben@example.org")
        people.ensure_person(unit, "oidc:idp|3", name="Ben", email="ben@example.com")
    services.close()
    return ada.id


def held(person: str) -> tuple[set[Role], set[Role]]:
    """The person's roles everywhere, and in the project too."""
    services = open_services(load_settings())
    with services.database.read() as connection:
        (project,) = projects.all_projects(connection)
    roles = permissions_of(services.by(person)).roles
    found = [roles.everywhere, roles.own.get(project.id, frozenset()) | roles.everywhere]
    services.close()
    return set(found[0]), set(found[1])


def test_a_role_is_given_in_a_project_or_everywhere_and_taken_again(ada: str) -> None:
    for words in (("Ada", "reviewer", "--project", "Harvest"), ("ada@example.org", "viewer")):
        assert invoke("people", "add", *words).exit_code == 0
    given = held(ada)
    left = invoke("people", "remove", "Ada", "--project", "Harvest")
    after = held(ada)
    gone = invoke("people", "remove", ada)
    again = invoke("people", "remove", ada)

    assert given == ({Role.VIEWER}, {Role.VIEWER, Role.REVIEWER})
    assert "1 role of Ada" in left.stderr
    assert after == ({Role.VIEWER}, {Role.VIEWER})
    assert (gone.exit_code, held(ada)) == (0, (set(), set()))
    assert (again.exit_code, "has no role" in again.stderr) == (2, True)


def test_whoever_cannot_be_told_apart_or_works_at_this_machine_is_refused_in_a_sentence(ada: str) -> None:
    services = open_services(load_settings())
    me = local_person(services).name
    services.close()

    unknown, several, local = (
        invoke("people", *words) for words in (("add", "Cleo", "lead"), ("remove", "Ben"), ("remove", me))
    )

    assert (unknown.exit_code, several.exit_code, local.exit_code) == (2, 2, 2)
    assert "comparator people invite" in " ".join(unknown.stderr.split())
    assert "ben@example.com" in several.stderr
    assert "stays an admin" in local.stderr
