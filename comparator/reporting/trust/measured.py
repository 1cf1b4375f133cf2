"""How one version of a judge read labelled pairs: what a benchmark counts."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import (
    Answer,
    Identity,
    MergedJudgment,
    Pass,
    contradicted_by,
    first_passes,
    merge,
    winner_of_order,
)
from comparator.domain.scoring.rubric import Rubric
from comparator.reporting.figures import side_with_more
from comparator.stats.accuracy import LabelledReading
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.core.sql import among
from comparator.store.judging import judgments, rubrics


def measured(
    connection: Connection, truths: Mapping[str, Winner], *, judge: Identity
) -> dict[str, LabelledReading]:
    """How this version of the judge read these pairs, over their present views and under their newest rubric, by id."""
    judgment, attempt = tables.judgment.c, tables.attempt.c
    comparison = tables.comparison.c
    view_a, view_b = tables.view.alias("view_a"), tables.view.alias("view_b")
    query = (
        sa.select(
            judgment.comparison_id,
            judgment.set_digest,
            judgment.rubric_id,
            judgment.order,
            judgment.repetition,
            attempt.answer,
            view_a.c.characters.label("characters_a"),
            view_b.c.characters.label("characters_b"),
        )
        .select_from(
            tables.judgment.join(tables.comparison, comparison.id == judgment.comparison_id)
            .join(
                view_a, sa.and_(view_a.c.id == comparison.view_a, view_a.c.digest == judgment.view_a_digest)
            )
            .join(
                view_b, sa.and_(view_b.c.id == comparison.view_b, view_b.c.digest == judgment.view_b_digest)
            )
            .join(tables.attempt, attempt.judgment_id == judgment.id)
        )
        .where(
            judgment.comparison_id.in_(among(connection, truths)),
            judgment.judge_kind == judge.kind,
            judgment.judge_model == judge.model,
            judgment.judge_digest == judge.digest,
            attempt.succeeded == sa.true(),
        )
        .order_by(
            *(judgment.comparison_id, judgment.created_at, judgment.set_digest),
            *(attempt.at, judgment.order, judgment.repetition),
        )
    )
    labelled_readings = {id: LabelledReading(truth=truths[id]) for id in sorted(truths)}
    known: dict[str, Rubric] = {}
    for id, rows in groupby(connection.execute(query), key=lambda row: row.comparison_id):
        labelled_readings[id] = _read(connection, list(rows), truth=truths[id], known=known)
    return labelled_readings


def readings_by(connection: Connection, ids: Sequence[str], judge: Identity) -> dict[str, MergedJudgment]:
    """Its judgments of the pairs that it has read in both orders, by comparison."""
    chosen = judgments.by_judge(connection, ids, judge)
    given = judgments.successful_of(connection, [readings.digest for readings in chosen.values()])
    known = {
        readings.rubric_id: rubrics.get(connection, readings.rubric_id).rubric for readings in chosen.values()
    }
    by_pair = {}
    for comparison_id, readings in chosen.items():
        read = tuple(given[readings.digest])
        if {one.order for one in read} == set(Order):
            by_pair[comparison_id] = merge(known[readings.rubric_id], read)
    return by_pair


def _read(
    connection: Connection, rows: Sequence[Any], *, truth: Winner, known: dict[str, Rubric]
) -> LabelledReading:
    kept = [row for row in rows if row.set_digest == rows[-1].set_digest]
    rubric_id = kept[0].rubric_id
    if rubric_id not in known:
        known[rubric_id] = rubrics.get(connection, rubric_id).rubric
    rubric = known[rubric_id]
    passes = tuple(
        Pass(order=Order(row.order), repetition=row.repetition, answer=Answer.model_validate(row.answer))
        for row in kept
    )
    firsts = first_passes(passes)
    by_order = {
        p.order: winner for p in firsts if (winner := winner_of_order(rubric, [p.answer])) is not None
    }
    whole_pair = {p.order for p in passes} == set(Order)
    return LabelledReading(
        truth=truth,
        by_order=by_order,
        verdict=_winner(rubric, passes) if whole_pair else None,
        first_verdict=_winner(rubric, firsts) if whole_pair else None,
        contradicted=any(contradicted_by(rubric, p.answer) is not None for p in firsts),
        again=len(passes) > len(firsts),
        tools=any(p.answer.examined is not None and p.answer.examined.calls > 0 for p in passes),
        longer=side_with_more(kept[0].characters_a, kept[0].characters_b),
    )


def _winner(rubric: Rubric, passes: tuple[Pass, ...]) -> Winner | None:
    verdict = merge(rubric, passes).verdict
    return verdict.winner if verdict else None
