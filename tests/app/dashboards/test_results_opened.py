"""What opens from a result and stays on its page: a pair as a result, and notes in the chart over time."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import Slice
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.app.dashboards.test_dashboards import of_iteration
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment
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
