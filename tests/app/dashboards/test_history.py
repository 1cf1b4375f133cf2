"""The history: every comparison, filtered and searched, a page at a time, with its files."""

import json
import re
from datetime import timedelta
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from comparator.cli import app as command_line
from comparator.domain.errors import RightsError
from comparator.domain.rights import Role
from comparator.interop.exported import ExportFormat
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import all_projects, history
from comparator.reporting.history.picture import Axis, Metric, MetricPicture, picture
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.frame.lists.list_rows import SAYS_WHO
from comparator.ui.frame.pair_result import OPENED, SHOWN, Pair
from comparator.ui.frame.state import SessionKey
from comparator.ui.history import export
from comparator.ui.history import grid as grid_module
from comparator.ui.history import picture as picture_module
from comparator.ui.history.filters import LOST as TASKS_LOST
from comparator.ui.history.grid import ITERATION, LOST, SCORES, TASK, TIE, VOID, WON, open_row
from comparator.ui.history.page import GRID, ITERATIONS, look_at_step, revealed_lines
from comparator.ui.history.picture import filter_by
from comparator.workflow.examples import DEMO
from comparator.workflow.exporting.formats import ExportRequest, write_back
from comparator.workflow.projects.settings import views_of
from comparator.workflow.review.review import finalise
from comparator.workflow.services import Services
from tests.app.conftest import finalised, judged, listed, open_numbers, open_page, plain, said, unjudged
from tests.worlds.files.import_files import workspace
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment, title_of
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import say


def titles(app: AppTest) -> list[str]:
    return [row["title"] for row in listed(app)["rows"]]


def test_an_empty_history_offers_the_one_next_step(app: AppTest) -> None:
    open_page(app, "history")

    assert [element.value for element in app.subheader] == ["No comparisons yet"]


def test_every_comparison_stands_there_with_verdict_who_gave_it_and_files_to_save(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    for winner, prompt in ((None, "Report on apples."), ("B", "Report on pears.")):
        finalised(services, judged(pair, prompt=prompt), winner=winner)

    open_page(app, "history")

    rows = sorted(listed(app)["rows"], key=lambda row: row["title"])
    assert [row["status"]["text"] for row in rows] == ["done"] * 2
    assert [action["name"] for row in rows for action in row["actions"]] == ["export"] * 2
    assert [row["by"] for row in rows] == ["reviewer", "overridden"]
    assert (rows[1]["winner"], rows[1]["scores"]) == ("B", {"A": "8.0", "B": "6.0"})
    assert "saxifrage" not in str(listed(app))


def test_search_filters_and_days_narrow_the_list_and_what_is_listed_is_exported_from_a_dialog(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    # The last day counts whole.
    today, day = services.now().date(), timedelta(days=1)
    for only in (today + day, today - day, today):
        open_page(app, "history", since=only.isoformat(), until=only.isoformat())
        assert ("No comparisons match these filters." not in said(app)) is (only == today)
    assert len(titles(app)) == 2
    # A screen reader says each label as it stands there, with what escapes it.
    labels = [each.label for each in (*app.selectbox, *app.number_input, *app.date_input)]
    assert not [label for label in labels if "\\" in label]

    app.text_input(key="q").set_value("pears").run()
    assert titles(app) == ["Report on pears."]
    app.text_input(key="q").set_value("").run()
    app.selectbox(key="status").set_value("finalised").run()
    assert titles(app) == ["Report on apples."]

    app.button(key="export").click().run()
    assert "1 comparison in the list" in said(app)
    # Each run of this test's app is one of the whole page, so the dialog is opened with every click in it.
    app.selectbox(key="export_format").select(ExportFormat.CSV)
    app.button(key="export_write").click()
    app.button(key="export").click().run()
    assert "1 comparison written. Verdicts: 1 reviewed." in said(app)
    (saved,) = (services.settings.home / "cache" / "downloads").glob("*/*/*.csv")
    assert done in saved.read_text(encoding="utf-8")
    assert not app.exception
    app.selectbox(key="judge").set_value("anthropic").run()
    assert "No comparisons match these filters." in said(app)


def test_the_way_back_from_a_pair_leads_to_what_was_looked_at(app: AppTest, pair: tuple[Path, Path]) -> None:
    judged(pair, prompt="Report on apples.")
    other = judged(pair, prompt="Report on pears.")
    # As the browser comes back: the pair's id stands where the search stood.
    (project_id,) = {each.id for each in session.projects()}
    app.session_state[SessionKey.LEFT] = {"q": "apples"}
    app.session_state[SessionKey.LEFT_PROJECT] = project_id
    open_page(app, "history", c=other)

    assert app.selectbox(key="project").value == project_id
    assert app.text_input(key="q").value == "apples"
    assert titles(app) == ["Report on apples."]
    assert "c" not in app.query_params


def test_a_view_is_saved_under_a_name_for_everybody(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=2).build()
    open_page(app, "history", project=experiment.project, metric="Tokens")

    app.text_input(key="view_name").set_value("Tokens")
    next(each for each in app.button if each.label == "Save this view").click().run()

    (view,) = views_of(services, experiment.project)
    assert (view.name, view.address) == ("Tokens", "metric=Tokens")
    assert not app.exception
    app.button(key=f"remove_{view.name}").click().run()
    assert views_of(services, experiment.project) == ()


def grid(app: AppTest, view: str = GRID) -> pd.DataFrame:
    """The table of both outputs of each pair, or of who won each task in each iteration."""
    app.segmented_control(key="view").set_value(view).run()
    return next(each.value for each in app.dataframe if str(each.key).startswith("history_grid"))


def test_picture_and_grids_have_a_and_b_before_the_reveal_and_candidates_and_iterations_after_it(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    assert "Candidates are compared here once they are judged and revealed" in said(app)
    # All reviews are of one day, so how far apart A and B are says more.
    assert [chart.key for chart in app.get("plotly_chart")] == ["chart_blind_picture"]
    assert WITH not in said(app)
    assert list(grid(app).columns) == [TASK, SCORES, "Output A", "Output B"]
    assert ITERATIONS not in app.segmented_control(key="view").options

    experiment.reveal()
    open_page(app, "history", project=experiment.project, view="List")
    assert [chart.key for chart in app.get("plotly_chart")] == ["chart_picture_0"]
    assert "Share of pairs won" in said(app)
    app.selectbox(key="metric").set_value("cost").run()
    assert "These runs do not say what they cost." in said(app)

    table = grid(app, ITERATIONS)
    assert list(table.columns) == [TASK, "3", "2", "1"]
    assert list(table[TASK]) == [title_of(1), title_of(2)]
    (pair,) = (each for each in experiment.pairs if (each.iteration, each.task) == (1, 1))
    mark = TIE if not pair.winner else WON if pair.winner > 0 else LOST
    cell = str(table.set_index(TASK).loc[title_of(1), "1"])
    assert cell.startswith(f"{mark} ")
    assert "Run" in cell
    # Of many iterations, the newest stand there at first.
    monkeypatch.setattr("comparator.ui.history.grid.NEWEST", 2)
    assert list(grid(app, ITERATIONS).columns) == [TASK, "3", "2"]
    app.toggle(key="every_iteration").set_value(True).run()
    assert list(grid(app, ITERATIONS).columns) == [TASK, "3", "2", "1"]
    # Both outputs stand below their candidates, in the order of the list: a page goes on where the one before ends.
    table = grid(app)
    assert list(table.columns) == [TASK, ITERATION, SCORES, WITH, WITHOUT]
    assert list(table[ITERATION]) == ["3", "3", "2", "2", "1", "1"]
    assert list(table[TASK])[:2] == [title_of(1), title_of(2)]
    row = table.iloc[-2]
    assert [row[name][:2] for name in (WITH, WITHOUT)].count(f"{WON} ") == abs(pair.winner)
    assert re.fullmatch(r"\d+\.\d to \d+\.\d", row[SCORES])
    # The figure that was chosen comes back with the list.
    app.segmented_control(key="view").set_value("List").run()
    assert app.selectbox(key="metric").value == "cost"


def test_the_grid_shows_where_outputs_begin_to_differ_below_the_candidate_that_won(
    app: AppTest, services: Services
) -> None:
    past = History(World(services.database, services.blobs))
    same = "Report of the quarter. It begins with"
    past.review(past.pair(5, 3, texts=(f"{same} sales.", f"{same} costs.")), 5, 3)
    past.reveal()

    open_page(app, "history", project=past.project)
    table = grid(app)

    assert table.iloc[0].to_dict() | {TASK: ""} == {
        TASK: "",
        SCORES: "10.0 to 6.0",
        NEW: f"{WON} It begins with sales.",
        OLD: f"{LOST} It begins with costs.",
    }


def test_a_pair_of_a_revealed_project_opens_as_a_result_over_the_page_and_a_blind_one_as_its_review(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = History(World(services.database, services.blobs))
    past.review(past.pair(5, 3), 5, 3)
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr(grid_module, "open_pair", lambda *ids: opened.append(ids))
    monkeypatch.setattr(grid_module, "open_pair_result", lambda *pairs: opened.append(pairs))
    (blind,) = history(services.database, HistoryFilter()).rows
    past.reveal()
    (revealed,) = history(services.database, HistoryFilter()).rows

    for row in (blind, revealed, revealed.copy_with(covered=True)):
        open_row(row, [row])

    pair = Pair(past.project, blind.line.id)
    assert opened == [(blind.line.id,), (pair, [pair]), (blind.line.id,)]
    app.session_state[OPENED] = opened[1]
    open_page(app, "history", project=past.project)
    assert "Verdict by review" in said(app)
    assert titles(app) == [blind.line.title]
    assert not app.exception


def test_from_one_result_to_the_next_a_candidate_keeps_its_side_and_an_unusable_one_says_first_why(
    app: AppTest, services: Services
) -> None:
    past = History(World(services.database, services.blobs))
    made = [past.pair(5, 3), past.pair(5, 3)]
    for pair in made:
        past.review(pair, 5, 3)
    past.void(made[1])
    past.reveal()
    pairs = [Pair(past.project, pair.id) for pair in made]
    app.session_state[OPENED] = (pairs[0], pairs)

    def heads() -> list[str]:
        return [each.value[:3] for each in app.markdown if each.value.startswith((NEW, OLD))]

    open_page(app, "history", project=past.project)
    before = heads()
    assert "wins, 10" in plain(app.title[-1].value)
    assert app.button(key="pair_Previous").disabled
    app.button(key="pair_Next").click().run()
    assert app.session_state[SHOWN] == pairs[1]
    # A click in a dialog runs the whole page here, which closes it.
    app.session_state[OPENED] = (pairs[1], pairs)
    app.run()

    assert heads() == before
    assert plain(app.title[-1].value).endswith("not counted")
    assert "timed out" in plain(app.warning[0].value)
    # What was said of it stands there without a winner.
    assert "not counted: " in said(app)
    assert not [each for each in app.title if "wins" in each.value]
    assert app.button(key="pair_Next").disabled
    counted, unusable = sorted(listed(app)["rows"], key=lambda row: str(row["by"]), reverse=True)
    assert (counted["winner"], unusable["winner"]) == ("A", None)
    assert unusable["by"] == "not counted"
    assert VOID in str(grid(app)[SCORES].tolist())


def test_a_winner_that_the_scores_do_not_give_stands_with_the_rule_that_named_it_and_an_untouched_review_as_accepted(
    app: AppTest, services: Services
) -> None:
    past = History(World(services.database, services.blobs))
    pair = past.pair(5, 3)
    me = session.me().id
    say(services, pair.id, me, ("winner", "B"), ("reasoning", "B is what was asked for."))
    finalise(services.by(me), pair.id)
    untouched = past.pair(3, 5)
    finalise(services.by(me), untouched.id)
    past.reveal()
    opened = Pair(past.project, pair.id)
    app.session_state[OPENED] = (opened, [opened])

    open_page(app, "history", project=past.project)

    assert plain(app.title[-1].value).endswith("(set by the reviewer)")
    assert [row["by"] for row in sorted(listed(app)["rows"], key=itemgetter("by"))] == [
        "accepted",
        "overridden",
    ]
    assert sum("overridden" in scores for scores in grid(app)[SCORES]) == 1


def test_a_task_that_regressed_is_pressed_and_the_list_has_its_pairs(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    task = next(iter(history(services.database, HistoryFilter()).rows)).line

    def regressed(*of: Any, **about: Any) -> MetricPicture:
        turned = SimpleNamespace(task_id=task.task_id, name=task.title, turned=SimpleNamespace(at=1))
        return picture(*of, **about).copy_with(regressed=(turned,))

    monkeypatch.setattr(picture_module, "picture", regressed)
    open_page(app, "history", project=experiment.project)
    assert len(set(titles(app))) == 2

    app.pills(key=TASKS_LOST).set_value(task.task_id).run()

    assert "1 task lost since 2, won before:" in said(app)
    assert set(titles(app)) == {task.title}
    app.pills(key=TASKS_LOST).set_value(None).run()
    assert len(set(titles(app))) == 2
    assert not app.exception


def test_the_offline_check_gives_no_reason(app: AppTest, pair: tuple[Path, Path]) -> None:
    judged(pair)

    open_page(app, "history")

    (row,) = listed(app)["rows"]
    assert row["project"]
    assert row["by"].startswith("form: ")
    assert not row.get("why")


def test_why_a_side_won_stands_in_its_row_and_the_day_only_where_rows_differ_in_it(
    app: AppTest, services: Services
) -> None:
    world = World(services.database, services.blobs, pace=90_000)
    Experiment(world, iterations=2, tasks_of=2).build()

    open_page(app, "history")

    columns, row = ([column["name"] for column in listed(app)["columns"]], listed(app)["rows"][0])
    assert "project" in columns
    assert "why" in columns
    assert "time" in columns
    assert row["why"]
    app.text_input(key="q").set_value(row["title"]).run()
    app.multiselect(key="iteration").set_value(["1"]).run()
    assert "time" not in [column["name"] for column in listed(app)["columns"]]


def test_all_projects_begin_with_work_by_day_and_the_revealed_win_rates(
    app: AppTest, services: Services
) -> None:
    paces = {"Birds": 90_000, "Fish": 90_000, DEMO: 1}
    worlds = [
        World(services.database, services.blobs, project=name, pace=pace) for name, pace in paces.items()
    ]
    for world in worlds:
        Experiment(world, iterations=5, tasks_of=2).build()
    hidden = World(services.database, services.blobs, project="Hidden")
    Experiment(hidden, iterations=2, tasks_of=2).build(reveal=False)

    open_page(app, "history")
    open_numbers(app, "project_rates")

    rates = next(each.value for each in app.dataframe if "Step" in each.value)
    assert set(rates) == {"Step", *(f"{name}: {WITH}" for name in paces)}
    assert "Comparisons per day" in [each.value for each in app.subheader]
    assert {row["project"] for row in listed(app)["rows"]} <= {*paces, "Hidden"}
    # Each project has candidates and iterations of its own: there is no grid of all.
    assert not [each for each in app.segmented_control if each.key == "view"]


def test_a_point_of_a_project_leads_to_the_pairs_of_its_iteration(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build()
    state: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", state)
    lines = list(
        revealed_lines([each for each in all_projects(services.database) if each.id == experiment.project])
    )

    look_at_step(lines, SimpleNamespace(points=[{"curve_number": 0, "point_index": 1}]))

    assert (state["project"], state["iteration"]) == (experiment.project, ["2"])
    # A mark above the lines says what is otherwise from its iteration on.
    figure = picture(
        services.database, HistoryFilter(project_id=experiment.project), Metric.WIN_RATE, axis=Axis.ITERATIONS
    )
    filter_by(figure, SimpleNamespace(box=[], points=[{"x": 0.5, "curve_number": len(figure.lines)}]))
    assert state["iteration"] == ["2", "3"]
    filter_by(figure, SimpleNamespace(box=[], points=[{"x": 1, "curve_number": 0}]))
    assert state["iteration"] == ["2"]


def test_iterations_chosen_in_a_project_stay_with_it(app: AppTest, services: Services) -> None:
    first, second = (
        Experiment(World(services.database, services.blobs, project=name), iterations=2, tasks_of=2).build()
        for name in ("Birds", "Fish")
    )
    open_page(app, "history", project=first.project, iteration="2")
    assert titles(app) == [title_of(2), title_of(1)] or titles(app) == [title_of(1), title_of(2)]

    app.selectbox(key="project").set_value(second.project).run()

    assert "iteration" not in app.query_params
    assert len(titles(app)) == 4


def test_what_i_reviewed_is_a_filter_and_a_reason_that_nobody_gave_is_none(
    app: AppTest, history: History
) -> None:
    mine, theirs = history.pair(5, 3), history.pair(4, 4)
    open_page(app, "history", project=history.project)
    history.review(mine, 4, 4, person_id=session.me().id)
    history.review(theirs, 5, 3)

    open_page(app, "history", project=history.project, status="Reviewed by me")

    (row,) = listed(app)["rows"]
    assert row["href"].endswith(mine.id)


@pytest.mark.parametrize(
    ("reasoning", "why"),
    [
        ("Both outputs do the task equally well.", ""),
        ("Output B is much better.", ""),
        (
            "Output A is better (by content).\n\nThe judge called it a tie: both do.",
            "The judge called it a tie: both do.",
        ),
        ("A is better, as it is whole.", "as it is whole."),
    ],
)
def test_a_sentence_that_no_one_wrote_is_no_reason(reasoning: str, why: str) -> None:
    assert SAYS_WHO.sub("", reasoning) == why


def test_one_button_clears_all_filters(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=2).build()
    open_page(app, "history", project=experiment.project, iteration="2", q="nowhere", status="done")
    assert "No comparisons match these filters." in said(app)

    app.button(key="no_filters").click().run()

    assert len(titles(app)) == 4
    assert not [each for each in app.button if each.key == "no_filters"]


@pytest.fixture
def imported(home: Path, tmp_path: Path) -> Path:
    """A workspace that was imported and judged."""
    root = workspace(tmp_path)
    arguments = ["import", str(root), "--project", "Seasons", "--judge", "now"]
    assert CliRunner().invoke(command_line, arguments).exit_code == 0
    return root


def reopened(app: AppTest) -> AppTest:
    """The dialog, opened with every click in it: each run of this test's app is one of the whole page."""
    return app.button(key="export").click().run()


def results(root: Path) -> dict[Path, str]:
    """The results in a workspace, each with the comparison that it is of."""
    return {
        path.with_name(path.name.replace(".provenance", "")): json.loads(path.read_text())["comparison_id"]
        for path in root.rglob("comparison-*.provenance.json")
    }


def test_results_go_back_into_the_workspace_all_or_the_selection_and_what_cannot_be_written_is_told(
    app: AppTest, imported: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(self), None, str(target))

    open_page(app, "history")
    chosen = listed(app)["rows"][1]["id"]
    reopened(app)
    app.selectbox(key="export_format").select(ExportFormat.WORKSPACE)
    app.multiselect(key="export_selection").select(chosen)
    reopened(app)
    assert "1 comparison picked" in said(app)
    assert app.button(key="export_write").label == "Write into the workspace"
    app.button(key="export_write").click()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refused)
        reopened(app)
    # The folder's name would tell before the reveal.
    (error,) = app.error
    assert "cannot be written beside its eval" in error.value
    assert "iteration" not in error.value
    assert not app.exception
    assert not results(imported)

    app.button(key="export_write").click()
    reopened(app)
    assert "1 comparison written" in said(app)
    assert set(results(imported).values()) == {chosen}

    open_page(app, "history")
    reopened(app)
    app.selectbox(key="export_format").select(ExportFormat.WORKSPACE)
    app.button(key="export_write").click()
    reopened(app)
    assert "4 comparisons written, each beside its eval" in said(app)
    assert "Verdicts: 4 by the offline check alone." in said(app)
    assert f"In the workspace {imported}" in said(app)
    assert not list((home / "cache" / "downloads").glob("*/*/*"))
    assert len(results(imported)) == 4
    assert all(path.is_file() and (path.parent / "with_skill").is_dir() for path in results(imported))


def test_a_selection_names_no_hidden_candidate(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    unjudged(services, pair, prompt="Report on saxifrage-32 and apples.")
    open_page(app, "history")

    reopened(app)

    (offered,) = app.multiselect(key="export_selection").options
    assert "apples" in offered
    assert "saxifrage" not in offered


def test_who_may_not_use_the_servers_files_is_offered_no_workspace(
    app: AppTest, imported: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services.write() as unit:
        lea = people.ensure_person(unit, "oidc:test|lea", name="Lea")
        people.grant(unit, lea.id, Role.LEAD, project_id=None, granted_by=None)
    monkeypatch.setattr(session, "identity", lambda: session.Me(lea.id, lea.name))
    open_page(app, "history")

    reopened(app)

    offered = app.selectbox(key="export_format").options
    assert export.FORMATS[ExportFormat.CSV] in offered
    assert export.FORMATS[ExportFormat.WORKSPACE] not in offered
    every = tuple(row["id"] for row in listed(app)["rows"])
    request = ExportRequest(format=ExportFormat.WORKSPACE, comparisons=every)
    with pytest.raises(RightsError, match="read or write files of the server"):
        write_back(services.by(lea.id), request)
    assert not results(imported)
