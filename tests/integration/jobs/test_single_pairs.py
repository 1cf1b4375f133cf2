"""Judging in the background: what two tabs, a broken-off process, a full queue and a small budget make of it."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import Conflict, InputError
from comparator.domain.judgment import JudgeState
from comparator.domain.labels import PerOutput
from comparator.domain.task import TaskText
from comparator.jobs.single_pairs import Desk
from comparator.settings import Settings
from comparator.store.bulk import progress
from comparator.store.bulk.progress import ProgressState
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Connection, Database
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons
from comparator.store.pairs.comparisons import Line
from comparator.store.rollup import rollup
from comparator.store.rollup.rollup import Status
from comparator.workflow.examples import examples_left, load_examples
from comparator.workflow.judge_paths import Request, judge_once
from comparator.workflow.judging import leases
from comparator.workflow.judging.leases import INTERRUPTED, QUEUED, STALE_AFTER, free_dead, lease
from comparator.workflow.judging.read_pair import judge_comparison
from comparator.workflow.review.read_sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback import acts
from tests.loopback.acts import Hang
from tests.loopback.server import LoopbackServer
from tests.worlds.judges import ServicesWith, SlowJudge
from tests.worlds.workbench import GOOD, POOR, TASK
from tests.worlds.workbench import Workbench as Bench

MODEL = "claude-sonnet-5"
PATIENCE = 30.0


@pytest.fixture
def bench(database: Database, blobs: BlobStore, tmp_path: Path) -> Bench:
    return Bench(database, blobs, tmp_path)


@pytest.fixture
def desks() -> Iterator[Callable[[Services], Desk]]:
    """Opens desks, and stops them at the end."""
    opened: list[Desk] = []

    def begin(services: Services) -> Desk:
        opened.append(Desk(services))
        return opened[-1]

    yield begin
    for desk in opened:
        desk.stop()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        yield server


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


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


def line(services: Services, comparison_id: str) -> Line:
    with services.database.read() as connection:
        return next(x for x in comparisons.page(connection).lines if x.id == comparison_id)


def row(services: Services, comparison_id: str) -> progress.Progress:
    with services.database.read() as connection:
        found = progress.get(connection, comparison_id)
    assert found is not None
    return found


def another(bench: Bench, name: str, task: TaskText = TASK) -> str:
    """A further comparison, of outputs of its own."""
    good = bench.file(f"{name}/one/report.md", f"{GOOD}\nFor {name}.\n")
    poor = bench.file(f"{name}/two/report.md", POOR)
    return bench.submitted(PerOutput[Path](A=good.parent, B=poor.parent), task=task)


def orders(server: LoopbackServer) -> list[str]:
    return sorted(request.order for request in server.messages)


def test_a_pair_that_is_started_from_many_tabs_at_once_is_judged_once(
    bench: Bench, desks: Callable[[Services], Desk]
) -> None:
    slow = SlowJudge()
    desk = desks(with_judge(bench.services, slow))
    comparison_id = bench.submitted()
    together = threading.Barrier(6)

    def start() -> None:
        together.wait()
        desk.judge(comparison_id)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: slow.readings >= 2)
    slow.gate.set()
    wait_until(lambda: desk.progress(comparison_id).state is JudgeState.DONE)

    assert slow.readings == 2
    wait_until(lambda: slow.closed == 6)


def test_a_second_process_shows_the_first_ones_work_and_keeps_no_problem(
    bench: Bench, desks: Callable[[Services], Desk]
) -> None:
    slow = SlowJudge()
    first, second = desks(with_judge(bench.services, slow)), desks(bench.services)
    comparison_id = bench.submitted()
    first.judge(comparison_id)
    wait_until(lambda: slow.readings == 2)

    second.judge(comparison_id, kind="offline")
    meanwhile = second.progress(comparison_id)
    slow.gate.set()
    wait_until(lambda: first.progress(comparison_id).state is JudgeState.DONE)

    assert meanwhile.state is JudgeState.RUNNING
    assert second.progress(comparison_id).state is JudgeState.DONE
    assert slow.readings == 2


def test_a_pair_without_a_place_is_shown_as_waiting_and_begins_when_there_is_one(
    bench: Bench, desks: Callable[[Services], Desk]
) -> None:
    slow = SlowJudge()
    services = with_judge(by_settings(bench.services, concurrency=1), slow)
    desk = desks(services)
    one, two = bench.submitted(), another(bench, "second")
    desk.judge(one)
    wait_until(lambda: slow.readings == 2)

    desk.judge(two)

    waiting = desk.progress(two)
    assert (waiting.state, waiting.step, waiting.at_work) == (JudgeState.WAITING, QUEUED, True)
    assert line(services, two).status is Status.JUDGING
    judge = read_sheet(services, two, person_id=bench.person).judge
    assert (judge.state, judge.step) == (JudgeState.WAITING, QUEUED)
    slow.gate.set()
    wait_until(lambda: desk.progress(two).state is JudgeState.DONE)
    assert line(services, two).status is Status.TO_REVIEW


def test_a_pair_that_nobody_started_is_not_at_work(bench: Bench, desks: Callable[[Services], Desk]) -> None:
    comparison_id = bench.submitted()

    shown = desks(bench.services).progress(comparison_id)

    assert (shown.state, shown.step, shown.at_work) == (JudgeState.WAITING, None, False)


def test_a_stopped_desk_leaves_nothing_running_and_closes_all_judges(
    bench: Bench, desks: Callable[[Services], Desk]
) -> None:
    at_it, queued = SlowJudge(), SlowJudge()
    services = with_judge(by_settings(bench.services, concurrency=1), at_it, queued)
    desk = desks(services)
    one, two = bench.submitted(), another(bench, "second")
    desk.judge(one)
    wait_until(lambda: at_it.readings == 2)
    desk.judge(two)

    desk.stop()

    for comparison_id in (one, two):
        assert row(services, comparison_id).state is ProgressState.INTERRUPTED
        assert line(services, comparison_id).status is Status.FAILED
        judge = read_sheet(services, comparison_id, person_id=bench.person).judge
        assert (judge.state, judge.problem) == (JudgeState.INTERRUPTED, INTERRUPTED)
    assert (at_it.closed, queued.closed) == (1, 1)
    assert at_it.cancelled == 2
    with pytest.raises(Conflict, match="being stopped"):
        desk.judge(one)


def test_after_a_restart_only_what_is_missing_is_paid_and_by_the_same_judge(
    bench: Bench, model: LoopbackServer, desks: Callable[[Services], Desk]
) -> None:
    model.then_for("BA", Hang(60))
    comparison_id = bench.submitted()
    before = desks(bench.services)
    before.judge(comparison_id, kind="anthropic", model=MODEL)
    wait_until(lambda: (before.progress(comparison_id).step or "").endswith("1 of 2 readings done"))
    wait_until(lambda: "BA" in orders(model))
    before.stop()
    # By now another judge is the usual one.
    after = desks(by_settings(bench.services, judge="offline"))

    after.judge(comparison_id)
    wait_until(lambda: after.progress(comparison_id).state is JudgeState.DONE)

    assert orders(model) == ["", "AB", "BA", "BA"]
    assert {request.body["model"] for request in model.messages} == {MODEL}
    assert line(bench.services, comparison_id).judge_model == MODEL


def test_trying_again_asks_the_judge_that_failed(
    bench: Bench, model: LoopbackServer, desks: Callable[[Services], Desk]
) -> None:
    model.then_for("BA", *[acts.Status(400, "invalid_request_error", "broken")] * 3)
    desk = desks(by_settings(bench.services, model="claude-opus-5"))
    comparison_id = bench.submitted()
    desk.judge(comparison_id, kind="anthropic", model=MODEL)
    wait_until(lambda: desk.progress(comparison_id).state is JudgeState.FAILED)
    asked = len(model.messages)
    model._by_order.clear()

    desk.judge(comparison_id)
    wait_until(lambda: desk.progress(comparison_id).state is JudgeState.DONE)

    assert [request.order for request in model.messages[asked:]] == ["BA"]
    assert {request.body["model"] for request in model.messages} == {MODEL}


def test_pairs_at_a_time_do_not_all_slip_under_a_budget_that_is_nearly_used_up(
    bench: Bench, model: LoopbackServer, desks: Callable[[Services], Desk]
) -> None:
    model.latency = 0.2
    services = by_settings(bench.services, budget=Decimal("0.001"), judge="anthropic", model=MODEL)
    desk = desks(services)
    wordings = [TaskText(prompt=f"{TASK.prompt} In {year}.") for year in (2024, 2025, 2026)]
    pairs = [another(bench, f"pair-{at}", wording) for at, wording in enumerate(wordings)]

    for comparison_id in pairs:
        desk.judge(comparison_id)
    wait_until(lambda: not any(desk.progress(comparison_id).at_work for comparison_id in pairs))

    ended = [desk.progress(comparison_id) for comparison_id in pairs]
    assert sorted(each.state for each in ended) == [JudgeState.DONE, JudgeState.FAILED, JudgeState.FAILED]
    assert all("budget" in each.problem for each in ended if each.problem)
    assert len(model.messages) == 3
    done = next(x for x in pairs if desk.progress(x).state is JudgeState.DONE)
    # What is complete costs nothing, and is not refused.
    assert asyncio.run(_again(services, done)) == (2, None)
    assert len(model.messages) == 3


async def _again(services: Services, comparison_id: str) -> tuple[int, str | None]:
    judge = services.judge()
    try:
        outcome = await judge_comparison(services, judge, comparison_id)
    finally:
        await judge.close()
    return outcome.passes, outcome.problem


def test_a_refused_run_counts_the_readings_that_are_there(bench: Bench, model: LoopbackServer) -> None:
    model.then_for("BA", *[acts.Status(400, "invalid_request_error", "broken")] * 3)
    services = by_settings(bench.services, judge="anthropic", model=MODEL)
    comparison_id = bench.submitted()
    assert asyncio.run(_again(services, comparison_id))[0] == 1

    passes, problem = asyncio.run(_again(by_settings(services, budget=Decimal("0.000001")), comparison_id))

    assert passes == 1
    assert "budget" in (problem or "")


def test_two_pairs_of_one_task_pay_for_one_rubric(
    bench: Bench, model: LoopbackServer, desks: Callable[[Services], Desk]
) -> None:
    model.latency = 0.1
    desk = desks(by_settings(bench.services, judge="anthropic", model=MODEL))
    pairs = [bench.submitted(), another(bench, "second"), another(bench, "third")]

    for comparison_id in pairs:
        desk.judge(comparison_id)
    wait_until(lambda: all(desk.progress(x).state is JudgeState.DONE for x in pairs))

    assert orders(model).count("") == 1
    assert len(model.messages) == 7


def test_a_database_too_busy_for_signs_of_life_does_not_spoil_a_judgment(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> bool:
        raise Conflict("The database is busy with another writer. Try again.")

    monkeypatch.setattr(progress, "beat", busy)
    comparison_id = bench.submitted()

    outcome = bench.judged(comparison_id)

    assert (outcome.complete, outcome.problem) == (True, None)
    assert row(bench.services, comparison_id).state is ProgressState.DONE


def test_an_answer_is_stored_once_a_busy_database_lets_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, refused = (
        judgments.keep_try,
        [Conflict("The database is busy."), Conflict("The database is busy.")],
    )

    def busy_at_first(*arguments: Any, **named: Any) -> bool:
        if refused:
            raise refused.pop()
        return store(*arguments, **named)

    monkeypatch.setattr(judgments, "keep_try", busy_at_first)

    outcome = bench.judged(bench.submitted())

    assert (outcome.complete, outcome.problem, refused) == (True, None, [])


def test_an_end_that_cannot_be_noted_does_not_spoil_a_judgment(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> bool:
        raise Conflict("The database is busy with another writer. Try again.")

    monkeypatch.setattr(progress, "end", busy)

    assert bench.judged(bench.submitted()).complete


def test_a_run_that_was_taken_over_ends_without_touching_the_others_row(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.02)
    slow = SlowJudge()
    comparison_id = bench.submitted()
    later = replace(bench.services, now=lambda: bench.services.now() + STALE_AFTER * 2)

    async def both() -> str | None:
        running = asyncio.create_task(judge_comparison(bench.services, slow, comparison_id))
        while slow.readings < 2:  # noqa: ASYNC110  # there is nothing to wait on
            await asyncio.sleep(0.01)
        other = lease(later, slow, comparison_id)
        with pytest.raises(Conflict, match="elsewhere"):
            await asyncio.wait_for(running, timeout=PATIENCE)
        assert running.cancelling() == 0
        return other

    other = asyncio.run(both())

    assert slow.cancelled == 2
    assert (row(bench.services, comparison_id).worker, row(bench.services, comparison_id).state) == (
        other,
        ProgressState.RUNNING,
    )


def test_what_dead_workers_left_is_freed_at_the_start(bench: Bench) -> None:
    services = bench.services
    own, gone, stale, alive = (another(bench, name) for name in ("own", "gone", "stale", "alive"))
    offline = services.judge("offline")
    long_ago = replace(services, now=lambda: services.now() - STALE_AFTER - timedelta(seconds=1))
    assert lease(services, offline, own) is not None
    assert lease(long_ago, offline, stale, queued=True) is not None
    with services.database.write() as connection:
        for comparison_id, worker in (
            (gone, f"{socket.gethostname()}:4194305:x"),
            (alive, "elsewhere:1:y"),
        ):
            assert _begin(connection, services, comparison_id, worker=worker)

    assert free_dead(services, alive={row(services, stale).worker}) == ()
    assert set(free_dead(services)) == {stale}
    assert set(free_dead(services, starting=True)) == {own, gone}

    assert {line(services, x).status for x in (own, gone, stale)} == {Status.FAILED}
    assert line(services, alive).status is Status.JUDGING


def _begin(connection: Connection, services: Services, comparison_id: str, *, worker: str) -> bool:
    return progress.begin(
        connection,
        comparison_id,
        worker=worker,
        judge=services.judge("offline").identity,
        stale_after=STALE_AFTER,
        at=services.now(),
    )


def test_a_bug_is_told_until_somebody_judges_the_pair(
    bench: Bench, desks: Callable[[Services], Desk]
) -> None:
    slow = SlowJudge(fault=RuntimeError("a bug"))
    slow.gate.set()
    desk, elsewhere = desks(with_judge(bench.services, slow)), desks(bench.services)
    comparison_id = bench.submitted()
    desk.judge(comparison_id)
    wait_until(lambda: desk.progress(comparison_id).state is JudgeState.FAILED)
    told = desk.progress(comparison_id).problem

    elsewhere.judge(comparison_id, kind="offline")
    wait_until(lambda: elsewhere.progress(comparison_id).state is JudgeState.DONE)

    assert told is not None
    assert told.startswith("Something went wrong")
    assert desk.progress(comparison_id).state is JudgeState.DONE


def test_examples_go_on_where_a_first_start_was_broken_off(
    bench: Bench, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "examples"
    folder.mkdir()
    names = ("incident-report", "repair-cafe-page")
    (folder / names[0]).symlink_to(repository / "examples" / names[0])
    with monkeypatch.context() as broken:
        broken.setattr("comparator.workflow.examples._judge", _killed)
        with pytest.raises(KeyboardInterrupt):
            load_examples(bench.services, folder)
    (folder / names[1]).symlink_to(repository / "examples" / names[1])
    assert examples_left(bench.services, folder)

    load_examples(bench.services, folder)

    assert not examples_left(bench.services, folder)
    with bench.services.database.read() as connection:
        lines = comparisons.page(connection).lines
    assert sorted(x.task_key for x in lines) == list(names)
    assert {x.status for x in lines} == {rollup.Status.TO_REVIEW}
    assert load_examples(bench.services, folder) == 0


async def _killed(services: Services, comparison_ids: list[str]) -> None:
    raise KeyboardInterrupt


def test_judging_once_closes_the_judge_also_when_it_fails(bench: Bench, tmp_path: Path) -> None:
    slow = SlowJudge()
    missing = PerOutput[Path](A=tmp_path / "no", B=tmp_path / "neither")
    request = Request(task=TASK, outputs=missing, candidates=PerOutput[str | None](A=None, B=None))

    with pytest.raises(InputError):
        asyncio.run(judge_once(bench.services, request, judge=slow, on_step=lambda _: None))

    assert slow.closed == 1


def test_settings_are_read_as_pairs_at_a_time(bench: Bench, desks: Callable[[Services], Desk]) -> None:
    slow = SlowJudge()
    desk = desks(with_judge(by_settings(bench.services, concurrency=2), slow))
    pairs = [another(bench, name) for name in ("one", "two", "three")]

    for comparison_id in pairs:
        desk.judge(comparison_id)
    wait_until(lambda: slow.readings == 4)

    assert [desk.progress(x).state for x in pairs].count(JudgeState.WAITING) == 1
    assert Settings().concurrency == 4
