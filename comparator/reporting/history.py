"""Comparisons as lists show them: filtered, sorted and paged by the database, never with a candidate."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Winner
from comparator.domain.view import Family
from comparator.store import comparisons, projects, tables
from comparator.store.comparisons import Line, ListOrder
from comparator.store.database import Connection, Database
from comparator.store.projects import Project
from comparator.store.standings import Status


class HistoryFilter(Frozen):
    """Which comparisons; None means all. `since` is included, `until` is not."""

    text: str = ""
    status: Status | None = None
    project_id: str | None = None
    winner: Winner | None = None
    judge_kind: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    order: ListOrder = ListOrder.NEWEST


class HistoryRow(Frozen):
    """One comparison of the list, with the file families of its outputs (each once)."""

    line: Line
    families: tuple[Family, ...]


class HistoryPage(Frozen):
    """A part of the list; `total` counts all that fit the filter."""

    rows: tuple[HistoryRow, ...]
    total: int


class QueueCounts(Frozen):
    """How much waits for whom."""

    to_judge: int
    judging: int
    to_review: int
    drafts: int
    done: int
    failed: int


def history(database: Database, filter: HistoryFilter, *, limit: int = 50, offset: int = 0) -> HistoryPage:  # noqa: A002  # the field's word
    """A part of the list of comparisons."""
    s = tables.standing.c
    further: list[sa.ColumnElement[bool]] = []
    if filter.winner is not None:
        further.append(s.winner == filter.winner.value)
    if filter.judge_kind is not None:
        further.append(s.judge_kind == filter.judge_kind)
    if filter.since is not None:
        further.append(s.created_at >= filter.since)
    if filter.until is not None:
        further.append(s.created_at < filter.until)
    with database.read() as connection:
        page = comparisons.page(
            connection,
            project_id=filter.project_id,
            status=filter.status,
            text=filter.text or None,
            order=filter.order,
            limit=limit,
            offset=offset,
            further=tuple(further),
        )
        families = _families(connection, tuple(line.id for line in page.lines))
    return HistoryPage(
        rows=tuple(HistoryRow(line=line, families=families.get(line.id, ())) for line in page.lines),
        total=page.total,
    )


def counts(database: Database, *, project_id: str | None = None) -> QueueCounts:
    """How many comparisons wait for judging, for review, and are done."""
    with database.read() as connection:
        found = comparisons.counts(connection, project_id=project_id)
    return QueueCounts(
        to_judge=found[Status.TO_JUDGE],
        judging=found[Status.JUDGING],
        to_review=found[Status.TO_REVIEW],
        drafts=found[Status.DRAFT],
        done=found[Status.FINALISED],
        failed=found[Status.FAILED],
    )


def next_to_review(
    database: Database, *, person_id: str, project_id: str | None = None, after: str | None = None
) -> str | None:
    """The comparison that this person reviews next, by the order that the project sets; None when all are done."""
    with database.read() as connection:
        if project_id is None:
            return comparisons.next_to_review(connection, person_id=person_id, after=after)
        order = projects.get(connection, project_id).settings.order
        return comparisons.next_to_review(
            connection, person_id=person_id, project_id=project_id, order=order, after=after
        )


def all_projects(database: Database) -> tuple[Project, ...]:
    """All projects by name."""
    with database.read() as connection:
        return projects.all_projects(connection)


def _families(connection: Connection, comparison_ids: tuple[str, ...]) -> dict[str, tuple[Family, ...]]:
    c, f = tables.comparison.c, tables.view_file.c
    query = (
        sa.select(c.id, f.family)
        .join(tables.view_file, sa.or_(f.view_id == c.view_a, f.view_id == c.view_b))
        .where(c.id.in_(comparison_ids))
        .distinct()
    )
    found: dict[str, set[Family]] = {}
    for row in connection.execute(query):
        found.setdefault(row.id, set()).add(Family(row.family))
    return {id: tuple(family for family in Family if family in present) for id, present in found.items()}
