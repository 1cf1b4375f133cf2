"""What the dashboards show before anything is chosen, what stays chosen, the plan, notes, and who may see them."""

from typing import Any

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from comparator.domain.rights import Role
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.over_iterations import over_iterations
from comparator.reporting.scope import By, Within
from comparator.store import tables
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.frame.session import Me
from comparator.workflow.projects.reveal import fix_plan, reveal_sets
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from tests.app.conftest import open_page, plain, said
from tests.app.dashboards.test_dashboards import heads, shown, table, words
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment, asked_about
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History, twenty_four
from tests.worlds.histories.pairs import JudgeId, World


@pytest.mark.parametrize(
    ("judge", "reviewed", "head"),
    [
        (None, False, f"{NEW} won 2 pairs and lost 0 against"),
        (None, True, f"{NEW} won 1 pair and lost 1 against"),
        (OFFLINE, False, "No pair of"),
    ],
    ids=["judge", "review", "offline check"],
)
def test_of_each_pair_the_review_counts_at_first_else_the_judges_verdict_and_never_the_offline_checks(
    app: AppTest, history: History, judge: JudgeId | None, reviewed: bool, head: str
) -> None:
    history.pair(5, 3, judge=judge)
    second = history.pair(5, 3, judge=judge)
    if reviewed:
        history.review(second, 3, 5)
    history.reveal()

    shown(app, history)

    assert heads(app)[0].startswith(head)


def test_the_candidates_of_the_plan_are_chosen_at_first_in_their_newest_iteration(
    app: AppTest, services: Services, history: History
) -> None:
    for iteration in ("1", "2"):
        history.pair(5, 3, names=(f"a{iteration}", f"b{iteration}"))
        history.rename(f"a{iteration}", to=WITH, iteration=iteration)
        history.rename(f"b{iteration}", to=WITHOUT, iteration=iteration)
    # Newer, and with more pairs: these are chosen where no plan names others.
    for _ in range(2):
        history.pair(5, 3, names=("c", "d"))
    history.rename("c", to="gold", iteration="3")
    history.rename("d", to="silver", iteration="3")
    open_page(app, "dashboards", project=history.project)
    candidate = tables.candidate.c
    with services.database.read() as connection:
        one, two = connection.execute(sa.select(candidate.id).where(candidate.iteration == "1")).scalars()
    plan: Any = {"smallest_difference": 0.1, "reviews": 1, "stop_rule": "", "candidates": (one, two)}
    fix_plan(services.by(session.me().id), history.project, **plan)
    history.reveal()
    shown(app, history, scope="2")

    assert app.selectbox(key="pair").options == ["gold and silver", f"{WITH} and {WITHOUT}"]
    assert app.selectbox(key="scope").options == ["All", "2", "1"]
    assert heads(app)[0].startswith(f"{WITH} (2) won 1 pair and lost 0 against {WITHOUT} (2)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "old", "badge"),
    [(5, 3, f"Do not adopt {NEW} yet"), (3, 5, f"Keep {OLD} for now"), (4, 4, f"Do not adopt {NEW} yet")],
)
def test_without_a_plan_the_badge_says_what_to_do_as_far_as_the_judge_alone_tells(
    app: AppTest, history: History, new: int, old: int, badge: str
) -> None:
    for number in range(20):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()

    shown(app, history, adopt=NEW)

    told = plain(app.markdown[0].value)
    assert "-badge[" in told
    assert told.rstrip("]").endswith(badge)


def chips(app: AppTest) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith("chip_")]


def test_the_page_is_narrowed_to_iterations_since_one(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=4, tasks_of=3).build()
    open_page(app, "dashboards", project=experiment.project)
    assert app.selectbox(key="scope").options == ["All", "4", "3", "2", "1", "Since 3", "Since 2"]

    app.selectbox(key="scope").set_value("since 3").run()

    assert app.selectbox(key="scope").value == "all"
    assert [plain(label) for label in chips(app)] == ["Since iteration: 3"]
    result_filter = asked_about(experiment, 4)
    meets = [asked_about(experiment, iteration).meetings[0] for iteration in range(1, 5)]
    narrowed = result_filter.over(*meets).model_copy(update={"within": (Within(by=By.SINCE, value="3"),)})
    history = over_iterations(services.database, narrowed)
    assert history is not None
    assert history.steps == ["3", "4"]


def test_the_parts_chosen_in_a_project_stay_with_it(app: AppTest, services: Services) -> None:
    first = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=3).build()
    other = World(services.database, services.blobs, project="Second")
    second = Experiment(other, iterations=2, tasks_of=3).build()
    narrowed: dict[str, str | list[str]] = {
        "within": ["tag:network", "files:markdown"],
        "scope": "1",
        "from": "2",
    }
    narrowed["part"] = "Over time"
    open_page(app, "dashboards", project=first.project, **narrowed)
    named = [label.split(": ", 1)[1].replace("\\", "") for label in chips(app)]
    assert named == ["network", "markdown"]

    app.selectbox(key="project").set_value(second.project).run()
    assert chips(app) == []
    assert not {"within", "scope", "from"} & set(app.query_params)
    assert app.selectbox(key="scope").value == "all"
    assert "No pair of" not in words(app)


def asked(app: AppTest, what: str) -> NumberInput:
    """The number that the form asks for."""
    (found,) = (each for each in app.number_input if str(each.key).startswith(f"plan_{what}_"))
    return found


def test_a_plan_is_fixed_before_the_reveal_and_told_with_its_outcome(app: AppTest, history: History) -> None:
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


def test_each_of_two_blind_questions_has_its_own_plan_after_one_reveal(
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

    shown(app, history, part="Plan and report", verdicts="Judge only (not reviewed)")
    for each, threshold in zip(sets, (60, 70), strict=True):
        app.selectbox(key="pair").set_value(".".join(sorted(each))).run()
        assert f"Plan: adopt if above {threshold}%" in words(app)
        assert table(app, "Promise")["Kept"].tolist()[0] == "yes"


@pytest.mark.parametrize("address", [{}, {"part": "trust"}, {"behind": "agree:*"}, {"verdicts": "either"}])
def test_a_reviewer_of_an_open_project_sees_no_result(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch, address: dict[str, str]
) -> None:
    history = History(World(services.database, services.blobs))
    history.review(history.pair(5, 3), 5, 3)
    history.reveal()
    history.pair(5, 3, names=("third-prompt", OLD))
    with services.write() as unit:
        # Whoever sits at the machine is an admin; this one signed in.
        ben = people.ensure_person(unit, "oidc:test|ben", name="Ben")
        people.grant(unit, ben.id, Role.REVIEWER, project_id=history.project, granted_by=None)
    monkeypatch.setattr(session, "identity", lambda: Me(ben.id, ben.name))

    open_page(app, "dashboards", project=history.project, **address)

    assert not app.dataframe
    assert not app.get("plotly_chart")
    told = "\n".join([said(app), *(str(each.value) for each in (*app.header, *app.subheader, *app.markdown))])
    assert NEW not in told
    assert "wins" not in told
    assert "won" not in told


def test_a_note_stands_in_the_chart_until_it_is_taken_away(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=3).build()
    open_page(app, "history", project=experiment.project)

    app.selectbox(key="note_step").set_value("2")
    app.text_input(key="note_words").set_value("new *prompt*")
    next(each for each in app.button if each.label == "Mark in the chart").click().run()

    (note,) = project_settings(services, experiment.project).notes
    assert (note.step, note.words) == ("2", "new *prompt*")
    charts = [each.proto.spec for each in app.get("plotly_chart")]
    assert any("new *prompt*" in spec for spec in charts)

    app.button(key="note_0").click().run()
    assert project_settings(services, experiment.project).notes == ()
    assert "Something went wrong" not in said(app)
