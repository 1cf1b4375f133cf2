"""Judging in bulk, with workers in this process: limits, budgets, pausing, faults, Message Batches."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.errors import Conflict, JudgeUnavailable
from comparator.domain.labels import Order
from comparator.jobs import estimate_batches, manage_batches, start_batches, worker
from comparator.jobs.manage_batches import BatchReport
from comparator.jobs.worker import Worker
from comparator.judges.model import retries
from comparator.judges.model.client import MessageBatches, RequestResult
from comparator.judges.protocol import WAITING
from comparator.store import tables
from comparator.store.bulk import batch_items
from comparator.store.bulk.batches import BatchRequest, BatchState, Via
from comparator.store.facts import fact
from comparator.store.judging import budgets, judgments
from comparator.workflow.judging import asking, message_batches, registry
from comparator.workflow.services import Services
from tests.loopback import acts
from tests.loopback.bulk import Seeded, seed
from tests.loopback.message_batches import MessageBatchServer
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.pairs import current_passes


def work(services: Services) -> None:
    asyncio.run(Worker(services, idle_seconds=0.0, poll_seconds=0.02).run())


def with_settings(services: Services, **values: object) -> Services:
    return replace(services, settings=services.settings.model_copy(update=values))


def judged(services: Services, seeded: Seeded, **options: object) -> BatchReport:
    batch = start_batches.start(
        services, BatchRequest.model_validate({"project_id": seeded.project_id, **options})
    )
    work(services)
    return manage_batches.report(services, batch.id)


def test_a_batch_costs_both_readings_of_each_pair_and_a_rubric_a_task_and_pairs_left_cost_the_same(
    services: Services,
) -> None:
    seeded = seed(services, pairs=4, tasks_of=2)

    report = judged(services, seeded)

    assert (report.batch.state, report.counts.done, report.counts.failed) == (BatchState.DONE, 4, 0)
    assert_complete(services, seeded)
    a = tables.attempt.c
    with services.database.read() as connection:
        versions = connection.scalars(sa.select(tables.rubric.c.task_version_id)).all()
        rubrics = connection.scalars(sa.select(a.cost).where(a.task_version_id.is_not(None))).all()
        readings = connection.scalars(sa.select(a.cost).where(a.judgment_id.is_not(None))).all()
    assert len(versions) == len(set(versions)) == len(rubrics) == 2
    assert report.cost == sum(rubrics) + sum(readings) > 0
    assert report.cost_at_the_end is None

    further = seed(services, pairs=2, tasks_of=2, project="More").comparison_ids
    with services.write() as unit:
        unit.update(tables.batch, tables.batch.c.id == report.batch.id, state=BatchState.RUNNING)
        for place, id in enumerate(further, start=4):
            item = {"batch_id": report.batch.id, "comparison_id": id, "position": place, "state": "waiting"}
            unit.connection.execute(sa.insert(tables.batch_item).values(**item, touched_at=unit.at))
    begun = manage_batches.report(services, report.batch.id)
    assert begun.cost == report.cost
    assert begun.cost_at_the_end == report.cost * 6 / 4


async def until(condition: Callable[[], bool], *, looks: int = 6_000) -> None:
    for _ in range(looks):
        if await asyncio.to_thread(condition):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not in time")


def assert_complete(services: Services, seeded: Seeded) -> None:
    with services.database.read() as connection:
        for comparison_id in seeded.comparison_ids:
            passes = current_passes(connection, comparison_id)
            assert sorted(p.order for p in passes) == sorted(Order)


def test_wrong_answers_storms_and_resets_end_right(services: Services, model: LoopbackServer) -> None:
    model.faults = (
        (0.2, acts.ONLY_PROSE),
        (0.05, acts.Status(429, "rate_limit_error", "slow down", {"retry-after": "0.05"})),
        (0.03, acts.OVERLOADED),
        (0.03, acts.Reset(midway=True)),
        (0.03, acts.Slow(0.1)),
    )
    seeded = seed(services, pairs=10)

    report = judged(services, seeded)
    while report.counts.failed:
        # Two wrong answers in a row are a failure, which is retried; what is read is not asked again.
        assert manage_batches.retry(services, report.batch.id) == report.counts.failed
        work(services)
        report = manage_batches.report(services, report.batch.id)

    assert report.counts.done == 10
    assert_complete(services, seeded)


@pytest.mark.parametrize("via", [Via.MESSAGES, pytest.param(Via.BATCHES, marks=pytest.mark.slow)])
def test_readings_that_contradict_themselves_are_asked_once_more_stored_apart_and_marked(
    services: Services, model: LoopbackServer, via: Via
) -> None:
    model.faults = ((1.0, acts.CONTRADICTED),)
    seeded = seed(services, pairs=3)

    report = judged(services, seeded, via=via, budget=Decimal(1_000_000))

    assert (report.batch.state, report.counts.done) == (BatchState.DONE, 3)
    assert_complete(services, seeded)
    a, s = tables.attempt.c, tables.fact.c
    with services.database.read() as connection:
        of_readings = sa.select(a.succeeded, a.error_kind, a.answer, a.calls).where(
            a.judgment_id.is_not(None)
        )
        tried = connection.execute(of_readings).all()
        marks = connection.execute(sa.select(s.self_consistent, s.stated_confidence)).all()
        for comparison_id in seeded.comparison_ids:
            rebuilt = fact.derive(connection, comparison_id)
            assert rebuilt["self_consistent"] is False
    assert Counter(attempt.error_kind for attempt in tried) == {judgments.CONTRADICTED: 6, None: 6}
    assert all(attempt.answer is not None and len(attempt.calls) == 1 for attempt in tried)
    assert {tuple(mark) for mark in marks} == {(False, 60)}


def test_while_a_server_takes_no_requests_a_batch_waits_and_says_so(
    services: Services, model: LoopbackServer
) -> None:
    seeded = seed(services, pairs=4)
    model.then(*[acts.Status(429, "rate_limit_error", "slow down", {"retry-after": "0.3"})] * 12)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id))
    said: list[str] = []

    async def watched() -> None:
        at_work = asyncio.create_task(Worker(services, idle_seconds=0.0, poll_seconds=0.02).run())
        await until(lambda: WAITING in manage_batches.report(services, batch.id).waits_for)
        said.append(manage_batches.report(services, batch.id).waits_for)
        await at_work

    asyncio.run(watched())

    report = manage_batches.report(services, batch.id)
    assert (report.counts.done, report.counts.failed, report.waits_for) == (4, 0, "")
    assert "429" in said[0]


def test_an_estimate_counts_only_what_would_be_asked_and_goes_by_how_long_answers_were(
    services: Services,
) -> None:
    seeded = seed(services, pairs=6)
    read, new = seeded.comparison_ids[:5], seeded.comparison_ids[5:]

    def estimate(*ids: str, **options: Any) -> estimate_batches.Estimate:
        request = BatchRequest(project_id=seeded.project_id, comparisons=ids, **options)
        return estimate_batches.estimate_of(services, request)

    guess = estimate(*new)
    report = judged(services, seeded, comparisons=read)
    about = estimate(*new)

    assert (guess.is_guess, about.is_guess) == (True, False)
    paid, estimated, guessed = (float(cost or 0) for cost in (report.cost, about.cost, guess.cost))
    assert abs(estimated - paid / len(read)) < abs(guessed - paid / len(read)) / 2
    assert estimate_batches.in_words(guess).endswith(" USD at a first guess.")
    assert (estimate(*read).pairs, estimate(*read).calls, estimate(*read).cost) == (5, 0, Decimal(0))
    # A rubric and both orders.
    assert estimate(*read, *new).calls == about.calls == 3
    assert estimate(*read, *new).cost == about.cost
    # Another model has read nothing, but goes by the same rubrics; not by what the offline check goes by.
    assert estimate(*read, model="claude-sonnet-4-5").calls == 10
    judged(with_settings(services, judge="offline"), seeded, comparisons=new)
    assert estimate(*new).calls == 3


def test_the_budget_of_everything_is_kept_and_a_batch_goes_on_when_it_is_raised(services: Services) -> None:
    tight = with_settings(services, budget=Decimal("0.15"))
    seeded = seed(tight, pairs=12)

    report = judged(tight, seeded)

    assert report.batch.state is BatchState.PAUSED
    assert "budget" in (report.batch.problem or "")
    assert 0 < report.counts.left <= 12
    with tight.database.read() as connection:
        whole = budgets.get(connection, budgets.WHOLE)
        assert whole.spent == budgets.spent(connection) <= whole.ceiling
        assert whole.reserved == 0

    manage_batches.move(services, report.batch.id, BatchState.RUNNING)
    work(services)

    assert manage_batches.report(services, report.batch.id).counts.done == 12


def test_a_reading_that_fails_counts_with_all_that_it_cost(services: Services, model: LoopbackServer) -> None:
    model.then_for("AB", acts.ONLY_PROSE, acts.ONLY_PROSE)

    report = judged(services, seed(services, pairs=1), budget=Decimal(5))

    with services.database.read() as connection:
        tries = connection.execute(sa.select(tables.attempt.c.calls, tables.attempt.c.cost)).all()
    assert report.counts.failed == 1
    assert sum(len(attempt.calls) for attempt in tries) == len(model.messages) == 4
    assert report.budget is not None
    assert report.budget.spent == sum(attempt.cost for attempt in tries)


def test_a_request_broken_off_is_spent(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STOP_SECONDS", 0.1)
    model.faults = ((1.0, acts.Hang()),)
    seeded = seed(services, pairs=1)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id, budget=Decimal(5)))

    async def stopped() -> None:
        working = Worker(services)
        running = asyncio.create_task(working.run())
        await until(lambda: bool(model.messages))
        working.stop()
        await running

    asyncio.run(stopped())

    budget = manage_batches.report(services, batch.id).budget
    assert budget is not None
    assert budget.reserved == 0 < budget.spent


def test_a_pair_whose_judge_stays_out_of_reach_is_tried_again_but_not_without_end(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "_LONGEST_WAIT", 0.01)
    model.faults = ((1.0, acts.Status(500, "api_error", "down")),)

    report = judged(services, seed(services, pairs=1))

    assert (report.counts.failed, report.counts.left) == (1, 0)
    assert len(model.messages) > 1


def test_a_wrong_key_pauses_the_batch_and_fails_nothing(services: Services, model: LoopbackServer) -> None:
    model.faults = ((1.0, acts.BAD_KEY),)
    seeded = seed(services, pairs=5)

    report = judged(services, seeded)

    assert report.batch.state is BatchState.PAUSED
    assert "does not accept the key" in (report.batch.problem or "")
    assert (report.counts.failed, report.counts.left) == (0, 5)


def test_a_paused_batch_sends_nothing_a_cancelled_one_ends(services: Services, model: LoopbackServer) -> None:
    seeded = seed(services, pairs=3)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id))
    manage_batches.move(services, batch.id, BatchState.PAUSED)
    work(services)
    assert model.messages == []

    manage_batches.move(services, batch.id, BatchState.CANCELLED)
    work(services)

    assert model.messages == []
    assert manage_batches.report(services, batch.id).counts.cancelled == 3
    with pytest.raises(Conflict, match="cancelled"):
        manage_batches.move(services, batch.id, BatchState.RUNNING)


@pytest.mark.slow
def test_a_batch_that_is_paused_in_the_middle_goes_on_without_asking_anything_twice(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That a batch is paused is seen with the next sign of life.
    monkeypatch.setattr(registry, "BEAT_SECONDS", 0.05)
    model.latency = 0.05
    seeded = seed(services, pairs=24)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id))

    async def until_paused() -> int:
        worker = Worker(services, idle_seconds=0.0)
        running = asyncio.create_task(worker.run())
        await until(lambda: len(model.messages) >= 8)
        await asyncio.to_thread(manage_batches.move, services, batch.id, BatchState.PAUSED)
        await running
        return len(model.messages)

    sent = asyncio.run(until_paused())
    paused = manage_batches.report(services, batch.id)
    assert paused.batch.state is BatchState.PAUSED
    assert paused.counts.done + paused.counts.left == 24

    manage_batches.move(services, batch.id, BatchState.RUNNING)
    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 24
    assert_complete(services, seeded)
    assert sent < len(model.messages) == 72 == len({message.raw for message in model.messages})


def test_what_somebody_waits_for_goes_first(services: Services, model: LoopbackServer) -> None:
    usual, urgent = seed(services, pairs=6), seed(services, pairs=2, project="Urgent", size=900)
    start_batches.start(services, BatchRequest(project_id=usual.project_id))
    for pair in urgent.comparison_ids:
        asking.ask(services, pair)

    with services.write() as unit:
        (first,) = batch_items.waiting(unit, limit=1)
    asyncio.run(Worker(with_settings(services, slots=1), idle_seconds=0.0).run())

    assert first.comparison_id in urgent.comparison_ids
    with services.database.read() as connection:
        rows = connection.execute(sa.select(tables.batch_item))
        ended = {row.comparison_id: row.touched_at for row in rows}
    last_urgent = max(ended[pair] for pair in urgent.comparison_ids)
    assert sum(ended[pair] < last_urgent for pair in usual.comparison_ids) <= 1
    assert_complete(services, usual)


@pytest.mark.slow
def test_message_batches_end_right_with_errors_expiries_wrong_answers_and_odd_figures(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.faults = ((0.15, acts.ONLY_PROSE), (0.1, acts.SERVER_ERROR), (0.1, acts.Hang()))
    odd = iter(
        ([1], {"input_tokens": "x", "output_tokens": 1.5}, {"input_tokens": -9, "output_tokens": 10**40})
    )
    answered, results = model.message_for, MessageBatchServer._results
    monkeypatch.setattr(
        model, "message_for", lambda *given: {**(it := answered(*given)), "usage": next(odd, it["usage"])}
    )
    nonsense = [{}, {"custom_id": "x"}, {"custom_id": ["x"], "result": {"type": "succeeded"}}, "", "{", "\0ü"]
    monkeypatch.setattr(MessageBatchServer, "_results", lambda *given: nonsense + results(*given))
    seeded = seed(services, pairs=8, tasks_of=2)

    report = judged(services, seeded, via=Via.BATCHES, budget=Decimal(1_000_000))
    if report.counts.failed:
        manage_batches.retry(services, report.batch.id)
        model.faults = ()
        work(services)
        report = manage_batches.report(services, report.batch.id)

    assert (report.batch.state, report.counts.done) == (BatchState.DONE, 8)
    assert_complete(services, seeded)
    assert model.messages == []
    with services.database.read() as connection:
        calls = connection.execute(sa.select(tables.attempt.c.calls)).scalars().all()
        assert all(call["batched"] for tried in calls for call in tried)
        assert connection.execute(sa.select(tables.message_request.c.digest)).all() == []
        # No answer gives money back.
        assert connection.execute(sa.select(tables.budget.c.spent)).scalar_one() >= 0


@pytest.mark.slow
def test_what_a_message_batch_cost_counts_once_although_its_results_broke_off(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, broken, tokens = MessageBatches.results, set[str](), dict[str, int]()
    answered = model.message_for

    async def break_off(client: MessageBatches, id: str) -> AsyncIterator[RequestResult]:
        async for result in results(client, id):
            yield result
            if id not in broken:
                broken.add(id)
                raise JudgeUnavailable("The connection broke off.")

    def counted(request: dict[str, Any], reply: acts.Reply) -> dict[str, Any]:
        message = answered(request, reply)
        tokens[json.dumps(request)] = sum(n for n in message["usage"].values() if isinstance(n, int))
        return message

    monkeypatch.setattr(message_batches, "AFTER_TROUBLE", 0.0)
    monkeypatch.setattr(MessageBatches, "results", break_off)
    monkeypatch.setattr(model, "message_for", counted)

    report = judged(services, seed(services, pairs=2, tasks_of=2), via=Via.BATCHES, budget=Decimal(100))

    assert (report.counts.done, len(broken), len(tokens)) == (2, 2, 1 + 4)
    with services.database.read() as connection:
        spent = connection.execute(sa.select(tables.budget.c.spent)).scalar_one()
        costs = connection.execute(sa.select(tables.attempt.c.cost)).scalars().all()
    assert spent == sum(costs) > 0


@pytest.mark.parametrize("arrives", [True, False], ids=["the provider has it", "the provider never got it"])
# Whoever dies leaves tasks behind that nobody waits for.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_a_worker_that_dies_while_it_hands_in_a_message_batch_costs_nothing_twice(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    seeded = seed(services, pairs=4, tasks_of=2)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id, via=Via.BATCHES))
    create = MessageBatches.create

    async def and_dies(self: MessageBatches, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        if arrives:
            await create(self, requests)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MessageBatches, "create", and_dies)
        with pytest.raises(KeyboardInterrupt):
            work(services)
    handed_in = len(model.batches)
    assert handed_in == arrives

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 4
    assert_complete(services, seeded)
    # One for the rubrics, one for the readings, whichever way it went.
    assert len(model.batches) == 2
    ids = [one["custom_id"] for sent in model.batches for one in sent.requests]
    assert len(ids) == len(set(ids)) == 2 + 8
