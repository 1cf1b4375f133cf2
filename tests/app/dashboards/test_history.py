"""The history: every comparison, filtered and searched, a page at a time, with its files."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import parse_qsl

import pandas as pd
import pytest
import sqlalchemy as sa
import streamlit as st
from streamlit.testing.v1 import AppTest

from comparator.domain.scoring.result import ComparisonResult
from comparator.interop.exported import ExportFormat
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.store import tables
from comparator.ui.components.listing import RowAction
from comparator.ui.frame import safe
from comparator.ui.frame.lists.list_rows import JUDGMENTS, PROVENANCE, RESULT
from comparator.ui.frame.state import SessionKey
from comparator.ui.history import page
from comparator.ui.history.filters import SINCE, UNTIL
from comparator.workflow.projects.checks import add_check, check_some
from comparator.workflow.projects.settings import views_of
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, PROMPT, finalised, judged, listed, open_page, said
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment
from tests.worlds.histories.pairs import World


def titles(app: AppTest) -> list[str]:
    return [row["title"] for row in listed(app)["rows"]]


def test_an_empty_history_offers_the_one_next_step(app: AppTest) -> None:
    open_page(app, "history")

    assert [element.value for element in app.subheader] == ["No comparisons yet"]


def test_every_comparison_stands_there_with_verdict_and_files_to_save(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = judged(pair)
    finalised(services, comparison_id)

    open_page(app, "history")

    (row,) = listed(app)["rows"]
    assert row["status"]["text"] == "done"
    assert row["by"] == "by the review"
    assert [action["name"] for action in row["actions"]] == ["result", "provenance", "judgments"]
    assert "saxifrage" not in str(listed(app))


def test_search_and_filters_narrow_the_list(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    open_page(app, "history")
    assert len(titles(app)) == 2
    # A screen reader says each label as it stands there, with what escapes it.
    assert not [
        each.label for each in (*app.selectbox, *app.number_input, *app.date_input) if "\\" in each.label
    ]

    app.text_input(key="q").set_value("pears").run()
    assert titles(app) == ["Report on pears."]

    app.text_input(key="q").set_value("").run()
    app.selectbox(key="status").set_value("finalised").run()
    assert titles(app) == ["Report on apples."]

    app.selectbox(key="judge").set_value("anthropic").run()
    assert "No comparisons match these filters." in said(app)


def test_the_way_back_from_a_pair_leads_to_what_was_looked_at(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    judged(pair, prompt="Report on apples.")
    other = judged(pair, prompt="Report on pears.")
    # As the browser comes back: the pair's id stands where the search stood.
    app.session_state[SessionKey.LEFT] = {"q": "apples"}
    open_page(app, "history", c=other)

    assert app.text_input(key="q").value == "apples"
    assert titles(app) == ["Report on apples."]
    assert "c" not in app.query_params


@pytest.mark.slow
def test_what_was_chosen_outlives_a_visit_to_another_page(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(
        World(services.database, services.blobs), iterations=2, tasks_of=13, reviewed=False
    ).build()
    chosen = {"metric": "tokens", "order": "title", "judge": "anthropic", "group": "task"}

    def go_and_come_back() -> None:
        for name in ("queue", "history"):
            open_page(app, name, project=experiment.project)

    open_page(app, "history", project=experiment.project)
    for key, value in chosen.items():
        app.selectbox(key=key).set_value(value)
    app.selectbox(key="over").set_value("Days")
    app.text_input(key="q").set_value("wrong").run()

    go_and_come_back()

    assert {key: app.selectbox(key=key).value for key in chosen} == chosen
    assert app.selectbox(key="over").value == "Days"
    assert app.text_input(key="q").value == "wrong"

    # The time line of a task, and the picture of a project that is drawn on request.
    monkeypatch.setattr("comparator.ui.history.picture.MOST", 0)
    app.selectbox(key="task").select_index(0).run()
    for key in ("timeline_runs", "picture_drawn"):
        app.toggle(key=key).set_value(True).run()

    go_and_come_back()

    assert app.selectbox(key="task").value
    assert app.toggle(key="timeline_runs").value
    assert app.toggle(key="picture_drawn").value


def test_the_list_is_paged(app: AppTest, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE_SIZE", 2)
    for fruit in ("apples", "pears", "plums"):
        judged(pair, prompt=f"Report on {fruit}.")
    open_page(app, "history")
    assert titles(app) == ["Report on plums.", "Report on pears."]

    app.pagination(key="page").set_value(2).run()

    assert titles(app) == ["Report on apples."]


def test_the_saved_files_are_the_exported_ones(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = judged(pair)

    result = page.export(comparison_id, RESULT.name)
    provenance = page.export(comparison_id, PROVENANCE.name)

    assert ComparisonResult.from_json(result.text).winner
    assert json.loads(provenance.text)["comparison_id"] == comparison_id
    assert json.loads(provenance.text)["prompt"] == PROMPT
    assert provenance.name.endswith(".provenance.json")
    assert result.id != provenance.id


def test_what_is_listed_is_exported_from_a_dialog_that_says_whose_verdicts_it_holds(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    open_page(app, "history")
    app.text_input(key="q").set_value("apples").run()

    app.button(key="export").click().run()
    assert "1 comparison in the list" in said(app)
    # Each run of this test's app is one of the whole page, so the dialog is opened with every click in it.
    app.selectbox(key="export_format").select(ExportFormat.CSV)
    app.button(key="export_write").click()
    app.button(key="export").click().run()

    assert "1 comparison written. Verdicts: 1 reviewed." in said(app)
    (save,) = app.get("download_button")
    assert save.proto.label == "Save"
    assert not app.exception


def test_further_filters_stand_behind_one_button_and_can_all_be_taken_away(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    open_page(app, "history")

    app.selectbox(key="source").set_value("review").run()
    assert titles(app) == ["Report on apples."]

    app.button(key="no_filters").click().run()
    assert len(titles(app)) == 2


def test_a_task_that_is_chosen_has_a_time_line_once_it_is_revealed(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    finalised(services, judged(pair))
    open_page(app, "history")

    app.selectbox(key="task").set_value(app.selectbox(key="task").options[0]).run()

    assert "The timeline of this task appears" in said(app)
    assert "1 comparison left out until the reveal" in said(app)


def test_rows_say_names_in_place_of_letters_once_they_are_revealed(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    assert [row["names"] for row in listed(app)["rows"]] == [None, None]
    assert WITH not in str(listed(app))

    experiment.reveal()
    open_page(app, "history", project=experiment.project)

    for row in listed(app)["rows"]:
        (pair,) = (each for each in experiment.pairs if each.comparison_id == row["id"])
        assert set(row["names"].values()) == {WITH, WITHOUT}
        assert row["names"][row["winner"]] == (WITH if pair.winner > 0 else WITHOUT)


def test_the_judgments_of_a_pair_say_names_in_place_of_letters_once_they_are_revealed(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build(
        reveal=False
    )
    pair = next(each for each in experiment.pairs if each.winner)
    chosen = RowAction(id=pair.comparison_id, action=JUDGMENTS.name)

    def judgments() -> pd.DataFrame:
        open_page(app, "history", project=experiment.project)
        with monkeypatch.context() as patched:
            patched.setattr(page, "listing", lambda *_, **__: chosen)
            app.run()
        assert not app.exception
        return next(each.value for each in app.dataframe if "Winner" in each.value)

    blind = judgments()
    assert blind["Winner"].tolist() in (["A"], ["B"])
    assert "A : B" in blind

    experiment.reveal()

    told = judgments()
    row = next(
        each
        for each in listed(open_page(app, "history", project=experiment.project))["rows"]
        if each["id"] == pair.comparison_id
    )
    assert told["Winner"].tolist() == [row["names"][row["winner"]]]
    assert f"{row['names']['A']} : {row['names']['B']}" in told


def test_the_address_names_what_the_picture_is_over_by_a_plain_word(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=1).build()

    open_page(app, "history", project=experiment.project, over="Days")

    assert app.selectbox(key="over").value == "Days"


def test_a_new_search_begins_at_its_first_page(app: AppTest, services: Services) -> None:
    world = World(services.database, services.blobs)
    for number in range(1, 60):
        world.compare(title=f"Network {number}" if number < 30 else f"Storage {number}")
    open_page(app, "history", project=world.project.id)
    app.session_state["page"] = 3
    app.run()
    assert len(titles(app)) == 9

    app.text_input(key="q").set_value("network").run()
    assert len(titles(app)) == 25

    app.text_input(key="q").set_value("network 7").run()
    assert titles(app) == ["Network 7"]


def test_the_list_stands_in_groups_and_a_winner_is_found_by_its_name(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    open_page(app, "history", project=experiment.project)
    # Names tell more than letters once they may be told.
    assert app.selectbox(key="winner").options == [f"{WITH} wins", f"{WITHOUT} wins", "Tie"]

    app.selectbox(key="group").set_value("iteration").run()
    assert {row["group"] for row in listed(app)["rows"][:12]} == {"Iteration 2"}
    app.selectbox(key="group").set_value("task").run()
    groups = [row["group"] for row in listed(app)["rows"]]
    assert groups[:6] == ["Billing 1", "Billing 1", "Billing 2", "Billing 2", "Network 1", "Network 1"]
    assert groups[-2:] == ["Network 10", "Network 10"]

    app.selectbox(key="winner").set_value(f"by:{WITHOUT}").run()
    lost = {each.comparison_id for each in experiment.pairs if each.winner < 0}
    assert {row["id"] for row in listed(app)["rows"]} == lost
    # Scores stand in the order of the names, whichever of them is output A.
    assert {(row["names"]["A"] > row["names"]["B"]) == row["turned"] for row in listed(app)["rows"]} == {True}


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


def test_a_saved_view_opens_as_it_was_saved(app: AppTest, repository: Path, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=3).build()
    open_page(app, "history", project=experiment.project, q="Network 2", order="Oldest first")
    assert [row["title"] for row in listed(app)["rows"]] == ["Network 2"] * 2
    oldest = [row["id"] for row in listed(app)["rows"]]
    app.text_input(key="view_name").set_value("Only the second")
    next(each for each in app.button if each.label == "Save this view").click().run()

    (view,) = app.get("link_button")
    assert view.proto.label.replace("\\", "").replace(safe.JOINER, "") == "Only the second"
    page, _, address = view.proto.url.partition("?")
    assert page == "/history"
    other = AppTest.from_file(str(repository / "app.py"), default_timeout=PATIENCE)
    open_page(other, "history", **dict(parse_qsl(address)))

    assert [row["id"] for row in listed(other)["rows"]] == oldest
    assert other.text_input(key="q").value == "Network 2"
    assert other.selectbox(key="order").value == "oldest"


def test_the_picture_stands_above_the_list_and_says_what_is_missing(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    assert "Candidates are compared here once they are judged and revealed." in said(app)
    with services.database.read() as connection:
        finals = connection.execute(
            sa.select(tables.finalisation.c.at, tables.finalisation.c.winner).where(
                tables.finalisation.c.kind == "final"
            )
        ).all()
    # All on one day: a single bar would say less than the sentence.
    (day,) = {row.at.date().isoformat() for row in finals}
    a, ties, b = (sum(row.winner == winner for row in finals) for winner in ("A", "TIE", "B"))
    assert f"{day}: {a} A wins, {ties} tie, {b} B wins." in said(app)
    assert not app.get("plotly_chart")

    experiment.reveal()
    open_page(app, "history", project=experiment.project)
    assert [chart.key for chart in app.get("plotly_chart")] == ["chart_picture_0"]
    assert f"Win rate against {WITHOUT}" in said(app)

    app.selectbox(key="metric").set_value("cost").run()
    assert "These runs do not say what they cost." in said(app)


@pytest.mark.parametrize("offset", [-600, 600])
def test_a_day_of_the_picture_lists_the_pairs_of_its_dots_in_every_time_zone(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch, offset: int
) -> None:
    monkeypatch.setattr(type(st.context), "timezone_offset", property(lambda _: offset))
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=1).build()
    fact = tables.fact
    times = [datetime(2026, 3, day, hour, tzinfo=UTC) for day, hour in ((1, 23), (2, 12), (3, 1))]
    with services.database.write() as connection:
        for each, at in zip(experiment.pairs, times, strict=True):
            of_pair = fact.c.comparison_id == each.comparison_id
            connection.execute(fact.update().where(of_pair).values(created_at=at))
    asked = HistoryFilter(project_id=experiment.project)
    found = picture(services.database, asked, Metric.SCORE, axis=Axis.DAYS)
    assert found.steps == ("2026-03-01", "2026-03-02", "2026-03-03")
    open_page(app, "history", project=experiment.project)

    for each, step in zip(experiment.pairs, found.steps, strict=True):
        app.session_state[SINCE] = app.session_state[UNTIL] = date.fromisoformat(step)
        app.run()
        assert [row["id"] for row in listed(app)["rows"]] == [each.comparison_id]


def test_what_a_check_found_is_a_filter(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build(
        reveal=False
    )
    add_check(
        services, experiment.project, name="Second", pattern=f"Run 1.2.{WITH}", is_regex=False, match_case=True,
        person_id=None,
    )  # fmt: skip
    while check_some(services, experiment.project):
        pass
    open_page(app, "history", project=experiment.project)

    app.selectbox(key="check").set_value(app.selectbox(key="check").options[0]).run()
    assert titles(app) == ["Network 2"]


def test_every_order_that_is_offered_lists_the_pairs(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    finalised(services, judged(pair))
    open_page(app, "history")

    for label in app.selectbox(key="order").options:
        app.selectbox(key="order").select(label).run()
        assert len(listed(app)["rows"]) == 1, label
        assert not app.exception
