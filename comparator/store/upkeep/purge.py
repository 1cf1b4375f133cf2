"""Removing a project, or the bytes of an output, for good; a tombstone says that something was there."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.permit import permit
from comparator.store.core.sql import insert_one, lock
from comparator.store.core.unit import Unit
from comparator.store.pairs import run_files
from comparator.store.people import events


class Purged(Frozen):
    """What a purge removed: rows by table, and the digests of blobs to delete once it is committed."""

    rows: dict[str, int]
    blobs: tuple[str, ...]


def purge_output(unit: Unit, snapshot_id: str, *, person_id: str | None, reason: str) -> Purged:
    """Remove an output's files and what was derived from them; scores and judgments stay.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction. What judges quoted from the output stays in
    their answers; purge the project to remove that too.
    """
    lock(unit.connection, tables.snapshot, snapshot_id, what="such output")
    artifact, snapshot, view, view_file, source = (
        tables.artifact.c,
        tables.snapshot.c,
        tables.view.c,
        tables.view_file.c,
        tables.view_source.c,
    )
    views = sa.select(source.view_id).where(source.snapshot_id == snapshot_id).scalar_subquery()
    query = sa.union(
        sa.select(artifact.blob).where(artifact.snapshot_id == snapshot_id),
        sa.select(view.content).where(view.id.in_(views)),
        sa.select(view_file.blob).where(view_file.view_id.in_(views)),
        sa.select(view_file.pages).where(view_file.view_id.in_(views)),
    )
    digests = {digest for digest in unit.connection.execute(query).scalars() if digest is not None}
    file_original = tables.file_original.c
    digests |= set(
        unit.connection.execute(
            sa.select(file_original.blob).where(
                file_original.view_id.in_(views), file_original.blob.is_not(None)
            )
        ).scalars()
    )
    digests |= _of_earlier(unit.connection, tables.earlier_view.c.view_id.in_(views))
    # A transcript tells what its output was.
    doomed = (snapshot_id, *run_files.transcripts_of_output(unit.connection, snapshot_id))
    digests |= set(
        unit.connection.execute(sa.select(artifact.blob).where(artifact.snapshot_id.in_(doomed))).scalars()
    )
    project_id = unit.connection.execute(
        sa.select(snapshot.project_id).where(snapshot.id == snapshot_id)
    ).scalar()
    with permit(unit.connection):
        removed = unit.connection.execute(
            tables.artifact.delete().where(artifact.snapshot_id.in_(doomed))
        ).rowcount
        unit.connection.execute(tables.file_original.delete().where(file_original.view_id.in_(views)))
        unit.connection.execute(tables.earlier_view.delete().where(tables.earlier_view.c.view_id.in_(views)))
        comparison = tables.comparison.c
        showing = sa.select(comparison.id).where(
            sa.or_(comparison.view_a.in_(views), comparison.view_b.in_(views))
        )
        unit.connection.execute(
            tables.office_pages.delete().where(tables.office_pages.c.comparison_id.in_(showing))
        )
        unit.connection.execute(
            tables.view_file.update()
            .where(view_file.view_id.in_(views))
            .values(
                blob=None,
                media_type=None,
                copy_size=None,
                pages=None,
                pages_size=None,
                name="purged",
                notes=["This file was purged."],
            )
        )
        for table in (tables.view_measure, tables.check_count):
            unit.connection.execute(table.delete().where(table.c.view_id.in_(views)))
        unit.connection.execute(
            tables.view.update().where(view.id.in_(views)).values(content=None, set_aside=[], notes=[])
        )
        for each in doomed:
            unit.connection.execute(
                tables.snapshot.update()
                .where(snapshot.id == each)
                .values(purged_at=unit.at, name="purged", refused=[], notes=[], identity=_unused(each))
            )
        unused = _release(unit.connection, digests)
    rows = {"artifact": removed}
    _leave_tombstone(unit, "output", snapshot_id, reason=reason, person_id=person_id, rows=rows)
    events.log(
        unit,
        "output_purged",
        person_id=person_id,
        project_id=project_id,
        subject_id=snapshot_id,
        detail={"reason": reason, "rows": rows},
    )
    return Purged(rows=rows, blobs=unused)


def purge_project(unit: Unit, project_id: str, *, person_id: str | None, reason: str) -> Purged:
    """Remove a project with everything in it; the audit log and a tombstone stay.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction.
    """
    lock(unit.connection, tables.project, project_id, what="such project")
    conditions = _within(project_id)
    artifact, view, view_file = tables.artifact.c, tables.view.c, tables.view_file.c
    query = sa.union(
        sa.select(artifact.blob).where(conditions["artifact"]),
        sa.select(view.content).where(conditions["view"]),
        sa.select(view_file.blob).where(conditions["view_file"]),
        sa.select(view_file.pages).where(conditions["view_file"]),
        sa.select(tables.file_original.c.blob).where(conditions["file_original"]),
    )
    digests = {digest for digest in unit.connection.execute(query).scalars() if digest is not None}
    digests |= _of_earlier(unit.connection, conditions["earlier_view"])
    # What a table's condition looks up must still be there, so ids are read before anything is removed.
    doomed = {
        name: tuple(
            unit.connection.execute(
                sa.select(*tables.metadata.tables[name].primary_key.columns).where(condition)
            )
        )
        for name, condition in conditions.items()
    }
    rows: dict[str, int] = {}
    with permit(unit.connection):
        for table in _own_references_first(unit.connection, project_id):
            keys = doomed.get(table.name, ())
            columns = tuple(table.primary_key.columns)
            for start in range(0, len(keys), 200):
                part = [tuple(key) for key in keys[start : start + 200]]
                unit.connection.execute(table.delete().where(sa.tuple_(*columns).in_(part)))
            if keys:
                rows[table.name] = len(keys)
        unused = _release(unit.connection, digests)
    _leave_tombstone(unit, "project", project_id, reason=reason, person_id=person_id, rows=rows)
    events.log(
        unit,
        "project_purged",
        person_id=person_id,
        project_id=project_id,
        subject_id=project_id,
        detail={"reason": reason, "rows": rows},
    )
    return Purged(rows=rows, blobs=unused)


def is_purged(connection: sa.Connection, subject_id: str) -> bool:
    """Whether there is a tombstone for this project or output."""
    tombstone = tables.tombstone.c
    return (
        connection.execute(sa.select(tombstone.id).where(tombstone.subject_id == subject_id)).first()
        is not None
    )


def _own_references_first(connection: sa.Connection, project_id: str) -> Iterator[sa.Table]:
    """All tables, referring ones before those they refer to; references within a table are cut before."""
    run, candidate, comparisons = tables.run.c, tables.candidate.c, _comparisons(project_id)
    versions = _versions(project_id)
    connection.execute(
        tables.run.update().where(run.task_version_id.in_(versions)).values(superseded_by=None)
    )
    connection.execute(
        tables.candidate.update().where(candidate.project_id == project_id).values(merged_into=None)
    )
    note = tables.note.c
    connection.execute(tables.note.update().where(note.comparison_id.in_(comparisons)).values(about=None))
    yield from reversed(tables.metadata.sorted_tables)


def _comparisons(project_id: str) -> sa.ScalarSelect[str]:
    comparison = tables.comparison.c
    return sa.select(comparison.id).where(comparison.project_id == project_id).scalar_subquery()


def _versions(project_id: str) -> sa.ScalarSelect[str]:
    task, task_version = tables.task.c, tables.task_version.c
    return (
        sa.select(task_version.id)
        .join(tables.task, task.id == task_version.task_id)
        .where(task.project_id == project_id)
        .scalar_subquery()
    )


def _reviews(project_id: str) -> sa.ScalarSelect[str]:
    review = tables.review.c
    return sa.select(review.id).where(review.comparison_id.in_(_comparisons(project_id))).scalar_subquery()


def _within(project_id: str) -> dict[str, sa.ColumnElement[bool]]:
    """For each table the condition that a row belongs to the project; tables without one are nobody's."""

    def ids(table: sa.Table, condition: sa.ColumnElement[bool]) -> sa.ScalarSelect[str]:
        return sa.select(table.c.id).where(condition).scalar_subquery()

    snapshots = ids(tables.snapshot, tables.snapshot.c.project_id == project_id)
    views = (
        sa.select(tables.view_source.c.view_id)
        .where(tables.view_source.c.snapshot_id.in_(snapshots))
        .scalar_subquery()
    )
    parents: dict[str, sa.ScalarSelect[str]] = {
        "comparison_id": _comparisons(project_id),
        "review_id": _reviews(project_id),
        "task_version_id": _versions(project_id),
        "snapshot_id": snapshots,
        "view_id": views,
        "task_id": ids(tables.task, tables.task.c.project_id == project_id),
        "rubric_id": ids(tables.rubric, tables.rubric.c.project_id == project_id),
        "judgment_id": ids(tables.judgment, tables.judgment.c.comparison_id.in_(_comparisons(project_id))),
        "batch_id": ids(tables.batch, tables.batch.c.project_id == project_id),
        "budget_id": ids(tables.budget, tables.budget.c.project_id == project_id),
        "reveal_id": ids(tables.reveal, tables.reveal.c.project_id == project_id),
        "inquiry_id": ids(tables.inquiry, tables.inquiry.c.project_id == project_id),
        "invitation_id": ids(tables.invitation, tables.invitation.c.project_id == project_id),
    }
    kept = {"entry_try", "event", "tombstone", "person", "blob", "purge_permit", "worker", "lease"}
    found: dict[str, sa.ColumnElement[bool]] = {}
    for table in tables.metadata.sorted_tables:
        if table.name == "project":
            found[table.name] = table.c.id == project_id
        elif table.name == "view":
            found[table.name] = table.c.id.in_(views)
        elif table.name not in kept and "project_id" in table.c:
            found[table.name] = table.c.project_id == project_id
        elif table.name not in kept:
            owner = next(name for name in parents if name in table.c)
            found[table.name] = table.c[owner].in_(parents[owner])
    return found


def _of_earlier(connection: sa.Connection, which: sa.ColumnElement[bool]) -> set[str]:
    """The digests of all that earlier views hold."""
    earlier_view = tables.earlier_view.c
    rows = connection.execute(sa.select(earlier_view.content, earlier_view.pages).where(which)).all()
    return {digest for row in rows for digest in (row.content, *row.pages)}


def _release(connection: sa.Connection, digests: set[str]) -> tuple[str, ...]:
    """Forget those of the blobs that nothing refers to any more; their digests."""
    unused = []
    for digest in sorted(digests):
        referring = sa.union_all(
            *(
                sa.select(sa.literal(1)).where(column == digest)
                for column in (
                    tables.artifact.c.blob,
                    tables.view.c.content,
                    tables.view_file.c.blob,
                    tables.view_file.c.pages,
                    tables.file_original.c.blob,
                    tables.earlier_view.c.content,
                )
            )
        ).limit(1)
        if connection.execute(referring).first() is None:
            connection.execute(tables.blob.delete().where(tables.blob.c.digest == digest))
            unused.append(digest)
    return tuple(unused)


def _leave_tombstone(
    unit: Unit, kind: str, subject_id: str, *, reason: str, person_id: str | None, rows: dict[str, int]
) -> None:
    if is_purged(unit.connection, subject_id):
        raise NotFound("This was purged before.")
    insert_one(
        unit.connection,
        tables.tombstone,
        id=unit.new_id(),
        kind=kind,
        subject_id=subject_id,
        reason=reason,
        at=unit.at,
        person_id=person_id,
        counts=rows,
    )


def _unused(snapshot_id: str) -> str:
    """An identity that no later snapshot can have."""
    return f"purged-{snapshot_id}"[:64]
