"""Dashboards of several projects: what is chosen in one does not go along to another, and each has its card."""

from streamlit.testing.v1 import AppTest

from comparator.store.people import projects
from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.app.dashboards.test_dashboards import words
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


def another(services: Services, name: str) -> World:
    world = World(services.database, services.blobs)
    with services.write() as unit:
        world.project = projects.ensure_project(unit, name)
    return world


def chips(app: AppTest) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith("chip_")]


def test_the_parts_chosen_in_a_project_stay_with_it(app: AppTest, services: Services) -> None:
    first = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=12).build()
    second = Experiment(another(services, "Second"), iterations=2, tasks_of=3).build()
    open_page(
        app, "dashboards", project=first.project, within=["tag:network", "criterion:content.root_cause"]
    )
    assert [label.split(": ", 1)[1].replace("\\", "") for label in chips(app)] == [
        "network",
        "Root Cause (content)",
    ]

    app.selectbox(key="project").set_value(second.project).run()
    assert chips(app) == []
    assert "within" not in app.query_params
    assert "No pair" not in words(app)
