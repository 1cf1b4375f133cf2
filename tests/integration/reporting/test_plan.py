"""Whether a plan was kept: fixed before the reveal, enough pairs, and looked at as its stop rule says."""

from __future__ import annotations

import pytest

from comparator.domain.project import LOOK_ONCE, LOOK_WHENEVER, DecisionPlan
from comparator.reporting.results.decision import PlanPromise, advice
from comparator.reporting.tally.scope import Verdicts
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World


@pytest.fixture
def history(world: World) -> History:
    return History(world)


def plan(history: History, stop_rule: str, *, reviews: int = 2) -> None:
    fixed = DecisionPlan(
        smallest_difference=0.05, reviews=reviews, stop_rule=stop_rule, fixed_at=history.world.now()
    )
    with history.world.database.write() as connection:
        settings = projects.get(connection, history.project).settings
        projects.save_settings(
            Unit(connection, at=history.world.now(), new_id=new_id),
            history.project,
            settings.model_copy(update={"plan": fixed}),
            person_id=None,
        )


def stop_rule(history: History, verdicts: Verdicts = Verdicts.JUDGE) -> PlanPromise:
    return advice(history.world.database, history.asked(verdicts)).kept[-1]


def test_one_reveal_with_enough_verdicts_keeps_the_rule_to_look_once(history: History) -> None:
    plan(history, LOOK_ONCE)
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()

    found = stop_rule(history)

    assert found.kept is True
    assert "2 of 2 counted verdicts given" in found.why


def test_looking_before_the_number_is_reached_breaks_it(history: History) -> None:
    plan(history, LOOK_ONCE, reviews=3)
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()

    assert stop_rule(history).kept is False


def test_looking_again_after_more_pairs_breaks_it_and_is_told(history: History) -> None:
    plan(history, LOOK_ONCE)
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()
    history.made.clear()
    history.pair(5, 3)
    history.reveal()

    found = stop_rule(history)

    assert found.kept is False
    assert found.why.count("counted verdicts given") == 2


def test_a_verdict_given_after_the_look_breaks_it(history: History) -> None:
    plan(history, LOOK_ONCE, reviews=1)
    early, late = history.pair(5, 3), history.pair(5, 3)
    history.review(early, 5, 3)
    history.reveal()
    history.review(late, 5, 3)

    found = stop_rule(history, Verdicts.REVIEWED)

    assert found.kept is False
    assert "1 of 2 counted verdicts given" in found.why


def test_whoever_planned_to_look_whenever_has_kept_that_and_other_words_are_for_the_reader(
    history: History,
) -> None:
    plan(history, LOOK_WHENEVER)
    history.pair(5, 3)
    history.reveal()
    assert stop_rule(history).kept is True

    plan(history, "Stop on Friday")
    assert stop_rule(history).kept is None
