"""The heat map between the picture and the list of the history: what it counts, and the pairs behind a cell."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.store import tables
from comparator.ui.frame.lists.filters import pair_id
from comparator.ui.history.grid import AT_FIRST
from comparator.workflow.services import Services
from tests.app.conftest import listed, open_page, said
from tests.app.dashboards.test_dashboards_chosen import went_to
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World

TASKS = 14


@pytest.fixture
def experiment(services: Services) -> Experiment:
    """Three iterations of fourteen tasks, ten of one kind and four of another."""
    return Experiment(World(services.database, services.blobs), iterations=3, tasks_of=TASKS).build()


def rows(app: AppTest) -> list[str]:
    """The names of the grid's rows."""
    grids = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    (grid,) = (each for each in grids if each["layout"]["xaxis"].get("side") == "top")
    return [each.split()[0] for each in grid["layout"]["yaxis"]["ticktext"]]


def test_a_cell_filters_the_list_by_its_pairs_and_the_address_says_so(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    before = rows(app)

    task = app.selectbox(key="grid_task")
    assert [option.split()[0] for option in task.options] == [f"eval-{n}" for n in range(1, TASKS + 1)]
    task.select_index(1).run()
    app.selectbox(key="grid_iteration").select_index(2).run()
    app.button(key="grid_open").click().run()

    (pair,) = (each for each in experiment.pairs if (each.iteration, each.task) == (1, 2))
    assert [row["id"] for row in listed(app)["rows"]] == [pair.comparison_id]
    assert app.query_params["iteration"] == "1"
    assert "task" in app.query_params
    assert rows(app) == before


def test_the_first_tasks_are_shown_and_all_on_request(app: AppTest, experiment: Experiment) -> None:
    open_page(app, "history", project=experiment.project)
    assert len(rows(app)) == AT_FIRST

    app.toggle(key="grid_all").set_value(True).run()

    assert len(rows(app)) == TASKS


def test_the_grid_counts_what_fits_the_other_filters(app: AppTest, experiment: Experiment) -> None:
    open_page(app, "history", project=experiment.project)

    app.selectbox(key="tag").set_value(kind_of(11)).run()

    assert set(rows(app)) == {f"eval-{n}" for n in range(11, TASKS + 1)}
    assert not app.exception


def test_there_is_no_grid_of_one_iteration(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=3).build()

    open_page(app, "history", project=experiment.project)

    assert not [each for each in app.selectbox if each.key == "grid_task"]
    assert not app.exception


def test_with_very_many_pairs_the_grid_comes_with_the_picture_or_says_why_not(
    app: AppTest, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.ui.history.picture.MOST", 0)
    open_page(app, "history", project=experiment.project)
    assert not app.get("plotly_chart")

    app.toggle(key="picture_drawn").set_value(True).run()
    assert len(rows(app)) == AT_FIRST
    assert "Too many pairs" not in said(app)

    monkeypatch.setattr("comparator.reporting.results.over_iterations.MOST_PAIRS", TASKS)
    app.run()
    assert len(app.get("plotly_chart")) == 1
    assert "Too many pairs to show tasks by iteration." in said(app)

    app.selectbox(key="tag").set_value(kind_of(11)).run()
    assert set(rows(app)) == {f"eval-{n}" for n in range(11, TASKS + 1)}
    assert "Too many pairs" not in said(app)


def test_a_step_back_of_the_browser_brings_the_reference_of_before(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    first = app.selectbox(key="against").value
    app.selectbox(key="against").select_index(1).run()
    assert app.selectbox(key="against").value != first
    assert "against" in app.query_params

    went_to(app, {"project": experiment.project})

    assert app.selectbox(key="against").value == first
    assert "against" not in app.query_params


def test_the_address_names_the_reference_by_an_id_and_an_unknown_one_means_the_usual(
    app: AppTest, experiment: Experiment
) -> None:
    open_page(app, "history", project=experiment.project)
    against = app.selectbox(key="against")
    usual, (first, other) = against.value, against.options
    assert (first, other) == (WITHOUT, WITH)

    against.select_index(1).run()
    id = app.query_params["against"]
    assert id in candidates(experiment, WITH)

    # Any candidate of the name means the name.
    for link in candidates(experiment, WITH):
        open_page(app, "queue", project=experiment.project)
        open_page(app, "history", project=experiment.project, against=link)
        assert app.selectbox(key="against").value == id
    for unknown in ("1", WITH, "x"):
        open_page(app, "queue", project=experiment.project)
        open_page(app, "history", project=experiment.project, against=unknown)
        assert app.selectbox(key="against").value == usual
        assert "against" not in app.query_params


def test_the_address_says_which_two_the_grid_is_of_and_a_link_shows_the_same_grid(
    app: AppTest, services: Services, experiment: Experiment
) -> None:
    history = History(experiment.world)
    for iteration in ("1", "2"):
        history.pair(5, 3, names=(f"gold-{iteration}", f"silver-{iteration}"))
        history.rename(f"gold-{iteration}", to="gold", iteration=iteration)
        history.rename(f"silver-{iteration}", to="silver", iteration=iteration)
    history.reveal()
    metal = pair_id(*candidates(experiment, "gold", "silver", iteration="2"))

    # By a link, in a session that has not seen the dashboards.
    open_page(app, "history", project=experiment.project, pair=metal)
    assert len(rows(app)) == 1
    assert app.query_params["pair"] == metal

    for unknown in ("gold.silver", "0"):
        open_page(app, "queue", project=experiment.project)
        open_page(app, "history", project=experiment.project, pair=unknown)
        assert len(rows(app)) == AT_FIRST
        assert "pair" not in app.query_params

    # What was chosen on the dashboards goes along, and stands in the address.
    open_page(app, "dashboards", project=experiment.project, pair=metal)
    open_page(app, "history", project=experiment.project)
    assert len(rows(app)) == 1
    assert app.query_params["pair"] == metal


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
