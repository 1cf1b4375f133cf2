"""Removing a project, or the bytes of an output, for good, and which outputs need not be kept any more."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, func, literal, or_, select, union, union_all

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import among, lock, permit
from comparator.store.core.unit import Unit
from comparator.store.facts.fact import Status
from comparator.store.people import events


class Purged(Frozen):
    """What a purge removed: files of an output or comparisons of a project; blobs to delete once it is committed."""

    removed: int
    blobs: tuple[str, ...]


_artifact, _view, _view_file, _source, _snapshot, _original, _comparison, _project, _blob = (
    tables.artifact.c,
    tables.view.c,
    tables.view_file.c,
    tables.view_source.c,
    tables.snapshot.c,
    tables.file_original.c,
    tables.comparison.c,
    tables.project.c,
    tables.blob.c,
)
_REFERENCES = (_artifact.blob, _view.content, _view_file.blob, _view_file.pages, _original.blob)


def purge_output(unit: Unit, snapshot_id: str, *, reason: str) -> Purged:
    """Remove an output's files and what was derived from them; scores and judgments stay.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction. What judges quoted from the output stays in
    their answers; purge the project to remove that too. Raises NotFound where it is not there or was purged before.
    """
    connection = unit.connection
    lock(connection, tables.snapshot, snapshot_id)
    row = connection.execute(select(tables.snapshot).where(_snapshot.id == snapshot_id)).one()
    if row.purged_at is not None:
        raise NotFound("This was purged before.")
    views = _views_of(connection, [snapshot_id])
    digests = _blobs_of(connection, [snapshot_id], views)
    these = _view.id.in_(among(connection, views))
    showing = select(_comparison.id).where(
        or_(*(side.in_(among(connection, views)) for side in (_comparison.view_a, _comparison.view_b)))
    )
    with permit(connection):
        removed = connection.execute(
            tables.artifact.delete().where(_artifact.snapshot_id == snapshot_id)
        ).rowcount
        connection.execute(
            tables.office_pages.delete().where(tables.office_pages.c.comparison_id.in_(showing))
        )
        for table in (tables.file_original, tables.check_count):
            connection.execute(table.delete().where(table.c.view_id.in_(among(connection, views))))
        bytes_of_file = ("blob", "media_type", "copy_size", "pages", "pages_size")
        connection.execute(
            tables.view_file.update()
            .where(_view_file.view_id.in_(among(connection, views)))
            .values(dict.fromkeys(bytes_of_file) | {"name": "purged", "notes": ["This file was purged."]})
        )
        connection.execute(
            tables.view.update()
            .where(these)
            .values(content=None, set_aside=[], notes=[], measures=None, earlier=[])
        )
        # An identity that no later snapshot can have.
        gone = {"name": "purged", "refused": [], "notes": [], "identity": f"purged-{snapshot_id}"[:64]}
        connection.execute(
            tables.snapshot.update().where(_snapshot.id == snapshot_id).values(purged_at=unit.at, **gone)
        )
        unused = _release(connection, digests)
    events.log(
        unit,
        "output_purged",
        project_id=row.project_id,
        subject_id=snapshot_id,
        detail={"reason": reason, "files": removed},
    )
    return Purged(removed=removed, blobs=unused)


def purge_project(unit: Unit, project_id: str, *, reason: str) -> Purged:
    """Remove a project with everything in it; the audit log stays.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction. Raises NotFound.
    """
    connection = unit.connection
    lock(connection, tables.project, project_id)
    own = select(_snapshot.id).where(_snapshot.project_id == project_id)
    snapshots = connection.execute(own).scalars().all()
    views = _views_of(connection, snapshots)
    digests = _blobs_of(connection, snapshots, views)
    count = select(func.count()).where(_comparison.project_id == project_id)
    comparisons = int(connection.execute(count).scalar_one())
    with permit(connection):
        # What belongs to a row goes with it: each reference to an owner cascades.
        connection.execute(tables.project.delete().where(_project.id == project_id))
        connection.execute(tables.view.delete().where(_view.id.in_(among(connection, views))))
        unused = _release(connection, digests)
    events.log(
        unit,
        "project_purged",
        project_id=project_id,
        subject_id=project_id,
        detail={"reason": reason, "comparisons": comparisons},
    )
    return Purged(removed=comparisons, blobs=unused)


def _views_of(connection: Connection, snapshots: Collection[str]) -> list[str]:
    query = select(_source.view_id).where(_source.snapshot_id.in_(among(connection, snapshots)))
    return list(connection.execute(query).scalars())


def _blobs_of(connection: Connection, snapshots: Collection[str], views: Collection[str]) -> set[str]:
    """The digests of all bytes of these snapshots and views."""
    mine = among(connection, views)
    of_snapshots = select(_artifact.blob).where(_artifact.snapshot_id.in_(among(connection, snapshots)))
    query = union(
        of_snapshots,
        select(_view.content).where(_view.id.in_(mine)),
        *(
            select(column).where(_view_file.view_id.in_(mine))
            for column in (_view_file.blob, _view_file.pages)
        ),
        select(_original.blob).where(_original.view_id.in_(mine)),
    )
    earlier = connection.execute(select(_view.earlier).where(_view.id.in_(mine))).scalars()
    of_earlier = {digest for each in earlier for was in each for digest in (was["content"], *was["pages"])}
    return {digest for digest in connection.execute(query).scalars() if digest is not None} | of_earlier


def _release(connection: Connection, digests: set[str]) -> tuple[str, ...]:
    """Forget those of the blobs that nothing refers to any more; their digests."""
    unused = []
    for digest in sorted(digests):
        # Not one condition with "or": each of these is a look into an index.
        referring = union_all(*(select(literal(1)).where(column == digest) for column in _REFERENCES))
        if connection.execute(referring.limit(1)).first() is None:
            connection.execute(tables.blob.delete().where(_blob.digest == digest))
            unused.append(digest)
    return tuple(unused)


SETTLED = (Status.FINALISED, Status.SUPERSEDED)
"""Comparisons that wait for nobody."""


def expired(connection: Connection, project_id: str, *, before: datetime) -> tuple[str, ...]:
    """Ids of the snapshots from before that moment of which every comparison is settled and from before, too."""
    snapshot, source, comparison, fact = (
        tables.snapshot.c,
        tables.view_source.c,
        tables.comparison.c,
        tables.fact.c,
    )
    using = (
        select(comparison.id, fact.status, fact.created_at)
        .join_from(
            tables.view_source,
            tables.comparison,
            or_(comparison.view_a == source.view_id, comparison.view_b == source.view_id),
        )
        .join(tables.fact, fact.comparison_id == comparison.id)
        .where(source.snapshot_id == snapshot.id)
    )
    waiting = using.where(or_(fact.status.not_in(SETTLED), fact.created_at >= before))
    query = (
        select(snapshot.id)
        .where(snapshot.project_id == project_id, snapshot.purged_at.is_(None), snapshot.created_at < before)
        .where(using.correlate(tables.snapshot).exists(), ~waiting.correlate(tables.snapshot).exists())
        .order_by(snapshot.id)
    )
    return tuple(connection.execute(query).scalars())
