"""Labels that came with an import: gold, human, foreign judges' or graders'; never shown to reviewers."""

from typing import Any

from pydantic import AwareDatetime

from comparator.domain.labels import LabelKind, Winner
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, changed, there_is


class ForeignLabel(Stored, table=tables.label):
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


_label = tables.label.c


def add(unit: Unit, comparison_id: str, **columns: Any) -> None:
    """Store a label; its `winner` is in terms of this comparison's A and B."""
    changed(unit, comparisons=[comparison_id])
    unit.add(tables.label, comparison_id=comparison_id, **columns)


def of_comparison(connection: Connection, comparison_id: str) -> tuple[ForeignLabel, ...]:
    """All labels of a comparison, oldest first."""
    return ForeignLabel.all(connection, _label.comparison_id == comparison_id, by=[_label.at, _label.id])


def is_gold(connection: Connection, comparison_id: str) -> bool:
    """Whether a gold label says who wins a comparison; not whom it names."""
    return there_is(connection, _label.comparison_id == comparison_id, _label.kind == LabelKind.GOLD)
