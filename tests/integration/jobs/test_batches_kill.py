"""Workers and connections killed at any moment: one successful judgment for each pass, and little is paid twice."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from comparator.domain.labels import Order
from comparator.jobs import manage_batches, start_batches
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest, BatchState
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import with_settings
from tests.loopback.bulk import ROOT, Call, Model, model_server, seed
from tests.worlds.histories.pairs import current_passes
from tests.worlds.process import wait_until

SLOTS = 4
PATIENCE = 90.0
ON_THE_WIRE_SECONDS = 0.5
"""A request that was sent before its worker was killed may reach the server a little later."""
UNSAVED_SECONDS = 1.5
"""How long before a kill an answer may have come that was not committed yet, on a busy machine."""


class Gang:
    """Worker processes on one database."""

    def __init__(self, services: Services, model: Model, folder: Path) -> None:
        self.services, self.model, self.folder = services, model, folder
        self.running: list[subprocess.Popen[bytes]] = []
        self.kills: list[float] = []

    def start(self, package: Path = ROOT) -> subprocess.Popen[bytes]:
        """One more worker, of the build in this folder."""
        settings = self.services.settings
        environment = {
            **os.environ,
            **self.model.environment,
            "COMPARATOR_HOME": str(settings.home),
            "COMPARATOR_DATABASE_URL": settings.database,
            "COMPARATOR_SLOTS": str(SLOTS),
            "PYTHONPATH": str(package),
        }
        with (self.folder / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "comparator", "worker", "--until-idle=1", "--poll=0.3"],
                cwd=package, env=environment, stdout=log, stderr=log,
            )  # fmt: skip
        self.running.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Without a chance to save anything."""
        worker.send_signal(signal.SIGKILL)
        self.kills.append(time.time())
        worker.wait()
        self.running.remove(worker)


@pytest.fixture
def gang(served: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gang]:
    with model_server(tmp_path, latency=0.05) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        gang = Gang(with_settings(served, slots=SLOTS), model, tmp_path)
        yield gang
        for worker in tuple(gang.running):
            gang.kill(worker)


def ended(gang: Gang, batch_id: str) -> bool:
    return manage_batches.report(gang.services, batch_id).batch.state is BatchState.DONE


def finish(gang: Gang, batch_id: str) -> None:
    try:
        wait_until(lambda: ended(gang, batch_id), what="the end of the batch")
    except AssertionError:
        log = (gang.folder / "worker.log").read_text("utf-8")[-3000:]
        raise AssertionError(f"{manage_batches.report(gang.services, batch_id)}\n{log}") from None


def assert_nothing_lost_or_doubled(gang: Gang, comparison_ids: tuple[str, ...]) -> None:
    """Exactly one successful judgment for each pass, one rubric for each task version, no needless call."""
    a = tables.attempt.c
    with gang.services.database.read() as connection:
        for comparison_id in comparison_ids:
            passes = current_passes(connection, comparison_id)
            assert sorted(p.order for p in passes) == sorted(Order), comparison_id
        every = connection.scalars(sa.select(tables.judgment.c.id)).all()
        succeeded = sa.select(a.judgment_id).where(a.succeeded == sa.true(), a.judgment_id.is_not(None))
        assert sorted(connection.scalars(succeeded)) == sorted(every)
        assert len(every) == 2 * len(comparison_ids)
        versions = set(connection.scalars(sa.select(tables.comparison.c.task_version_id)))
        assert sorted(connection.scalars(sa.select(tables.rubric.c.task_version_id))) == sorted(versions)
    again = 0
    answered: dict[str, Call] = {}
    for call in sorted((one for one in gang.model.calls() if one.sent), key=lambda one: one.sent or 0):
        earlier = answered.get(call.digest)
        if earlier is not None and earlier.sent is not None:
            again += 1
            in_flight = any(
                earlier.came <= kill + ON_THE_WIRE_SECONDS and earlier.sent >= kill - UNSAVED_SECONDS
                for kill in gang.kills
            )
            assert in_flight, f"paid twice without a kill: answered {earlier.sent}, kills {gang.kills}"
        answered[call.digest] = call
    # At most what was on the wire: an answer keeps its place there until it is stored.
    assert again <= SLOTS * max(1, len(gang.kills)), again


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "number",
    [pytest.param(11, marks=pytest.mark.slow), *(pytest.param(n, marks=pytest.mark.soak) for n in range(10))],
)
def test_a_batch_survives_five_kills_of_workers_and_lost_connections(gang: Gang, number: int) -> None:
    chance, kills, pairs = random.Random(number), 5, 24
    seeded = seed(gang.services, pairs=pairs, tasks_of=2)
    batch = start_batches.start(gang.services, BatchRequest(project_id=seeded.project_id))
    calls = pairs // 2 + 2 * pairs
    url = gang.services.settings.database.replace("postgresql+psycopg", "postgresql")
    gang.start()
    for kill in range(kills):
        goal = calls * (kill + chance.random()) / (kills + 1)
        wait_until(
            lambda goal=goal: len(gang.model.calls()) >= goal or ended(gang, batch.id),  # type: ignore[misc]
            what=f"call {goal:.0f} of {calls}",
        )
        # In between two commits as well as in the middle of one.
        time.sleep(chance.random() * 0.06)
        if chance.random() < 0.3 and "postgresql" in url:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        victim = gang.running[0]
        if chance.random() < 0.4:
            gang.start()
        gang.kill(victim)
        if not gang.running:
            gang.start()
    finish(gang, batch.id)
    assert_nothing_lost_or_doubled(gang, seeded.comparison_ids)


@pytest.mark.slow
def test_a_worker_that_is_told_to_stop_keeps_what_is_on_the_wire_and_pays_nothing_twice(gang: Gang) -> None:
    seeded = seed(gang.services, pairs=12)
    request = BatchRequest(project_id=seeded.project_id)
    batch = start_batches.start(gang.services, request)
    for goal in (5, 15):
        worker = gang.start()
        wait_until(lambda goal=goal: len(gang.model.calls()) >= goal, what=f"call {goal}")  # type: ignore[misc]
        worker.terminate()
        assert worker.wait(timeout=PATIENCE) == 0
        gang.running.remove(worker)
        assert not ended(gang, batch.id)

    # Two workers at once share the places.
    gang.start()
    gang.start()

    finish(gang, batch.id)
    assert_nothing_lost_or_doubled(gang, seeded.comparison_ids)
    calls = gang.model.calls()
    assert max(sum(one.came < it.came < (one.sent or 0) for one in calls) for it in calls) < SLOTS


@pytest.mark.soak
def test_a_worker_of_another_build_takes_over_in_mid_batch(gang: Gang, tmp_path: Path) -> None:
    seeded = seed(gang.services, pairs=8)
    batch = start_batches.start(gang.services, BatchRequest(project_id=seeded.project_id))
    newer = tmp_path / "newer"
    shutil.copytree(ROOT / "comparator", newer / "comparator", ignore=shutil.ignore_patterns("__pycache__"))
    (newer / "comparator" / "__init__.py").write_text(
        '"""A later build."""\n\n__version__ = "99.0"\n', "utf-8"
    )
    old = gang.start()
    wait_until(lambda: len(gang.model.calls()) >= 5, what="the first calls")
    gang.kill(old)

    gang.start(package=newer)

    finish(gang, batch.id)
    assert_nothing_lost_or_doubled(gang, seeded.comparison_ids)
