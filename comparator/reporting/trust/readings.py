"""What one very judge says of many pairs, whoever asked it and what for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from comparator.domain.labels import Order
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.domain.scoring.several_judges import JointOpinion, opinion
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import Identity


def readings_by(connection: Connection, ids: Sequence[str], judge: Identity) -> dict[str, MergedJudgment]:
    """Its judgments of the pairs that it has read in both orders, by comparison."""
    chosen = judgments.by_judge(connection, ids, judge)
    given = judgments.successful_of(connection, [each.digest for each in chosen.values()])
    known = {each.rubric_id: rubrics.get(connection, each.rubric_id).rubric for each in chosen.values()}
    found = {}
    for comparison_id, each in chosen.items():
        read = tuple(given[each.digest])
        if {one.order for one in read} == set(Order):
            found[comparison_id] = merge(known[each.rubric_id], read)
    return found


def opinion_of(
    judgments: Mapping[str, Mapping[str, MergedJudgment]], comparison_id: str, *, quorum: int
) -> JointOpinion | None:
    """What these judges, by name, come to on a pair by what each has said of it; None where none has read it."""
    on_pair = {name: by_pair.get(comparison_id) for name, by_pair in judgments.items()}
    rubric = next((judgment.rubric for judgment in on_pair.values() if judgment is not None), None)
    if rubric is None:
        return None
    # Medians need one rubric: a judge that used another one is left out.
    alike = {
        name: judgment if judgment is not None and judgment.rubric == rubric else None
        for name, judgment in on_pair.items()
    }
    return opinion(rubric, alike, quorum=quorum)
