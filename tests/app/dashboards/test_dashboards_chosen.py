"""What the dashboards show before anything is chosen, what stays chosen, and the badge that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from comparator.store import tables
from comparator.ui.frame import safe, session
from comparator.workflow.projects.reveal import fix_plan
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, open_page
from tests.app.dashboards.test_dashboards import heads, of_iteration, shown, words
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History
from tests.worlds.histories.pairs import World


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def test_where_nobody_has_reviewed_the_judges_verdicts_count_at_first(app: AppTest, history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()

    shown(app, history)

    assert app.selectbox(key="dashboards_verdicts").value == "either"
    assert heads(app)[0].startswith(f"{NEW} won 2, tied 0 and lost 0 of 2 pairs")


def test_where_somebody_has_reviewed_reviews_count_at_first(app: AppTest, history: History) -> None:
    history.pair(5, 3)
    history.review(history.pair(5, 3), 3, 5)
    history.reveal()

    shown(app, history)

    assert app.selectbox(key="dashboards_verdicts").value == "reviewed"
    assert heads(app)[0].startswith(f"{OLD} won 1, tied 0 and lost 0 of 1 pair")


def test_where_only_the_offline_check_has_read_them_its_verdicts_do_not_count_at_first(
    app: AppTest, history: History
) -> None:
    history.pair(5, 3, judge=OFFLINE)
    history.reveal()

    shown(app, history)

    assert app.selectbox(key="dashboards_verdicts").value == "reviewed"
    assert heads(app)[0].startswith("No pair of")


def test_verdicts_scope_runs_and_new_candidate_are_as_they_were_left(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    open_page(app, "dashboards", project=experiment.project)
    usual = {
        "dashboards_verdicts": "reviewed",
        "dashboards_runs": "valid",
    }
    assert {key: app.selectbox(key=key).value for key in usual} == usual
    newest = of_iteration(services, experiment, "3").split(".")
    (other,) = {*newest} - {app.selectbox(key="dashboards_adopt").value}
    chosen = {"dashboards_verdicts": "judge", "dashboards_runs": "all"}

    app.segmented_control(key="dashboards_scope").set_value("this").run()
    for key, value in chosen.items():
        app.selectbox(key=key).set_value(value).run()
    app.selectbox(key="dashboards_adopt").set_value(other).run()
    address = {key: app.query_params[key] for key in ("verdicts", "scope", "runs", "adopt")}
    # Without a browser the filters of History are still bound to the address when the page after it runs.
    for page in ("history", "queue", "dashboards"):
        open_page(app, page, project=experiment.project)

    assert {key: app.selectbox(key=key).value for key in chosen} == chosen
    assert app.segmented_control(key="dashboards_scope").value == "this"
    assert app.selectbox(key="dashboards_adopt").value == other
    assert {key: app.query_params[key] for key in address} == address
    assert heads(app)[0].startswith((f"{WITHOUT} (3) won", "None of"))


@pytest.mark.slow
def test_files_are_about_the_candidates_that_were_chosen_before_a_visit_to_history(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    offered: dict[str, Callable[[], str | bytes]] = {}
    add = MediaFileManager.add_deferred

    def noted(self: MediaFileManager, *args: Any, **named: Any) -> str:
        offered[named["file_name"]] = args[0]
        return add(self, *args, **named)

    monkeypatch.setattr(MediaFileManager, "add_deferred", noted)
    open_page(app, "dashboards", project=experiment.project, part="plan")
    app.selectbox(key="dashboards_pair").set_value(of_iteration(services, experiment, "1")).run()

    open_page(app, "history", project=experiment.project)
    offered.clear()
    open_page(app, "dashboards", project=experiment.project)

    saved = {name: str(written()) for name, written in offered.items() if not name.endswith(".pdf")}
    for name in ("memo.html", "report.html"):
        assert f"<h1>{WITH} (1) or {WITHOUT} (1)?</h1>" in saved[name]
    assert "(1)" in saved["fix-list.md"]
    assert "(3)" not in saved["fix-list.md"]
    told = {each.comparison_id for each in experiment.pairs if each.comparison_id in saved["analysis.json"]}
    assert told == {each.comparison_id for each in experiment.pairs if each.iteration == 1}


def test_the_iteration_to_compare_with_stays_chosen_and_can_be_linked(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=4, tasks_of=2).build()
    open_page(app, "dashboards", project=experiment.project, part="time")
    since = app.selectbox(key="dashboards_since")
    assert (since.options, since.value) == (["2", "3", "4"], "4")

    since.set_value("2").run()
    assert app.query_params["since"] in ("2", ["2"])
    for page in ("history", "dashboards"):
        open_page(app, page, project=experiment.project)
    assert app.selectbox(key="dashboards_since").value == "2"

    # By a link, whatever was chosen before.
    open_page(app, "dashboards", project=experiment.project, part="time", since="3")
    assert app.selectbox(key="dashboards_since").value == "3"


def test_a_link_shows_what_was_chosen_also_where_that_was_the_usual_choice_when_it_was_sent(
    app: AppTest, services: Services, history: History, repository: Path
) -> None:
    def compared(iteration: str) -> None:
        history.pair(5, 3, names=(f"a{iteration}", f"b{iteration}"))
        history.rename(f"a{iteration}", to=WITH, iteration=iteration)
        history.rename(f"b{iteration}", to=WITHOUT, iteration=iteration)
        history.reveal()

    for iteration in ("1", "2"):
        compared(iteration)
    shown(app, history)
    assert "pair" not in app.query_params
    first, newest = (of_iteration(services, history, each) for each in ("1", "2"))
    new = app.selectbox(key="dashboards_adopt").value
    (old,) = {*newest.split(".")} - {new}
    usual = {"pair": newest, "verdicts": "either", "adopt": new}
    assert {name: app.selectbox(key=f"dashboards_{name}").value for name in usual} == usual

    # Away from each, and back to it.
    for name, other in (("pair", first), ("verdicts", "judge"), ("adopt", old)):
        app.selectbox(key=f"dashboards_{name}").set_value(other).run()
        app.selectbox(key=f"dashboards_{name}").set_value(usual[name]).run()
    link = {name: "".join(app.query_params[name]) for name in usual}
    assert link == usual
    open_page(app, "queue", project=history.project)
    shown(app, history)
    assert {name: "".join(app.query_params[name]) for name in usual} == usual

    compared("3")
    # Reviews make others the usual verdicts.
    history.review(history.made[1], 3, 5)
    later = AppTest.from_file(str(repository / "app.py"), default_timeout=PATIENCE)
    shown(later, history, scope="this", **link)
    assert {name: later.selectbox(key=f"dashboards_{name}").value for name in usual} == usual
    assert f"{WITHOUT} (2)" in heads(later)[0]

    # An address that nobody touched is short, and follows what is usual.
    plain = AppTest.from_file(str(repository / "app.py"), default_timeout=PATIENCE)
    shown(plain, history)
    assert plain.selectbox(key="dashboards_pair").value == of_iteration(services, history, "3")
    assert not {*usual} & {*plain.query_params}


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
    fix_plan(
        services,
        history.project,
        smallest_difference=0.1,
        reviews=1,
        stop_rule="",
        candidates=(one, two),
        person_id=session.me().id,
    )
    history.reveal()
    shown(app, history, scope="this")

    offered = app.selectbox(key="dashboards_pair").options
    assert [option.split(" (")[0].split(":")[0] for option in offered] == ["gold and silver", "2", "1"]
    assert heads(app)[0].startswith(f"{WITH} (2) won 1, tied 0 and lost 0 of 1 pair against {WITHOUT} (2)")


def test_without_a_plan_the_newest_are_chosen_whoever_they_are(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("a", "b"))
    history.rename("a", to=WITH, iteration="1")
    history.rename("b", to=WITHOUT, iteration="1")
    history.pair(5, 3, names=("c", "d"))
    history.rename("c", to="gold", iteration="3")
    history.rename("d", to="silver", iteration="3")
    history.reveal()

    shown(app, history)

    assert heads(app)[0].startswith("gold won 1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "old", "badge"), [(5, 3, f"Adopt {NEW}"), (3, 5, f"Keep {OLD}"), (4, 4, "Cannot tell yet")]
)
def test_the_badge_says_adopt_keep_or_cannot_tell(
    app: AppTest, history: History, new: int, old: int, badge: str
) -> None:
    for number in range(20):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()

    shown(app, history, adopt=history.asked().one)

    told = str(app.markdown[0].value).replace("\\", "").replace(safe.JOINER, "")
    assert "-badge[" in told
    assert told.rstrip("]").endswith(badge)


def test_a_step_back_of_the_browser_brings_the_tab_and_the_filters_of_before(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    open_page(app, "dashboards", project=experiment.project)
    app.segmented_control(key="dashboards_part").set_value("where").run()
    app.selectbox(key="dashboards_verdicts").set_value("judge").run()
    before = dict(app.query_params)
    app.segmented_control(key="dashboards_part").set_value("cost").run()
    app.selectbox(key="dashboards_verdicts").set_value("either").run()

    went_to(app, before)

    assert app.segmented_control(key="dashboards_part").value == "where"
    assert app.selectbox(key="dashboards_verdicts").value == "judge"
    assert dict(app.query_params) == before

    went_to(app, {"project": experiment.project, "within": "iteration:3"})

    assert app.segmented_control(key="dashboards_part").value == "why"
    assert app.selectbox(key="dashboards_verdicts").value == "reviewed"
    assert [each.key for each in app.button if (each.key or "").startswith("chip_")] == ["chip_0"]

    went_to(app, {"project": experiment.project})

    assert not [each.key for each in app.button if (each.key or "").startswith("chip_")]
    # What the browser took away does not come back with the page.
    for page in ("queue", "dashboards"):
        open_page(app, page, project=experiment.project)
    assert app.segmented_control(key="dashboards_part").value == "why"
    assert "within" not in app.query_params


def test_what_was_chosen_stays_if_the_next_click_comes_before_the_browser_has_the_new_address(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=2).build()
    open_page(app, "dashboards", project=experiment.project, part="time", rows="name")
    app.session_state["dashboards_rows"] = "worst"
    app.run()
    assert app.query_params["rows"] == "worst"

    app.query_params["rows"] = "name"
    app.session_state["dashboards_part"] = "cost"
    app.run()

    assert (app.query_params["part"], app.query_params["rows"]) == ("cost", "worst")
    app.session_state["dashboards_part"] = "time"
    app.run()
    assert app.session_state["dashboards_rows"] == "worst"


def test_where_the_filters_leave_too_few_reruns_the_noise_is_said_to_be_the_whole_projects(
    app: AppTest, history: History
) -> None:
    for title, reruns in (("often", 20), ("rare", 1)):
        history.task(title)
        for _ in range(reruns):
            history.pair(3, 3, names=(NEW, NEW))
        history.pair(4, 3)
    history.reveal()
    tasks = {}
    for title in ("often", "rare"):
        history.task(title)
        tasks[title] = history.world.version.task_id

    told = {}
    for title, task_id in tasks.items():
        shown(app, history, verdicts="judge", part="trust", within=f"task:{task_id}")
        told[title] = words(app)

    noise = "0 of 1 pair are within the noise of two runs of the same candidate"
    assert f"{noise} (20 such pairs: " in told["often"]
    assert f"{noise} (21 such pairs in the whole project: " in told["rare"]


def test_a_step_back_of_the_browser_brings_the_project_of_before(app: AppTest, services: Services) -> None:
    world = World(services.database, services.blobs)
    one, two = (History(world).project for _ in range(2))
    open_page(app, "dashboards", project=one)
    app.selectbox(key="project_switcher").set_value(two).run()
    assert two in app.query_params["project"]

    went_to(app, {"project": one})

    assert app.selectbox(key="project_switcher").value == one
    assert one in app.query_params["project"]
    # Also where the step leads to another page.
    app.selectbox(key="project_switcher").set_value(two).run()
    open_page(app, "queue", project=one)
    assert app.selectbox(key="project_switcher").value == one


def test_a_click_on_a_chip_is_one_step_for_back_and_an_address_that_says_all_stays_as_it_is(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    asked = {"project": experiment.project, "verdicts": "reviewed", "part": "why", "within": "iteration:3"}
    written: list[str] = []
    send = QueryParams._send_query_param_msg

    def noted(self: QueryParams) -> None:
        written.append(str(self))
        send(self)

    monkeypatch.setattr(QueryParams, "_send_query_param_msg", noted)

    open_page(app, "dashboards", **asked)
    written.clear()
    app.run()

    assert dict(app.query_params) == asked
    assert not written

    app.selectbox(key="dashboards_verdicts").set_value("either").run()
    app.button(key="chip_0").click().run()

    assert len(written) == 2
    assert "within" not in app.query_params
    assert "either" in app.query_params["verdicts"]
    assert not [each.key for each in app.button if (each.key or "").startswith("chip_")]


def test_an_address_without_a_project_that_the_browser_went_back_to_stays_so(
    app: AppTest, history: History
) -> None:
    open_page(app, "dashboards", project=history.project)

    assert app.selectbox(key="project_switcher").value == history.project
    went_to(app, {})

    assert "project" not in app.query_params
    assert app.selectbox(key="project_switcher").value == history.project


def went_to(app: AppTest, address: dict[str, str | list[str]]) -> None:
    """The browser went to an address of this session."""
    app.query_params.clear()
    app.query_params.update(address)
    app.run()
