"""Services whose workers look for work often, on a model's server that answers at once; and some that name judges."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from comparator.bootstrap import load_settings, open_services
from comparator.jobs import worker
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.judging import message_batches
from comparator.workflow.services import Services
from tests.loopback.bulk import services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.databases import KINDS, migrated

NAMES = ("one", "two", "three")
JUDGES = "\n".join(f'[judges.{name}]\nmodel = "model-{name}"\nrepetitions = 1\n' for name in NAMES)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new database with all tables: the queue works once on SQLite, once on PostgreSQL."""
    return migrated(request, request.param)


@pytest.fixture
def services(
    database: Database, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Services:
    """With room for twelve requests at once, and one reading in each order."""
    # A worker looks far more often than is worth while in earnest.
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(message_batches, "TICK_SECONDS", 0.05)
    model.latency = 0.0
    return services_on(database, tmp_path, slots=12, repetitions=1)


@pytest.fixture
def served(database: Database, database_url: str, tmp_path: Path) -> Services:
    """Services whose worker processes find the same database and files."""
    settings = Settings(
        home=tmp_path / "home", database_url=database_url, judge="anthropic", model="claude-sonnet-5"
    )
    return Services(
        environment=os.environ, settings=settings, database=database, blobs=BlobStore.at(settings.blobs)
    )


@pytest.fixture
def several(
    tmp_path: Path, database_url: str, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Services]:
    """Services of a home folder, as a command opens them, whose settings name three judges."""
    file = tmp_path / "judges.toml"
    file.write_text(JUDGES, encoding="utf-8")
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_DATABASE_URL", database_url)
    monkeypatch.setenv("COMPARATOR_JUDGES", str(file))
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.05)
    with closing(open_services(load_settings())) as opened:
        yield opened
