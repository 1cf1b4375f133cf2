"""The grid of the history, what stands above it, and what the picture is told against."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from comparator.ui.frame import safe
from comparator.workflow.examples import DEMO
from comparator.workflow.services import Services
from tests.app.conftest import open_numbers, open_page
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment, title_of
from tests.worlds.histories.pairs import World

TASKS = 14


@pytest.fixture
def experiment(services: Services) -> Experiment:
    """Three iterations of fourteen tasks, ten of one kind and four of another."""
    return Experiment(World(services.database, services.blobs), iterations=3, tasks_of=TASKS).build()


def cells(app: AppTest) -> pd.DataFrame:
    """The grid."""
    return next(each.value for each in app.dataframe if each.key == "history_grid")


def test_the_grid_has_tasks_by_iterations_with_the_winner_and_how_its_output_begins(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    app.segmented_control(key="view").set_value("Grid").run()

    table = cells(app)
    assert list(table.columns) == ["3", "2", "1"]
    (pair,) = (each for each in experiment.pairs if (each.iteration, each.task) == (1, 1))
    won = WITH if pair.winner > 0 else WITHOUT
    cell = str(table.loc[title_of(1), "1"])
    assert cell.replace(safe.JOINER, "").startswith(f"✓ {won}: " if pair.winner else "= ")
    assert "Run" in cell


def test_the_grid_of_hidden_candidates_has_columns_a_and_b(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    app.segmented_control(key="view").set_value("Grid").run()

    table = cells(app)
    assert list(table.columns) == ["Output A", "Output B"]


def test_all_projects_begin_with_work_by_day_and_the_win_rates_of_all_that_are_revealed(
    app: AppTest, services: Services
) -> None:
    worlds = [World(services.database, services.blobs, project=name) for name in ("Birds", "Fish", DEMO)]
    for world in worlds:
        Experiment(world, iterations=2, tasks_of=2).build()
    hidden = World(services.database, services.blobs, project="Hidden")
    Experiment(hidden, iterations=2, tasks_of=2).build(reveal=False)

    open_page(app, "history")
    open_numbers(app, "project_rates")

    rates = next(each.value for each in app.dataframe if "Step" in each.value)
    assert set(rates) == {"Step", "Birds", "Fish", DEMO}
    assert "Comparisons per day" in [each.value for each in app.subheader]


def test_iterations_chosen_in_a_project_stay_with_it(app: AppTest, services: Services) -> None:
    first, second = (
        Experiment(World(services.database, services.blobs, project=name), iterations=2, tasks_of=2).build()
        for name in ("Birds", "Fish")
    )
    open_page(app, "history", project=first.project, iteration="2")
    assert "Only iteration 2" in [button.label for button in app.button]

    app.selectbox(key="project").set_value(second.project).run()

    assert "iteration" not in app.query_params
    assert not [button for button in app.button if button.label.startswith("Only")]
