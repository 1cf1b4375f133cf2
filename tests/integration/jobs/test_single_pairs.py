"""One pair that somebody asks for: read by the next worker at once, whatever becomes of tabs, workers and money."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import Conflict, StoreError
from comparator.domain.labels import LabelKind, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.rubric import Rubric
from comparator.jobs import start_batches
from comparator.jobs.child import WorkerChild
from comparator.jobs.worker import Worker
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import QuestionResult
from comparator.settings import Settings
from comparator.store.bulk import leases
from comparator.store.bulk.batches import BatchRequest
from comparator.store.bulk.leases import STALE_AFTER, LeaseKind
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list, labels
from comparator.store.pairs.comparison_list import ComparisonRow
from comparator.workflow.judging import asking, registry
from comparator.workflow.judging.asking import QUEUED, Progress, progress_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback import acts
from tests.loopback.bulk import model_server, seed
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.pairs import current_passes
from tests.worlds.judging.judges import ServicesWith, SlowJudge, WholeJudge, judge_elsewhere
from tests.worlds.process import wait_until
from tests.worlds.workbench import GOOD, POOR, TASK, Workbench

MODEL = "claude-sonnet-5"
PATIENCE = 60.0


def with_judge(services: Services, *judges: SlowJudge) -> ServicesWith:
    """The services handing out these judges in turn, the last one for good."""
    left = list(judges)
    return ServicesWith(
        settings=services.settings,
        database=services.database,
        blobs=services.blobs,
        hand_out=lambda: left.pop(0) if len(left) > 1 else left[0],
    )


def by_settings(services: Services, **values: object) -> Services:
    return replace(services, settings=services.settings.model_copy(update=values))


def line(services: Services, comparison_id: str) -> ComparisonRow:
    with services.database.read() as connection:
        return next(x for x in comparison_list.page(connection).lines if x.id == comparison_id)


def another(workbench: Workbench, name: str, task: TaskText = TASK) -> str:
    """A further comparison, of outputs of its own."""
    good = workbench.file(f"{name}/one/report.md", f"{GOOD}\nFor {name}.\n")
    poor = workbench.file(f"{name}/two/report.md", POOR)
    return workbench.submitted(PerOutput[Path](A=good.parent, B=poor.parent), task=task)


def orders(server: LoopbackServer) -> list[str]:
    return sorted(request.order for request in server.messages)


def ask(services: Services, *comparison_ids: str, **judge: Any) -> None:
    for comparison_id in comparison_ids:
        asking.ask(services, comparison_id, **judge)


def work(services: Services) -> None:
    """A worker until nothing is left."""
    asyncio.run(Worker(services, idle_seconds=0.0).run())


def progress(services: Services, comparison_id: str) -> Progress:
    with services.database.read() as connection:
        return progress_of(connection, comparison_id, now=services.now())


@contextmanager
def working(services: Services) -> Iterator[None]:
    """A worker in a thread while the block lasts."""
    begun: list[tuple[asyncio.AbstractEventLoop, Worker]] = []

    async def run() -> None:
        worker = Worker(services)
        begun.append((asyncio.get_running_loop(), worker))
        await worker.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    wait_until(lambda: bool(begun))
    try:
        yield
    finally:
        loop, worker = begun[0]
        loop.call_soon_threadsafe(worker.stop)
        thread.join()


def test_a_pair_that_is_asked_for_from_many_tabs_at_once_is_judged_once(workbench: Workbench) -> None:
    slow = SlowJudge()
    slow.gate.set()
    services = with_judge(workbench.services, slow)
    comparison_id = workbench.submitted()
    together = threading.Barrier(6)

    def start() -> None:
        together.wait()
        ask(services, comparison_id, kind="offline")

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work(services)

    assert progress(services, comparison_id).state is JudgeState.DONE
    assert slow.readings == 2


def test_a_pair_waits_where_everybody_sees_it_until_a_worker_begins(workbench: Workbench) -> None:
    slow = SlowJudge()
    services = with_judge(workbench.services, slow)
    comparison_id = workbench.submitted()
    ask(services, comparison_id)

    waiting = progress(services, comparison_id)

    assert (waiting.state, waiting.step, waiting.in_progress) == (JudgeState.WAITING, QUEUED, True)
    assert line(services, comparison_id).status is Status.JUDGING
    judge = read_sheet(services.by(workbench.person), comparison_id).judge
    assert (judge.state, judge.step) == (JudgeState.WAITING, QUEUED)
    with working(services):
        wait_until(lambda: slow.readings == 2)
        step = "Judging in both orders: 0 of 2 readings done"
        wait_until(lambda: progress(services, comparison_id).step == step)
        assert progress(services, comparison_id).state is JudgeState.RUNNING
        slow.gate.set()
        wait_until(lambda: progress(services, comparison_id).state is JudgeState.DONE)
    assert line(services, comparison_id).status is Status.TO_REVIEW


@pytest.mark.slow
def test_a_wrong_key_fails_the_pair_that_somebody_waits_for(
    workbench: Workbench, model: LoopbackServer
) -> None:
    model.then(*[acts.BAD_KEY] * 3)
    services = by_settings(workbench.services, judge="anthropic", model=MODEL)
    comparison_id = workbench.submitted()
    ask(services, comparison_id)

    work(services)

    shown = progress(services, comparison_id)
    assert shown.state is JudgeState.FAILED
    assert "key" in (shown.problem or "")
    assert line(services, comparison_id).status is Status.FAILED


def test_single_pairs_keep_to_a_budget_that_is_nearly_used_up(
    workbench: Workbench, model: LoopbackServer
) -> None:
    services = by_settings(workbench.services, budget=Decimal("0.000001"), judge="anthropic", model=MODEL)
    pairs = [workbench.submitted(), another(workbench, "second")]
    ask(services, *pairs)

    work(services)

    ended = [progress(services, comparison_id) for comparison_id in pairs]
    assert [each.state for each in ended] == [JudgeState.FAILED] * 2
    assert all("budget" in (each.problem or "") for each in ended)
    assert model.messages == []


@pytest.mark.slow
def test_three_pairs_of_one_task_pay_for_one_rubric(workbench: Workbench, model: LoopbackServer) -> None:
    services = by_settings(workbench.services, judge="anthropic", model=MODEL)
    pairs = [workbench.submitted(), another(workbench, "second"), another(workbench, "third")]
    ask(services, *pairs)

    work(services)

    assert all(progress(services, x).state is JudgeState.DONE for x in pairs)
    assert orders(model).count("") == 1
    assert len(model.messages) == 7


@pytest.mark.parametrize("labelled", [False, True], ids=["", "with a gold label"])
def test_of_outputs_that_are_the_same_one_is_read_once_unless_the_pair_measures_a_judge(
    workbench: Workbench, model: LoopbackServer, labelled: bool
) -> None:
    services = by_settings(workbench.services, judge="anthropic", model=MODEL, repetitions="auto")
    folders = (workbench.file(f"{side}/report.md", GOOD).parent for side in ("one", "two"))
    pair = workbench.submitted(PerOutput[Path](A=next(folders), B=next(folders)))
    if labelled:
        with services.write() as unit:
            labels.add(
                unit, pair, kind=LabelKind.GOLD, author="x", winner=Winner.TIE, blind=None, source="set"
            )
    ask(services, pair)

    work(services)

    assert progress(services, pair).state is JudgeState.DONE
    assert orders(model) == (["", "AB", "BA"] if labelled else ["", "A"])
    with services.database.read() as connection:
        passes = current_passes(connection, pair)
    assert {(each.order, each.answer.better) for each in passes} == {(order, Winner.TIE) for order in Order}
    for marks in (each for given in passes for each in given.answer.criteria.values()):
        assert (marks.A.score, marks.A.rationale) == (marks.B.score, marks.B.rationale)


@pytest.mark.slow
def test_a_single_pair_goes_before_a_batch_that_holds_all_places(
    workbench: Workbench, model: LoopbackServer
) -> None:
    model.latency = 0.05
    services = by_settings(workbench.services, slots=1)
    made = seed(services, pairs=20)
    single_id, *rest = made.comparison_ids
    start_batches.start(
        services,
        BatchRequest(project_id=made.project_id, comparisons=tuple(rest), judge="anthropic"),
    )

    with working(services):
        wait_until(lambda: len(model.messages) >= 4)
        ask(services, single_id, kind="anthropic")
        wait_until(lambda: progress(services, single_id).state is JudgeState.DONE)
        sent = len(model.messages)

    assert sent < 2 * len(rest)
    assert model.most_open == 1


def test_an_answer_is_stored_once_a_busy_database_lets_it(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, refused = (
        judgments.keep_try,
        [StoreError("The database is busy."), StoreError("The database is busy.")],
    )

    def busy_at_first(*arguments: Any, **named: Any) -> bool:
        if refused:
            raise refused.pop()
        return store(*arguments, **named)

    monkeypatch.setattr(judgments, "keep_try", busy_at_first)

    outcome = workbench.judged(workbench.submitted())

    assert (outcome.complete, outcome.problem, refused) == (True, None, [])


def test_a_run_that_was_taken_over_ends_without_touching_the_others_lease(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "BEAT_SECONDS", 0.02)
    slow, services = SlowJudge(), workbench.services
    comparison_id = workbench.submitted()

    def take_over() -> None:
        later = services.now() + STALE_AFTER * 2
        with services.write(at=later) as unit:
            leases.join(unit, "elsewhere:1:x")
            assert leases.take(unit, LeaseKind.PAIR, (comparison_id,), worker="elsewhere:1:x")

    async def both() -> None:
        running = asyncio.create_task(judge_comparison(services, slow, comparison_id))
        while slow.readings < 2:  # noqa: ASYNC110  # there is nothing to wait on
            await asyncio.sleep(0.01)
        await asyncio.to_thread(take_over)
        with pytest.raises(Conflict, match="elsewhere"):
            await asyncio.wait_for(running, timeout=PATIENCE)
        assert running.cancelling() == 0

    asyncio.run(both())

    assert slow.cancelled == 2
    with services.database.read() as connection:
        lease = leases.of_pair(connection, comparison_id)
    assert lease is not None
    assert lease.worker == "elsewhere:1:x"


def test_what_a_dead_worker_left_is_read_by_the_next_one(workbench: Workbench) -> None:
    services = workbench.services
    left, alive = another(workbench, "left"), another(workbench, "alive")
    judge_elsewhere(services, left, old=STALE_AFTER * 2, worker="gone:1:x")
    judge_elsewhere(services, alive, worker="elsewhere:1:y")

    with working(services):
        wait_until(lambda: progress(services, left).state is JudgeState.DONE)

    assert line(services, alive).status is Status.JUDGING


def test_a_bug_fails_its_pair_and_no_other(workbench: Workbench) -> None:
    broken, sound = SlowJudge(fault=RuntimeError("a bug")), workbench.services
    broken.gate.set()
    comparison_id = workbench.submitted()
    ask(sound, comparison_id, kind="offline")
    work(with_judge(sound, broken))
    told = progress(sound, comparison_id)

    ask(sound, comparison_id, kind="offline")
    work(sound)

    assert told.state is JudgeState.FAILED
    assert (told.problem or "").startswith("Something went wrong")
    assert progress(sound, comparison_id).state is JudgeState.DONE


@pytest.mark.slow
def test_the_apps_child_reads_a_pair_that_a_page_asks_for_and_runs_nothing_of_the_folder_it_is_in(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    for module in ("json", "typing", "comparator"):
        (tmp_path / f"{module}.py").write_text(f"open({str(tmp_path / 'has run')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    settings = Settings(home=home, database_url=database_url, judge="offline")
    services = Services(
        environment=os.environ, settings=settings, database=database, blobs=BlobStore.at(str(home / "blobs"))
    )
    one, (comparison_id,) = WorkerChild(services), seed(services, pairs=1).comparison_ids
    one.start()
    try:
        one.wake()
        wait_until(lambda: _workers(services) == 1)
        ask(services, comparison_id)
        one.wake()
        wait_until(lambda: one.progress(comparison_id).state is JudgeState.DONE)
    finally:
        one.stop()
    assert _workers(services) == 0
    assert not (tmp_path / "has run").exists()


@pytest.mark.slow
def test_a_pair_whose_worker_is_killed_is_read_to_its_end_by_the_next_one(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    settings = Settings(home=home, database_url=database_url, judge="anthropic", model=MODEL)
    services = Services(
        environment=os.environ, settings=settings, database=database, blobs=BlobStore.at(str(home / "blobs"))
    )
    with model_server(tmp_path, latency=1.0) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        one, (comparison_id,) = WorkerChild(services), seed(services, pairs=1).comparison_ids
        one.start()
        try:
            ask(services, comparison_id)
            one.wake()
            wait_until(lambda: (one.progress(comparison_id).step or "").startswith("Judging in both"))
            assert one._child is not None
            one._child.kill()
            one._child.wait()
            one.wake()
            wait_until(lambda: one.progress(comparison_id).state is JudgeState.DONE)
        finally:
            one.stop()
        answered = server.answered()
    with services.database.read() as connection:
        assert len(current_passes(connection, comparison_id)) == 2
    # A rubric and two readings; the two that were on the wire may have been paid for again, the rubric not.
    assert len(answered) == 3
    assert sum(answered.values()) <= 5


def _workers(services: Services) -> int:
    with services.database.read() as connection:
        return registry.number(services, connection)


class OwnRubric(WholeJudge):
    """A model that writes another rubric than the offline check does."""

    async def write_rubric(self, task: TaskText, **more: Any) -> QuestionResult[Rubric]:
        drafted = await super().write_rubric(task, **more)
        return QuestionResult(drafted.value.model_copy(update={"right_answer": "Six points."}))


def test_a_model_does_not_go_by_the_rubric_of_an_offline_check(workbench: Workbench) -> None:
    pair = another(workbench, "first")
    workbench.judged(pair, OfflineJudge())
    workbench.judged(pair, OwnRubric())

    assert workbench.sheet(pair).rubric_author == "whole-judge"
