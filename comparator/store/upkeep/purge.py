"""Removing an output, a project, or what is known of a person, by an admin's act that stays known."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, or_, select, union

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, changed, delete, lock, number, permit, scalars
from comparator.store.facts.fact import Status
from comparator.store.pairs.outputs import release


class Purged(Frozen):
    """What a purge removed: files of an output or comparisons of a project; blobs to delete once it is committed."""

    removed: int
    blobs: tuple[str, ...]


_artifact, _view, _view_file, _source, _snapshot, _original, _comparison, _project, _fact = (
    tables.artifact.c,
    tables.view.c,
    tables.view_file.c,
    tables.view_source.c,
    tables.snapshot.c,
    tables.file_original.c,
    tables.comparison.c,
    tables.project.c,
    tables.fact.c,
)


def purge_output(unit: Unit, snapshot_id: str, *, reason: str) -> Purged:
    """Remove an output's files and what was derived from them; scores and judgments stay.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction. What judges quoted from the output stays in
    their answers; purge the project to remove that too. Raises NotFound where it is not there or was purged before.
    """
    lock(unit, tables.snapshot, snapshot_id)
    row = unit.execute(select(tables.snapshot).where(_snapshot.id == snapshot_id)).one()
    if row.purged_at is not None:
        raise NotFound("This was purged before.")
    these = select(_snapshot.id).where(_snapshot.id == snapshot_id)
    views, digests = _views_of(these), _blobs_of(unit, these)
    showing = select(_comparison.id).where(or_(_comparison.view_a.in_(views), _comparison.view_b.in_(views)))
    with permit(unit):
        removed = delete(unit, tables.artifact, _artifact.snapshot_id == snapshot_id)
        delete(unit, tables.office_pages, tables.office_pages.c.comparison_id.in_(showing))
        for table in (tables.file_original, tables.check_count):
            delete(unit, table, table.c.view_id.in_(views))
        empty = dict.fromkeys(("blob", "media_type", "copy_size", "pages", "pages_size"))
        notice = {"name": "purged", "notes": ["This file was purged."]}
        unit.update(tables.view_file, _view_file.view_id.in_(views), **empty, **notice)
        unit.update(tables.view, _view.id.in_(views), content=None, set_aside=[], notes=[], measures=None)
        # An identity that no later snapshot can have.
        gone = {"name": "purged", "refused": [], "notes": [], "identity": f"purged-{snapshot_id}"[:64]}
        unit.update(tables.snapshot, _snapshot.id == snapshot_id, purged_at=unit.at, **gone)
        unused = release(unit, digests)
    changed(unit, projects=[row.project_id])
    unit.log("output_purged", row.project_id, snapshot_id, reason=reason, files=removed)
    return Purged(removed=removed, blobs=unused)


def purge_project(unit: Unit, project_id: str, *, reason: str) -> Purged:
    """Remove a project with everything in it; the audit log stays.

    Pass each digest in `blobs` to `BlobStore.delete` after the transaction. Raises NotFound.
    """
    lock(unit, tables.project, project_id)
    own = select(_snapshot.id).where(_snapshot.project_id == project_id)
    digests = _blobs_of(unit, own)
    comparisons = number(unit, tables.comparison, _comparison.project_id == project_id)
    with permit(unit):
        # What belongs to a row goes with it: each reference to an owner cascades.
        delete(unit, tables.view, _view.id.in_(_views_of(own)))
        delete(unit, tables.project, _project.id == project_id)
        unused = release(unit, digests)
    unit.log("project_purged", project_id, project_id, reason=reason, comparisons=comparisons)
    return Purged(removed=comparisons, blobs=unused)


def _views_of(snapshots: Select[tuple[str]]) -> Select[tuple[str]]:
    return select(_source.view_id).where(_source.snapshot_id.in_(snapshots))


def _blobs_of(connection: Connection, snapshots: Select[tuple[str]]) -> frozenset[str | None]:
    """The digests of all bytes of these snapshots and their views."""
    views = _views_of(snapshots)
    query = union(
        select(_artifact.blob).where(_artifact.snapshot_id.in_(snapshots)),
        select(_view.content).where(_view.id.in_(views)),
        *(select(blob).where(_view_file.view_id.in_(views)) for blob in (_view_file.blob, _view_file.pages)),
        select(_original.blob).where(_original.view_id.in_(views)),
    )
    return frozenset(scalars(connection, query))


SETTLED = (Status.FINALISED, Status.SUPERSEDED, Status.NOT_REVIEWED)
"""Comparisons that wait for nobody."""


def expired(connection: Connection, project_id: str, *, before: datetime) -> tuple[str, ...]:
    """Ids of the snapshots from before that moment of which every comparison is settled and from before, too."""
    using = (
        select(_comparison.id)
        .join_from(
            tables.view_source,
            tables.comparison,
            or_(_comparison.view_a == _source.view_id, _comparison.view_b == _source.view_id),
        )
        .join(tables.fact, _fact.comparison_id == _comparison.id)
        .where(_source.snapshot_id == _snapshot.id)
        .correlate(tables.snapshot)
    )
    waiting = using.where(or_(_fact.status.not_in(SETTLED), _fact.created_at >= before))
    old = and_(
        _snapshot.purged_at.is_(None), _snapshot.created_at < before, using.exists(), ~waiting.exists()
    )
    query = select(_snapshot.id).where(_snapshot.project_id == project_id, old)
    return scalars(connection, query.order_by(_snapshot.id))


ERASED = "erased person"
_SECRET = frozenset({"token_hash"})


def everything(connection: Connection, person_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows that refer to the person, by table; the person's own row stands under "person".

    Hashes of sessions and links are left out: they are keys, not facts about somebody.
    """
    rows_by_table: dict[str, list[dict[str, Any]]] = {}
    for table in tables.metadata.sorted_tables:
        refers = [key.parent for key in table.foreign_keys if key.column is tables.person.c.id]
        if table is tables.person:
            refers = [tables.person.c.id]
        if not refers:
            continue
        query = select(table).where(or_(*(column == person_id for column in refers)))
        rows = [
            {name: value for name, value in row.items() if name not in _SECRET}
            for row in connection.execute(query).mappings()
        ]
        if rows:
            rows_by_table[table.name] = rows
    return rows_by_table


def erase(unit: Unit, person_id: str) -> None:
    """Take name, address and sign-in of the person out; what they said stays, said by nobody in particular.

    Their roles and sign-ins end. The names in their invitations go too, in the audit log as well.
    """
    person, invitation, event = tables.person, tables.invitation, tables.event
    invited = scalars(unit, select(invitation.c.id).where(invitation.c.accepted_by == person_id))
    for table, owner, ended in (
        (tables.role, tables.role.c.person_id, "revoked_at"),
        (tables.sign_in, tables.sign_in.c.person_id, "ended_at"),
        (invitation, invitation.c.accepted_by, "revoked_at"),
    ):
        unit.update(table, owner == person_id, table.c[ended].is_(None), **{ended: unit.at})
    with permit(unit):
        unit.update(person, person.c.id == person_id, name=ERASED, email=None, subject=f"erased:{person_id}")
        unit.update(invitation, invitation.c.id.in_(invited), name=ERASED)
        named = select(event.c.id, event.c.detail).where(event.c.subject_id.in_(invited))
        for row in unit.execute(named).all():
            detail = {key: ERASED if key == "name" else value for key, value in row.detail.items()}
            unit.update(event, event.c.id == row.id, detail=detail)
