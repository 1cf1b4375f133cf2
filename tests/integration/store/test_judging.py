"""Judgments and reviews: every try is kept, one answer counts, nothing is lost whoever writes at once."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

from comparator.domain.labels import Order
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.store.bulk import batch_items, batches, leases, message_batches
from comparator.store.bulk.batches import NewBatch, Via
from comparator.store.core.sql import new_id
from comparator.store.facts.fact import Status
from comparator.store.judging import budgets, judgments
from comparator.store.pairs import comparison_list
from comparator.store.reviewing import reviews
from tests.worlds.histories.pairs import World, answer, current_passes

JUDGE = JudgeChoice(kind="anthropic", model="model-one", repetitions=1)


def test_of_two_answers_the_first_counts_and_the_second_is_kept_as_a_duplicate(world: World) -> None:
    comparison = world.compare()

    assert world.attempt(comparison, Order.A_FIRST, answer(5, 3))
    assert not world.attempt(comparison, Order.A_FIRST, answer(1, 5))

    with world.database.read() as connection:
        (only,) = current_passes(connection, comparison.id)
        kept = judgments.tries(connection, comparison.id, judgments.Attempt)
        spent = budgets.spent(connection)
    assert only.answer == answer(5, 3)
    assert [(a.succeeded, a.error_kind) for a in kept] == [(True, None), (False, judgments.DUPLICATE)]
    assert kept[1].answer == answer(1, 5)
    assert spent == Decimal("0.00246")


def test_of_workers_that_store_an_answer_at_once_exactly_one_succeeds(world: World) -> None:
    comparison = world.compare()
    with world.write() as unit:
        world.rubric_id(unit)
    barrier = threading.Barrier(4)

    def work(score: int) -> bool:
        barrier.wait(30)
        return world.attempt(comparison, Order.A_FIRST, answer(score, 3))

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(work, (1, 2, 4, 5))) == [False, False, False, True]
    with world.database.read() as connection:
        assert len(current_passes(connection, comparison.id)) == 1
        assert len(judgments.tries(connection, comparison.id, judgments.Attempt)) == 4


def test_what_was_set_aside_is_settled_once_and_no_more_than_the_ceiling_is(world: World) -> None:
    with world.write() as unit:
        budget = budgets.add(unit, project_id=world.project.id, ceiling=Decimal(3), created_by=None) or ""
        one, other = new_id(), new_id()
        assert budgets.reserve(unit, budget, one, Decimal(2), worker="one")
        assert not budgets.reserve(unit, budget, other, Decimal("1.01"), worker="two")
        assert budgets.reserve(unit, budget, other, Decimal(1), worker="two")
        for _ in range(2):
            budgets.settle(unit, one, Decimal("0.5"))
        budgets.settle_abandoned(unit)
        sums = budgets.get(unit.connection, budget)

    assert (sums.spent, sums.reserved) == (Decimal("1.5"), Decimal(0))


def test_a_request_of_a_message_batch_that_was_answered_is_not_asked_again(world: World) -> None:
    pair = world.compare().id
    with world.write() as unit:
        new = NewBatch(project_id=world.project.id, name="By batches", judge=JUDGE, via=Via.BATCHES)
        batch = batches.add(unit, new, (pair,))
        leases.join(unit, "one")

        def ask() -> bool:
            item = batch_items.lease(unit, batch.id, pair, worker="one")
            assert item is not None
            message_batches.ask(unit, item, {"a" * 64: {"q": 1}, "b" * 64: {"q": 2}})
            batch_items.let_go(unit, batch.id, pair, worker="one", state="out")
            return message_batches.is_gathered(unit.connection, batch.id)

        assert ask()
        out, requests = message_batches.begin(unit, batch.id, most=9, longest=999)
        message_batches.answer(unit, out.id, "a" * 64, reply={"said": 1})
        message_batches.answer(unit, out.id, "b" * 64, reply=None)
        again = message_batches.begin(unit, batch.id, most=9, longest=999)[1]

        assert len(requests) == 2
        assert [(request.digest, request.tries) for request in again] == [("b" * 64, 1)]
        assert message_batches.reply(unit.connection, batch.id, "a" * 64) == {"said": 1}
        assert message_batches.reply(unit.connection, batch.id, "b" * 64) is None


def test_numbers_that_are_kept_follow_a_pair_that_a_worker_takes(world: World) -> None:
    pair = world.compare().id

    def number(status: Status) -> int:
        with world.database.read() as connection:
            return comparison_list.counts(connection, project_id=world.project.id)[status]

    assert (number(Status.TO_JUDGE), number(Status.JUDGING)) == (1, 0)
    with world.write() as unit:
        new = NewBatch(project_id=world.project.id, name="One", judge=JUDGE, via=Via.MESSAGES)
        batch = batches.add(unit, new, (pair,))
        leases.join(unit, "one")
        assert batch_items.lease(unit, batch.id, pair, worker="one")
    assert (number(Status.TO_JUDGE), number(Status.JUDGING)) == (0, 1)


def test_processes_that_write_at_once_lose_nothing(world: World, database_url: str, tmp_path: Path) -> None:
    comparison = world.compare()
    world.judge(comparison, 5, 3)
    review = world.review(comparison)
    code = (
        "import sys\n"
        "from datetime import datetime, UTC\n"
        "from pathlib import Path\n"
        "from threading import Thread\n"
        "from comparator.domain.scoring.review import Change, ChangeKind, Target\n"
        "from comparator.settings import Settings\n"
        "from comparator.store.core.blobs import BlobStore\n"
        "from comparator.store.core.database import Database\n"
        "from comparator.workflow.review.review import record\n"
        "from comparator.workflow.services import Services\n"
        "url, pair, person, folder, name = sys.argv[1:]\n"
        "services = Services(settings=Settings(home=Path(folder)), database=Database.open(url),\n"
        "                    blobs=BlobStore.at(folder))\n"
        "target = Target.parse('score:A:content.correctness')\n"
        "def tab(letter):\n"
        "    for number in range(10):\n"
        "        change = Change(id=f'{name}{letter}{number}', target=target, kind=ChangeKind.SET, value=3,\n"
        "                        author=person, at=datetime.now(UTC))\n"
        "        record(services.by(person), pair, [change])\n"
        "tabs = [Thread(target=tab, args=(letter,)) for letter in 'ab']\n"
        "[each.start() for each in tabs]\n"
        "[each.join() for each in tabs]\n"
        "services.close()\n"
    )

    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, database_url, comparison.id, review.person_id, str(tmp_path), name],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("x", "y")
    ]
    errors = [process.communicate(timeout=120)[1] for process in processes]

    assert [process.returncode for process in processes] == [0, 0], errors
    with world.database.read() as connection:
        ids = [change.id for change in reviews.changes(connection, review.id)]
    assert len(ids) == 40
    for tab in ("xa", "xb", "ya", "yb"):
        assert [id for id in ids if id.startswith(tab)] == [f"{tab}{number}" for number in range(10)]
