"""Purging removes what it names, and only that; an event says so."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from comparator.domain.errors import Conflict, InputError, NotFound, RightsError
from comparator.domain.labels import LabelKind
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.judging import rubrics
from comparator.store.pairs import comparison_list, keys, labels, outputs, runs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.keys import LeakDecision
from comparator.store.people import people, projects
from comparator.store.reviewing import notes
from comparator.store.reviewing.notes import NoteKind
from comparator.store.upkeep import backup, purge
from comparator.store.upkeep.purge import Purged
from comparator.workflow.people.people import erase_person, export_person, person_named
from comparator.workflow.people.sign_in import accept, invite
from comparator.workflow.projects.settings import change_settings, expired_outputs, purge_expired
from comparator.workflow.review.review import finalise, record
from comparator.workflow.services import Services
from tests.worlds.histories.pairs import World, add_change, current_passes
from tests.worlds.workbench import Workbench


def filled(world: World) -> Comparison:
    """A comparison with a row in every table that the use cases of today write."""
    comparison = world.compare()
    world.judge(comparison)
    review = world.review(comparison)
    with world.write() as unit:
        add_change(unit, review.id, world.change("score:A:content.correctness", 4))
    world.final(review)
    with world.write() as unit:
        said = notes.add(unit, comparison.id, person_id=world.ben.id, kind=NoteKind.SKIP)
        notes.withdraw(unit, said)
        labels.add(unit, comparison.id, kind=LabelKind.GOLD, author="x", winner=None, blind=None, source="s")
        keys.decide(unit, comparison.id, [LeakDecision(pattern="p", place="prompt", decision="keep")])
        key = keys.read(unit.connection, comparison.id)
        first, second = (runs.get(unit.connection, id) for id in (key.run_a, key.run_b))
        runs.merge_candidate(unit, first.candidate_id, into=second.candidate_id)
        rubrics.reuse_for_project(
            unit, unit.connection.execute(sa.select(tables.rubric.c.id)).scalars().all()[0]
        )
    return comparison


def filled_tables(world: World) -> set[str]:
    with world.database.read() as connection:
        return {
            name
            for name, table in tables.metadata.tables.items()
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        }


def purge_project(world: World, project_id: str) -> Purged:
    with world.write() as unit:
        purged = purge.purge_project(unit.by(world.ada.id), project_id, reason="Asked by the owner.")
    for digest in purged.blobs:
        world.blobs.delete(digest)
    return purged


def test_a_purged_project_leaves_people_and_the_log(world: World) -> None:
    filled(world)
    assert {"ab_key", "attempt", "change", "finalisation", "note", "label", "rubric"} <= filled_tables(world)

    purged = purge_project(world, world.project.id)

    assert filled_tables(world) <= {"person", "event"}
    assert purged.removed == 1
    assert len(purged.blobs) == 4
    assert not any(world.blobs.exists(digest) for digest in purged.blobs)
    with world.database.read() as connection:
        (event,) = people.recent_acts(connection)
    assert (event.kind, event.person_id) == ("project_purged", world.ada.id)
    assert event.detail == {"reason": "Asked by the owner.", "comparisons": 1}


def test_purging_one_project_leaves_the_other_whole(world: World) -> None:
    with world.write() as unit:
        other = projects.ensure_project(unit, "Other")
        shared = world.save(unit, '{"total": 1}', project_id=other.id).snapshot_id
    filled(world)

    purge_project(world, world.project.id)

    with world.database.read() as connection:
        assert projects.all_projects(connection) == (other,)
        (artifact,) = outputs.load_snapshot(connection, shared).artifacts
    assert world.blobs.get(artifact.sha256) == b'{"total": 1}'


def test_bytes_that_another_project_keeps_meanwhile_are_not_lost(world: World) -> None:
    with world.write() as unit:
        first = world.save(unit, "the same").snapshot_id
        other = projects.ensure_project(unit, "Other")
        snapshot = outputs.load_snapshot(unit.connection, first)
    with world.write() as unit:
        purged = purge.purge_project(unit.by(world.ada.id), world.project.id, reason="x")
    digest = snapshot.artifacts[0].sha256
    assert digest in purged.blobs

    # Before they are deleted somebody keeps them again; after that, nobody can.
    with world.write() as unit:
        outputs.save_snapshot(unit, snapshot, project_id=other.id, blobs=world.blobs)
        assert digest not in outputs.unused(unit, purged.blobs)
    with world.write() as unit:
        again = purge.purge_project(unit.by(world.ada.id), other.id, reason="x")
        last = projects.ensure_project(unit, "Last")
    world.blobs.delete(digest)
    with pytest.raises(Conflict, match="Try again"), world.write() as unit:
        outputs.save_snapshot(unit, snapshot, project_id=last.id, blobs=world.blobs)
    assert digest in again.blobs


def test_a_purged_outputs_bytes_are_gone_its_scores_stay_and_it_may_come_in_again(world: World) -> None:
    comparison = filled(world)
    with world.database.read() as connection:
        snapshot_id = outputs.snapshot_of_view(connection, comparison.view_a)
        (before,) = outputs.list_files(connection, comparison.view_a)

    original = {"file_id": before.id, "view_id": comparison.view_a, "name": "kestrel.md", "places": []}
    with world.write() as unit:
        unit.add(tables.file_original, **original)
    with world.write(world.ada.id) as unit:
        snapshot = outputs.load_snapshot(unit.connection, snapshot_id)
        purged = purge.purge_output(unit, snapshot_id, reason="Private.")

    with world.database.read() as connection:
        for act in (
            lambda: outputs.load_snapshot(connection, snapshot_id),
            lambda: outputs.load_view(connection, comparison.view_a, blobs=world.blobs),
        ):
            with pytest.raises(NotFound, match="purged"):
                act()
        (after,) = outputs.list_files(connection, comparison.view_a)
        assert outputs.load_view(connection, comparison.view_b, blobs=world.blobs).files
        assert len(current_passes(connection, comparison.id)) == 2
        assert comparison_list.line(connection, comparison.id).winner is not None
        assert people.recent_acts(connection)[0].subject_id == snapshot_id
    assert "file_original" not in filled_tables(world)
    assert before.blob in purged.blobs
    assert (after.blob, after.name) == (None, "purged")
    with pytest.raises(NotFound, match="purged before"), world.write() as unit:
        purge.purge_output(unit, snapshot_id, reason="")
    with world.write() as unit:
        again = outputs.save_snapshot(unit, snapshot, project_id=world.project.id, blobs=world.blobs)
        assert again != snapshot_id
        assert outputs.load_snapshot(unit.connection, again) == snapshot


def test_every_table_is_either_purged_with_its_project_or_kept_on_purpose() -> None:
    within = {"project", "view"}
    for _ in tables.metadata.tables:
        within |= {
            name
            for name, table in tables.metadata.tables.items()
            if any(
                key.ondelete == "CASCADE" and key.column.table.name in within for key in table.foreign_keys
            )
        }

    kept = {"person", "event", "blob", "purge_permit", "worker", "lease"}
    assert set(tables.metadata.tables) - within == kept


NAME, ADDRESS = "Philippa Quennell", "p.quennell@example.org"


def text_of(database: Database) -> str:
    """Every row of every table."""
    with database.read() as connection:
        return "\n".join(line for name in backup.NAMES for line in backup.lines_of_table(connection, name))


def test_outputs_go_when_their_term_is_over_and_every_pair_of_theirs_is_settled(workbench: Workbench) -> None:
    services = workbench.services
    settled, waiting = workbench.submitted(), workbench.submitted(workbench.other_pair())
    for one in (settled, waiting):
        workbench.judged(one)
    record(workbench.me, settled, [workbench.change("reasoning", "B is better.")])
    finalise(workbench.me, settled)
    later = replace(services, now=lambda: datetime.now(UTC) + timedelta(days=100))
    assert expired_outputs(later.by(workbench.person)) == {}

    change_settings(workbench.me, project_of(services, settled), keep_outputs_days=90)

    assert expired_outputs(workbench.me) == {}
    assert len(expired_outputs(later.by(workbench.person))["Harvest"]) == 2
    purge_expired(later.by(workbench.person))
    assert expired_outputs(later.by(workbench.person)) == {}
    with services.database.read() as connection:
        gone = [act.kind for act in people.recent_acts(connection) if "purge" in act.kind]
        kept = connection.execute(sa.select(sa.func.count()).select_from(tables.finalisation)).scalar_one()
    assert (gone, kept) == (["output_purged"] * 2, 1)


def project_of(services: Services, comparison_id: str) -> str:
    with services.database.read() as connection:
        query = sa.select(tables.comparison.c.project_id).where(tables.comparison.c.id == comparison_id)
        return str(connection.execute(query).scalar_one())


def test_a_person_is_handed_out_or_erased_by_an_admin_and_then_nowhere_named(workbench: Workbench) -> None:
    services = workbench.services
    comparison_id = workbench.submitted()
    workbench.judged(comparison_id)
    invitation = invite(workbench.me, project_of(services, comparison_id), name=NAME)
    accept(services, invitation.token)
    person = person_named(workbench.me, NAME)
    with services.write() as unit:
        unit.update(tables.person, tables.person.c.id == person.id, email=ADDRESS)
    change = workbench.change("reasoning", "B is better.").model_copy(update={"author": person.id})
    record(services.by(person.id), comparison_id, [change])
    guest = person.id

    for act in (
        lambda: erase_person(services.by(guest), workbench.person, reason="no"),
        lambda: export_person(services.by(guest), workbench.person),
    ):
        with pytest.raises(RightsError):
            act()
    with pytest.raises(Conflict):
        erase_person(workbench.me, workbench.person, reason="no")

    held = export_person(workbench.me, guest)

    assert {"person", "role", "review", "change", "sign_in", "invitation", "event"} <= held.keys()
    assert held["person"][0]["name"] == NAME
    assert "token_hash" not in json.dumps(held)
    assert workbench.person not in {row["id"] for row in held["person"]}
    assert NAME in text_of(services.database)

    erase_person(workbench.me, guest, reason="asked for it")

    assert NAME not in text_of(services.database)
    assert ADDRESS not in text_of(services.database)
    assert "B is better." in text_of(services.database)
    assert "asked for it" in text_of(services.database)
    with pytest.raises(InputError, match="Nobody"):
        person_named(workbench.me, NAME)
    with services.database.read() as connection:
        roles = sa.select(tables.role.c.revoked_at).where(tables.role.c.person_id == guest)
        assert all(connection.execute(roles).scalars())
