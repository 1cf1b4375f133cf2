"""Projects, people, tasks, outputs, candidates, runs and rubrics: stored once, read back as they were."""

from comparator.store.pairs import runs
from comparator.store.pairs.runs import NewCandidate, NewRun
from comparator.store.people import projects
from tests.worlds.histories.pairs import World


def test_which_candidate_is_called_1_does_not_follow_the_order_in_which_they_came(world: World) -> None:
    firsts = []
    with world.write() as unit:
        for number in range(40):
            project = projects.ensure_project(unit, f"P{number}")
            numbers = [
                runs.ensure_candidate(unit, project.id, NewCandidate(name=name)).neutral_number
                for name in ("x", "y")
            ]
            assert sorted(numbers) == [1, 2]
            firsts.append(numbers[0])

    # By chance alone this fails once in 10^7.
    assert 4 < firsts.count(1) < 36


def _two_candidates(world: World) -> tuple[str, str]:
    with world.write() as unit:
        first, second = (
            runs.ensure_candidate(unit, world.project.id, NewCandidate(name=name)).id for name in ("x", "y")
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
            a, b = runs.ensure_runs_of(unit, {world.version.id: new})[world.version.id]
            assert (a.candidate_id, b.candidate_id) == (first, second)
            assert a.created_at == b.created_at
            lower += a.id < b.id

    assert 4 < lower < 36
