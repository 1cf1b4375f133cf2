"""An expectation that one run meets and another of the same candidate does not: it varies between runs."""

from __future__ import annotations

from comparator.reporting.tally.scope import Verdicts
from comparator.reporting.why.expectations import ExpectationMet, by_expectation
from comparator.reporting.why.pairs import Slice, pairs
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World


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
