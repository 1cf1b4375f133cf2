"""What opens from a result and stays on its page: a pair as a result, and notes in the chart over time."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import Slice
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe, session
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, open_page, said
from tests.app.dashboards.test_dashboards import of_iteration
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment
from tests.worlds.histories.history import NEW, History
from tests.worlds.histories.pairs import World


def test_a_pair_behind_a_mark_opens_as_a_result_with_both_outputs(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=3).build()
    pair = next(each for each in experiment.pairs if each.iteration == 2 and each.winner)
    one, two = of_iteration(services, experiment, "2").split(".")
    asked = ResultFilter(project_id=experiment.project, one=one, two=two)
    link = pairs_link(asked, Slice(comparisons=(pair.comparison_id,)))
    (behind,) = parse_qs(urlsplit(link).query)["behind"]

    open_page(app, "dashboards", project=experiment.project, behind=behind)

    assert sum(each.value.startswith("# Report") for each in app.code) == 2
    winner = WITH if pair.winner > 0 else WITHOUT
    assert any(re.search(rf"{winner}.* wins", each.value.replace("\\", "")) for each in app.subheader)


def test_two_runs_of_one_candidate_are_told_apart_in_the_result_of_their_pair(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A part of a page alone has no pages to link to.
    monkeypatch.setattr(session, "may", lambda _act, **_of: False)
    history = History(World(services.database, services.blobs))
    pair = history.pair(5, 3, names=(NEW, NEW))
    history.reveal()
    script = "from comparator.ui.dashboards.pair_result import pair_result\npair_result({!r}, {!r})"

    app = AppTest.from_string(script.format(history.project, pair.id), default_timeout=PATIENCE).run()

    assert not app.exception
    (head,) = app.subheader
    assert f"{NEW} (A) wins" in head.value.replace("\\", "").replace(safe.JOINER, "")
    (remarks,) = (each.value for each in app.dataframe)
    assert set(remarks[f"{NEW} (A)"]) == {"5", "met"}
    assert set(remarks[f"{NEW} (B)"]) == {"3", "not met"}


def test_each_picture_that_can_be_saved_says_its_title_project_date_and_number_of_pairs(
    app: AppTest, services: Services
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=3).build()
    counted = sum(each.valid for each in experiment.pairs)
    source = f"{experiment.world.project.name} · {services.now():%Y-%m-%d} · n = {counted} pairs"

    open_page(app, "history", project=experiment.project)
    ((title, *_),) = [titles(app)]
    assert title == f"Win rate · {source}"

    open_page(app, "dashboards", project=experiment.project, scope="all", part="why")
    drawn = titles(app)
    assert len(drawn) > 1
    heads = [str(each.value).replace("\\", "").replace(safe.JOINER, "") for each in app.subheader]
    for title in drawn:
        assert title.endswith(f" · {source}")
        assert any(head.startswith(title.removesuffix(f" · {source}").rstrip("…")[:40]) for head in heads), (
            title
        )


def titles(app: AppTest) -> list[str]:
    """What stands in each picture of the page under its marks."""
    specs = [json.loads(each.proto.spec) for each in app.get("plotly_chart")]
    return [spec["layout"]["title"]["text"] for spec in specs]


def test_a_note_stands_in_the_chart_at_its_iteration_until_it_is_taken_away(
    app: AppTest, services: Services
) -> None:
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
