"""What nobody assessed counts nowhere, and nobody is asked about it."""

import json
from decimal import Decimal

import pytest

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Winner
from comparator.domain.project import ReviewMode
from comparator.judges.offline import OfflineJudge
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, new_id
from comparator.store.people import projects
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.judging.rubrics import store_own
from comparator.workflow.review.review import finalise, record
from tests.unit.domain.make import rubric
from tests.worlds.workbench import Workbench


@pytest.fixture
def checked(workbench: Workbench) -> str:
    """A pair that no model has read, with a reviewer's reasoning and a score of each output in each dimension."""
    comparison_id = workbench.submitted()
    assert workbench.judged(comparison_id, OfflineJudge()).complete
    for label in ("A", "B"):
        for path in ("content.correctness", "structure.usability"):
            workbench.send(comparison_id, f"score:{label}:{path}", 4)
    workbench.send(comparison_id, "reasoning", "Looked at both.")
    return comparison_id


def test_what_nobody_assessed_is_counted(workbench: Workbench, checked: str) -> None:
    sheet = workbench.sheet(checked)

    assert sheet.verdict is not None
    assert sheet.verdict.pass_rates is None
    assert len(sheet.verdict.left_out) == len(sheet.missing) // 2
    assert sheet.problems == ()


def test_what_is_not_assessed_is_left_out_without_a_question(workbench: Workbench, checked: str) -> None:
    final = finalise(workbench.me, checked)

    result = json.loads(result_json(workbench.services, checked))
    assert "expectation_results" not in result
    assert list(result["rubric"]["A"]["content"]) == list(result["rubric"]["B"]["content"]) == ["correctness"]
    assert final.verdict is not None
    provenance = workbench.provenance(checked)
    assert "content.completeness" in provenance["left_out"]
    assert "expectation.1" in provenance["left_out"]
    assert provenance["reviews"][0]["versions"][0]["verdict"]["left_out"] == provenance["left_out"]


def test_a_one_sided_value_goes_to_the_provenance_alone(workbench: Workbench, checked: str) -> None:
    workbench.send(checked, "score:A:content.accuracy", 5)
    workbench.send(checked, "score:A:content.completeness", 5)
    workbench.send(checked, "score:B:content.completeness", 5)

    finalise(workbench.me, checked)

    result = json.loads(result_json(workbench.services, checked))
    provenance = workbench.provenance(checked)
    assert list(result["rubric"]["A"]["content"]) == ["correctness", "completeness"]
    assert "content.accuracy" in provenance["left_out"]
    told = {
        change["target"].split(":")[-1]: change["value"] for change in provenance["reviews"][0]["changes"]
    }
    assert Decimal(told["content.accuracy"]) == 5


def test_a_dimension_of_which_nothing_is_assessed_stands_in_the_way(workbench: Workbench) -> None:
    pair = workbench.submitted()
    store_own(workbench.services, pair, rubric(), author="Ada", locked=True)
    workbench.judged(pair, OfflineJudge())
    workbench.send(pair, "reasoning", "Looked at both.")
    workbench.send(pair, "score:A:structure.usability", 4)
    workbench.send(pair, "score:B:structure.usability", 3)

    sheet = workbench.sheet(pair)
    assert (sheet.judgment, sheet.verdict) == (None, None)
    assert sheet.problems == (
        "Nothing of the content is assessed yet. Score at least one criterion of it for A and B.",
    )
    with pytest.raises(ReviewError, match="Nothing of the content is assessed yet"):
        finalise(workbench.me, pair)
    workbench.send(pair, "score:A:content.accuracy", 4)
    workbench.send(pair, "score:B:content.accuracy", 3)
    assert finalise(workbench.me, pair).winner is Winner.A


def test_a_blind_preference_leaves_out_what_the_check_did_not_assess(
    workbench: Workbench, database: Database
) -> None:
    pair = workbench.submitted()
    workbench.judged(pair, OfflineJudge())
    with database.write() as connection:
        project_id = workbench.sheet(pair).project_id
        settings = projects.get(connection, project_id).settings
        blind = settings.model_copy(update={"mode": ReviewMode.BLIND_PREFERENCE})
        projects.save_settings(
            Unit(connection, at=workbench.services.now(), new_id=new_id), project_id, blind
        )
    change = workbench.change("preference", "A", reason="It has the weight.")
    record(workbench.me, pair, [change])

    final = finalise(workbench.me, pair)

    assert final.winner is Winner.A
    assert final.verdict is not None
    assert final.verdict.left_out
    assert workbench.sheet(pair).opened
