"""All judgments of one comparison beside each other: another model, another rubric, other prompts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import DecidedBy
from comparator.reporting.history.conditions import covered
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.facts import verdicts
from comparator.store.facts.verdicts import JudgedPasses
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.rubrics import RubricVersion


class JudgmentOf(Frozen):
    """One judgment: the passes of one judge by one rubric. Without a pass in each order it has no verdict.

    `criteria` maps each criterion's path to the scores of A and B; `current` marks the one that counts.
    """

    name: str | None = None
    """Of the judge, where it is one of several that were asked."""
    digest: str
    started_at: AwareDatetime
    judge_kind: str
    judge_model: str
    judge_digest: str
    guidance: int | None
    """The version of the project's guidance that it was made with."""
    rubric_id: str
    rubric_number: int
    current: bool
    winner: Winner | None = None
    decided_by: DecidedBy | None = None
    overall: PerOutput[Decimal] | None = None
    left_out: int = 0
    """How many criteria and expectations do not count."""
    position_consistent: bool | None = None
    self_consistent: bool | None = None
    stated_confidence: int | None = None
    quotes_found: int = 0
    quotes_total: int = 0
    cost: Decimal | None = None
    criteria: dict[str, PerOutput[Decimal | None]]


def judgments_of(database: Database, comparison_id: str, *, reader: str) -> tuple[JudgmentOf, ...]:
    """The comparison's judgments over its present views, oldest first.

    Raises BlindnessError while the reader has yet to score the pair before seeing what a judge said.
    """
    with database.read() as connection:
        _require_open(connection, comparison_id, reader)
        known = judgments.sets(connection, comparison_id)
        now = verdicts.judged(connection, comparison_id)
        if now is None or now.by is None:
            counts = now.chosen if now else None
            return tuple(_judgment(connection, each, current=each == counts) for each in known)
        names = {each.digest: name for name, each in now.by.sets.items()}
        each = (_judgment(connection, one, current=False, name=names.get(one.digest)) for one in known)
        return (*each, _together(connection, now))


def _require_open(connection: Connection, comparison_id: str, reader: str) -> None:
    hidden = covered(connection, reader)
    if hidden is None:
        return
    fact = tables.fact.c
    query = sa.select(fact.comparison_id).where(fact.comparison_id == comparison_id, hidden)
    if connection.execute(query).first() is not None:
        raise BlindnessError("Score this pair first. Then you can see what judges said of it.")


def _together(connection: Connection, now: JudgedPasses) -> JudgmentOf:
    """What several judges come to; its costs are told with each of them."""
    rubric = rubrics.get(connection, now.chosen.rubric_id)
    about = _about(now.chosen, rubric, current=True, name=None)
    return JudgmentOf.model_validate({**about, **_merged(now.judgment, rubric.rubric)})


def _judgment(
    connection: Connection, passed: judgments.PassSet, *, current: bool, name: str | None = None
) -> JudgmentOf:
    rubric = rubrics.get(connection, passed.rubric_id)
    about = _about(passed, rubric, current=current, name=name) | {"cost": _cost(connection, passed.digest)}
    judgment = (
        merge(rubric.rubric, judgments.successful(connection, passed.digest)) if passed.complete else None
    )
    return JudgmentOf.model_validate({**about, **_merged(judgment, rubric.rubric)})


def _about(
    passed: judgments.PassSet, rubric: RubricVersion, *, current: bool, name: str | None
) -> dict[str, Any]:
    return {
        "name": name,
        "digest": passed.digest,
        "started_at": passed.started_at,
        "judge_kind": passed.judge_kind,
        "judge_model": passed.judge_model,
        "judge_digest": passed.judge_digest,
        "guidance": passed.guidance,
        "rubric_id": passed.rubric_id,
        "rubric_number": rubric.number,
        "current": current,
    }


def _merged(merged: MergedJudgment | None, rubric: Rubric) -> dict[str, Any]:
    if merged is None:
        return {"criteria": {}}
    verdict, given = merged.verdict, merged.assessments
    settled = (
        {
            "winner": verdict.winner,
            "decided_by": verdict.decided_by,
            "left_out": len(verdict.left_out),
            "overall": verdict.overall,
        }
        if verdict
        else {}
    )
    return {
        **settled,
        "position_consistent": merged.position_consistent,
        "self_consistent": merged.self_consistent,
        "stated_confidence": merged.stated_confidence,
        "quotes_found": merged.quotes_found,
        "quotes_total": merged.quotes_total,
        "criteria": {
            path: PerOutput[Decimal | None](A=given.A.scores.get(path), B=given.B.scores.get(path))
            for path in rubric.paths
        },
    }


def _cost(connection: Connection, set_digest: str) -> Decimal | None:
    """What its readings cost; None where one has no known price."""
    judgment, attempt = tables.judgment.c, tables.attempt.c
    query = (
        sa.select(attempt.cost)
        .join_from(tables.attempt, tables.judgment, attempt.judgment_id == judgment.id)
        .where(judgment.set_digest == set_digest)
    )
    costs = list(connection.execute(query).scalars())
    return None if not costs or any(cost is None for cost in costs) else sum(costs, Decimal())
