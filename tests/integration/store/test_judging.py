"""Judgments: every try is kept, one answer counts, nothing is paid for twice."""

from __future__ import annotations

import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any

from comparator.domain.labels import Order, PerOutput, Winner
from comparator.store.bulk import batch_items, batches, leases, message_batches, workers
from comparator.store.bulk.batches import JudgeChoice, NewBatch, Via
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.unit import Unit, new_id
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.judging import budgets, judgments
from comparator.store.judging.budgets import BudgetUnit
from comparator.store.judging.passes import current, sets, successful
from comparator.store.pairs import comparison_list
from tests.worlds.histories.pairs import JudgeId, World, answer
from tests.worlds.judging.passes import current_passes


def status_of(world: World, comparison_id: str) -> Status:
    with world.database.read() as connection:
        return comparison_list.status(connection, comparison_id)


def test_a_judgment_is_the_same_until_something_it_rests_on_changes(world: World) -> None:
    comparison = world.compare()
    rubric_id = world.rubric_id()
    with world.database.write() as connection:

        def ensure(digests: str = "ab", **parts: Any) -> judgments.Judgment:
            values: dict[str, Any] = {"judge": JudgeId(), "order": Order.A_FIRST, "repetition": 0} | parts
            return judgments.ensure_judgment(
                Unit(connection, at=world.now(), new_id=new_id),
                comparison.id,
                view_digests=PerOutput[str](A=digests[0] * 64, B=digests[1] * 64),
                rubric_id=rubric_id,
                **values,
            )

        first = ensure()
        assert ensure() == first
        others = {
            ensure("cb").id,
            ensure("ba").id,
            ensure(order=Order.B_FIRST).id,
            ensure(repetition=1).id,
            ensure(judge=JudgeId(digest="e" * 64)).id,
            ensure(judge=JudgeId(model="other")).id,
        }

    assert len(others | {first.id}) == 7


def test_a_pass_that_succeeded_need_not_be_paid_for_again(world: World) -> None:
    comparison = world.compare()
    world.attempt(comparison, Order.A_FIRST, None)
    world.attempt(comparison, Order.A_FIRST, answer(5, 3))
    rubric_id = world.rubric_id()

    with world.database.write() as connection:
        done = {
            order: judgments.ensure_judgment(
                Unit(connection, at=world.now(), new_id=new_id),
                comparison.id,
                view_digests=world.view_digests(connection, comparison),
                rubric_id=rubric_id,
                judge=JudgeId(),
                order=order,
            ).done
            for order in Order
        }

    assert done == {Order.A_FIRST: True, Order.B_FIRST: False}


def test_of_two_answers_the_first_counts_and_the_second_is_kept_as_a_duplicate(world: World) -> None:
    comparison = world.compare()

    assert world.attempt(comparison, Order.A_FIRST, answer(5, 3))
    assert not world.attempt(comparison, Order.A_FIRST, answer(1, 5))

    with world.database.read() as connection:
        (only,) = current_passes(connection, comparison.id)
        kept = judgments.attempts(connection, comparison.id)
        spent = budgets.spent(connection)
    assert only.answer == answer(5, 3)
    assert [(a.succeeded, a.error_kind) for a in kept] == [(True, None), (False, judgments.DUPLICATE)]
    assert kept[1].answer == answer(1, 5)
    assert spent == Decimal("0.00246")


def test_of_workers_that_store_an_answer_at_once_exactly_one_succeeds(world: World) -> None:
    comparison = world.compare()
    world.rubric_id()
    outcomes: list[bool | Exception] = []
    barrier = threading.Barrier(4)

    def work(score: int) -> None:
        barrier.wait(30)
        try:
            outcomes.append(world.attempt(comparison, Order.A_FIRST, answer(score, 3)))
        except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
            outcomes.append(error)

    threads = [threading.Thread(target=work, args=(score,)) for score in (1, 2, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(map(str, outcomes)) == ["False", "False", "False", "True"]
    with world.database.read() as connection:
        assert len(current_passes(connection, comparison.id)) == 1
        assert len(judgments.attempts(connection, comparison.id)) == 4


def test_a_failure_is_data_with_its_raw_answer(world: World) -> None:
    comparison = world.compare()
    world.attempt(comparison, Order.A_FIRST, answer(5, 3))
    world.attempt(comparison, Order.B_FIRST, None, message="Too long.")
    world.attempt(comparison, Order.B_FIRST, None, message="The model declined.")

    with world.database.read() as connection:
        (failure,) = judgments.failures(connection, comparison.id)
        line = comparison_list.line(connection, comparison.id)

    assert (failure.order, failure.error_kind, failure.message) == (
        Order.B_FIRST,
        "JudgeRefused",
        "The model declined.",
    )
    assert failure.calls[0].raw == '{"a": 1}'
    assert (failure.input_tokens, failure.output_tokens, failure.seconds) == (100, 20, 1.5)
    assert failure.cost == Decimal("0.00123")
    assert failure.prompts == {"pair": "p" * 64}
    assert (line.status, line.problem) == (Status.FAILED, "The model declined.")
    assert line.winner is None


def test_after_a_retry_the_failure_is_history_and_the_judgment_counts(world: World) -> None:
    comparison = world.compare()
    world.attempt(comparison, Order.A_FIRST, None)
    world.judge(comparison, 5, 3)

    with world.database.read() as connection:
        line = comparison_list.line(connection, comparison.id)
        assert judgments.failures(connection, comparison.id) == ()
        assert len(judgments.attempts(connection, comparison.id)) == 3

    assert (line.status, line.problem, line.winner) == (Status.TO_REVIEW, None, Winner.A)
    assert (line.judge_overall_a, line.judge_overall_b) == (Decimal("10.0"), Decimal("6.0"))
    assert line.judge_cost == Decimal("0.00369")
    assert (line.quotes_found, line.quotes_total, line.position_consistent) == (16, 16, True)


def test_the_newest_complete_judgment_counts_even_while_another_one_is_half_done(world: World) -> None:
    comparison = world.compare()
    first, second, third = JudgeId(), JudgeId(model="other"), JudgeId(model="third")
    world.judge(comparison, 5, 3, judge=first)
    world.judge(comparison, 2, 4, judge=second)
    world.attempt(comparison, Order.A_FIRST, answer(5, 1), judge=third)

    with world.database.read() as connection:
        passes = current_passes(connection, comparison.id)
        known = sets(connection, comparison.id)
        earlier = successful(connection, known[0].digest)
        line = comparison_list.line(connection, comparison.id)

    chosen = current(known)
    assert chosen is not None
    assert chosen.judge_model == "other"
    assert {p.answer.better for p in passes} == {Winner.B}
    assert [s.judge_model for s in known] == ["claude-sonnet-5-5", "other", "third"]
    assert [s.complete for s in known] == [True, True, False]
    assert {p.answer.better for p in earlier} == {Winner.A}
    assert (line.judge_model, line.winner) == ("other", Winner.B)


def test_one_worker_at_a_time_has_a_comparison_until_it_gives_it_back_or_dies(world: World) -> None:
    id = world.compare().id
    with world.database.write() as connection:
        at = world.now()
        for worker in ("one", "two"):
            workers.join(Unit(connection, at=at), worker, build="1")

        def take(worker: str, later: int) -> bool:
            then = at + timedelta(seconds=later)
            workers.beat(Unit(connection, at=then), worker)
            return id in leases.take(Unit(connection, at=then), LeaseKind.PAIR, (id,), worker=worker)

        assert take("one", 0)
        assert not take("two", 5)
        leases.note_step(connection, id, worker="one", step="reading A first")
        leases.note_step(connection, id, worker="two", step="reading B first")
        workers.beat(Unit(connection, at=at + timedelta(seconds=20)), "one")
        assert not take("two", 40)
        found = leases.of_pair(connection, id)
        assert found is not None
        assert (found.step, found.worker) == ("reading A first", "one")
        assert take("two", 51)
        assert leases.of_worker(connection, LeaseKind.PAIR, worker="one") == ()
        assert leases.give_back(connection, LeaseKind.PAIR, (id,), worker="one") == ()
        assert leases.give_back(connection, LeaseKind.PAIR, (id,), worker="two") == (id,)
        assert take("one", 61)


def test_status_follows_the_judge(world: World) -> None:
    comparison = world.compare()
    seen = [status_of(world, comparison.id)]
    asked: list[str] = []
    with world.database.write() as connection:
        workers.join(Unit(connection, at=world.now()), "w", build="1")

    def begin() -> None:
        at = world.now()
        with world.database.write() as connection:
            batch = batches.add(
                Unit(connection, at=at, new_id=new_id),
                NewBatch(
                    project_id=comparison.project_id,
                    name="",
                    judge=JudgeChoice(kind="offline", model="baseline", repetitions=1),
                ),
                (comparison.id,),
            )
            asked.append(batch.id)
            assert batch_items.lease(Unit(connection, at=at), batch.id, comparison.id, worker="w")
        seen.append(status_of(world, comparison.id))

    def end(problem: str | None) -> None:
        at = world.now()
        with world.database.write() as connection:
            assert batch_items.finish(
                Unit(connection, at=at), asked[-1], comparison.id, worker="w", problem=problem
            )
            fact.refresh(Unit(connection, at=at), comparison.id)
        seen.append(status_of(world, comparison.id))

    begin()
    end("No key is configured.")
    begin()
    world.judge(comparison)
    end(None)

    assert seen == [Status.TO_JUDGE, Status.JUDGING, Status.FAILED, Status.JUDGING, Status.TO_REVIEW]


def test_what_was_set_aside_is_settled_once_and_no_more_than_the_ceiling_is(world: World) -> None:
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        budget = budgets.add(
            unit,
            project_id=world.project.id,
            counted_in=BudgetUnit.MONEY,
            ceiling=Decimal(3),
            created_by=None,
        )
        one, other = new_id(), new_id()
        assert budgets.reserve(unit, budget, one, Decimal(2), worker="one")
        assert not budgets.reserve(unit, budget, other, Decimal("1.01"), worker="two")
        assert budgets.reserve(unit, budget, other, Decimal(1), worker="two")
        for _ in range(2):
            budgets.settle(unit, one, {BudgetUnit.MONEY: Decimal("0.5"), BudgetUnit.TOKENS: Decimal(9)})
        budgets.settle_all_of(unit, "two")
        found = budgets.get(connection, budget)

    assert (found.spent, found.reserved) == (Decimal("1.5"), Decimal(0))


def test_a_request_of_a_message_batch_that_was_answered_is_not_asked_again(world: World) -> None:
    pair = world.compare().id
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        new = NewBatch(
            project_id=world.project.id,
            name="By batches",
            judge=JudgeChoice(kind="anthropic", model="model-one", repetitions=1),
            via=Via.BATCHES,
        )
        batch = batches.add(unit, new, (pair,))
        workers.join(unit, "one", build="1")

        def ask() -> bool:
            item = batch_items.lease(unit, batch.id, pair, worker="one")
            assert item is not None
            message_batches.put_out(unit, item, worker="one", asked={"a" * 64: {"q": 1}, "b" * 64: {"q": 2}})
            return message_batches.gathered(connection, batch.id)

        assert ask()
        out, requests = message_batches.begin(unit, batch.id, most=9, longest=999)
        message_batches.answer(connection, out.id, "a" * 64, reply={"said": 1})
        message_batches.answer(connection, out.id, "b" * 64, reply=None)
        again = message_batches.begin(unit, batch.id, most=9, longest=999)[1]

        assert len(requests) == 2
        assert [(each.digest, each.tries) for each in again] == [("b" * 64, 1)]
        assert message_batches.reply(connection, batch.id, "a" * 64) == {"said": 1}
        assert message_batches.reply(connection, batch.id, "b" * 64) is None
