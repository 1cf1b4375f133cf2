"""The page Judge: the record of each version of a judge, calibration, guidance, and named judges."""

import json
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.domain.project import ReviewMode, is_held_out
from comparator.domain.scoring.judgment import Identity
from comparator.domain.scoring.review import ChangeKind
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.jobs import manage_batches
from comparator.reporting.trust.record import calibrated, probability
from comparator.stats.intervals import TooFew
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState, GuidanceTrial, NewBatch
from comparator.store.people import projects
from comparator.ui.frame import session
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.store import carry_out
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_numbers, open_page, said, written
from tests.worlds.histories.history import OFFLINE, History
from tests.worlds.histories.pairs import JudgeId
from tests.worlds.process import wait_until

OLDER = JudgeId(digest="1" * 64)
NEWER = JudgeId(digest="2" * 64)


def table(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


def test_before_a_model_has_judged_the_page_says_what_will_be_there(app: AppTest, history: History) -> None:
    history.pair(5, 3, judge=OFFLINE)

    open_page(app, "judge", project=history.project)

    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
    assert app.button(key="judge_batches").label == "Judge pairs"
    # A bare string of a page's script would be shown.
    assert not app.markdown


def test_each_version_of_a_judge_has_a_record_and_the_newest_leads(app: AppTest, history: History) -> None:
    for number in range(24):
        history.task(f"Task {number}")
        pair = history.pair(5, 3, judge=OLDER if number < 4 else NEWER)
        if number >= 4:
            said_by = (5, 3) if number < 22 else (3, 5)
            history.review(pair, *said_by, mode=ReviewMode.BLIND_FIRST)

    open_page(app, "judge", project=history.project)

    record = table(app, "Agrees with people")
    assert record["Judge"].str[-2:].tolist() == ["v2", "v1"]
    told = {
        "Agrees with people": "90% of 20 (scored first)",
        "Right on known winners": "90% of 20",
        "Same in both orders": "100% of 20",
        "Pairs read": 20,
        "Reading a pair": "0.0025 USD",
        "All readings, without writing criteria": "0.05 USD",
    }
    assert {column: record.iloc[0][column] for column in told} == told
    titles = [head.value.replace("\\", "") for head in app.subheader]
    assert "The judge agrees with people (scored first) in 90%" in titles
    assert "Can it be trusted? Yes" in written(app)
    open_numbers(app, "judge_numbers")
    assert table(app, "Pairs read with tools")["Readings"].tolist() == [8, 40]


def test_agreement_of_who_saw_the_scores_is_no_test_of_the_judge(app: AppTest, history: History) -> None:
    history.review(history.pair(5, 3, names=("quillwort", "saxifrage")), 5, 3)

    open_page(app, "judge", project=history.project)

    # One judge stands in the chart and the sentence, not in a table of one row, too.
    assert not [frame for frame in app.dataframe if "Agrees with people" in frame.value.columns]
    assert "Pairs read: 1" in said(app)
    assert "Not tested" in written(app)
    assert "Hide its scores until a reviewer has decided" in {
        link.proto.label for link in app.get("page_link")
    }
    assert app.subheader[0].value == "Nothing tests the judge"
    assert "quillwort" not in said(app) + written(app) + "".join(
        each.value.to_csv() for each in app.dataframe
    )


def test_what_imported_graders_say_of_winners_is_told_once_revealed(app: AppTest, history: History) -> None:
    for graded in ((1.0, 0.5), (0.5, 1.0), (0.5, 1.0)) * 4:
        history.grade(history.pair(5, 3), *graded)
    open_page(app, "judge", project=history.project)
    assert not app.get("plotly_chart")
    assert "Not tested" in written(app)

    history.reveal()
    open_page(app, "judge", project=history.project)
    open_numbers(app, "same_winner")

    titles = [head.value.replace("\\", "") for head in app.subheader]
    assert "The judge agrees with grading.json in 4 of 12" in titles
    assert "Doubtful" in written(app)

    rows = table(app, "Who").set_index("Who")
    assert tuple(rows.loc["Judge and grading.json", ["Same winner", "Pairs"]]) == (0.333, 12)


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
    assert set(rows["Agrees with graders"]) == {"no graders"}
    assert "The judge can be trusted in 0 of 1 project; 1 not tested" in written(app)
    assert rows["Same in both orders"].tolist() == ["2 of 2", "1 of 1"]


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


SAID = (("score:A:content.correctness", ChangeKind.SET),)


@pytest.mark.slow
def test_confidence_is_a_probability_from_fifty_blind_reviews_on(app: AppTest, history: History) -> None:
    for number in range(49):
        history.task(f"Task {number}")
        right = number % 4 != 0
        history.review(
            history.pair(5, 3), *((5, 3) if right else (3, 5)), mode=ReviewMode.BLIND_FIRST, said=SAID
        )
    history.review(history.pair(5, 3), 5, 3, said=SAID)

    ((digest, before),) = calibrated(history.world.database, history.project).items()
    ask = partial(probability, history.world.database, history.project, version=digest)
    assert before == TooFew(n=49, needed=50)
    assert ask(stated=80) is None

    history.review(history.pair(5, 3), 5, 3, mode=ReviewMode.BLIND_FIRST, said=SAID)
    open_page(app, "judge", project=history.project)
    open_numbers(app, f"calibration_{digest[:8]}")
    (table,) = (frame.value for frame in app.dataframe if "Line" in frame.value.columns)
    rows = table[table["Stated confidence"] == "80%"].set_index("Line")
    assert rows.loc["Observed", "Blind reviews"] == 50
    assert [rows.loc[line, "Share"] for line in ("Observed", "Calibrated")] == [0.74, 0.738]
    assert f"{ask(stated=80):.0%}" == "74%"
    assert "Platt scaling" in said(app)


def drafted(history: History, *, better: bool) -> None:
    """A version of guidance with a trial in which the judge came nearer to people with it, or further from them."""
    world, a, b = history.world, Winner.A, Winner.B
    before, after = JudgeId(model="m-1", digest="1" * 64), JudgeId(model="m-1", digest="2" * 64)
    pairs, task = 0, 0
    while pairs < 12:
        task += 1
        history.task(f"Task {task}")
        if not is_held_out(world.version.task_id):
            continue
        people = a if pairs < 9 else b
        pair = history.unjudged()
        for judge, nearer in ((before, not better), (after, better)):
            named = a if people is a and nearer else b
            world.judge(pair, *((5, 3) if named is a else (3, 5)), judge=judge)
        said_by_people = (5, 3) if people is a else (3, 5)
        history.review(pair, *history.sides(pair, *said_by_people), mode=ReviewMode.BLIND_FIRST, said=SAID)
        pairs += 1
    judges = [Identity(kind=each.kind, model=each.model, digest=each.digest) for each in (before, after)]
    with world.write() as unit:
        version = projects.add_guidance(unit, history.project, "Length earns nothing.", author="Ada")
        tries = GuidanceTrial(number=version.number, baseline=None, before=judges[0], after=judges[1])
        new = NewBatch(
            project_id=history.project,
            name="Trial",
            judge=JudgeChoice(kind="anthropic", model="m-1", repetitions=1),
            trial=True,
            tries=tries,
        )
        batches.move(unit, batches.add(unit, new, []).id, BatchState.CANCELLED)


def in_force(history: History) -> int | None:
    with history.world.database.read() as connection:
        adopted = projects.adopted_guidance(connection, history.project)
    return adopted.number if adopted else None


def test_a_lead_adopts_guidance_that_passed_and_goes_back_from_it(app: AppTest, history: History) -> None:
    drafted(history, better=True)
    open_page(app, "judge", project=history.project, tab="Guidance")
    assert figures(app)["In force"] == "none"
    assert figures(app)["Held-out pairs"] == "12"
    assert "Agreement with people on 12 pairs: 25% without guidance, 100% with this version" in said(app)

    app.button(key="guidance_adopt_1").click().run()
    assert (in_force(history), figures(app)["In force"]) == (1, "version 1")
    assert "guidance_adopt_1" not in {each.key for each in app.button}

    app.button(key="guidance_none_1").click().run()
    assert (in_force(history), figures(app)["In force"]) == (None, "none")
    # What was in force once may be again.
    app.button(key="guidance_adopt_1").click().run()
    assert in_force(history) == 1


def test_guidance_that_did_not_pass_cannot_be_adopted(app: AppTest, history: History) -> None:
    drafted(history, better=False)

    open_page(app, "judge", project=history.project, tab="Guidance")

    assert "Not passed" in said(app)
    assert not [each.key for each in app.button if each.key and each.key.startswith("guidance_adopt")]


def test_named_judges_are_listed_and_no_key_is_shown(
    app: AppTest, history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "judges.toml"
    file.write_text(
        '[judges.site]\nmodel = "qwen"\nserver = "http://10.0.0.5:8080"\nkey = "SITE_KEY"\n', encoding="utf-8"
    )
    monkeypatch.setenv("COMPARATOR_JUDGES", str(file))
    monkeypatch.setenv("SITE_KEY", "a-secret-of-the-site")
    session.services.release()
    history.pair(5, 3)

    open_page(app, "judge", project=history.project)

    (table,) = (frame.value for frame in app.dataframe if "Key from" in frame.value.columns)
    assert table.iloc[0].tolist()[:4] == ["site", "qwen", "http://10.0.0.5:8080", "SITE_KEY"]
    assert "a-secret-of-the-site" not in said(app) + table.to_csv()
