"""One pair that somebody asks for: read by the next worker at once, whatever becomes of tabs, workers and money."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import Conflict, StoreError
from comparator.domain.labels import LabelKind, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.rubric import Rubric
from comparator.jobs.child import WorkerChild
from comparator.jobs.worker import Worker
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import QuestionResult
from comparator.store.bulk import leases
from comparator.store.bulk.leases import STALE_AFTER, LeaseKind
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list, labels
from comparator.store.pairs.comparison_list import ComparisonRow
from comparator.web.review.shown import as_sent
from comparator.workflow.judging import asking, registry
from comparator.workflow.judging.asking import QUEUED, Progress, progress_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import with_settings, work
from tests.loopback.bulk import model_server, seed
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.pairs import current_passes
from tests.worlds.judging.judges import ServicesWith, SlowJudge, WholeJudge, judge_elsewhere
from tests.worlds.process import wait_until
from tests.worlds.workbench import GOOD, Workbench

MODEL = "claude-sonnet-5"


def with_judge(services: Services, judge: SlowJudge) -> ServicesWith:
    return ServicesWith(
        settings=services.settings, database=services.database, blobs=services.blobs, hand_out=lambda: judge
    )


def line(services: Services, comparison_id: str) -> ComparisonRow:
    with services.database.read() as connection:
        return next(x for x in comparison_list.page(connection).lines if x.id == comparison_id)


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

    def start(_: int) -> None:
        together.wait()
        asking.ask(services, comparison_id, kind="offline")

    with ThreadPoolExecutor(6) as tabs:
        list(tabs.map(start, range(6)))
    work(services)

    assert progress(services, comparison_id).state is JudgeState.DONE
    assert slow.readings == 2


def test_a_pair_waits_where_everybody_sees_it_until_a_worker_begins(workbench: Workbench) -> None:
    slow = SlowJudge()
    services = with_judge(workbench.services, slow)
    comparison_id = workbench.submitted()
    asking.ask(services, comparison_id)

    waiting = progress(services, comparison_id)

    assert (waiting.state, waiting.step, waiting.in_progress) == (JudgeState.WAITING, QUEUED, True)
    assert line(services, comparison_id).status is Status.JUDGING
    sheet = read_sheet(services.by(workbench.person), comparison_id)
    assert (sheet.judge.state, sheet.judge.step) == (JudgeState.WAITING, QUEUED)
    # Criteria that the judge is about to replace are not put to the reviewer.
    assert sheet.rubric_is_coming
    assert as_sent(sheet)["rubric"] == {"content": [], "structure": []}
    with working(services):
        wait_until(lambda: slow.readings == 2)
        step = "Judging in both orders: 0 of 2 readings done"
        wait_until(lambda: progress(services, comparison_id).step == step)
        assert progress(services, comparison_id).state is JudgeState.RUNNING
        slow.gate.set()
        wait_until(lambda: progress(services, comparison_id).state is JudgeState.DONE)
    assert line(services, comparison_id).status is Status.TO_REVIEW
    assert as_sent(read_sheet(services.by(workbench.person), comparison_id))["rubric"]["content"]


def test_single_pairs_keep_to_a_budget_nearly_used_up(workbench: Workbench, model: LoopbackServer) -> None:
    services = with_settings(workbench.services, budget=Decimal("0.000001"), judge="anthropic", model=MODEL)
    pairs = [workbench.submitted(), workbench.submitted(workbench.other_pair("second"))]
    for pair in pairs:
        asking.ask(services, pair)

    work(services)

    ended = [progress(services, comparison_id) for comparison_id in pairs]
    assert [result.state for result in ended] == [JudgeState.FAILED] * 2
    assert all("budget" in (result.problem or "") for result in ended)
    assert model.messages == []


@pytest.mark.parametrize("labelled", [False, True], ids=["", "with a gold label"])
def test_of_outputs_that_are_the_same_one_is_read_once_unless_the_pair_measures_a_judge(
    workbench: Workbench, model: LoopbackServer, labelled: bool
) -> None:
    services = with_settings(workbench.services, judge="anthropic", model=MODEL, repetitions="auto")
    folders = (workbench.file(f"{side}/report.md", GOOD).parent for side in ("one", "two"))
    pair = workbench.submitted(PerOutput[Path](A=next(folders), B=next(folders)))
    if labelled:
        with services.write() as unit:
            labels.add(
                unit, pair, kind=LabelKind.GOLD, author="x", winner=Winner.TIE, blind=None, source="set"
            )
    asking.ask(services, pair)

    work(services)

    assert progress(services, pair).state is JudgeState.DONE
    assert sorted(request.order for request in model.messages) == (
        ["", "AB", "BA"] if labelled else ["", "A"]
    )
    with services.database.read() as connection:
        passes = current_passes(connection, pair)
    assert {(reading.order, reading.answer.better) for reading in passes} == {
        (order, Winner.TIE) for order in Order
    }
    for marks in (marks for given in passes for marks in given.answer.criteria.values()):
        assert (marks.A.score, marks.A.rationale) == (marks.B.score, marks.B.rationale)


def test_an_answer_waits_for_a_busy_database(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    store, refused = judgments.keep_try, [StoreError("The database is busy.")] * 2

    def busy_at_first(*arguments: Any, **named: Any) -> bool:
        if refused:
            raise refused.pop()
        return store(*arguments, **named)

    monkeypatch.setattr(judgments, "keep_try", busy_at_first)

    outcome = workbench.judged(workbench.submitted())

    assert (outcome.complete, outcome.problem, refused) == (True, None, [])


def test_a_run_that_is_taken_over_ends_quietly(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
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
            await asyncio.wait_for(running, timeout=60)
        assert running.cancelling() == 0

    asyncio.run(both())

    assert slow.cancelled == 2
    with services.database.read() as connection:
        lease = leases.of_pair(connection, comparison_id)
    assert lease is not None
    assert lease.worker == "elsewhere:1:x"


def test_what_a_dead_worker_left_is_read_by_the_next_one(workbench: Workbench) -> None:
    services = workbench.services
    left, alive = (workbench.submitted(workbench.other_pair(name)) for name in ("left", "alive"))
    judge_elsewhere(services, left, old=STALE_AFTER * 2, worker="gone:1:x")
    judge_elsewhere(services, alive, worker="elsewhere:1:y")

    with working(services):
        wait_until(lambda: progress(services, left).state is JudgeState.DONE)

    assert line(services, alive).status is Status.JUDGING


def test_a_bug_fails_its_pair_and_no_other(workbench: Workbench) -> None:
    broken, sound = SlowJudge(fault=RuntimeError("a bug")), workbench.services
    broken.gate.set()
    comparison_id = workbench.submitted()
    asking.ask(sound, comparison_id, kind="offline")
    work(with_judge(sound, broken))
    failure = progress(sound, comparison_id)

    asking.ask(sound, comparison_id, kind="offline")
    work(sound)

    assert failure.state is JudgeState.FAILED
    assert (failure.problem or "").startswith("Something went wrong")
    assert progress(sound, comparison_id).state is JudgeState.DONE


@pytest.mark.slow
def test_the_apps_child_runs_nothing_of_its_folder_and_a_pair_whose_child_is_killed_is_read_by_the_next(
    served: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for module in ("json", "typing", "comparator"):
        (folder / f"{module}.py").write_text(f"open({str(tmp_path / 'has run')!r}, 'w')")
    monkeypatch.chdir(folder)
    with model_server(tmp_path, latency=1.0) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        one, (comparison_id,) = WorkerChild(served), seed(served, pairs=1).comparison_ids
        one.start()
        try:
            one.wake()
            wait_until(lambda: _workers(served) == 1)
            asking.ask(served, comparison_id)
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
    with served.database.read() as connection:
        assert len(current_passes(connection, comparison_id)) == 2
    # A rubric and two readings; the two that were on the wire may have been paid for again, the rubric not.
    assert len(answered) == 3
    assert sum(answered.values()) <= 5
    # The one that was stopped has left; the killed one may not count as dead yet.
    assert _workers(served) <= 1
    assert not (tmp_path / "has run").exists()


def _workers(services: Services) -> int:
    with services.database.read() as connection:
        return registry.number(services, connection)


class OwnRubric(WholeJudge):
    """A model that writes another rubric than the offline check does."""

    async def write_rubric(self, task: TaskText, **more: Any) -> QuestionResult[Rubric]:
        drafted = await super().write_rubric(task, **more)
        return QuestionResult(drafted.value.model_copy(update={"right_answer": "Six points."}))


def test_a_model_does_not_go_by_the_rubric_of_an_offline_check(workbench: Workbench) -> None:
    pair = workbench.submitted(workbench.other_pair("first"))
    workbench.judged(pair, OfflineJudge())
    workbench.judged(pair, OwnRubric())

    assert workbench.sheet(pair).rubric_author == "whole-judge"
