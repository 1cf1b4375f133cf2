"""Dashboards of several projects: what is chosen in one does not go along to another, and each has its card."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from comparator.reporting.results.candidates import project_state
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from comparator.ui.dashboards import cards
from comparator.ui.frame.state import SessionKey
from comparator.workflow.services import Services
from tests.app.conftest import open_numbers, open_page
from tests.app.dashboards.test_dashboards import words
from tests.worlds.histories.experiment import Experiment, kind_of
from tests.worlds.histories.pairs import World


def another(services: Services, name: str) -> World:
    world = World(services.database, services.blobs)
    with services.database.write() as connection:
        unit = Unit(connection, at=services.now(), new_id=services.new_id)
        world.project = projects.ensure_project(unit, name)
    return world


def chips(app: AppTest) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith("chip_")]


def test_the_parts_chosen_in_a_project_stay_with_it(app: AppTest, services: Services) -> None:
    first = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    second = Experiment(another(services, "Second"), iterations=2, tasks_of=3).build()
    open_page(app, "dashboards", within=["tag:network", "criterion:content.root_cause"])
    app.selectbox(key="project_switcher").set_value(first.project).run()
    assert [label.split(": ", 1)[1].replace("\\", "") for label in chips(app)] == [
        "network",
        "Root Cause (content)",
    ]

    app.selectbox(key="project_switcher").set_value(second.project).run()
    assert chips(app) == []
    assert "within" not in app.query_params
    assert "No pair" not in words(app)

    app.selectbox(key="project_switcher").set_value(first.project).run()
    assert len(chips(app)) == 2
    open_page(app, "history", project=first.project)
    app.selectbox(key="project_switcher").set_value(second.project).run()
    open_page(app, "dashboards", project=second.project)
    assert chips(app) == []


def _leave() -> None:
    import streamlit as st

    from comparator.ui.frame.lists.pair_links import open_pair

    if st.button("Open", key="open"):
        open_pair("a-pair")


def test_the_way_back_keeps_every_part_to_which_the_page_was_narrowed(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    parts = ["tag:network", "criterion:content.root_cause"]
    left = AppTest.from_function(_leave)
    left.query_params["project"] = experiment.project
    left.query_params["within"] = parts
    left.run().button(key="open").click().run()

    # As the browser comes back: the pair's id stands in the address.
    app.session_state[SessionKey.LEFT] = left.session_state[SessionKey.LEFT]
    open_page(app, "dashboards", c="a-pair")

    assert app.query_params["within"] == parts
    assert len(chips(app)) == 2


def test_trust_and_cost_count_the_pairs_that_are_chosen_or_the_whole_project(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    valid = [each for each in experiment.pairs if each.valid]
    newest = [each for each in valid if each.iteration == 2]
    network = [each for each in newest if kind_of(each.task) == "network"]
    assert 0 < len(network) < len(newest) < len(valid) < len(experiment.pairs)

    def first_figure() -> str:
        (agrees,) = (each for each in app.metric if each.label == "Judge agrees")
        told = re.search(r"in ([\d,]+) of ([\d,]+) reviews", agrees.help.replace("\\", ""))
        assert told is not None
        return told[2]

    def reviews() -> int:
        rows = next(frame.value for frame in app.dataframe if "Beyond chance (AC1)" in frame.value.columns)
        return int(rows[["Same winner", "Another winner"]].to_numpy().sum())

    open_page(app, "dashboards", project=experiment.project, part="trust", scope="this")
    open_numbers(app, "agreement")
    assert (reviews(), first_figure()) == (len(newest), str(len(newest)))
    for name, value, expected in (
        ("runs", "all", [each for each in experiment.pairs if each.iteration == 2]),
        ("runs", "valid", newest),
        ("scope", "all", valid),
        ("scope", "this", newest),
    ):
        app.session_state[f"dashboards_{name}"] = value
        app.run()
        assert (reviews(), first_figure()) == (len(expected), str(len(expected)))
    open_page(
        app, "dashboards", project=experiment.project, part="trust", scope="this", within=["tag:network"]
    )
    open_numbers(app, "agreement")
    assert (reviews(), first_figure()) == (len(network), str(len(network)))

    # A figure leads to the pairs that it counts.
    rows = next(frame.value for frame in app.dataframe if "Beyond chance (AC1)" in frame.value.columns)
    for place, row in rows.iterrows():
        for named in ("Same winner", "Another winner"):
            if not row[named]:
                continue
            address = parse_qsl(urlsplit(str(row[f"Pairs: {named}"])).query)
            open_page(app, "dashboards", **dict(address))
            behind = next(
                frame.value for frame in app.dataframe if list(frame.value.columns) == ["Task", "Pair"]
            )
            assert len(behind) == row[named], place


def test_an_address_that_names_no_result_lists_no_pairs(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    met = project_state(services.database, experiment.project).revealed_meetings[0]
    two = {"project_id": experiment.project, "one": met.one, "two": met.two}

    def listed(behind: object) -> int:
        asked = behind if isinstance(behind, str) else json.dumps(behind)
        open_page(app, "dashboards", project=experiment.project, behind=asked)
        assert not app.exception
        rows = [frame.value for frame in app.dataframe if list(frame.value.columns) == ["Task", "Pair"]]
        assert bool(rows) is ("No pairs are counted there now." not in words(app))
        return len(rows[0]) if rows else 0

    judged = {"figure": "judge", "key": "*|*|judged"}
    assert listed({"result": two, **judged}) > 0
    for wrong in (
        "x",
        "{}",
        {"result": two | {"verdicts": "nonsense"}, **judged},
        {"result": two | {"within": [{"by": "length", "value": "endless"}]}, **judged},
        {"result": two | {"within": [{"by": "tag", "value": "%00"}]}, **judged},
        {"result": two | {"two": met.one}, **judged},
        {"result": two | {"two": "' OR 1=1 --"}, **judged},
        # Not a figure that a chart shows.
        {"figure": "guessed", "key": "*"},
        {"result": two, "sql": "select 1", **judged},
    ):
        assert listed(wrong) == 0, wrong


def test_all_projects_can_be_shown_a_dozen_at_a_time(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cards, "MOST", 2)
    for name in ("One", "Two", "Three", "Four", "Five"):
        another(services, name)

    def shown(app: AppTest) -> int:
        return sum(str(button.key).startswith("card_open_") for button in app.button)

    open_page(app, "dashboards")
    every = len(app.selectbox(key="project_switcher").options) - 1
    assert shown(app) == 2
    assert f"{every - 2} more projects." in words(app)
    for _ in range(-(-every // 2) - 1):
        app.button(key="cards_more").click().run()
    assert shown(app) == every
    assert "cards_more" not in [button.key for button in app.button]
