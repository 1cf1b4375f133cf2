"""A database of each kind, and a small world of stored things to test on."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database: once on SQLite, once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'data' / 'comparator.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new database with all tables: once on SQLite, once on PostgreSQL."""
    name = "migrated_sqlite_url" if request.param == "sqlite" else "migrated_postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A new database with all tables: once on SQLite, once on PostgreSQL."""
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
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        yield server
