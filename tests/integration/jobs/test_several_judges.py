"""Several judges of one pair: one verdict of medians and votes, each judge beside it, and the order of the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from comparator.cli import app
from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.labels import Winner
from comparator.domain.project import QueueOrder
from comparator.domain.scoring.several_judges import JointOutcome as JointOutcome
from comparator.domain.scoring.several_judges import Vote
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.jobs.batches import manage_batches
from comparator.jobs.batches.estimate_batches import estimate_of
from comparator.jobs.batches.start_batches import BatchRequest, judges_of, start
from comparator.jobs.worker import Worker
from comparator.judges.model.judge import AnthropicJudge
from comparator.reporting.history.earlier_judgments import judgments_of
from comparator.reporting.trust.record import record
from comparator.reporting.trust.several_judges import judges_together
from comparator.stats.figures import TooFew
from comparator.store import tables
from comparator.store.bulk import batch_items, batches
from comparator.store.facts import verdicts
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparisons
from comparator.store.reviewing import notes, queue
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.exporting.provenance import provenance_of
from comparator.workflow.exporting.settled import settled_on
from comparator.workflow.judging import single
from comparator.workflow.judging.which_judges import asked_judges
from comparator.workflow.people.people import local_person
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.review import finalise
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.integration.jobs.conftest import NAMES
from tests.loopback.acts import Act
from tests.loopback.acts import Status as Refusal
from tests.loopback.brain import Taste, text_of
from tests.loopback.bulk import Seeded, seed
from tests.loopback.server import LoopbackServer, Recorded
from tests.worlds.judging.corrected import Corrected


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


def work(services: Services) -> None:
    asyncio.run(Worker(services, idle_seconds=0.0).run())


def asked(services: Services, *, pairs: int = 2, quorum: int | None = None) -> Seeded:
    seeded = seed(services, pairs=pairs)
    change_settings(services, seeded.project_id, person_id=None, judges=NAMES, quorum=quorum)
    start(services, BatchRequest(project_id=seeded.project_id), person_id=None)
    return seeded


def test_medians_and_votes_become_one_verdict_beside_each_judge(services: Services) -> None:
    seeded = asked(services, pairs=3)
    me = local_person(services).id
    clear, undecided, outvoted = seeded.comparison_ids

    work(services)

    with services.database.read() as connection:
        says = {id: verdicts.judged(connection, id) for id in seeded.comparison_ids}
        now = verdicts.effective_verdict(connection, outvoted)
        rows = {row.comparison_id: row for row in connection.execute(sa.select(tables.fact))}
        record_of = provenance_of(
            services,
            connection,
            settled_on(connection, comparisons.get(connection, outvoted)),
        )
    votes = {
        id: [each.value for each in found.by.opinion.votes.values()]
        for id, found in says.items()
        if found and found.by
    }
    assert votes == {
        clear: ["A", "A", "A"],
        undecided: ["A", "B", "inconclusive"],
        outvoted: ["A", "B", "A"],
    }
    assert now.verdict is not None
    assert record_of.judge_panel is not None
    assert (now.source, now.verdict.winner, now.verdict.decided_by) == (
        VerdictSource.JUDGE,
        Winner.A,
        DecidedBy.VOTES,
    )
    said = [each.judgment for each in record_of.judge_panel.judges if each.judgment is not None]
    for label, scores in now.verdict.assessments.items():
        for path, score in scores.scores.items():
            assert score == median(each.assessments[label].scores[path] for each in said)
    assert (rows[undecided].judge_winner, rows[undecided].status) == (None, Status.TO_REVIEW.value)
    assert [rows[id].judges_agree for id in seeded.comparison_ids] == [True, False, False]
    assert {row.judge_model for row in rows.values()} == {"judge panel: one, two, three"}
    assert [(each.name, each.vote.value) for each in record_of.judge_panel.judges] == [
        ("one", "A"),
        ("two", "B"),
        ("three", "A"),
    ]
    assert all(each.judgment is not None for each in record_of.judge_panel.judges)
    sides = now.verdict.assessments
    leads = [abs(sides.A.scores[path] - sides.B.scores[path]) * 2 for path in sides.A.scores]
    assert [abs(lead) for lead in rows[outvoted].criteria.values()] == leads
    sheet = read_sheet(services, outvoted, person_id=me)
    assert [(each.name, each.vote.value) for each in sheet.judge.judges] == [
        ("one", "A"),
        ("two", "B"),
        ("three", "A"),
    ]
    table = judgments_of(services.database, outvoted, reader=me)
    assert {(each.name, each.current) for each in table} == {
        ("one", False),
        ("two", False),
        ("three", False),
        (None, True),
    }
    assert [each.model for each in record(services.database, [seeded.project_id]) if each.judged] == [
        "judge panel: one, two, three"
    ]


def test_each_judges_votes_lean_and_cost_are_counted_over_all_pairs_that_they_read(
    services: Services,
) -> None:
    seeded = asked(services, pairs=3)
    work(services)

    (found,) = judges_together(services.database, seeded.project_id)

    assert (found.pairs, found.labelled, found.votes) == (3, 0, TooFew(n=0))
    assert [
        (each.name, each.votes[Vote.A], each.votes[Vote.B], each.votes[Vote.INCONCLUSIVE])
        for each in found.judges
    ] == [("one", 3, 0, 0), ("two", 1, 2, 0), ("three", 2, 0, 1)]
    # The third judge followed the order on one pair.
    assert [(each.first, each.second) for each in found.judges] == [(3, 3), (3, 3), (4, 2)]
    assert [(each.cost, each.unpriced) for each in found.judges] == [(Decimal(0), 6)] * 3


def test_pairs_on_which_judges_disagree_come_first_in_the_informative_order(services: Services) -> None:
    seeded = asked(services, pairs=3)
    work(services)
    me, order = local_person(services).id, []

    for _ in seeded.comparison_ids:
        with services.write() as unit:
            found = queue.next_to_review(unit, person_id=me, order=QueueOrder.INFORMATIVE)
            assert found is not None
            notes.add(unit, found, person_id=me, kind=NoteKind.SKIP)
        order.append(found)

    # Without a joint verdict, outvoted, of one mind.
    clear, undecided, outvoted = seeded.comparison_ids
    assert order == [undecided, outvoted, clear]


def test_a_pair_on_which_one_of_several_judges_failed_comes_before_closer_ones(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = model._next_act
    refused = Refusal(400, "invalid_request_error", "not today")

    def refuses_two(request: Recorded | None) -> Act:
        body = {} if request is None else request.body
        two = body.get("model") == "model-two" and "Report number 1 " in text_of(body)
        return refused if two else usual(request)

    model.reader = lambda _: Taste.A
    monkeypatch.setattr(model, "_next_act", refuses_two)
    seeded, me = seed(services, pairs=2), local_person(services).id
    change_settings(services, seeded.project_id, person_id=None, judges=NAMES)
    for each in seeded.comparison_ids:
        single.ask(services, each, person_id=None)
    work(services)
    _, failed = seeded.comparison_ids
    with services.write() as unit:
        # Closer by its scores than the pair on which one judge failed.
        unit.connection.execute(
            tables.fact.update()
            .where(tables.fact.c.comparison_id != failed)
            .values(judge_overall_a=Decimal(6), judge_overall_b=Decimal(6))
        )
        found = queue.next_to_review(unit, person_id=me, order=QueueOrder.INFORMATIVE)
        judged = verdicts.judged(unit.connection, failed)

    assert judged is not None
    assert judged.by is not None
    assert judged.by.opinion.votes == {"one": Vote.A, "two": Vote.FAILED, "three": Vote.A}
    assert judged.by.opinion.winner is Winner.A
    assert found == failed


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
    change_settings(services, project_id, person_id=None, judges=NAMES, quorum=3)
    monkeypatch.setattr(model, "_next_act", refuses_two)
    single.ask(services, pair, person_id=None)
    with services.database.read() as connection:
        before = batch_items.waiting_singles(connection, pair)
    work(services)
    with services.database.read() as connection:
        failed = verdicts.judged(connection, pair)
    monkeypatch.setattr(model, "_next_act", usual)
    seen = len(model.messages)
    single.ask(services, pair, person_id=None)
    work(services)
    with services.database.read() as connection:
        now = verdicts.judged(connection, pair)

    assert len(before) == 3
    assert failed is not None
    assert failed.by is not None
    assert failed.judgment is not None
    assert failed.by.opinion.settled is JointOutcome.NO_QUORUM
    assert failed.by.opinion.votes["two"] is Vote.FAILED
    assert failed.judgment.verdict is None
    assert {request.body["model"] for request in model.messages[seen:]} == {"model-two"}
    assert now is not None
    assert now.judgment is not None
    assert now.judgment.verdict is not None
    assert now.judgment.verdict.winner is Winner.A


@pytest.mark.slow
def test_while_a_judge_is_to_read_yet_what_was_said_before_holds(services: Services) -> None:
    seeded = seed(services, pairs=1)
    (pair,) = seeded.comparison_ids
    start(services, BatchRequest(project_id=seeded.project_id, judges=("one",)), person_id=None)
    work(services)
    start(
        services,
        BatchRequest(project_id=seeded.project_id, comparison_ids=(pair,), judges=("two", "three")),
        person_id=None,
    )
    with services.database.read() as connection:
        waiting = verdicts.judged(connection, pair)
    work(services)
    with services.database.read() as connection:
        after = verdicts.judged(connection, pair)

    assert waiting is not None
    assert waiting.by is None
    assert waiting.judgment is not None
    assert waiting.chosen.judge_model == "model-one"
    assert after is not None
    assert after.by is not None
    assert list(after.by.opinion.votes) == ["two", "three"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "again", [{"judges": ("one",)}, {"judges": ("one", "two", "three")}, {"judges": ("one", "two")}]
)
def test_a_panels_verdict_holds_while_its_pair_is_asked_about_again(
    services: Services, again: dict[str, Any]
) -> None:
    seeded = asked(services, pairs=1)
    (pair,) = seeded.comparison_ids
    work(services)
    before = row_of(services, pair)

    start(
        services,
        BatchRequest(project_id=seeded.project_id, comparison_ids=(pair,), **again),
        person_id=None,
    )
    with services.database.read() as connection:
        found = verdicts.judged(connection, pair)

    assert found is not None
    assert found.by is not None
    assert list(found.by.opinion.votes) == ["one", "two", "three"]
    assert found.judgment is not None
    assert found.judgment.verdict is not None
    assert found.judgment.verdict.winner.value == before.judge_winner


@pytest.mark.slow
def test_a_judge_whose_batch_is_cancelled_holds_up_no_verdict(services: Services) -> None:
    seeded = asked(services, pairs=1)
    (pair,) = seeded.comparison_ids
    with services.database.read() as connection:
        started = batches.listed(connection, project_id=seeded.project_id)
    (third,) = (each.id for each in started if each.judge.named == "three")
    manage_batches.pause(services, third, person_id=None)
    work(services)

    before = row_of(services, pair)
    with services.write() as unit:
        # As it is while a worker has the pair for another of the judges.
        changed = tables.batch.update().where(tables.batch.c.id == third)
        unit.connection.execute(changed.values(state=batches.BatchState.CANCELLED))
        early = verdicts.judged(unit.connection, pair)
        unit.connection.execute(changed.values(state=batches.BatchState.PAUSED))
    manage_batches.cancel(services, third, person_id=None)
    after = row_of(services, pair)

    assert before.judge_winner is None
    assert early is not None
    assert early.judgment is not None
    assert (after.judge_winner, after.status) == ("A", Status.TO_REVIEW.value)


def test_a_batch_is_read_as_it_was_started_although_its_judges_are_edited_or_removed_meanwhile(
    services: Services, model: LoopbackServer
) -> None:
    seeded = asked(services, pairs=1)
    (pair,) = seeded.comparison_ids
    Path(services.settings.judges or "").write_text(
        '[judges.one]\nmodel = "model-one"\nrepetitions = 1\n[judges.two]\nmodel = "another-model"\n',
        encoding="utf-8",
    )
    seen = len(model.messages)

    work(services)

    with services.database.read() as connection:
        found = verdicts.judged(connection, pair)
    assert found is not None
    assert found.by is not None
    assert {name: vote.value for name, vote in found.by.opinion.votes.items()} == dict.fromkeys(NAMES, "A")
    assert {request.body["model"] for request in model.messages[seen:]} == {
        "model-one",
        "model-two",
        "model-three",
    }


def test_a_batch_names_its_judges_without_building_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = services.judge(named=services.named_judge("two")).identity
    of_settings = services.judge("anthropic", "model-two").identity
    project_id = seed(services, pairs=1).project_id

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("A judge was built.")

    monkeypatch.setattr(AnthropicJudge, "__init__", refuse)

    assert services.judge_identity(named=services.named_judge("two")) == built
    assert services.judge_identity("anthropic", "model-two") == of_settings
    for asked in ({"judges": ("two",)}, {"kind": "anthropic", "model": "model-two"}):
        request = BatchRequest.model_validate({"project_id": project_id, **asked})
        (choice,) = judges_of(services, request).choices
        assert (choice.kind, choice.model) == ("anthropic", "model-two")
    together = asked_judges(services, project_id, names=("one", "two"), quorum=2)
    assert together.members[1].digest == built.digest


def test_a_batch_sends_no_key_that_no_judge_has_any_more(
    services: Services, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer
) -> None:
    file = Path(services.settings.judges or "")
    keyed = f'[judges.far]\nmodel = "model-one"\nserver = "{model.base_url}"\nkey = "FAR_KEY"\n'
    file.write_text(keyed, encoding="utf-8")
    monkeypatch.setenv("FAR_KEY", "secret")
    seeded = seed(services, pairs=1)
    start(services, BatchRequest(project_id=seeded.project_id, judges=("far",)), person_id=None)
    file.write_text(keyed.replace("FAR_KEY", "OTHER_KEY"), encoding="utf-8")
    seen = len(model.messages)

    work(services)

    with services.database.read() as connection:
        (batch,) = batches.listed(connection, project_id=seeded.project_id)
    assert len(model.messages) == seen
    assert batch.state is batches.BatchState.PAUSED
    assert "took its key from FAR_KEY when the batch was started" in (batch.problem or "")


@pytest.mark.slow
def test_no_judge_is_asked_for_a_second_opinion_where_one_of_them_cannot_be(services: Services) -> None:
    world = Corrected(services, tasks=2)
    world.judge()
    world.review()
    with services.database.read() as connection:
        before = len(batches.listed(connection))
    file = Path(services.settings.judges or "")
    file.write_text(
        '[judges.priced]\nmodel = "claude-opus-5-5"\n[judges.unknown]\nmodel = "model-x"\n', encoding="utf-8"
    )

    with pytest.raises(JudgeNotAllowed, match="model-x"):
        start(
            services,
            BatchRequest(
                project_id=world.project_id, judges=("priced", "unknown"), labelled=True, money=Decimal(1)
            ),
            person_id=local_person(services).id,
        )

    with services.database.read() as connection:
        assert len(batches.listed(connection)) == before


def row_of(services: Services, pair: str) -> Any:
    with services.database.read() as connection:
        query = sa.select(tables.fact).where(tables.fact.c.comparison_id == pair)
        return connection.execute(query).one()


@pytest.mark.slow
def test_a_review_that_changes_nothing_keeps_the_winner_of_the_votes(services: Services) -> None:
    seeded = asked(services, pairs=3)
    work(services)
    me, outvoted = local_person(services).id, seeded.comparison_ids[2]

    finalise(services, outvoted, person_id=me)
    with services.database.read() as connection:
        now = verdicts.effective_verdict(connection, outvoted)

    assert now.verdict is not None
    assert (now.source, now.verdict.winner, now.verdict.decided_by) == (
        VerdictSource.REVIEW,
        Winner.A,
        DecidedBy.VOTES,
    )


def test_an_estimate_counts_every_judge(services: Services) -> None:
    seeded = seed(services, pairs=2)
    one = estimate_of(services, BatchRequest(project_id=seeded.project_id, judges=("one",)))
    change_settings(services, seeded.project_id, person_id=None, judges=NAMES)

    assert estimate_of(services, BatchRequest(project_id=seeded.project_id)).calls == 3 * one.calls


def test_a_project_is_told_its_judges_on_the_command_line(services: Services) -> None:
    seeded = seed(services, pairs=1, project="Invoices")

    found = CliRunner().invoke(app, ["projects", "set", "Invoices", 'judges=["one", "two"]', "quorum=2"])
    assert found.exit_code == 0, found.output
    found = CliRunner().invoke(app, ["batch", "start", "Invoices", "--json"])
    assert found.exit_code == 0, found.output

    with services.database.read() as connection:
        started = batches.listed(connection, project_id=seeded.project_id)
    assert {each.judge.named for each in started} == {"one", "two"}
    assert {each.panel.quorum for each in started if each.panel} == {2}
