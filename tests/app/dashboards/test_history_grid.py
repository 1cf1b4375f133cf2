"""The grid of the history, what stands above it, and what the picture is told against."""

from __future__ import annotations

import pandas as pd
import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.store import tables
from comparator.workflow.examples import DEMO
from comparator.workflow.services import Services
from tests.app.conftest import open_numbers, open_page, said
from tests.app.dashboards.test_dashboards_chosen import went_to
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment, kind_of, title_of
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World

TASKS = 14


@pytest.fixture
def experiment(services: Services) -> Experiment:
    """Three iterations of fourteen tasks, ten of one kind and four of another."""
    return Experiment(World(services.database, services.blobs), iterations=3, tasks_of=TASKS).build()


def cells(app: AppTest) -> pd.DataFrame:
    """The grid."""
    return next(each.value for each in app.dataframe if each.key == "history_grid")


def test_the_grid_has_tasks_by_candidates_with_the_start_and_the_verdict_of_each_output(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    app.segmented_control(key="view").set_value("Grid").run()

    table = cells(app)
    assert list(table.columns) == [f"{name} ({n})" for name in (WITH, WITHOUT) for n in (1, 2, 3)]
    (pair,) = (each for each in experiment.pairs if (each.iteration, each.task) == (1, 1))
    won, lost = (WITH, WITHOUT) if pair.winner > 0 else (WITHOUT, WITH)
    row = table.loc[title_of(1)]
    assert row[f"{won} (1)"].startswith("✓ " if pair.winner else "= ")
    assert not row[f"{lost} (1)"].startswith("✓")
    assert "Run" in row[f"{won} (1)"]


def test_the_grid_of_hidden_candidates_has_columns_a_and_b(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    app.segmented_control(key="view").set_value("Grid").run()

    table = cells(app)
    assert list(table.columns) == ["Output A", "Output B"]


def test_the_grid_shows_what_fits_the_filters(app: AppTest, experiment: Experiment) -> None:
    open_page(app, "history", project=experiment.project)
    app.segmented_control(key="view").set_value("Grid").run()
    app.selectbox(key="tag").set_value(kind_of(11)).run()

    assert len(cells(app)) == TASKS - 10


def test_with_very_many_pairs_the_picture_comes_on_request(
    app: AppTest, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.ui.history.picture.MOST", 0)
    open_page(app, "history", project=experiment.project)
    assert not app.get("plotly_chart")

    app.toggle(key="picture_drawn").set_value(True).run()

    assert app.get("plotly_chart")


def test_all_projects_begin_with_work_by_day_and_win_rates_without_the_demo(
    app: AppTest, services: Services
) -> None:
    worlds = [World(services.database, services.blobs, project=name) for name in ("Birds", "Fish", DEMO)]
    for world in worlds:
        Experiment(world, iterations=2, tasks_of=2).build()

    open_page(app, "history")
    open_numbers(app, "project_rates")

    rates = next(each.value for each in app.dataframe if "Step" in each.value)
    assert set(rates) == {"Step", "Birds", "Fish"}
    assert "Comparisons and reviews per day" in [each.value for each in app.subheader]


def test_the_address_names_what_the_win_rate_is_told_against(app: AppTest, experiment: Experiment) -> None:
    open_page(app, "history", project=experiment.project, against=WITH)
    assert app.selectbox(key="against").value == WITH
    assert f"Win rate against {WITH}:" in said(app)

    app.selectbox(key="against").set_value(WITHOUT).run()
    assert f"Win rate against {WITHOUT}:" in said(app)


@pytest.mark.parametrize("unknown", ["1", "x"])
def test_an_unknown_reference_means_the_usual(app: AppTest, experiment: Experiment, unknown: str) -> None:
    open_page(app, "history", project=experiment.project, against=unknown)

    assert app.selectbox(key="against").value == WITHOUT


def test_of_many_lines_one_is_chosen_to_have_its_interval_and_the_address_says_which(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    app.selectbox(key="metric").set_value("score").run()
    assert not [each for each in app.selectbox if each.key == "dashboards_band"]
    history = History(experiment.world)
    for names, label in ((("gold", "silver"), "Noise of"), (("copper", "gold"), "Interval of")):
        for iteration in ("1", "2"):
            first, second = (f"{name}-{iteration}" for name in names)
            history.pair(5, 3, names=(first, second))
            for name in names:
                history.rename(f"{name}-{iteration}", to=name, iteration=iteration)
        history.reveal()
        app.run()
        assert app.selectbox(key="dashboards_band").label == label
    assert app.selectbox(key="dashboards_band").options == ["copper", "gold", "silver", WITH, WITHOUT]
    (silver,) = candidates(experiment, "silver", iteration="1")
    app.selectbox(key="dashboards_band").set_value(silver).run()

    assert app.query_params["band"] == silver
    went_to(app, {"project": experiment.project, "metric": "score", "band": "x"})
    assert app.selectbox(key="dashboards_band").value == candidates(experiment, "copper", iteration="1")[0]
    assert "band" not in app.query_params


def candidates(experiment: Experiment, *names: str, iteration: str | None = None) -> list[str]:
    """The ids of the candidates of these names."""
    c = tables.candidate.c
    query = sa.select(c.id).where(c.name.in_(names))
    if iteration is not None:
        query = query.where(c.iteration == iteration)
    with experiment.world.database.read() as connection:
        return list(connection.execute(query).scalars())
