"""The page Judge: the record of each version of a judge, one tab a module."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from comparator.store.people.projects import ReviewMode
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_page, said
from tests.worlds.history import OFFLINE, History
from tests.worlds.pairs import JudgeId, World

OLDER = JudgeId(digest="1" * 64)
NEWER = JudgeId(digest="2" * 64)


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def table(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


def test_before_a_model_has_judged_the_page_says_what_will_stand_there(app: AppTest) -> None:
    open_page(app, "judge")

    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
    assert app.button(key="judge_batches").label == "Judge pairs"


def test_each_version_of_a_judge_has_its_own_record_and_the_newest_leads(
    app: AppTest, history: History
) -> None:
    for number in range(24):
        history.task(f"Task {number}")
        pair = history.pair(5, 3, judge=OLDER if number < 4 else NEWER)
        if number >= 4:
            said_by = (5, 3) if number < 22 else (3, 5)
            history.review(pair, *said_by, mode=ReviewMode.BLIND_FIRST)

    open_page(app, "judge", project=history.project)

    assert figures(app) == {
        "Pairs judged": "20",
        "Agreement with people": "90%",
        "Same winner in both orders": "100%",
        "Cost a pair": "0.0025 USD",
    }
    agreed = table(app, "Reviews by")
    assert agreed[["Same winner", "Reviews"]].to_numpy().tolist() == [[18, 20]]
    assert "version 2" in agreed["Judge"][0]
    assert table(app, "Pairs read with tools")["Pairs judged"].tolist() == [4, 20]


def test_figures_stand_before_the_reveal_and_name_no_candidate(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("quillwort", "saxifrage"))

    open_page(app, "judge", project=history.project)

    assert figures(app)["Pairs judged"] == "1"
    assert "quillwort" not in said(app) + "".join(frame.value.to_csv() for frame in app.dataframe)


def test_the_offline_check_is_no_judge_unless_asked_for(app: AppTest, history: History) -> None:
    history.pair(5, 3, judge=OFFLINE)

    open_page(app, "judge", project=history.project)
    assert [each.value for each in app.subheader] == ["No model has judged here yet"]

    app.toggle(key="judge_offline").set_value(True).run()
    assert figures(app)["Pairs judged"] == "1"


@pytest.mark.parametrize("tab", ["probes", "confidence", "guidance", "judges"])
def test_each_tab_opens_by_its_address(app: AppTest, history: History, tab: str) -> None:
    open_page(app, "judge", project=history.project, tab=tab)

    assert app.segmented_control(key="judge_tab").value == tab
    assert not app.error
    assert app.subheader
