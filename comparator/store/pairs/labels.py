"""Labels that came with an import: gold, human, foreign judges' or graders'; never shown to reviewers."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import Connection, exists, select

from comparator.domain.labels import Frozen, Winner
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.sql import several
from comparator.store.core.unit import Unit


class LabelKind(StrEnum):
    """Whose label it is."""

    GOLD = "gold"
    HUMAN = "human"
    JUDGE = "judge"
    GRADER = "imported_grader"


class ForeignLabel(Frozen):
    """Somebody's verdict from elsewhere; `blind` is None where the source does not say."""

    id: str
    comparison_id: str
    kind: LabelKind
    author: str
    winner: Winner | None
    value: Any
    blind: bool | None
    source: str
    at: AwareDatetime


def add(
    unit: Unit,
    comparison_id: str,
    *,
    kind: LabelKind,
    author: str,
    winner: Winner | None,
    value: Any = None,
    blind: bool | None,
    source: str,
) -> None:
    """Store a label; `winner` is in terms of this comparison's A and B."""
    changed(unit.connection, comparisons=[comparison_id])
    unit.add(
        tables.label,
        comparison_id=comparison_id,
        kind=kind,
        author=author,
        winner=winner,
        value=value,
        blind=blind,
        source=source,
    )


def of_comparison(connection: Connection, comparison_id: str) -> tuple[ForeignLabel, ...]:
    """All labels of a comparison, oldest first."""
    label = tables.label.c
    query = select(tables.label).where(label.comparison_id == comparison_id).order_by(label.at, label.id)
    return several(connection, query, ForeignLabel)


def is_gold(connection: Connection, comparison_id: str) -> bool:
    """Whether a gold label says who wins a comparison; not whom it names."""
    label = tables.label.c
    gold = exists().where(label.comparison_id == comparison_id, label.kind == LabelKind.GOLD)
    return bool(connection.execute(select(gold)).scalar())
