"""Projects, people, tasks, outputs, candidates, runs and rubrics: stored once, read back as they were."""

from __future__ import annotations

import threading

import sqlalchemy as sa

from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.core.sql import Unit, new_id
from comparator.store.pairs import runs, tasks
from comparator.store.pairs.runs import NewCandidate, NewRun
from comparator.store.people import projects
from tests.worlds.histories.pairs import START, World


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


def test_which_candidate_is_called_1_does_not_follow_the_order_in_which_they_came(world: World) -> None:
    firsts = []
    with world.database.write() as connection:
        for number in range(40):
            project = projects.ensure_project(Unit(connection, at=world.now(), new_id=new_id), f"P{number}")
            numbers = [
                runs.ensure_candidate(
                    Unit(connection, at=world.now(), new_id=new_id), project.id, NewCandidate(name=name)
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
                Unit(connection, at=world.now(), new_id=new_id), world.project.id, NewCandidate(name=name)
            ).id
            for name in ("x", "y")
        )
    return first, second


def test_runs_of_a_pair_have_one_time_and_ids_that_say_nothing_about_the_label(world: World) -> None:
    first, second = _two_candidates(world)
    lower = 0
    with world.write() as unit:
        snapshot_id = world.save(unit, "text").snapshot_id
        for number in range(40):
            new = [
                NewRun(candidate_id=candidate, snapshot_id=snapshot_id, repetition=number)
                for candidate in (first, second)
            ]
            a, b = runs.ensure_runs(unit, world.version.id, new)
            assert (a.candidate_id, b.candidate_id) == (first, second)
            assert a.created_at == b.created_at
            lower += a.id < b.id

    assert 4 < lower < 36
