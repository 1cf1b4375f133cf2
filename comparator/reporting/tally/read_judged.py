"""Reads what judges said of many comparisons at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judgment import Answer, ByPosition, Pass, assess, merge, named_by_position
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import MemberJudge
from comparator.domain.scoring.verdict import Assessment
from comparator.reporting.tally.facts import OneJudge, Try
from comparator.reporting.tally.scope import whole
from comparator.store import tables
from comparator.store.judging import passes, rubrics, several_judges
from comparator.store.judging.judgments import CONTRADICTED
from comparator.store.rollup import verdicts
from comparator.store.rollup.verdicts import OFFLINE_KIND


@dataclass
class Judged:
    """What the judge, or the several that were asked, said of one comparison."""

    shared: bool = False
    rubric_id: str | None = None
    judged_by: str | None = None
    digest: str | None = None
    rubric: Rubric | None = None
    assessments: PerOutput[Assessment] | None = None
    """What the `readings` say together, or the judges where several were asked."""
    judges: tuple[OneJudge, ...] = ()
    readings_in_all: int = 0
    first_winner: str | None = None
    """Of the first reading in each order, for a pair that was read again."""
    readings: tuple[Pass, ...] = ()
    tries: list[Try] = field(default_factory=list)


def read_judged(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Judged]:
    """The readings that count, and all tries."""
    judgment, attempt, comparison, rubric = (
        tables.judgment.c,
        tables.attempt.c,
        tables.comparison.c,
        tables.rubric.c,
    )
    view_a, view_b = tables.view.alias("view_a"), tables.view.alias("view_b")
    present = sa.and_(view_a.c.digest == judgment.view_a_digest, view_b.c.digest == judgment.view_b_digest)
    query = (
        sa.select(
            *(judgment[name] for name in judgment.keys() if name != "id"),  # noqa: SIM118  # a column collection is no mapping
            present.label("present"),
            rubric.task_version_id.is_(None).label("shared"),
            attempt.succeeded,
            attempt.error_kind,
            attempt.answer,
            attempt.input_tokens,
            attempt.output_tokens,
            attempt.seconds,
            attempt.currency,
            whole(attempt.cost).label("cost"),
        )
        .select_from(
            tables.judgment.join(tables.comparison, comparison.id == judgment.comparison_id)
            .join(tables.rubric, rubric.id == judgment.rubric_id)
            .join(view_a, view_a.c.id == comparison.view_a)
            .join(view_b, view_b.c.id == comparison.view_b)
            .outerjoin(tables.attempt, attempt.judgment_id == judgment.id)
        )
        .where(judgment.comparison_id.in_(ids))
        .order_by(judgment.created_at, attempt.at, judgment.order, judgment.repetition)
    )
    found: dict[str, Judged] = defaultdict(Judged)
    by_comparison: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        by_comparison[row.comparison_id].append(row)
        if row.succeeded is not None and row.judge_kind != OFFLINE_KIND:
            found[row.comparison_id].tries.append(
                Try(
                    kind=row.judge_kind,
                    model=row.judge_model,
                    digest=row.judge_digest,
                    currency=row.currency,
                    # An answer that was asked about once more is no failure.
                    succeeded=bool(row.succeeded) or row.error_kind == CONTRADICTED,
                    input_tokens=row.input_tokens,
                    output_tokens=row.output_tokens,
                    seconds=row.seconds,
                    cost=row.cost,
                )
            )
    several = several_judges.asked_of_several(connection, list(by_comparison))
    rubric_of = rubrics.many(connection, {row.rubric_id for rows in by_comparison.values() for row in rows})
    for comparison_id in tuple(by_comparison):
        # Let go one by one, or the collector looks through stored and parsed answers time and again.
        rows = by_comparison.pop(comparison_id)
        if comparison_id in several and (now := verdicts.judged(connection, comparison_id)) and now.by:
            _of_several(found[comparison_id], now, shared=bool(rows[0].shared))
            continue
        chosen = passes.current(passes.sets_of(row for row in rows if row.present and not row.trial))
        if chosen is None or not chosen.complete:
            continue
        known = found[comparison_id]
        first = next(row for row in rows if row.set_digest == chosen.digest)
        known.shared, known.rubric_id = bool(first.shared), chosen.rubric_id
        if chosen.judge_kind == OFFLINE_KIND:
            # It is no judgment: no figure holds anything of it.
            continue
        kept = [row for row in rows if row.set_digest == chosen.digest and row.succeeded]
        known.judged_by = chosen.judge_model
        known.digest, known.readings_in_all = chosen.judge_digest, len(kept)
        # A pair that was read again was unsure: figures of the judge look at the first reading of each order.
        known.rubric = rubric_of[chosen.rubric_id]
        known.readings = tuple(
            Pass(order=Order(row.order), answer=Answer.model_validate(row.answer))
            for row in kept
            if row.repetition == 0
        )
        if {reading.order for reading in known.readings} != set(Order):
            continue
        known.assessments = assess(known.rubric, known.readings)
        if any(row.repetition for row in kept) and (verdict := merge(known.rubric, known.readings).verdict):
            known.first_winner = verdict.winner.value
    return found


def _of_several(known: Judged, now: verdicts.JudgedPasses, *, shared: bool) -> None:
    """The joint judgment of several judges; no figure of one judge counts their readings."""
    known.shared, known.rubric_id = shared, now.chosen.rubric_id
    known.judged_by, known.digest = now.chosen.judge_model, now.chosen.judge_digest
    if now.judgment is not None:
        known.rubric, known.assessments = now.judgment.rubric, now.judgment.assessments
    if (by := now.by) is not None:
        known.judges = tuple(_one_judge(each, by) for each in by.judges.members)


def _one_judge(member: MemberJudge, by: verdicts.OfSeveral) -> OneJudge:
    judgment = by.judgments[member.name]
    leans = named_by_position(judgment) if judgment else ByPosition(0, 0)
    return OneJudge(
        name=member.name,
        kind=member.kind,
        model=member.model,
        digest=member.digest,
        vote=by.opinion.votes[member.name].value,
        first=leans.first,
        second=leans.second,
    )
