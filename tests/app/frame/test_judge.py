"""The page Judge: the record of each version of a judge, one tab a module."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.store.people import projects
from comparator.ui.frame import safe
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_numbers, open_page, said
from tests.worlds.histories.history import OFFLINE, History
from tests.worlds.histories.pairs import JudgeId

OLDER = JudgeId(digest="1" * 64)
NEWER = JudgeId(digest="2" * 64)


def plain(app: AppTest) -> dict[str, str]:
    return {name: value.replace("\\", "").replace(safe.JOINER, "") for name, value in figures(app).items()}


def table(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


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

    assert plain(app) == {
        "Pairs judged": "20",
        "Agreement with people": "90% of 20",
        "Right on labels": "90% of 20",
        "Same in both orders": "100% of 20",
        "Cost a pair": "0.0025 USD",
    }
    open_numbers(app, "judge_agreement", "judge_cost")
    agreed = table(app, "Reviews by")
    assert agreed[["Same winner", "Reviews"]].to_numpy().tolist() == [[18, 20]]
    assert "v2" in agreed["Judge"][0]
    assert table(app, "Pairs read with tools")["Pairs judged"].tolist() == [4, 20]


def test_agreement_of_reviewers_who_saw_the_scores_is_no_test_of_the_judge(
    app: AppTest, history: History
) -> None:
    history.review(history.pair(5, 3), 5, 3, mode=ReviewMode.JUDGE_FIRST)

    open_page(app, "judge", project=history.project)

    assert plain(app)["Agreement with people"] == "not tested"
    assert "Agreement is not tested" in said(app)


def test_figures_stand_before_the_reveal_and_name_no_candidate(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("quillwort", "saxifrage"))

    open_page(app, "judge", project=history.project)

    assert figures(app)["Pairs judged"] == "1"
    assert "quillwort" not in said(app) + "".join(frame.value.to_csv() for frame in app.dataframe)


def test_all_projects_have_a_row_for_each_judge_and_project_and_none_for_the_offline_check(
    app: AppTest, services: Services, history: History
) -> None:
    with services.write() as unit:
        projects.ensure_project(unit, "Empty")
    for number, judge in enumerate((OLDER, NEWER, NEWER, OFFLINE)):
        history.task(f"Task {number}")
        history.pair(5, 3, judge=judge)

    open_page(app, "judge")

    rows = table(app, "Agreement with people")
    assert rows["Judge"].str[-2:].tolist() == ["v2", "v1"]
    assert rows["Project"].nunique() == 1
    assert rows["Pairs judged"].tolist() == [2, 1]
    assert set(rows["Agreement with people"]) == {"not tested"}
    assert rows["Same in both orders"].tolist() == ["2 of 2", "1 of 1"]
    assert not app.metric
