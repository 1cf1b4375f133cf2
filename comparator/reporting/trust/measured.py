"""How one version of a judge read pairs: what a benchmark counts, and what a trial compares."""

from collections.abc import Collection, Mapping

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import (
    Identity,
    MergedJudgment,
    Pass,
    contradicted_by,
    first_passes,
    merge,
    winner_of_order,
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
    by_order = {
        p.order: winner for p in firsts if (winner := winner_of_order(rubric, [p.answer])) is not None
    }
    whole_pair = _in_both_orders(passes)
    return LabelledReading(
        truth=truth,
        by_order=by_order,
        verdict=_winner(rubric, passes) if whole_pair else None,
        first_verdict=_winner(rubric, firsts) if whole_pair else None,
        contradicted=any(contradicted_by(rubric, p.answer) is not None for p in firsts),
        again=len(passes) > len(firsts),
        tools=any(p.answer.examined is not None and p.answer.examined.calls > 0 for p in passes),
        longer=longer,
    )


def _winner(rubric: Rubric, passes: tuple[Pass, ...]) -> Winner | None:
    verdict = merge(rubric, passes).verdict
    return verdict.winner if verdict else None
