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
    )  # fmt: skip
    # Each look at the clock finds it a second later.
    monkeypatch.setattr(checks, "count_in", partial(count_in, clock=count().__next__))

    open_page(app, "dashboards", project=experiment.project, part="How they differ")

    told = [str(each.value).replace("\\", "").replace(safe.JOINER, "") for each in app.markdown]
    assert any(each.startswith("Endless: pattern “(a+)+$”") for each in told)
    assert [str(each.value).replace("\\", "").replace(safe.JOINER, "") for each in app.warning] == [
        "“(a+)+$” took longer than 0.5 s on one output, so the check was ended."
    ]
    assert not app.exception
