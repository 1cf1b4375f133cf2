"""The project's own checks on the dashboards."""

from __future__ import annotations

from functools import partial
from itertools import count

import pytest
from streamlit.testing.v1 import AppTest

from comparator.outputs.examine.lines import count_in
from comparator.ui.frame import safe
from comparator.workflow.projects import checks
from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


def test_a_check_that_reached_its_limit_stands_there_by_its_name_with_the_reason(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build()
    checks.add_check(
        services, experiment.project, name="Endless", pattern="(a+)+$", is_regex=True, match_case=True,
        person_id=None,
    )  # fmt: skip
    # Each look at the clock finds it a second later.
    monkeypatch.setattr(checks, "count_in", partial(count_in, clock=count().__next__))

    open_page(app, "dashboards", project=experiment.project, part="differ")

    told = [str(each.value).replace("\\", "").replace(safe.JOINER, "") for each in app.markdown]
    assert any(each.startswith("Endless: pattern “(a+)+$”") for each in told)
    assert [str(each.value).replace("\\", "").replace(safe.JOINER, "") for each in app.warning] == [
        "“(a+)+$” took longer than 0.5 s on one output, so the check was ended."
    ]
    assert not app.exception


def test_where_says_how_many_outputs_no_check_has_looked_at_yet(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=1, tasks_of=2).build()
    checks.add_check(
        services, experiment.project, name="Runs", pattern="Run", is_regex=False, match_case=True,
        person_id=None,
    )  # fmt: skip

    open_page(app, "dashboards", project=experiment.project, part="where", by="check")
    assert any("4 outputs are not checked yet" in safe_words(str(each.value)) for each in app.info)

    while checks.check_some(services, experiment.project):
        pass
    app.run()
    assert not any("not checked yet" in safe_words(str(each.value)) for each in app.info)
    open_page(app, "dashboards", project=experiment.project, part="where", by="tag")
    assert not app.exception


def safe_words(text: str) -> str:
    """Without what keeps it from being read as Markdown."""
    return text.replace("\\", "").replace(safe.JOINER, "")
