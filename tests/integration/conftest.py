"""A database, and a small world of stored things to test on."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.databases import migrated
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new database with all tables: on SQLite unless a test is marked `on_both`."""
    return migrated(request, getattr(request, "param", "sqlite"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A new database with all tables."""
    database = Database.open(database_url)
    yield database
    database.close()


@pytest.fixture
def blobs(tmp_path: Path) -> BlobStore:
    """An empty blob folder."""
    return BlobStore.at(str(tmp_path / "blobs"))


@pytest.fixture
def world(database: Database, blobs: BlobStore) -> World:
    """A project with a task and people."""
    return World(database, blobs)


@pytest.fixture
def services(database: Database, blobs: BlobStore, tmp_path: Path) -> Services:
    """The services of a home folder of its own."""
    return Services(
        environment=os.environ, settings=Settings(home=tmp_path / "home"), database=database, blobs=blobs
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a home of its own, where commands run and pairs are judged offline."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def history(world: World) -> History:
    """Pairs of an old and a new candidate, to be judged and reviewed."""
    return History(world)


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    """Pairs that are submitted, judged and reviewed through the use cases."""
    return Workbench(database, blobs, tmp_path / "work")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    """A model's server, which every judge asks that is made in this test."""
    with LoopbackServer(latency=0.01) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted-secret")
        yield server
