"""How one version of a judge read pairs: what a benchmark counts, and what a trial compares."""

from collections.abc import Collection, Mapping

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import (
    Identity,
    MergedJudgment,
    Pass,
    contradicts,
    first_passes,
    merge,
    verdict_of,
    verdict_of_all,
)
from comparator.domain.scoring.rubric import Rubric
from comparator.reporting.facts import Facts
from comparator.reporting.figures import side_with_more
from comparator.stats.accuracy import LabelledReading
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, rubrics


def measured(facts: Facts, truths: Mapping[str, Winner], *, judge: Identity) -> dict[str, LabelledReading]:
    """How this version of the judge read these pairs, over their present views, by id."""
    read = _passes(facts.connection, truths, judge)
    lengths = facts.pairs[["characters_a", "characters_b"]].astype(float).to_dict("index")
    return {
        id: _read(*read[id], truth=truth, longer=side_with_more(*lengths[id].values()))
        if id in read
        else LabelledReading(truth=truth)
        for id, truth in truths.items()
    }


def readings_by(connection: Connection, ids: Collection[str], judge: Identity) -> dict[str, MergedJudgment]:
    """Its judgments of the pairs that it has read in both orders, by comparison."""
    return {
        id: merge(rubric, passes)
        for id, (rubric, passes) in _passes(connection, ids, judge).items()
        if _in_both_orders(passes)
    }


def _passes(
    connection: Connection, ids: Collection[str], judge: Identity
) -> dict[str, tuple[Rubric, tuple[Pass, ...]]]:
    chosen = judgments.by_judge(connection, ids, judge)
    given = judgments.successful_of(connection, [readings.digest for readings in chosen.values()])
    known = {id: rubrics.get(connection, id).rubric for id in {own.rubric_id for own in chosen.values()}}
    return {
        id: (known[readings.rubric_id], tuple(given[readings.digest]))
        for id, readings in chosen.items()
        if readings.digest in given
    }


def _in_both_orders(passes: tuple[Pass, ...]) -> bool:
    return {reading.order for reading in passes} == set(Order)


def _read(
    rubric: Rubric, passes: tuple[Pass, ...], *, truth: Winner, longer: Winner | None
) -> LabelledReading:
    firsts = first_passes(passes)
    by_order = {p.order: verdict_of(rubric, [p.answer]) for p in firsts}
    verdict = first = None
    if _in_both_orders(passes):
        verdict = verdict_of_all(rubric, passes)
        first = verdict if len(firsts) == len(passes) else verdict_of_all(rubric, firsts)
    return LabelledReading(
        truth=truth,
        by_order={order: own.winner for order, own in by_order.items() if own},
        verdict=verdict.winner if verdict else None,
        first_verdict=first.winner if first else None,
        contradicted=any(contradicts(by_order[p.order], p.answer) for p in firsts),
        again=len(passes) > len(firsts),
        tools=any(p.answer.examined is not None and p.answer.examined.calls > 0 for p in passes),
        longer=longer,
    )
