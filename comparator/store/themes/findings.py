"""Stated reasons, each stored once however often it is collected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa

from comparator.domain.themes import Finding, StatedReason
from comparator.store import tables
from comparator.store.core.sql import among, insert_new, select_as, several
from comparator.store.core.unit import Unit

_finding, _theme_mark = tables.finding.c, tables.theme_mark.c
_FINDING = select_as(tables.finding, Finding)


def pairs_with_any(connection: sa.Connection, project_id: str) -> tuple[str, ...]:
    """The pairs of valid runs in which a model or a reviewer may have stated a reason."""
    fact = tables.fact.c
    query = sa.select(fact.comparison_id).where(
        fact.project_id == project_id,
        sa.or_(fact.judge_winner.is_not(None), fact.final_reviews > 0),
        fact.state_a.is_(None),
        fact.state_b.is_(None),
        sa.func.coalesce(fact.superseded, sa.false()) == sa.false(),
    )
    return tuple(connection.execute(query.order_by(fact.comparison_id)).scalars())


def keep(unit: Unit, found: Sequence[StatedReason], *, project_id: str) -> tuple[str, ...]:
    """Store those that are new; the ids of all of them."""
    if found:
        insert_new(
            unit.connection,
            tables.finding,
            [
                {
                    "id": unit.new_id(),
                    "project_id": project_id,
                    **each.model_dump(mode="json"),
                    "digest": each.digest,
                }
                for each in found
            ],
        )
    wanted = {(each.comparison_id, each.digest) for each in found}
    query = sa.select(_finding.id, _finding.comparison_id, _finding.digest).where(
        _finding.comparison_id.in_(among(unit.connection, sorted({id for id, _ in wanted})))
    )
    return tuple(
        row.id for row in unit.connection.execute(query) if (row.comparison_id, row.digest) in wanted
    )


def of_inquiry(connection: sa.Connection, inquiry_id: str, *, waiting: bool = False) -> tuple[Finding, ...]:
    """The findings of an inquiry, only those `waiting` for themes if asked, in an order that depends on them alone."""
    query = _FINDING.join(tables.theme_mark, _theme_mark.finding_id == _finding.id).where(
        _theme_mark.inquiry_id == inquiry_id
    )
    if waiting:
        query = query.where(_theme_mark.themes.is_(None))
    return _sorted(several(connection, query, Finding))


def by_id(connection: sa.Connection, ids: Collection[str]) -> dict[str, Finding]:
    """These findings."""
    query = _FINDING.where(_finding.id.in_(among(connection, ids)))
    return {each.id: each for each in several(connection, query, Finding)}


def _sorted(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(
        sorted(
            found,
            key=lambda each: (
                each.comparison_id,
                each.label,
                each.source,
                each.speaker,
                each.place,
                each.words,
            ),
        )
    )
