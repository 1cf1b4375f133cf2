"""The tab "How they differ" shows whether the side with more of a measure wins in each part of the pairs."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.app.dashboards.test_checks import safe_words
from tests.app.dashboards.test_dashboards import heads
from tests.worlds.histories.experiment import REVERSED, WITH, Experiment
from tests.worlds.histories.pairs import World


def by_part(app: AppTest) -> list[str]:
    return [each for each in heads(app) if " by tag: " in each or " by iteration: " in each]


def test_a_measure_is_split_by_a_property_that_stands_in_the_address(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=30).build()

    open_page(app, "dashboards", project=experiment.project, scope="all", part="differ", measure="list_items")

    assert not app.exception
    assert "split" not in app.query_params
    (title,) = by_part(app)
    assert title == "List items by tag: each part has fewer than 20 tasks"
    # The skill has more everywhere, and loses one kind: it is the candidate that wins, not the length.
    said = [safe_words(str(each.value)) for each in app.caption]
    assert any(f"{WITH} has more in " in each and "it goes with the candidate" in each for each in said)
    (split,) = (each for each in app.get("plotly_chart") if f"{REVERSED}: " in each.proto.spec)
    # A tag has fewer than 20 tasks, an iteration 30.
    drawn = json.loads(split.proto.spec)
    assert drawn["data"][0]["marker"]["color"] == [drawn["layout"]["paper_bgcolor"]] * 3

    app.segmented_control(key="dashboards_split").set_value("iteration").run()

    assert app.query_params["split"] == "iteration"
    (title,) = by_part(app)
    assert title.startswith("List items by iteration: the side with more wins in ")
    assert title.endswith(" of 2 parts")

    app.segmented_control(key="dashboards_split").set_value("tag").run()

    # Which one is usual depends on the pairs: what was chosen stays in the address.
    assert app.query_params["split"] == "tag"


def test_nothing_is_split_where_no_property_parts_the_pairs(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=3).build()

    open_page(app, "dashboards", project=experiment.project, part="differ")

    assert not app.exception
    assert not by_part(app)
