"""What one very judge says of many pairs, whoever asked it and what for."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.labels import Order
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.store.core.database import Connection
from comparator.store.judging import passes, rubrics
from comparator.store.judging.guidance import Arm

__all__ = ["Arm", "read_by"]


def read_by(connection: Connection, ids: Sequence[str], arm: Arm) -> dict[str, MergedJudgment]:
    """Its judgments of the pairs that it has read in both orders, by comparison."""
    chosen = passes.by_judge(
        connection, ids, judge_kind=arm.kind, judge_model=arm.model, judge_digest=arm.digest
    )
    given = passes.successful_of(connection, [each.digest for each in chosen.values()])
    known = {each.rubric_id: rubrics.get(connection, each.rubric_id).rubric for each in chosen.values()}
    found = {}
    for comparison_id, each in chosen.items():
        read = tuple(given[each.digest])
        if {one.order for one in read} == set(Order):
            found[comparison_id] = merge(known[each.rubric_id], read)
    return found
