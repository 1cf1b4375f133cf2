"""A whole database is backed up, restored and moved between SQLite and PostgreSQL without loss."""

import io
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError, RightsError, StoreError
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import new_id
from comparator.store.people import projects
from comparator.store.reviewing.notes import NoteKind
from comparator.store.tables.base import Doc, Exact, SafeText, Utc
from comparator.store.upkeep import backup
from comparator.store.upkeep.backup import back_up, restore
from comparator.workflow.people.people import local_person
from comparator.workflow.people.sign_in import accept, has_ended, invite, person_of_session, revoke_invitation
from comparator.workflow.review.review import answer, finalise, record, withdraw_answer
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.full_house import Builder
from tests.worlds.workbench import Workbench

AT = datetime(2026, 11, 1, tzinfo=UTC)

# The other database is made by the tests that need it.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def reviewed(workbench: Workbench) -> Workbench:
    """A comparison, judged, scored with an odd word, finalised, with an answer that was taken back."""
    comparison_id = workbench.submitted(workbench.pair())
    workbench.judged(comparison_id)
    change = workbench.change("reasoning", "B \x00 \U0001f600 “ist” besser.\nZeile")
    record(workbench.me, comparison_id, [change])
    answer(workbench.me, comparison_id, NoteKind.FLAG, reason="später")
    with workbench.services.database.read() as connection:
        (given,) = connection.execute(sa.select(tables.note.c.id)).scalars()
    withdraw_answer(workbench.me, comparison_id, given)
    finalise(workbench.me, comparison_id)
    return workbench


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Database]:
    """Another database on SQLite, without a row."""
    database = Database.open(f"sqlite:///{tmp_path / 'fresh.db'}")
    yield database
    database.close()


def all_of(database: Database) -> dict[str, backup.RowCount]:
    with database.read() as connection:
        return {name: backup.count_rows(connection, name) for name in backup.NAMES}


def triggered(database: Database) -> None:
    with pytest.raises(StoreError), database.write() as connection:
        connection.execute(tables.event.delete())


def test_a_backup_restored_elsewhere_is_the_same_to_the_byte(
    reviewed: Workbench, fresh: Database, tmp_path: Path
) -> None:
    services = reviewed.services
    moved = back_up(services.database, services.blobs, tmp_path / "all.tar", at=AT)
    blobs = BlobStore.at(str(tmp_path / "other"))

    restore(fresh, blobs, tmp_path / "all.tar", new_id=new_id, at=AT)

    came, sent = all_of(fresh), all_of(services.database)
    # That it was restored is noted.
    assert came.pop("event").rows == sent["event"].rows + 1
    assert sent == moved.tables
    assert came == {name: count for name, count in sent.items() if name != "event"}
    assert moved.tables["change"].rows == 1
    assert moved.tables["note"].rows == 2
    with fresh.read() as connection:
        digests = backup.blob_digests(connection)
    assert len(digests) == moved.blobs > 3
    assert all(blobs.get(digest) == services.blobs.get(digest) for digest in digests)
    fresh.check()
    triggered(fresh)
    with pytest.raises(StoreError, match="not empty"):
        restore(fresh, blobs, tmp_path / "all.tar", new_id=new_id, at=AT)
    with pytest.raises(InputError, match="never overwritten"):
        back_up(services.database, services.blobs, tmp_path / "all.tar", at=AT)


@pytest.fixture
def full(workbench: Workbench, tmp_path: Path, model: LoopbackServer) -> Services:
    """A database with rows in every table."""
    Builder(workbench.services, tmp_path / "work", pairs=3).build()
    with workbench.services.database.write() as connection:
        # As after pages of an Office file were made, without the program that makes them.
        id = connection.execute(sa.select(tables.comparison.c.id).limit(1)).scalar_one()
        pages = {"comparison_id": id, "state": "made", "files": {}, "tries": 1, "touched_at": AT}
        connection.execute(tables.office_pages.insert().values(pages))
        _as_if_a_model_had_been_asked(connection)
    empty = {name for name, count in all_of(workbench.services.database).items() if not count.rows}
    # It holds rows only while requests are on their way.
    assert empty == {"message_request"}
    return workbench.services


def _as_if_a_model_had_been_asked(connection: Connection) -> None:
    """A row in each table of themes and checks, about what is there: no more than that it moves with the others."""
    plain = {
        Doc: {},
        Utc: AT,
        Exact: Decimal(0),
        sa.Boolean: False,
        sa.Integer: 1,
        sa.Float: 0.5,
        SafeText: "x",
    }
    for name in ("finding", "inquiry", "theme_mark", "output_check", "check_count"):
        table = tables.metadata.tables[name]
        if connection.execute(sa.select(table).limit(1)).first() is not None:
            continue
        row: dict[str, object] = {}
        for column in table.columns:
            if column.foreign_keys:
                (known,) = (key.column for key in column.foreign_keys)
                row[column.name] = connection.execute(sa.select(known).limit(1)).scalar_one()
            elif not column.nullable:
                length = getattr(column.type, "length", None)
                values = (value for kind, value in plain.items() if isinstance(column.type, kind))
                row[column.name] = "x" * length if length else next(values)
        connection.execute(table.insert().values(row))


SETTLED = {"event", "sign_in", "invitation", "project"}
"""Where a restore ends sessions and links, switches off what runs by itself, and notes that it did."""


@pytest.mark.slow
def test_a_backup_restores_into_the_other_database(full: Services, tmp_path: Path, postgres_url: str) -> None:
    before = all_of(full.database)
    server, bucket = Database.open(postgres_url), BlobStore.at(str(tmp_path / "bucket"))
    back, folder = Database.open(f"sqlite:///{tmp_path / 'back.db'}"), BlobStore.at(str(tmp_path / "folder"))

    first = back_up(full.database, full.blobs, tmp_path / "first.tar", at=AT)
    restore(server, bucket, tmp_path / "first.tar", new_id=new_id, at=AT)
    second = back_up(server, bucket, tmp_path / "second.tar", at=AT)
    restore(back, folder, tmp_path / "second.tar", new_id=new_id, at=AT)

    assert first.tables == before
    assert second.blobs == first.blobs > 3
    assert not second.lost
    for database in (server, back):
        database.check()
        triggered(database)
        came = all_of(database)
        assert {name for name, count in came.items() if count != before[name]} <= SETTLED
        assert all(came[name].rows == before[name].rows for name in SETTLED - {"event"})
        database.close()


def test_a_damaged_or_foreign_archive_changes_nothing(
    reviewed: Workbench, fresh: Database, tmp_path: Path
) -> None:
    services = reviewed.services
    back_up(services.database, services.blobs, tmp_path / "all.tar", at=AT)
    whole = (tmp_path / "all.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.tar").write_bytes(b"hello")
    (tmp_path / "changed.tar").write_bytes(whole.replace(b"besser", b"BESSER"))
    (tmp_path / "damaged.tar").write_bytes(whole.replace(b"about 400 or so", b"about 900 or so"))
    blobs = BlobStore.at(str(tmp_path / "other"))

    for name in ("cut.tar", "text.tar", "missing.tar", "damaged.tar"):
        with pytest.raises(InputError):
            restore(fresh, blobs, tmp_path / name, new_id=new_id, at=AT)
    with pytest.raises(StoreError, match="do not match the source"):
        restore(fresh, blobs, tmp_path / "changed.tar", new_id=new_id, at=AT)

    assert all(count.rows == 0 for count in all_of(fresh).values())
    fresh.check()
    fresh.close()


def test_a_restore_brings_back_no_session_and_no_link(
    reviewed: Workbench, fresh: Database, tmp_path: Path
) -> None:
    services, lead = reviewed.services, local_person(reviewed.services).id
    with services.write(at=AT) as unit:
        project = projects.ensure_project(unit, "Panel")
    used, unused = (invite(services.by(lead), project.id, name=name) for name in ("Ada", "Eve"))
    session = accept(services, used.token).token
    back_up(services.database, services.blobs, tmp_path / "all.tar", at=AT)
    for invitation in (used, unused):
        revoke_invitation(services.by(lead), invitation.invitation.id)

    restored = restore(fresh, services.blobs, tmp_path / "all.tar", new_id=new_id, at=services.now())

    there = replace(services, database=fresh)
    assert (restored.signed_out, restored.links) == (1, 1)
    assert person_of_session(there, session) is None
    with pytest.raises(RightsError):
        accept(there, unused.token)
    # Whoever signed in with the provider before has to do so again.
    assert has_ended(there, {"iss": "x", "sub": "y", "iat": AT.timestamp()})


Harm = Callable[[tarfile.TarInfo, bytes], tuple[tarfile.TarInfo, bytes]]
"""What it makes of a member of an archive."""


def linked(info: tarfile.TarInfo, content: bytes) -> tuple[tarfile.TarInfo, bytes]:
    if info.name == "tables/project.jsonl":
        info.type, info.linkname = tarfile.SYMTYPE, "tables/person.jsonl"
        content = b""
    return info, content


def rows_of(rows: bytes) -> Harm:
    """All tables hold this instead."""
    return lambda info, content: (info, rows if info.name.startswith("tables/") else content)


def sparse(info: tarfile.TarInfo, content: bytes) -> tuple[tarfile.TarInfo, bytes]:
    if info.name == "tables/project.jsonl":
        # A hole of a terabyte, in a few bytes.
        info.pax_headers = {"GNU.sparse.size": str(1 << 40), "GNU.sparse.map": "0,0"}
    return info, content


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (rows_of(b"[" * 200_000), "Recursion"),
        (rows_of(b"7\n"), "TypeError"),
        (rows_of(b" " * 300_000), "too long"),
        (linked, "not a plain file"),
        (sparse, "not a plain file"),
    ],
)
def test_a_hostile_archive_is_a_plain_error(
    reviewed: Workbench,
    fresh: Database,
    tmp_path: Path,
    wrong: Harm,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services = reviewed.services
    monkeypatch.setattr(backup, "LONGEST_LINE", 250_000)
    back_up(services.database, services.blobs, tmp_path / "all.tar", at=AT)
    with tarfile.open(tmp_path / "all.tar") as good, tarfile.open(tmp_path / "bad.tar", "w") as bad:
        for member in good.getmembers():
            source = good.extractfile(member)
            assert source is not None
            info, content = wrong(member, source.read())
            info.size = len(content)
            bad.addfile(info, io.BytesIO(content))

    with pytest.raises(InputError, match="not a complete backup") as caught:
        restore(fresh, services.blobs, tmp_path / "bad.tar", new_id=new_id, at=AT)

    assert says in str(caught.value)
    assert all(count.rows == 0 for count in all_of(fresh).values())
