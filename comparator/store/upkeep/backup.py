"""Backup and restore: everything in one archive, and out of it into either database, checked by counts and digests."""

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from pydantic import AwareDatetime, Field
from sqlalchemy import select

from comparator import __version__
from comparator.domain.errors import InputError, NotFound, StoreError
from comparator.domain.labels import Frozen
from comparator.store import migrations
from comparator.store import tables as schema
from comparator.store.core.blobs import BlobStore, whole_file
from comparator.store.core.database import Database
from comparator.store.core.sql import Connection, NewId, Unit, number, scalars
from comparator.store.people.sessions import EVERYBODY, RESTORED
from comparator.store.tables import metadata
from comparator.store.tables.base import Doc, Exact, SafeText, Utc

BATCH = 500
TRANSIENT = frozenset({"purge_permit", "worker", "lease"})
"""What processes that run at this moment hold or count; it means nothing elsewhere."""
NAMES = tuple(table.name for table in metadata.sorted_tables if table.name not in TRANSIENT)
"""The tables that are moved, each after those that it refers to."""


class RowCount(Frozen):
    """How many rows a table has, and a digest of them all that does not depend on their order."""

    rows: int
    digest: str


def counted(lines: Iterable[str]) -> RowCount:
    """How many rows these are, a line each, and their digest."""
    rows = total = 0
    for line in lines:
        rows += 1
        total += int.from_bytes(hashlib.sha256(line.encode()).digest())
    return RowCount(rows=rows, digest=f"{total % (1 << 256):064x}")


def _raw_column(column: sa.Column[Any]) -> sa.ColumnClause[Any]:
    """The column without our own conversions: JSON stays the text that it is."""
    kind = column.type
    return sa.column(column.name, kind.impl_instance if isinstance(kind, Doc | SafeText | Exact) else kind)


_PLAIN = {name: sa.table(name, *map(_raw_column, metadata.tables[name].columns)) for name in NAMES}


def lines_of_table(connection: Connection, name: str) -> Iterator[str]:
    """The rows of a table as lines of JSON."""
    for row in connection.execute(select(_PLAIN[name]).execution_options(yield_per=BATCH)):
        yield json.dumps([*row], ensure_ascii=False, default=datetime.isoformat)


def write_rows(connection: Connection, name: str, lines: Iterable[str]) -> None:
    """Insert lines of JSON into a table."""
    columns = [(column.name, isinstance(column.type, Utc)) for column in _PLAIN[name].columns]

    def row(line: str) -> dict[str, Any]:
        return {
            column: datetime.fromisoformat(value) if value and is_time else value
            for (column, is_time), value in zip(columns, json.loads(line), strict=True)
        }

    rows = map(row, lines)
    while some := list(islice(rows, BATCH)):
        connection.execute(_PLAIN[name].insert(), some)


def count_rows(connection: Connection, name: str) -> RowCount:
    """How many rows the table has, and their digest."""
    return counted(lines_of_table(connection, name))


def blob_digests(connection: Connection) -> tuple[str, ...]:
    """The digests of all bytes that the database refers to."""
    return scalars(connection, select(schema.blob.c.digest))


FORMAT = "blind-comparator/backup/1"
_NOT_OURS = (tarfile.TarError, LookupError, ValueError, TypeError, RecursionError, MemoryError)
"""What reading an archive raises that somebody else wrote, or that is damaged."""
OnStep = Callable[[str], None]
_MANIFEST = "manifest.json"
LONGEST_LINE = 1 << 28
"""Bytes of one row in an archive; what a row holds is far shorter."""


class Moved(Frozen):
    """What was moved: the rows of each table with their digest, and how many blobs."""

    tables: dict[str, RowCount]
    blobs: int
    purged: tuple[str, ...] = ()
    """Digests of blobs that were purged while the archive was written."""
    lost: dict[str, str] = Field(default_factory=dict)
    """Digests of blobs that should be there and are not, with what they were."""

    @property
    def total(self) -> int:
        """All rows."""
        return sum(count.rows for count in self.tables.values())


class Manifest(Frozen):
    """What an archive holds, in its last member."""

    format: str
    version: str
    schema_revision: str
    made_at: AwareDatetime
    moved: Moved


class Restored(Frozen):
    """What came back, and what does not hold any more in its new place."""

    moved: Moved
    signed_out: int
    """Sessions that were ended."""
    links: int
    """Invitations, not used yet, that were ended."""


def back_up(
    database: Database, blobs: BlobStore, file: Path, *, at: datetime, on_step: OnStep = lambda _: None
) -> Moved:
    """Write one archive with all rows, as they were at one moment, and all bytes they refer to; the app may run on.

    Raises InputError where the file is there already or cannot be written, StoreError where the schema is another.
    """
    database.check()
    if file.exists():
        raise InputError(f"{file} is there already. Choose another name; a backup is never overwritten.")
    try:
        # For its owner alone: it holds the keys, and everything that reviewers must not see.
        with (
            whole_file(file) as partial,
            os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as sink,
        ):
            moved = _write_archive(database, blobs, sink, at=at, on_step=on_step)
            sink.flush()
            os.fsync(sink.fileno())
    except OSError as error:
        raise InputError(
            f"{file} cannot be written: {error.strerror or error}. Choose another place."
        ) from error
    return moved


def restore(
    database: Database,
    blobs: BlobStore,
    file: Path,
    *,
    new_id: NewId,
    at: datetime,
    on_step: OnStep = lambda _: None,
) -> Restored:
    """Bring an archive back into an empty database and its blob store; rows all or nothing.

    Nobody comes in by what was revoked since: sign-ins and open invitations end. Raises InputError where the archive is
    none of ours or damaged, StoreError where the database has rows.
    """
    try:
        with tarfile.open(file, "r:") as archive:
            manifest = _manifest(archive, file)
            on_step("Restoring files")
            moved, blob_count = manifest.moved, 0
            database.upgrade()
            with database.write() as connection:
                if filled := [name for name in NAMES if number(connection, _PLAIN[name])]:
                    raise StoreError(
                        f"The target database is not empty (there are rows in {filled[0]}). Nothing was changed; give "
                        "an empty one."
                    )
                for name in NAMES:
                    on_step(f"Restoring {name}")
                    write_rows(connection, name, _member_lines(archive, name))
                for name, sent in moved.tables.items():
                    if count_rows(connection, name) != sent:
                        raise StoreError(
                            f"The data written to {name} do not match the source. Nothing was kept; report this."
                        )
                for digest in {*blob_digests(connection)}.difference(moved.purged, moved.lost):
                    with _member(archive, f"blobs/{digest}") as source:
                        if blobs.put(source.read()) != digest:
                            raise InputError(f"{file} is damaged: the bytes of {digest[:12]}… are others.")
                    blob_count += 1
                signed_out, links = switch_off(Unit(connection, at=at, new_id=new_id))
    except _NOT_OURS as error:
        raise InputError(
            f"{file} is not a complete backup of Blind Comparator ({type(error).__name__}: {error}). Take another one."
        ) from error
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}.") from error
    return Restored(moved=moved.copy_with(blobs=blob_count), signed_out=signed_out, links=links)


def _write_archive(
    database: Database, blobs: BlobStore, sink: IO[bytes], *, at: datetime, on_step: OnStep
) -> Moved:
    tables: dict[str, RowCount] = {}
    missing: list[str] = []
    with database.snapshot() as connection, tarfile.open(fileobj=sink, mode="w") as archive:
        for name in NAMES:
            on_step(f"Writing {name}")
            with tempfile.TemporaryFile() as spool:
                tables[name] = counted(_write_through(spool, lines_of_table(connection, name)))
                _add(archive, f"tables/{name}.jsonl", spool)
        on_step("Writing files")
        digests = blob_digests(connection)
        for digest in digests:
            try:
                _add(archive, f"blobs/{digest}", io.BytesIO(blobs.get(digest)))
            except NotFound:
                missing.append(digest)
        with database.engine.connect() as now:
            there = set(blob_digests(now)) if missing else set()
        moved = Moved(
            tables=tables,
            blobs=len(digests) - len(missing),
            purged=tuple(digest for digest in missing if digest not in there),
            lost={digest: _describe_blob(connection, digest) for digest in missing if digest in there},
        )
        manifest = Manifest(
            format=FORMAT, version=__version__, schema_revision=migrations.HEAD, made_at=at, moved=moved
        )
        _add(archive, _MANIFEST, io.BytesIO(manifest.model_dump_json(indent=1).encode()))
    return moved


def _write_through(sink: IO[bytes], lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        sink.write(line.encode() + b"\n")
        yield line


def _describe_blob(connection: Connection, digest: str) -> str:
    """What a blob is to a person: a file of an output, or what was made from one."""
    artifact, snapshot, project = schema.artifact.c, schema.snapshot.c, schema.project.c
    row = connection.execute(
        select(artifact.path, project.name)
        .join_from(schema.artifact, schema.snapshot, snapshot.id == artifact.snapshot_id)
        .outerjoin(schema.project, project.id == snapshot.project_id)
        .where(artifact.blob == digest)
        .order_by(artifact.path)
        .limit(1)
    ).first()
    return "a view of an output" if row is None else f"{row.path} in the project {row.name}"


def _add(archive: tarfile.TarFile, name: str, source: IO[bytes]) -> None:
    member = tarfile.TarInfo(name)
    member.size = source.seek(0, os.SEEK_END)
    member.mode = 0o600
    source.seek(0)
    archive.addfile(member, source)


def _manifest(archive: tarfile.TarFile, file: Path) -> Manifest:
    with _member(archive, _MANIFEST) as source:
        manifest = Manifest.model_validate(json.load(source))
    if manifest.format != FORMAT:
        raise InputError(f"{file} has the format {manifest.format!r}, this version reads {FORMAT!r}.")
    if manifest.schema_revision != migrations.HEAD:
        raise InputError(
            f"{file} was made by version {manifest.version} (schema {manifest.schema_revision}; this version has "
            f"{migrations.HEAD}). Restore it with that version, then run `comparator db upgrade` with this one."
        )
    return manifest


@contextmanager
def _member(archive: tarfile.TarFile, name: str) -> Iterator[IO[bytes]]:
    member = archive.getmember(name)
    # A sparse one says by itself how large it wants to become, and a link points elsewhere.
    if not member.isreg() or member.issparse():
        raise tarfile.TarError(f"{name[:80]} is not a plain file")
    source = archive.extractfile(member)
    if source is None:
        raise KeyError(name)
    if member.offset_data + member.size > Path(str(archive.name)).stat().st_size:
        raise tarfile.TarError(f"{name[:80]} is cut off")
    with source:
        yield source


def _member_lines(archive: tarfile.TarFile, name: str) -> Iterator[str]:
    with _member(archive, f"tables/{name}.jsonl") as source:
        while line := source.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise tarfile.TarError(f"{name} has a line that is too long")
            yield line.decode().rstrip("\n")


def switch_off(unit: Unit) -> tuple[int, int]:
    """End every sign-in and open invitation; how many sessions and how many invitations ended."""
    session, link = schema.sign_in.c, schema.invitation.c
    going_on = (session.ended_at.is_(None), session.expires_at > unit.at)
    signed_out = unit.update(schema.sign_in, *going_on, ended_at=unit.at)
    unused = (link.accepted_at.is_(None), link.revoked_at.is_(None), link.expires_at > unit.at)
    links = unit.update(schema.invitation, *unused, revoked_at=unit.at)
    until = int(unit.at.timestamp())
    unit.log(RESTORED, None, EVERYBODY, until=until, sessions=signed_out, invitations=links)
    return signed_out, links
