"""Transactions, exact values, the border to the drivers, on both databases; and bytes by their hash."""

import hashlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import fsspec
import pytest
import sqlalchemy as sa
from fsspec.implementations.memory import MemoryFileSystem

from comparator.domain.errors import StoreError
from comparator.domain.pair.task import TaskText
from comparator.store import migrations, tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import tasks
from comparator.store.people import people, projects
from tests.worlds.histories.pairs import World
from tests.worlds.process import run


def test_an_error_inside_a_transaction_takes_everything_back(world: World) -> None:
    def fails() -> None:
        with world.write() as unit:
            projects.ensure_project(unit, "Half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()

    with world.database.read() as connection:
        assert [project.name for project in projects.all_projects(connection)] == ["Invoices"]


def test_decimals_come_back_exactly_and_sort_as_numbers(world: World) -> None:
    first, second = world.compare(), world.compare()
    s = tables.fact.c
    with world.database.write() as connection:
        for comparison, value in ((first, "10.0"), (second, "9.9")):
            connection.execute(
                tables.fact.update().where(s.comparison_id == comparison.id).values(overall_a=Decimal(value))
            )
        rows = connection.execute(sa.select(s.overall_a).order_by(s.overall_a)).all()

    assert [row.overall_a for row in rows] == [Decimal("9.9"), Decimal("10.0")]
    assert all(type(value) is Decimal for row in rows for value in row)


def test_any_character_can_be_stored_and_the_digest_fits_what_was_stored(world: World) -> None:
    text = TaskText(prompt="Straße 🎈 \x00 \u202e end", expectations=("naïve\x00",))

    with world.write() as unit:
        version, again = (tasks.ensure_version(unit, world.task.id, text) for _ in range(2))

    assert version.prompt == "Straße 🎈 ␀ \u202e end"
    assert version.expectations == ("naïve␀",)
    assert again == version


def test_triggers_refuse_to_alter_or_delete_what_was_said(tmp_path: Path) -> None:
    # On SQLite with references off, so that one row of any table can be planted; PostgreSQL is tested by use below.
    said = "adjudication attempt change event finalisation judgment label note reveal"
    database = Database.open(f"sqlite:///{tmp_path / 'x.db'}")
    for table in sorted({*said.split(), *migrations.INSERT_ONLY}):
        target = tables.metadata.tables[table]
        key = next(iter(target.primary_key.columns))
        names = [column.name for column in target.columns]
        marks = ", ".join("'x'" if name != "run_b" and name != "run_high" else "'y'" for name in names)
        quoted = ", ".join(f'"{name}"' for name in names)
        with database._locked() as connection:
            connection.exec_driver_sql(f'INSERT INTO "{table}" ({quoted}) VALUES ({marks})')
        with database._locked() as connection:
            for statement in (f'UPDATE "{table}" SET "{key.name}" = \'z\'', f'DELETE FROM "{table}"'):
                with pytest.raises(sa.exc.IntegrityError, match="only ever inserted"):
                    connection.exec_driver_sql(statement)
    database.close()


def test_what_was_said_cannot_be_altered_on_either_database(world: World) -> None:
    with world.write(world.ada.id) as unit:
        unit.log("signed_in")

    for statement in (tables.event.update().values(kind="other"), tables.event.delete()):
        with pytest.raises(StoreError, match="never altered"), world.database.write() as connection:
            connection.execute(statement)

    with world.database.read() as connection:
        assert [event.kind for event in people.recent_acts(connection)] == ["signed_in"]


@pytest.mark.usefixtures("waits_for_disks")
def test_sqlite_uses_the_write_ahead_log_and_checks_references(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'x.db'}")

    with database.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }

    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 20_000}
    database.close()


def test_reading_goes_on_while_somebody_writes(world: World) -> None:
    with world.write() as unit:
        projects.ensure_project(unit, "Unfinished")
        with world.database.read() as reading:
            names = [project.name for project in projects.all_projects(reading)]

    assert names == ["Invoices"]


def test_writers_in_several_threads_wait_for_each_other(world: World) -> None:
    def work(number: int) -> None:
        for step in range(10):
            with world.write() as unit:
                # Reads first, then writes: on SQLite this fails unless the transaction began as a writing one.
                people.all_people(unit.connection)
                people.ensure_person(unit, f"local:{number}-{step}", name="x")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))

    with world.database.read() as connection:
        assert len(people.all_people(connection)) == 62


def test_a_file_that_is_no_database_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, not a database. " * 100)

    with pytest.raises(StoreError, match="damaged or not a database"):
        Database.open(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql+pymysql://host/name", "not supported"),
        ("sqlite://", "memory is not supported"),
        ("sqlite:///:memory:", "memory is not supported"),
        ("somewhere", "cannot be read"),
        ("postgresql+psycopg://nobody:secret@127.0.0.1:9/none?connect_timeout=2", "cannot be reached"),
    ],
)
def test_an_address_that_is_wrong_or_leads_nowhere_is_a_plain_sentence(url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        Database.open(url)


FULL_DISK = """
import signal, sys, resource
from datetime import datetime, UTC
from comparator.domain.errors import StoreError
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit
database, blobs = Database.open(sys.argv[1]), BlobStore.at(sys.argv[2])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
try:
    with database.write() as connection:
        for _ in range(200):
            Unit(connection, at=datetime.now(UTC)).log('big', x='y' * 100_000)
except StoreError as error:
    print(error)
try:
    blobs.put(b'x' * 3_000_000)
except StoreError as error:
    print(error)
blobs.put(b'small')
"""


def test_a_full_disk_stores_nothing_half_and_says_so(tmp_path: Path) -> None:
    url, folder = f"sqlite:///{tmp_path / 'x.db'}", tmp_path / "blobs"
    Database.open(url).close()

    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = run(sys.executable, "-c", FULL_DISK, url, folder, cwd=tmp_path, env=environment)

    assert done.returncode == 0, done.stdout + done.stderr
    of_rows, of_bytes = done.stdout.strip().splitlines()
    assert "full" in of_rows
    assert "The disk is full" in of_bytes
    (only,) = files_in(folder)
    assert only.read_bytes() == b"small"
    database = Database.open(url)
    with database.read() as connection:
        assert people.recent_acts(connection) == ()
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()


ABSENT = "0" * 64


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("address", ["{}/blobs", "file://{}/blobs%20with%20space", "memory:/{}"])
def test_bytes_come_back_under_their_hash(tmp_path: Path, address: str) -> None:
    store = BlobStore.at(address.format(tmp_path))

    digest = store.put(b"hello")

    assert digest == hashlib.sha256(b"hello").hexdigest()
    assert store.get(digest) == b"hello"
    assert store.exists(digest)
    with store.open(digest) as source:
        assert source.read(2) == b"he"
        source.seek(3)
        assert source.read() == b"lo"
    assert store.size(digest) == 5


@pytest.mark.parametrize("damage", [b"hellp", b"hell", b""])
def test_damaged_bytes_are_refused(blobs: BlobStore, tmp_path: Path, damage: bytes) -> None:
    digest = blobs.put(b"hello")
    (path,) = files_in(tmp_path / "blobs")
    path.chmod(0o644)
    path.write_bytes(damage)

    with pytest.raises(StoreError, match="damaged"):
        blobs.get(digest)


class Away(MemoryFileSystem):  # type: ignore[misc]
    """A bucket whose client has errors of its own kind."""

    protocol = "away"

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError('Could not connect to the endpoint URL: "http://key:secret@bucket:9000/x"')

    exists = pipe_file = info = rm_file = open = _refuse


def test_a_bucket_that_does_not_answer_is_told_in_words_and_without_its_keys() -> None:
    fsspec.register_implementation("away", Away, clobber=True)
    store = BlobStore.at("away://bucket/blobs")
    acts: tuple[Callable[[], object], ...] = (
        lambda: store.put(b"x"),
        lambda: store.get(ABSENT),
        lambda: store.open(ABSENT),
        lambda: store.exists(ABSENT),
        lambda: store.size(ABSENT),
        lambda: store.delete(ABSENT),
    )

    for act in acts:
        with pytest.raises(StoreError, match=r"cannot be reached: .*Check the bucket") as raised:
            act()
        assert "secret" not in str(raised.value)
    with pytest.raises(StoreError, match="cannot be opened") as raised:
        BlobStore.at("nosuchkind://user:hunter2@host/folder")
    assert "hunter2" not in str(raised.value)
