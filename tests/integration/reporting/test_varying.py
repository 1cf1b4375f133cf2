"""An expectation that one run meets and another of the same candidate does not: it varies between runs."""

from __future__ import annotations

from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judgment import ExpectationMark
from comparator.reporting.scope import By, Verdicts
from comparator.reporting.why.expectations import ExpectationMet, by_expectation
from comparator.reporting.why.pairs import Slice, pairs
from comparator.reporting.why.slices import slices
from comparator.store.core.unit import Unit, new_id
from comparator.store.pairs import tasks
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import TASK, World, answer


def test_an_expectation_that_runs_of_one_task_answer_differently_varies(world: World) -> None:
    history = History(world)
    made = [history.pair(5, 3), history.pair(3, 5), history.pair(5, 3)]
    history.reveal()

    asked = history.asked(Verdicts.JUDGE)
    for row in by_expectation(world.database, asked):
        assert row.pairs[ExpectationMet.VARIES] == row.n == 3
        assert (row.met_one, row.met_two) == (2, 1)
        listed = pairs(
            world.database, asked, only=Slice(expectation=row.id, met=ExpectationMet.VARIES), limit=10
        )
        assert {each.comparison_id for each in listed} == {each.id for each in made}


def test_runs_that_answer_alike_do_not_vary(world: World) -> None:
    history = History(world)
    history.pair(5, 3)
    history.pair(4, 2)
    history.reveal()

    for row in by_expectation(world.database, history.asked(Verdicts.JUDGE)):
        assert (row.pairs[ExpectationMet.ONE], row.pairs[ExpectationMet.VARIES]) == (2, 0)


def test_an_expectation_that_nobody_assessed_is_no_part_to_compare_by(world: World) -> None:
    history = History(world)
    history.pair(5, 3)
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        other = tasks.ensure_task(unit, history.project, key="other", title="Other", tags=())
        wording = TASK.model_copy(update={"expectations": ("names the place", "names the day")})
        world.version = tasks.ensure_version(unit, other.id, wording)
    open_ = PerOutput[ExpectationMark](A=ExpectationMark(passed=None), B=ExpectationMark(passed=None))
    unread = history.unjudged()
    for order in Order:
        world.attempt(unread, order, answer(4, 2).model_copy(update={"expectations": (open_, open_)}))
    history.reveal()

    found = slices(world.database, history.asked(Verdicts.JUDGE), By.EXPECTATION)

    assert {each.name for each in found.parts} == {"has a date", "has a total"}
