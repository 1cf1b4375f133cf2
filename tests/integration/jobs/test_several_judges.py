"""Several judges of one pair: one verdict of medians and votes, each judge beside it, and the order of the queue."""

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.labels import Winner
from comparator.domain.scoring.several_judges import JointOutcome, Vote
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.jobs.start_batches import start
from comparator.reporting.trust.labelled import labelled_records
from comparator.reporting.trust.record import judges_together, records
from comparator.stats.intervals import Estimate
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest
from comparator.store.facts import verdicts
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparisons
from comparator.workflow.exporting.comparison_json import provenance_of, settled_result
from comparator.workflow.judging import asking
from comparator.workflow.judging.asking import known_project
from comparator.workflow.people.people import local_person
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.integration.jobs.conftest import NAMES
from tests.integration.jobs.test_batches import work
from tests.integration.jobs.test_labelled_sets import a_set, says_right
from tests.loopback.acts import Act
from tests.loopback.acts import Status as Refusal
from tests.loopback.brain import Shown, Taste, text_of
from tests.loopback.bulk import seed
from tests.loopback.server import LoopbackServer, Recorded
from tests.worlds.process import invoke


def reader(body: Mapping[str, Any]) -> Taste:
    """All prefer A; on report 1 the second prefers B and the third follows the order, on report 2 the second B."""
    said = text_of(dict(body))
    if body["model"] == "model-one" or "Report number 0 " in said:
        return Taste.A
    if body["model"] == "model-two":
        return Taste.B
    return Taste.FIRST if "Report number 1 " in said else Taste.A


@pytest.fixture
def services(several: Services, model: LoopbackServer) -> Services:
    model.reader = reader
    return several


def test_medians_and_votes_become_one_verdict_beside_each_judge(services: Services) -> None:
    seeded = seed(services, pairs=3)
    change_settings(services, seeded.project_id, judges=NAMES)
    start(services, BatchRequest(project_id=seeded.project_id))
    me = local_person(services).id
    clear, undecided, outvoted = seeded.comparison_ids

    work(services)

    with services.database.read() as connection:
        says = {id: verdicts.judged(connection, id) for id in seeded.comparison_ids}
        now = verdicts.effective_verdict(connection, outvoted, says[outvoted], ())
        rows = {row.comparison_id: row for row in connection.execute(sa.select(tables.fact))}
        record_of = provenance_of(services, connection, settled_result(connection, outvoted))
    votes = {
        id: [vote.value for vote in judged.by.opinion.votes.values()]
        for id, judged in says.items()
        if judged and judged.by
    }
    assert votes == {clear: ["A", "A", "A"], undecided: ["A", "B", "inconclusive"], outvoted: ["A", "B", "A"]}
    assert now.verdict is not None
    decided = (now.source, now.verdict.winner, now.verdict.decided_by)
    assert decided == (VerdictSource.JUDGE, Winner.A, DecidedBy.VOTES)
    panel = record_of["judge_panel"]["judges"]
    said = [judge["judgment"] for judge in panel]
    for label, scores in now.verdict.assessments.items():
        for path, score in scores.scores.items():
            assert score == median(verdict.assessments[label].scores[path] for verdict in said)
    assert (rows[undecided].judge_winner, rows[undecided].status) == (None, Status.TO_REVIEW.value)
    assert [rows[id].judges_agree for id in seeded.comparison_ids] == [True, False, False]
    assert {row.judge_model for row in rows.values()} == {"judge panel: one, two, three"}
    by_name = [("one", "A"), ("two", "B"), ("three", "A")]
    assert [(judge["name"], judge["vote"].value) for judge in panel] == by_name
    sides = now.verdict.assessments
    leads = [abs(sides.A.scores[path] - sides.B.scores[path]) * 2 for path in sides.A.scores]
    assert [abs(lead) for lead in rows[outvoted].criteria.values()] == leads
    sheet = read_sheet(services.by(me), outvoted)
    assert [(judge.name, judge.vote.value) for judge in sheet.judge.judges] == by_name
    judge_records = records(services.database, [seeded.project_id])[seeded.project_id]
    assert [record.model for record in judge_records if record.judged] == ["judge panel: one, two, three"]


def test_a_judge_that_failed_is_asked_again_alone_and_the_quorum_holds(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = model._next_act
    refused = Refusal(400, "invalid_request_error", "not today")

    def refuses_two(request: Recorded | None) -> Act:
        return refused if request and request.body["model"] == "model-two" else usual(request)

    (pair,) = seed(services, pairs=1).comparison_ids
    with services.database.read() as connection:
        project_id = comparisons.get(connection, pair).project_id
    change_settings(services, project_id, judges=NAMES, quorum=3)
    monkeypatch.setattr(model, "_next_act", refuses_two)
    asking.ask(services, pair)
    work(services)
    with services.database.read() as connection:
        failed: Any = verdicts.judged(connection, pair)
    monkeypatch.setattr(model, "_next_act", usual)
    seen = len(model.messages)
    asking.ask(services, pair)
    work(services)
    with services.database.read() as connection:
        now: Any = verdicts.judged(connection, pair)

    assert failed.by.opinion.settled is JointOutcome.NO_QUORUM
    assert failed.by.opinion.votes["two"] is Vote.FAILED
    assert failed.judgment.verdict is None
    assert {request.body["model"] for request in model.messages[seen:]} == {"model-two"}
    assert now.judgment.verdict.winner is Winner.A


PAIRS = 20


def wrong(outputs: tuple[Shown, ...]) -> str:
    return next((output.label for output in outputs if "wrong one" in output.text), "B")


def knows(body: Mapping[str, Any]) -> Any:
    """The first judge is right, the second follows the order, the third is right on every second pair."""
    if body["model"] == "model-two":
        return Taste.FIRST
    even = any(f"Say the number {number}." in text_of(dict(body)) for number in range(0, PAIRS, 2))
    return says_right if body["model"] == "model-one" or even else wrong


@pytest.mark.slow
def test_several_judges_are_measured(several: Services, model: LoopbackServer, tmp_path: Path) -> None:
    model.reader = knows

    path = a_set(tmp_path, pairs=PAIRS, name="dataset.json", every=2)
    invoke("import", str(path), "--project", "Numbers")
    invoke("batch", "start", "Numbers", *(part for name in NAMES for part in ("--named", name)))
    invoke("worker", "--until-idle", "0")
    project_id = known_project(several, "Numbers") or ""
    records = labelled_records(several.database, [project_id])

    assert {record.judge.model: record.counts.both for record in records} == {
        "model-one": PAIRS,
        "model-two": 0,
        "model-three": PAIRS // 2,
    }
    (beside,) = judges_together(several.database, project_id)
    assert (beside.pairs, beside.labelled, beside.right) == (PAIRS, PAIRS, PAIRS // 2)
    assert [judge.right for judge in beside.judges] == [PAIRS, 0, PAIRS // 2]
    assert [(judge.first, judge.second) for judge in beside.judges] == [(20, 20), (40, 0), (20, 20)]
    assert isinstance(beside.judges[1].to_first, Estimate)


def majority(body: Mapping[str, Any]) -> Any:
    return wrong if body["model"] == "model-two" else says_right


def test_a_command_has_a_pair_judged_by_all(several: Services, model: LoopbackServer, tmp_path: Path) -> None:
    model.reader = majority
    command = ["judge", "--prompt", "Say the number.", "--out", str(tmp_path / "comparison.json")]
    for side, text in (("a", "The right answer is 4.\n"), ("b", "A wrong one is 5.\n")):
        (tmp_path / f"{side}.md").write_text(text, encoding="utf-8")
        command += [f"--{side}", str(tmp_path / f"{side}.md")]
    command += [part for name in NAMES for part in ("--named", name)]
    result = invoke(*command)

    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "A wins" in said
    assert "judge panel: one, two, three" in said
    assert all(f"{name} (model-{name}): {vote}" in said for name, vote in zip(NAMES, "ABA", strict=True))
    assert json.loads((tmp_path / "comparison.json").read_text())["winner"] == "A"
    requests = len(model.messages)
    again = invoke(*command)
    assert again.exit_code == 0, again.output
    assert len(model.messages) == requests, "what is read already is not paid for again"


def test_an_import_that_judges_asks_the_projects_judges(
    several: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.reader = majority
    change_settings(several, seed(several, pairs=1, project="Numbers").project_id, judges=NAMES)
    row = {"prompt": "Say the number.", "output_a": "The right answer is 4.", "output_b": "A wrong one is 5."}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))

    done = invoke("import", str(tmp_path / "rows.jsonl"), "--project", "Numbers", "--judge", "now")

    assert done.exit_code == 0, done.output
    with several.database.read() as connection:
        ids = connection.execute(
            sa.select(tables.comparison.c.id).where(tables.comparison.c.source == "import")
        )
        says = [verdicts.judged(connection, id) for id in ids.scalars()]
    assert [list(said.by.opinion.votes) for said in says if said and said.by] == [list(NAMES)]
