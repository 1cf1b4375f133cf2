"""The decision plan on the dashboards: about two candidates, and fixed while nothing of them is revealed."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from comparator.domain.errors import BlindnessError
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.decision import advice
from comparator.reporting.scope import ResultFilter
from comparator.store import tables
from comparator.ui.frame import session
from comparator.workflow.projects.reveal import close_project, fix_plan, reveal_sets
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.app.dashboards.test_dashboards import heads, of_iteration, shown, table, words
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.history import History, twenty_four
from tests.worlds.histories.pairs import World


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def asked(app: AppTest, what: str) -> NumberInput:
    """The number that the form asks for."""
    (found,) = (each for each in app.number_input if str(each.key).startswith(f"plan_{what}_"))
    return found


def test_a_plan_is_fixed_before_the_reveal_and_told_with_what_came_of_it(
    app: AppTest, history: History
) -> None:
    twenty_four(history)
    shown(app, history)
    asked(app, "difference").set_value(5)
    number = asked(app, "reviews")
    assert number.value == 24
    next(button for button in app.button if button.label == "Fix the plan").click().run()
    assert [button for button in app.button if button.label == "Change the plan"]
    assert "Adopt if the interval of the win rate lies above 55%, over 24 pairs" in words(app)
    app.button(key="reveal_now").click().run()
    app.session_state["dashboards_part"] = "plan"
    app.selectbox(key="dashboards_verdicts").set_value("judge").run()

    assert "Plan: adopt if above 55%: cannot tell yet" in words(app)
    assert heads(app)[0].endswith("whether that exceeds the plan's 55% is open.")
    kept = table(app, "Promise")
    assert kept["Kept"].tolist() == ["yes", "yes", "yes"]
    assert "with 24 of 24 counted verdicts given" in kept["Why"].iloc[2]
    assert not [button for button in app.button if "the plan" in button.label]


def test_a_plan_is_made_for_two_candidates_with_no_more_pairs_than_they_have(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=3).build(
        reveal=False
    )
    open_page(app, "dashboards", project=experiment.project)
    newest = set(of_iteration(services, experiment, "2").split("."))
    assert set(str(app.selectbox(key="plan_question").value).split(".")) == newest
    assert len(app.selectbox(key="plan_question").options) == experiment.iterations
    assert asked(app, "reviews").value == 3
    next(button for button in app.button if button.label == "Fix the plan").click().run()

    (plan,) = project_settings(services, experiment.project).plans
    assert set(plan.candidates or ()) == newest
    met = next(
        each
        for each in project_state(services.database, experiment.project).meetings
        if {each.one, each.two} == newest
    )
    assert f"Between {met.one_name} and {met.two_name}." in words(app)


def test_the_plan_of_a_project_with_two_candidates_is_about_them(app: AppTest, history: History) -> None:
    history.pair(5, 3)
    shown(app, history)
    next(button for button in app.button if button.label == "Fix the plan").click().run()

    (plan,) = project_settings(session.services(), history.project).plans
    assert set(plan.candidates or ()) == {history.meeting().one, history.meeting().two}


def test_after_one_set_is_revealed_a_plan_is_fixed_for_another_and_the_first_keeps_its_own(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=3).build(
        reveal=False
    )
    first, second = (of_iteration(services, experiment, each).split(".") for each in "12")

    def fix(difference: float, one: str, two: str) -> None:
        fix_plan(
            services,
            experiment.project,
            smallest_difference=difference,
            reviews=3,
            stop_rule="",
            candidates=(one, two),
            person_id=session.me().id,
        )

    fix(0.1, first[0], first[1])
    reveal_sets(services, experiment.project, [(first[0], first[1])], person_id=session.me().id, reason="")
    with pytest.raises(BlindnessError, match="must be fixed before the reveal"):
        fix(0.2, first[0], first[1])

    open_page(app, "dashboards", project=experiment.project, part="plan")
    assert "Only two candidates without a revealed pair between them can be chosen." in words(app)
    assert len(app.selectbox(key="plan_question").options) == 1
    asked(app, "difference").set_value(20)
    next(button for button in app.button if button.label == "Fix the plan").click().run()

    plans = project_settings(services, experiment.project).plans
    assert [(each.of, each.smallest_difference) for each in plans] == [
        (frozenset(first), 0.1),
        (frozenset(second), 0.2),
    ]
    # What is revealed is still told by the plan that stood then.
    assert "Plan: adopt if above 60%" in words(app)
    assert table(app, "Promise")["Kept"].tolist()[0] == "yes"


def test_each_of_two_blind_questions_is_fixed_its_own_plan_and_told_by_it_after_one_reveal(
    app: AppTest, history: History
) -> None:
    for names in (("claude with", "claude"), ("gemini with", "gemini")):
        for _ in range(3):
            history.pair(5, 3, names=names)
    shown(app, history)
    meetings = project_state(session.services().database, history.project).meetings
    questions = [f"{each.one}.{each.two}" for each in meetings]
    for question, difference in zip(questions, (10, 20), strict=True):
        app.selectbox(key="plan_question").set_value(question).run()
        asked(app, "difference").set_value(difference)
        next(button for button in app.button if button.label == "Fix the plan").click().run()
        assert [button for button in app.button if button.label == "Change the plan"]
    assert "above 60%, over 3 pairs" in words(app)
    assert "above 70%, over 3 pairs" in words(app)
    app.selectbox(key="plan_question").set_value(questions[0]).run()
    assert asked(app, "difference").value == 10

    sets = [(each.one, each.two) for each in meetings]
    reveal_sets(session.services(), history.project, sets, person_id=session.me().id, reason="")

    open_page(app, "dashboards", project=history.project, part="plan", verdicts="judge")
    for each, threshold in zip(sets, (60, 70), strict=True):
        app.selectbox(key="dashboards_pair").set_value(".".join(sorted(each))).run()
        assert f"Plan: adopt if above {threshold}%" in words(app)
        assert table(app, "Promise")["Kept"].tolist()[0] == "yes"


@pytest.mark.parametrize("closing", [False, True], ids=["reveal", "closing"])
def test_a_plan_fixed_later_for_another_iteration_changes_nothing_for_what_is_revealed(
    services: Services, history: History, closing: bool
) -> None:
    def iteration(name: str) -> tuple[str, str]:
        history.pair(5, 3, names=(f"a{name}", f"b{name}"))
        history.rename(f"a{name}", to="with", iteration=name)
        history.rename(f"b{name}", to="without", iteration=name)
        candidate = tables.candidate.c
        with services.database.read() as connection:
            one, two = connection.execute(
                sa.select(candidate.id).where(candidate.iteration == name).order_by(candidate.name)
            ).scalars()
        return one, two

    def fix(difference: float, candidates: tuple[str, str]) -> None:
        fix_plan(
            services,
            history.project,
            smallest_difference=difference,
            reviews=1,
            stop_rule="",
            candidates=candidates,
            person_id=session.me().id,
        )

    first, second = iteration("1"), iteration("2")
    fix(0.1, first)
    if closing:
        close_project(services, history.project, person_id=session.me().id)
    else:
        reveal_sets(services, history.project, [first, second], person_id=session.me().id)
    fix(0.2, iteration("3"))

    one, two = second
    told = advice(services.database, ResultFilter(project_id=history.project, one=one, two=two))

    assert (told.plan.smallest_difference, told.kept[0].kept) == (0.1, True)


def test_of_an_earlier_iteration_it_is_said_that_it_is_not_the_latest(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=2).build()
    first, second = (of_iteration(services, experiment, each) for each in "12")

    open_page(app, "dashboards", project=experiment.project, scope="this", pair=first)
    assert "Iteration 1, not the latest." in words(app)
    assert not re.search(r"Adopt|Keep with", words(app))

    app.selectbox(key="dashboards_pair").set_value(second).run()
    assert "not the latest" not in words(app)
    app.segmented_control(key="dashboards_scope").set_value("all").run()
    assert "not the latest" not in words(app)
