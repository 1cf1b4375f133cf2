"""Whether a plan was kept: fixed before the reveal, enough pairs, and looked at as its stop rule says."""

from comparator.domain.project import LOOK_ONCE, DecisionPlan
from comparator.reporting.results.decision import PlanPromise, advice
from comparator.reporting.scope import Verdicts
from comparator.store.people import projects
from tests.worlds.histories.history import History


def plan(history: History, stop_rule: str, *, reviews: int = 2) -> None:
    fix(history, DecisionPlan(smallest_difference=0.05, reviews=reviews, stop_rule=stop_rule))


def fix(history: History, plan: DecisionPlan) -> None:
    fixed = plan.model_copy(update={"fixed_at": history.world.now()})
    with history.world.write() as unit:
        settings = projects.get(unit.connection, history.project).settings
        projects.save_settings(unit, history.project, settings.with_plan(fixed))


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
