"""Services whose workers look for work often, on a model's server that answers at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from comparator.jobs import worker
from comparator.jobs.benchmarks import work
from comparator.store.core.database import Database
from comparator.workflow.services import Services
from tests.loopback.bulk import services_on
from tests.loopback.server import LoopbackServer


@pytest.fixture
def services(
    database: Database, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Services:
    """With room for twelve requests at once, and one reading in each order."""
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(work, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(work, "IDLE_SECONDS", 0.1)
    model.latency = 0.0
    return services_on(database, tmp_path, slots=12, repetitions=1)
