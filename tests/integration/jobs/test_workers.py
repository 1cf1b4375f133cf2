"""Workers: when one counts as dead, what late signs of life change, and how the app's child is started again."""

import asyncio
import shutil
import threading
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import JudgeState
from comparator.jobs import manage_batches, start_batches, worker
from comparator.jobs.worker import Worker
from comparator.store.bulk import batch_items, leases
from comparator.store.bulk.batches import BatchRequest
from comparator.store.bulk.leases import STALE_AFTER, LeaseKind
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import new_id
from comparator.store.judging import budgets
from comparator.workflow.judging import asking, pair_reader, registry
from comparator.workflow.judging.asking import progress_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.judging.read_pair import JudgingResult
from comparator.workflow.judging.registry import HeldPair, Membership
from comparator.workflow.judging.rubrics import LoadedPair, load
from comparator.workflow.projects.settings import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import until, with_settings, work
from tests.loopback.bulk import seed, seed_pairs, services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench

GONE, FRESH, BEATING = (f"container-{name}:1:x" for name in ("gone", "fresh", "beating"))
AWAY = budgets.AT_PROVIDER


def whole(world: World) -> tuple[int, int]:
    """How many dollars are set aside, and how many spent."""
    with world.database.read() as connection:
        sums = budgets.get(connection, budgets.WHOLE)
    return int(sums.reserved), int(sums.spent)


def test_what_a_dead_worker_had_set_aside_is_settled(world: World, services: Services) -> None:
    with world.write() as unit:
        budgets.ensure_whole(unit, ceiling=Decimal(10))
        for worker in (GONE, BEATING, AWAY):
            budgets.reserve(unit, budgets.WHOLE, new_id(), Decimal(1), worker=worker)
        leases.join(unit, BEATING)
    assert whole(world) == (3, 0)

    with world.write() as unit:
        registry.join(unit, registry.new_worker_id(services))

    assert whole(world) == (2, 1)
    with world.database.read() as connection:
        left = {one.worker for one in budgets.get(connection, budgets.WHOLE).reservations.values()}
    assert left == {BEATING, AWAY}


@pytest.mark.parametrize(
    ("silent", "alive"), [(STALE_AFTER - timedelta(microseconds=1), True), (STALE_AFTER, False)]
)
def test_all_agree_who_is_alive(world: World, services: Services, silent: timedelta, *, alive: bool) -> None:
    id, now = world.compare().id, services.now()
    beat_at = now - silent
    later = replace(services, now=lambda: now)
    with services.write(at=beat_at) as unit:
        leases.join(unit, BEATING)
        leases.take(unit, LeaseKind.PAIR, (id,), worker=BEATING)

    with later.write() as unit:
        counted = registry.number(later, unit.connection)
        state = progress_of(unit.connection, id, now=now).state
        taken_over = id in leases.take(unit, LeaseKind.PAIR, (id,), worker=FRESH)
        registry.release_dead_workers(unit, FRESH)
        entered = bool(leases.entered(unit.connection))

    assert leases.is_alive(beat_at, at=now) is alive
    assert (counted, entered) == ((1, True) if alive else (0, False))
    assert (state is JudgeState.RUNNING) is alive
    assert taken_over is not alive


async def judged_here(services: Services, comparison_id: str) -> JudgingResult:
    judge = services.judge()
    try:
        return await judge_comparison(services, judge, comparison_id)
    finally:
        await judge.close()


@pytest.fixture
def late_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair ends while a sign of life waits to be stored."""
    changed, waiting = threading.Condition(), []
    show, finish = Membership._show_life, batch_items.let_go

    async def show_late(self: Membership) -> None:
        life = asyncio.ensure_future(show(self))
        await asyncio.sleep(0)
        with changed:
            waiting.append(life)
            changed.notify_all()
        try:
            await life
        finally:
            waiting.remove(life)

    def finished(*arguments: Any, **named: Any) -> None:
        with changed:
            assert changed.wait_for(lambda: bool(waiting), timeout=60)
        finish(*arguments, **named)

    monkeypatch.setattr(registry, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(Membership, "_show_life", show_late)
    monkeypatch.setattr(batch_items, "let_go", finished)


@pytest.mark.usefixtures("late_heartbeats")
def test_a_pair_that_is_read_here_is_not_lost_at_its_end_and_tells_its_own_problem(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = asyncio.run(judged_here(workbench.services, workbench.submitted()))
    assert (outcome.complete, outcome.problem) == (True, None)

    def poor(*_: object, **__: object) -> None:
        raise JudgeNotAllowed("The budget is used up.")

    monkeypatch.setattr(pair_reader, "reservations_for", poor)
    outcome = workbench.judged(workbench.submitted(workbench.other_pair()))
    assert outcome.problem == "The budget is used up."


@pytest.mark.usefixtures("late_heartbeats")
def test_a_worker_takes_no_pair_for_lost_that_it_has_given_back(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[HeldPair] = []

    def hold(*given: Any) -> HeldPair:
        held.append(HeldPair(*given))
        return held[-1]

    monkeypatch.setattr(pair_reader, "HeldPair", hold)
    services, comparison_id = workbench.services, workbench.submitted()
    asking.ask(services, comparison_id, kind="offline")

    work(services)

    assert [pair.lost for pair in held] == [False]
    with services.database.read() as connection:
        assert progress_of(connection, comparison_id, now=services.now()).state is JudgeState.DONE


def test_a_rubric_that_another_wrote_since_the_last_look_is_not_paid_for_again(
    workbench: Workbench, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = with_settings(workbench.services, judge="anthropic", model="claude-sonnet-5")
    first, second = workbench.submitted(), workbench.submitted(workbench.other_pair())
    looks: list[LoadedPair] = []

    def looked(services_: Any, connection: Connection, *arguments: Any, **named: Any) -> Any:
        pair = load(services_, connection, *arguments, **named)
        if not looks:
            looks.append(pair)
            # Between this look and the lease that follows it, the other pair is read to its end.
            thread = threading.Thread(target=lambda: asyncio.run(judged_here(services, first)))
            thread.start()
            thread.join()
        return pair

    monkeypatch.setattr(pair_reader, "load", looked)
    outcome = asyncio.run(judged_here(services, second))
    orders = sorted(request.order for request in model.messages)

    assert outcome.complete
    assert looks[0].rubric is None
    assert orders == ["", "AB", "AB", "BA", "BA"]


def test_a_worker_checks_what_comes_as_it_runs(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "IDLE_SECONDS", 0.005)
    monkeypatch.setattr(worker, "REST", 0)
    first = seed(services, pairs=2, project="First").project_id
    second = seed(services, pairs=1, project="Second").project_id
    for project in (first, second):
        add_check(services, project, name="Letter", pattern="a", is_regex=False, match_case=False)
    assert [outputs_left(services, project) for project in (first, second)] == [4, 2]

    def all_checked() -> bool:
        return not any(outputs_left(services, project) for project in (first, second))

    async def run() -> None:
        worker = Worker(services)
        running = asyncio.create_task(worker.run())
        await until(all_checked)
        later = [(TaskText(prompt="A later task"), PerOutput[str](A="a later output", B="another"))]
        await asyncio.to_thread(seed_pairs, services, later, project="First")
        await until(all_checked)
        worker.stop()
        await running

    asyncio.run(run())

    assert check_some(services, first) == check_some(services, second) == 0


async def until_asked(services: Services, model: LoopbackServer, requests: int) -> None:
    """A worker that is stopped once the model was asked so often."""
    one = Worker(services)
    running = asyncio.create_task(one.run())
    await until(lambda: len(model.messages) >= requests)
    one.stop()
    await running


@pytest.mark.slow
def test_after_a_backup_is_restored_all_is_judged_and_paid_again_only_what_came_since(
    migrated_sqlite_url: str, tmp_path: Path, model: LoopbackServer
) -> None:
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=2)
    seeded = seed(services, pairs=24)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id))
    asyncio.run(until_asked(services, model, 20))
    services.close()
    file, backup = Path(str(services.database.engine.url.database)), tmp_path / "backup.db"
    shutil.copyfile(file, backup)
    before = len(model.messages)
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=2)
    asyncio.run(until_asked(services, model, before + 20))
    services.close()
    since = len(model.messages) - before
    shutil.copyfile(backup, file)
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 24
    assert len(model.messages) == 3 * 24 + since
    services.close()


def test_a_worker_that_others_took_for_dead_joins_again(services: Services) -> None:
    async def slept() -> tuple[str, list[str]]:
        async with Membership(services) as me:
            with services.write() as unit:
                registry.leave(unit, me.id)
            await me._show_life()
            return me.id, await me.read(lambda connection: [one.id for one in leases.entered(connection)])

    id, entered = asyncio.run(slept())

    assert entered == [id]
