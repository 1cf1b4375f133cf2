"""Projects, people, tasks, outputs, candidates, runs and rubrics: stored once, read back as they were."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import Conflict, NotFound, StoreError
from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.bulk import batch_items
from comparator.store.core.unit import Unit, new_id
from comparator.store.facts import fact
from comparator.store.judging import rubrics
from comparator.store.pairs import keys, outputs, runs, tasks
from comparator.store.pairs.runs import NewRun
from comparator.store.people import events, projects
from tests.worlds.histories.pairs import START, World, rubric


def test_version_numbers_stay_apart_when_several_write_at_once(world: World) -> None:
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                text = TaskText(prompt=f"wording {number} {step}")
                with world.database.write() as connection:
                    tasks.ensure_version(Unit(connection, at=START, new_id=new_id), world.task.id, text)
        except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert errors == []
    with world.database.read() as connection:
        numbers = sorted(connection.execute(sa.select(tables.task_version.c.number)).scalars())
    assert numbers == list(range(1, 22))


def test_a_damaged_view_is_refused(world: World, tmp_path: Path) -> None:
    with world.database.write() as connection:
        _, view_id = world.save(connection, "content")
    for path in (tmp_path / "blobs").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(path.read_bytes() + b" ")

    with world.database.read() as connection, pytest.raises(StoreError, match="damaged"):
        outputs.load_view(connection, view_id, blobs=world.blobs)


def test_which_candidate_is_called_1_does_not_follow_the_order_in_which_they_came(world: World) -> None:
    firsts = []
    with world.database.write() as connection:
        for number in range(40):
            project = projects.ensure_project(Unit(connection, at=world.now(), new_id=new_id), f"P{number}")
            numbers = [
                runs.ensure_candidate(
                    Unit(connection, at=world.now(), new_id=new_id), project.id, name=name
                ).neutral_number
                for name in ("x", "y")
            ]
            assert sorted(numbers) == [1, 2]
            firsts.append(numbers[0])

    # By chance alone this fails once in 10^7.
    assert 4 < firsts.count(1) < 36


def _two_candidates(world: World) -> tuple[str, str]:
    with world.database.write() as connection:
        first, second = (
            runs.ensure_candidate(
                Unit(connection, at=world.now(), new_id=new_id), world.project.id, name=name
            ).id
            for name in ("x", "y")
        )
    return first, second


def test_runs_of_a_pair_have_one_time_and_ids_that_say_nothing_about_the_label(world: World) -> None:
    first, second = _two_candidates(world)
    lower = 0
    with world.database.write() as connection:
        snapshot_id, _ = world.save(connection, "text")
        for number in range(40):
            new = [
                NewRun(candidate_id=candidate, snapshot_id=snapshot_id, repetition=number)
                for candidate in (first, second)
            ]
            a, b = runs.ensure_runs(Unit(connection, at=world.now(), new_id=new_id), world.version.id, new)
            assert (a.candidate_id, b.candidate_id) == (first, second)
            assert a.created_at == b.created_at
            lower += a.id < b.id

    assert 4 < lower < 36


def test_more_runs_are_superseded_at_once_than_a_statement_takes_values(world: World) -> None:
    comparison, at = world.compare(), world.now()
    with world.database.write() as connection:
        ids = [keys.read(connection, comparison.id).run_a, *(f"none-{number}" for number in range(70_000))]

        batch_items.withdraw(Unit(connection, at=at), ids)
        fact.lock(connection, ids)
        fact.set_aside(Unit(connection, at=at), ids)
        assert fact.run_states(connection, comparison.id).superseded
        fact.take_in_again(Unit(connection, at=at), ids)
        assert not fact.run_states(connection, comparison.id).superseded


def test_the_key_is_read_back_and_a_pair_is_compared_once(world: World) -> None:
    comparison = world.compare()
    with world.database.read() as connection:
        key = keys.read(connection, comparison.id)
        for pair in ((key.run_a, key.run_b), (key.run_b, key.run_a)):
            assert keys.comparison_of(connection, world.version.id, runs=pair) == comparison.id
        assert keys.comparison_of(connection, world.version.id, runs=(key.run_a, "other")) is None
        assert keys.set_up_by(connection, comparison.id, person_id=world.ada.id)
        assert not keys.set_up_by(connection, comparison.id, person_id=world.ben.id)
        assert keys.out_path(connection, comparison.id) is None
        with pytest.raises(NotFound):
            keys.read(connection, "none")
    other = world.compare()

    with pytest.raises(Conflict), world.database.write() as connection:
        keys.write(
            Unit(connection, at=world.now()),
            other.id,
            task_version_id=world.version.id,
            run_a=key.run_b,
            run_b=key.run_a,
            set_up_by=None,
        )


def test_rubric_versions_count_up_and_the_newest_holds(world: World) -> None:
    with world.database.write() as connection:

        def add(*names: str) -> rubrics.RubricVersion:
            return rubrics.add(
                Unit(connection, at=world.now(), new_id=new_id),
                rubric(*names),
                project_id=world.project.id,
                task_version_id=world.version.id,
                author_kind="person",
                author=world.ada.id,
            )

        assert (
            rubrics.current(connection, project_id=world.project.id, task_version_id=world.version.id) is None
        )
        first, same, second = add("accuracy"), add("accuracy"), add("data_types")
        current = rubrics.current(connection, project_id=world.project.id, task_version_id=world.version.id)

        assert first == same
        assert (first.number, second.number) == (1, 2)
        assert current == second
        assert current is not None
        assert current.rubric == rubric("data_types")
        assert not current.shared
        assert rubrics.get(connection, first.id) == first
        rubrics.lock_rubric(Unit(connection, at=world.now()), second.id, person_id=world.ada.id)
        assert rubrics.get(connection, second.id).locked
        with pytest.raises(Conflict, match="locked"):
            add("third")
        rubrics.unlock_rubric(connection, second.id)
        assert add("third").number == 3
        with pytest.raises(NotFound):
            rubrics.get(connection, "none")


def test_a_rubric_reused_for_the_project_holds_for_every_task_version(world: World) -> None:
    rubric_id = world.rubric_id()
    with world.database.write() as connection:
        other = tasks.ensure_version(
            Unit(connection, at=world.now(), new_id=new_id), world.task.id, TaskText(prompt="Another wording")
        )
        shared = rubrics.reuse_for_project(
            Unit(connection, at=world.now(), new_id=new_id), rubric_id, person_id=world.ada.id
        )

        def current(version_id: str) -> rubrics.RubricVersion | None:
            return rubrics.current(connection, project_id=world.project.id, task_version_id=version_id)

        assert shared.shared
        assert shared.locked
        assert current(other.id) == current(world.version.id) == shared
        again = rubrics.reuse_for_project(
            Unit(connection, at=world.now(), new_id=new_id), rubric_id, person_id=world.ada.id
        )
        assert again.id == shared.id
        rubrics.unlock_rubric(connection, shared.id)
        assert current(other.id) is None
        own = current(world.version.id)
        assert own is not None
        assert own.id == rubric_id


def test_reading_the_log_page_by_page_leaves_out_no_act_of_the_same_moment(world: World) -> None:
    with world.database.write() as connection:
        for number in range(5):
            events.log(Unit(connection, at=START, new_id=new_id), f"act_{number}")
        pages, last = [], None
        while page := events.recent(connection, limit=2, before=last):
            pages.append([event.kind for event in page])
            last = page[-1].id

        with pytest.raises(NotFound, match="no such act"):
            events.recent(connection, before="gone")

    assert [len(page) for page in pages] == [2, 2, 1]
    assert {kind for page in pages for kind in page} == {f"act_{number}" for number in range(5)}
