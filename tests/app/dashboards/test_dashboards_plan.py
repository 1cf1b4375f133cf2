"""The decision plan on the dashboards: about two candidates, and fixed while nothing of them is revealed."""

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from comparator.reporting.results.candidates import project_state
from comparator.ui.frame import session
from comparator.workflow.projects.reveal import reveal_sets
from tests.app.conftest import open_page
from tests.app.dashboards.test_dashboards import heads, shown, table, words
from tests.worlds.histories.history import History, twenty_four


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
    app.segmented_control(key="part").set_value("plan").run()
    app.selectbox(key="verdicts").set_value("judge").run()

    assert "Plan: adopt if above 55%, by judge only (not reviewed): cannot tell yet" in words(app)
    assert heads(app)[0].endswith("too close to the plan's threshold to tell.")
    kept = table(app, "Promise")
    assert kept["Kept"].tolist() == ["yes", "yes", "yes"]
    assert "with 24 of 24 counted verdicts given" in kept["Why"].iloc[2]
    assert not [button for button in app.button if "the plan" in button.label]


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
    reveal_sets(session.as_me(), history.project, sets, reason="")

    open_page(
        app,
        "dashboards",
        project=history.project,
        part="Plan and report",
        verdicts="Judge only (not reviewed)",
    )
    for each, threshold in zip(sets, (60, 70), strict=True):
        app.selectbox(key="pair").set_value(".".join(sorted(each))).run()
        assert f"Plan: adopt if above {threshold}%" in words(app)
        assert table(app, "Promise")["Kept"].tolist()[0] == "yes"
