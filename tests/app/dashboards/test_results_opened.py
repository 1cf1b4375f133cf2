"""What opens from a result and stays on its page: a pair as a result, and notes in the chart over time."""

from streamlit.testing.v1 import AppTest

from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


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
