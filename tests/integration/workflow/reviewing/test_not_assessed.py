"""What nobody assessed counts nowhere: finalising names it, and it is assessed or left out."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Winner
from comparator.domain.project import ReviewMode
from comparator.judges.offline import OfflineJudge
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.judging.rubrics import store_own
from comparator.workflow.review.read_sheet import read_sheet
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.sheet import Sheet
from tests.unit.domain.make import rubric
from tests.worlds.workbench import Workbench


@pytest.fixture
def desk(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path / "work")


@pytest.fixture
def checked(desk: Workbench) -> str:
    """A pair that only the offline check has read, with a reviewer's reasoning."""
    comparison_id = desk.submitted()
    assert desk.judged(comparison_id, OfflineJudge()).complete
    send(desk, comparison_id, "reasoning", "Looked at both.")
    return comparison_id


def sheet_of(desk: Workbench, comparison_id: str) -> Sheet:
    return read_sheet(desk.services, comparison_id, person_id=desk.person)


def send(desk: Workbench, comparison_id: str, address: str, value: object) -> None:
    record(desk.services, comparison_id, [desk.change(address, value)], person_id=desk.person)


def test_the_offline_check_leaves_expectations_and_most_criteria_without_a_value(
    desk: Workbench, checked: str
) -> None:
    sheet = sheet_of(desk, checked)

    judged = {line.path: line.judge.A.score for line in sheet.criteria if line.judge}
    assert judged["content.task_fulfilment"] is None
    assert judged["content.named_parts"] is not None
    assert {line.judge.A.passed for line in sheet.expectations if line.judge} == {None}
    assert sheet.verdict is not None
    assert sheet.verdict.pass_rates is None
    assert len(sheet.missing) / 2 > 2
    assert sheet.verdict.not_assessed == f"{len(sheet.missing) // 2} rows not assessed"
    assert sheet.problems == ()


def test_finalising_names_what_is_not_assessed_until_it_is_assessed_or_left_out(
    desk: Workbench, checked: str
) -> None:
    with pytest.raises(
        ReviewError, match=r"^Not assessed: Does what was asked, .*Assess it, or leave it out\.$"
    ):
        finalise(desk.services, checked, person_id=desk.person)

    final = finalise(desk.services, checked, person_id=desk.person, leave_out="")

    result = json.loads(result_json(desk.services, checked))
    assert "expectation_results" not in result
    assert list(result["rubric"]["A"]["content"]) == list(result["rubric"]["B"]["content"]) == ["named_parts"]
    assert final.verdict is not None
    provenance = json.loads(provenance_json(desk.services, checked))
    assert "content.task_fulfilment" in provenance["left_out"]
    assert "expectation.1" in provenance["left_out"]
    assert provenance["reviews"][0]["versions"][0]["verdict"]["left_out"] == provenance["left_out"]


def test_a_review_in_which_all_is_assessed_leaves_nothing_out(desk: Workbench, checked: str) -> None:
    for address in sheet_of(desk, checked).missing:
        send(desk, checked, address, True if address.startswith("expectation") else 4)

    final = finalise(desk.services, checked, person_id=desk.person)

    assert final.verdict is not None
    assert final.verdict.left_out == ()
    result = json.loads(result_json(desk.services, checked))
    assert result["expectation_results"]["A"]["total"] == 2
    assert len(result["rubric"]["A"]["content"]) == 4


def test_a_one_sided_value_goes_to_the_provenance_alone(desk: Workbench, checked: str) -> None:
    send(desk, checked, "score:A:content.accuracy", 5)
    send(desk, checked, "score:A:content.completeness", 5)
    send(desk, checked, "score:B:content.completeness", 5)

    finalise(desk.services, checked, person_id=desk.person, leave_out="Nobody can check that.")

    result = json.loads(result_json(desk.services, checked))
    provenance = json.loads(provenance_json(desk.services, checked))
    assert list(result["rubric"]["A"]["content"]) == ["completeness", "named_parts"]
    assert "content.accuracy" in provenance["left_out"]
    assert provenance["left_out_reason"] == "Nobody can check that."
    told = {change["target"]["key"]: change["value"] for change in provenance["reviews"][0]["changes"]}
    assert Decimal(told["content.accuracy"]) == 5


def test_where_leaving_out_changes_the_winner_a_reason_is_asked_for(desk: Workbench, checked: str) -> None:
    # With this score of its own A would be behind.
    send(desk, checked, "score:A:content.accuracy", 1)
    send(desk, checked, "score:A:content.completeness", 5)
    send(desk, checked, "score:B:content.completeness", 4)
    sheet = sheet_of(desk, checked)
    assert sheet.verdict is not None
    assert (sheet.verdict.winner, sheet.left_out_winner) == (Winner.A, Winner.B)
    send(desk, checked, "reasoning", "A has all of it.")

    with pytest.raises(ReviewError, match=r"changes the winner from B to A\. Say why\."):
        finalise(desk.services, checked, person_id=desk.person, leave_out=" ")
    final = finalise(desk.services, checked, person_id=desk.person, leave_out="B has no numbers to check.")

    assert final.winner is Winner.A
    assert final.verdict is not None
    assert final.verdict.left_out_reason == "B has no numbers to check."
    assert sheet_of(desk, checked).versions[0].left_out_reason == "B has no numbers to check."


def test_a_dimension_of_which_nothing_is_assessed_stands_in_the_way(desk: Workbench) -> None:
    pair = desk.submitted()
    store_own(desk.services, pair, rubric(), person_id=None, author="Ada", locked=True)
    desk.judged(pair, OfflineJudge())
    send(desk, pair, "reasoning", "Looked at both.")
    send(desk, pair, "score:A:structure.usability", 4)
    send(desk, pair, "score:B:structure.usability", 3)

    sheet = sheet_of(desk, pair)
    assert (sheet.judge_verdict, sheet.verdict) == (None, None)
    assert sheet.problems == (
        "Nothing of the content is assessed yet. Score at least one criterion of it for A and B.",
    )
    with pytest.raises(ReviewError, match="Nothing of the content is assessed yet"):
        finalise(desk.services, pair, person_id=desk.person, leave_out="")
    send(desk, pair, "score:A:content.accuracy", 4)
    send(desk, pair, "score:B:content.accuracy", 3)
    assert finalise(desk.services, pair, person_id=desk.person, leave_out="").winner is Winner.A


def test_a_blind_preference_opens_the_check_before_it_leaves_out_what_that_did_not_assess(
    desk: Workbench, database: Database
) -> None:
    pair = desk.submitted()
    desk.judged(pair, OfflineJudge())
    with database.write() as connection:
        project_id = sheet_of(desk, pair).project_id
        held = projects.get(connection, project_id).settings
        blind = held.model_copy(update={"mode": ReviewMode.BLIND_PREFERENCE})
        projects.save_settings(
            Unit(connection, at=desk.services.now(), new_id=new_id), project_id, blind, person_id=None
        )
    change = desk.change("preference", "A", reason="It has the weight.")
    record(desk.services, pair, [change], person_id=desk.person)

    with pytest.raises(ReviewError, match="Not assessed: "):
        finalise(desk.services, pair, person_id=desk.person)

    sheet = sheet_of(desk, pair)
    assert sheet.opened
    assert not sheet.finalised
    final = finalise(desk.services, pair, person_id=desk.person, leave_out="")
    assert final.winner is Winner.A
