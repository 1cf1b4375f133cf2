"""Neither the judge's path nor the reviewer's reads a table that leads to a candidate."""

import pytest

from comparator.domain.errors import NotFound
from comparator.domain.project import ReviewOrder
from comparator.store.pairs import comparison_list, comparisons, keys, outputs, reveals, runs
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.pairs.runs import NewCandidate
from comparator.store.people import projects
from comparator.store.reviewing import queue
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.review.panel import take_next
from comparator.workflow.review.review import answer, finalise, reopen, undo
from tests.sqlrecord import recorded
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench

# `ab_key` also holds candidates' names as patterns; `run_pair` and `view_source` lead to runs.
TELLING = ("ab_key", "candidate", "run", "view_source", "snapshot", "artifact", "run_pair", "label")


def test_judging_and_reviewing_read_nothing_that_tells(workbench: Workbench) -> None:
    pair, me = workbench.submitted(), workbench.me

    with recorded(me.database.engine) as record:
        workbench.judged(pair)
        judging = len(record.statements)
        assert take_next(me) == pair
        score = f"score:A:{workbench.sheet(pair).paths[0]}"
        workbench.send(pair, score, 2)
        undo(me, pair)
        workbench.send(pair, "winner", "A", reason="A names the weight, B does not.")
        answer(me, pair, NoteKind.FLAG, reason="Odd.")
        finalise(me, pair)
        reopen(me, pair)
        workbench.sheet(pair)
        with me.read() as unit:
            comparison_list.page(unit.connection, ListFilter(text="report"))
            for order in ReviewOrder:
                queue.next_to_review(unit, person_id=workbench.person, order=order)
            view = comparisons.get(unit.connection, pair).view_a
            comparisons.of_view(unit.connection, view)
            outputs.file(unit.connection, outputs.list_files(unit.connection, view)[0].id)

    assert judging > 20
    assert len(record.statements) > 2 * judging
    assert record.mentions(*TELLING) == set()


def test_the_recorder_sees_the_key_being_read(world: World) -> None:
    comparison = world.compare()

    with recorded(world.database.engine) as record, world.database.read() as connection:
        keys.read(connection, comparison.id)

    assert record.mentions("ab_key", "candidate") == {"ab_key"}


def test_no_order_of_ids_or_times_tells_which_output_is_whose(world: World) -> None:
    lower = {"view": 0, "file": 0, "run": 0}
    pairs = 40
    for _ in range(pairs):
        comparison = world.compare()
        with world.database.read() as connection:
            key = keys.read(connection, comparison.id)
            files = [
                outputs.list_files(connection, view)[0].id for view in (comparison.view_a, comparison.view_b)
            ]
        lower["view"] += comparison.view_a < comparison.view_b
        lower["file"] += files[0] < files[1]
        lower["run"] += key.run_a < key.run_b

    # Fair coins: each of these fails by chance less than once in 10^6.
    assert all(4 < count < pairs - 4 for count in lower.values()), lower


def test_what_was_revealed_keeps_its_first_time(world: World) -> None:
    one, two = world.compare(), world.compare()
    with world.write() as unit:

        def reveal(*ids: str) -> reveals.Reveal | None:
            reveals.add(unit.by(world.ada.id), ids, project_id=world.project.id, reason="All reviewed.")
            return reveals.of_comparison(unit.connection, ids[-1])

        assert reveals.of_comparison(unit.connection, one.id) is None
        first = reveal(one.id)
        second = reveal(one.id, two.id)

        assert first is not None
        assert reveals.of_comparison(unit.connection, one.id) == first
        assert second not in (None, first)


def test_a_comparison_has_no_field_that_leads_to_a_run(world: World) -> None:
    comparison = world.compare()
    with world.database.read() as connection:
        key = keys.read(connection, comparison.id)
        line = comparison_list.line(connection, comparison.id)
        text = comparison.model_dump_json() + line.model_dump_json()

    for hidden in (key.run_a, key.run_b, "with skill", "without skill"):
        assert hidden not in text
    with world.database.read() as connection, pytest.raises(NotFound):
        comparisons.get(connection, key.run_a)


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
