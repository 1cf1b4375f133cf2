"""The page Judge: the record of each version of a judge, one tab a module."""

import json
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.jobs import manage_batches
from comparator.store.people import projects
from comparator.ui.frame import safe
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.store import carry_out
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.app.conftest import open_numbers, open_page, said
from tests.worlds.histories.history import OFFLINE, History
from tests.worlds.histories.pairs import JudgeId
from tests.worlds.process import wait_until

OLDER = JudgeId(digest="1" * 64)
NEWER = JudgeId(digest="2" * 64)


def headline(app: AppTest) -> str:
    return " ".join(str(each.value) for each in app.markdown).replace("\\", "").replace(safe.JOINER, "")


def table(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


def test_before_a_model_has_judged_the_page_says_what_will_stand_there(app: AppTest) -> None:
    open_page(app, "judge")

    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
    assert app.button(key="judge_batches").label == "Judge pairs"
    # A bare string of a page's script would be shown.
    assert not app.markdown


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

    record = table(app, "Agrees with people")
    assert record["Judge"].str[-2:].tolist() == ["v2", "v1"]
    assert record.iloc[0][
        ["Agrees with people", "Right on known winners", "Same in both orders"]
    ].tolist() == [
        "90% of 20 (scored first)",
        "90% of 20",
        "100% of 20",
    ]
    assert record.iloc[0][
        ["Pairs read", "Reading a pair", "All readings, without writing criteria"]
    ].tolist() == [
        20,
        "0.0025 USD",
        "0.0492 USD",
    ]
    assert (
        "agrees with people on 90% of 20 reviews, by reviewers who scored first (95% interval 68% to 97%)"
        in headline(app)
    )
    open_numbers(app, "judge_numbers")
    assert table(app, "Pairs read with tools")["Readings"].tolist() == [8, 40]


def test_agreement_of_reviewers_who_saw_the_scores_is_no_test_of_the_judge(
    app: AppTest, history: History
) -> None:
    history.review(history.pair(5, 3), 5, 3, mode=ReviewMode.JUDGE_FIRST)

    open_page(app, "judge", project=history.project)

    # One judge stands in the chart and the sentence, not in a table of one row, too.
    assert not [frame for frame in app.dataframe if "Agrees with people" in frame.value.columns]
    assert "Pairs read: 1" in said(app)
    assert "Not tested blind" in headline(app)
    assert "on 1 of 1 reviews, by reviewers who saw the judge's scores" in headline(app)


def test_figures_stand_before_the_reveal_and_name_no_candidate(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("quillwort", "saxifrage"))

    open_page(app, "judge", project=history.project)

    assert "Pairs read: 1" in said(app)
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

    rows = table(app, "Agrees with people")
    assert rows["Judge"].str[-2:].tolist() == ["v2", "v1"]
    assert rows["Project"].nunique() == 1
    assert rows["Pairs read"].tolist() == [2, 1]
    assert set(rows["Agrees with people"]) == {"no reviews"}
    assert "0 of 2 judges can be trusted; 2 not tested blind" in headline(app)
    assert rows["Same in both orders"].tolist() == ["2 of 2", "1 of 1"]


def test_the_offline_check_is_no_judge(app: AppTest, history: History) -> None:
    history.pair(5, 3, judge=OFFLINE)

    open_page(app, "judge", project=history.project)
    assert [each.value for each in app.subheader] == ["No model has judged here yet"]


def test_a_labelled_set_is_measured_by_one_button_and_the_offline_check_has_no_verdicts_for_it(
    app: AppTest, services: Services, tmp_path: Path
) -> None:
    path = tmp_path / "natural.json"
    rows = [{"input": f"Say {n}.", "output_1": f"{n}", "output_2": "no", "label": 1} for n in range(3)]
    path.write_text(json.dumps(rows))
    plan = plan_import(services, ImportRequest(path=path))
    carry_out(services.by(local_person(services).id), plan)
    with services.database.read() as connection:
        (project_id,) = (
            each.id for each in projects.all_projects(connection) if each.name == plan.report.project
        )
    open_page(app, "judge", project=project_id)

    app.button(key="judge_start").click().run()
    wait_until(lambda: any(not each.counts.left for each in manage_batches.reports(services)))
    app.run()

    assert not app.error
    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
