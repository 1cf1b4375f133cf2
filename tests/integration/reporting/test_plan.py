"""Whether a plan was kept: fixed before the reveal, enough pairs, and looked at as its stop rule says."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from comparator.domain.project import LOOK_ONCE, DecisionPlan
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.decision import Advice, PlanPromise, advice
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.store import tables
from comparator.store.core.sql import Unit, new_id
from comparator.store.people import projects
from tests.worlds.histories.history import History


def plan(history: History, stop_rule: str, *, reviews: int = 2) -> None:
    fix(history, DecisionPlan(smallest_difference=0.05, reviews=reviews, stop_rule=stop_rule))


def fix(history: History, plan: DecisionPlan) -> None:
    fixed = plan.model_copy(update={"fixed_at": history.world.now()})
    with history.world.database.write() as connection:
        settings = projects.get(connection, history.project).settings
        projects.save_settings(
            Unit(connection, at=history.world.now(), new_id=new_id),
            history.project,
            settings.with_plan(fixed),
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


QUESTIONS = (("claude with", "claude"), ("gemini with", "gemini"))


def ask_two(history: History) -> Callable[[str], ResultFilter]:
    """Two questions in one project, two pairs each; gives the filter for the one with this candidate."""
    for names in QUESTIONS:
        history.pair(5, 3, names=names)
        history.pair(5, 3, names=names)

    def asked(name: str) -> ResultFilter:
        meetings = project_state(history.world.database, history.project).meetings
        with history.world.database.read() as connection:
            candidate = tables.candidate.c
            (id,) = connection.execute(sa.select(candidate.id).where(candidate.name == name)).scalars()
        met = next(each for each in meetings if id in (each.one, each.two))
        return ResultFilter(project_id=history.project, one=met.one, two=met.two, verdicts=Verdicts.JUDGE)

    return asked


def told(history: History, asked: ResultFilter) -> Advice:
    return advice(history.world.database, asked)


def test_two_questions_of_a_project_are_each_told_by_their_own_plan(history: History) -> None:
    asked = ask_two(history)
    one, two = asked("claude"), asked("gemini")
    for difference, each in ((0.1, one), (0.2, two)):
        fix(
            history,
            DecisionPlan(smallest_difference=difference, reviews=2, candidates=(each.one, each.two)),
        )
    history.reveal(with_plans=True)

    for each, difference in ((one, 0.1), (two, 0.2)):
        found = told(history, each)
        assert (found.planned, found.plan.smallest_difference) == (True, difference)
        assert [promise.kept for promise in found.kept[:2]] == [True, True]
