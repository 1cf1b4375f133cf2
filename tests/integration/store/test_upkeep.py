"""Backups by themselves and their drill, outputs that expire, and what is kept about one person."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from comparator.domain.errors import Conflict, InputError, RightsError
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.people import people
from comparator.store.upkeep import backup
from comparator.workflow.people.people import erase_person, export_person, person_named
from comparator.workflow.people.sign_in import accept, invite
from comparator.workflow.projects.settings import change_settings, expired_outputs, purge_expired
from comparator.workflow.review.review import finalise, record
from comparator.workflow.services import Services
from tests.worlds.workbench import Workbench

AT = datetime(2026, 11, 1, tzinfo=UTC)
NAME = "Philippa Quennell"


def text_of(database: Database) -> str:
    """Every row of every table."""
    with database.read() as connection:
        return "\n".join(line for name in backup.NAMES for line in backup.lines_of_table(connection, name))


def test_outputs_go_when_their_term_is_over_and_every_comparison_of_theirs_is_settled(
    workbench: Workbench,
) -> None:
    services = workbench.services
    settled, waiting = workbench.submitted(), workbench.submitted(other(workbench))
    for one in (settled, waiting):
        workbench.judged(one)
    record(workbench.me, settled, [workbench.change("reasoning", "B is better.")])
    finalise(workbench.me, settled)
    later = replace(services, now=lambda: datetime.now(UTC) + timedelta(days=100))
    assert expired_outputs(later.by(workbench.person)) == {}

    change_settings(workbench.me, project_of(services, settled), keep_outputs_days=90)

    assert expired_outputs(workbench.me) == {}
    assert len(expired_outputs(later.by(workbench.person))["Harvest"]) == 2
    assert purge_expired(later.by(workbench.person)) == 2
    assert purge_expired(later.by(workbench.person)) == 0
    with services.database.read() as connection:
        gone = [each.kind for each in people.recent_acts(connection) if "purge" in each.kind]
        kept = connection.execute(sa.select(sa.func.count()).select_from(tables.finalisation)).scalar_one()
    assert (gone, kept) == (["output_purged"] * 2, 1)


def other(workbench: Workbench):  # type: ignore[no-untyped-def]  # the pair's own type
    """Another pair, so that no output is shared."""
    pair = workbench.pair()
    workbench.file("x/a.md", "# Another\n\nReport.\n")
    workbench.file("x/b.md", "another report\n")
    return type(pair)(A=workbench.folder / "x/a.md", B=workbench.folder / "x/b.md")


def project_of(services: Services, comparison_id: str) -> str:
    with services.database.read() as connection:
        query = sa.select(tables.comparison.c.project_id).where(tables.comparison.c.id == comparison_id)
        return str(connection.execute(query).scalar_one())


@pytest.fixture
def guest(workbench: Workbench) -> str:
    """Somebody who came by an invitation and began a review."""
    services = workbench.services
    comparison_id = workbench.submitted()
    workbench.judged(comparison_id)
    made = invite(workbench.me, project_of(services, comparison_id), name=NAME)
    accept(services, made.token)
    person = person_named(workbench.me, NAME)
    change = workbench.change("reasoning", "B is better.").model_copy(update={"author": person.id})
    record(services.by(person.id), comparison_id, [change])
    return person.id


def test_all_that_is_kept_about_a_person_is_handed_out(workbench: Workbench, guest: str) -> None:
    held = export_person(workbench.me, guest)

    assert {"person", "role", "review", "change", "sign_in", "invitation", "event"} <= held.keys()
    assert held["person"][0]["name"] == NAME
    assert "token_hash" not in json.dumps(held)
    assert workbench.person not in {row["id"] for row in held["person"]}


def test_an_erased_person_is_nowhere_named_and_what_they_said_stays(workbench: Workbench, guest: str) -> None:
    services = workbench.services
    assert NAME in text_of(services.database)

    erase_person(workbench.me, guest, reason="asked for it")

    assert NAME not in text_of(services.database)
    assert "B is better." in text_of(services.database)
    assert "asked for it" in text_of(services.database)
    with pytest.raises(InputError, match="Nobody"):
        person_named(workbench.me, NAME)
    with services.database.read() as connection:
        roles = sa.select(tables.role.c.revoked_at).where(tables.role.c.person_id == guest)
        assert all(connection.execute(roles).scalars())


def test_only_an_admin_erases_and_never_themselves(workbench: Workbench, guest: str) -> None:
    with pytest.raises(RightsError):
        erase_person(workbench.services.by(guest), workbench.person, reason="no")
    with pytest.raises(RightsError):
        export_person(workbench.services.by(guest), workbench.person)
    with pytest.raises(Conflict):
        erase_person(workbench.me, workbench.person, reason="no")
