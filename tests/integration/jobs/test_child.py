"""The worker beside the app: started again at once where it ends well, ever later where it fails."""

import sys
from pathlib import Path

import pytest

from comparator.jobs import start_batches
from comparator.jobs.child import LONGEST_PAUSE, LOOK_SECONDS, WorkerChild
from comparator.store.bulk.batches import BatchRequest
from comparator.store.core.database import Database
from tests.loopback.bulk import seed, services_on

LOOKS = 8


def test_a_worker_that_fails_again_and_again_is_started_ever_later(
    migrated_sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)
    made = seed(services, pairs=1)
    start_batches.start(services, BatchRequest(project_id=made.project_id, judge="offline"))
    one = WorkerChild(services)
    pauses: list[float] = []

    class Signal:
        """Ends after some looks, each once the child has ended."""

        def wait(self, seconds: float) -> None:
            if one._child is not None:
                one._child.wait()
            pauses.append(seconds)
            one._ended = len(pauses) > LOOKS

        def clear(self) -> None:
            """Nothing is waited for."""

    monkeypatch.setattr(one, "_signal", Signal())
    monkeypatch.setattr(sys, "executable", "false")
    one._look()
    assert pauses[:4] == [LOOK_SECONDS, LOOK_SECONDS, 2 * LOOK_SECONDS, 4 * LOOK_SECONDS]
    assert pauses[-1] == LONGEST_PAUSE

    pauses.clear()
    one._ended = False
    monkeypatch.setattr(sys, "executable", "true")
    one._look()
    assert pauses[-1] == LOOK_SECONDS
    one._close_pipe()
    services.close()
