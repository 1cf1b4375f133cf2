"""New outputs at old addresses, imported again and again while a worker judges the pairs of the earlier ones."""

import asyncio
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.errors import Conflict
from comparator.jobs import start_batches, worker
from comparator.jobs.worker import Worker
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState
from comparator.store.core.database import Database
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs import runs
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services
from tests.loopback.bulk import services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.files.import_files import write

EVALS = 60


def left(home: Path, number: int, *, version: int) -> None:
    """Both sides of one eval leave an output of this version."""
    folder = home / f"eval-{number}"
    prompt = f"Write {number} in words."
    write(
        folder / "eval_metadata.json", {"eval_id": number, "eval_name": f"words {number}", "prompt": prompt}
    )
    for side in ("with_skill", "without_skill"):
        write(folder / side / "outputs/answer.md", f"{side}: {number}, for the {version}. time")


def imported(services: Services, root: Path) -> None:
    """What is new is imported and a batch started, as `comparator import --judge queue` does."""
    request = ImportRequest(path=root, project="Words")
    new = import_path(services, request, on_step=lambda _: None).comparisons
    start_batches.start_for(services, new)


def work(services: Services, done: threading.Event) -> None:
    """Judge whatever waits until told to end."""

    async def until_done() -> None:
        one = Worker(services, poll_seconds=0.02)
        running = asyncio.create_task(one.run())
        await asyncio.to_thread(done.wait)
        one.stop()
        await running

    asyncio.run(until_done())


@pytest.mark.slow
@pytest.mark.timeout(170)
def test_nobody_waits_for_ever_and_nothing_is_judged_that_does_not_count(
    database: Database, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    set_aside = fact.set_aside

    def slowly(*held: Any, **more: Any) -> None:
        # As on a database far away: what is held is held for longer.
        time.sleep(0.3)
        set_aside(*held, **more)
        time.sleep(0.3)

    monkeypatch.setattr(fact, "set_aside", slowly)
    model.latency = 0.15
    services, chance = services_on(database, tmp_path, slots=8), random.Random(7)
    root = tmp_path / "words-workspace"
    for number in range(EVALS):
        left(root / "iteration-1", number, version=0)
    imported(services, root)
    done = threading.Event()
    judging = threading.Thread(target=work, args=(services, done))
    judging.start()
    try:
        for version in (1, 2, 3):
            for number in chance.sample(range(EVALS), EVALS // 2):
                left(root / "iteration-1", number, version=version)
            imported(services, root)
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with database.read() as connection:
                if not batches.waits(connection):
                    break
            time.sleep(0.1)
    finally:
        done.set()
        judging.join()

    with database.read() as connection:
        ids = list(connection.execute(sa.select(tables.batch.c.id)).scalars())
        states = batches.states(connection, ids)
        every = batches.counts(connection, ids).values()
        s = tables.fact.c
        query = sa.select(s.status, sa.func.count()).group_by(s.status)
        counted = [tuple(row) for row in connection.execute(query)]
    assert set(states.values()) == {BatchState.DONE}
    assert sum(counts.done + counts.cancelled for counts in every) == EVALS + 3 * (EVALS // 2)
    assert sum(counts.cancelled for counts in every) > 0
    assert dict(counted) == {Status.TO_REVIEW.value: EVALS, Status.SUPERSEDED.value: 3 * (EVALS // 2)}


def test_an_import_that_the_database_ended_for_another_writer_begins_again(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, root = services_on(database, tmp_path, slots=1), tmp_path / "words-workspace"
    ended: list[Any] = []
    left(root / "iteration-1", 1, version=0)
    ensure_runs_of = runs.ensure_runs_of

    def once(*held: Any, **more: Any) -> Any:
        stored = ensure_runs_of(*held, **more)
        if not ended:
            ended.append(stored)
            raise Conflict("The database is busy with another writer. Try again.")
        return stored

    monkeypatch.setattr(runs, "ensure_runs_of", once)

    imported(services, root)

    with database.read() as connection:
        counted = [
            connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in (tables.run, tables.comparison)
        ]
    assert ended
    assert counted == [2, 1]
