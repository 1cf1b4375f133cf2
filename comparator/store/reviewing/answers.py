"""What a person can say of a comparison other than scores: skip, flag, cannot judge, and the like."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, one, several
from comparator.store.core.unit import Unit


class AnswerKind(StrEnum):
    """What a person can say other than scores."""

    SKIP = "skip"
    FLAG = "flag"
    CANNOT_JUDGE = "cannot_judge"
    OUTSIDE_EXPERTISE = "outside_expertise"
    COMMITTED = "committed"
    """In a blind review: the own values are given, and the judge's may be shown."""


class GivenAnswer(Frozen):
    """One of those, with its reason."""

    id: str
    comparison_id: str
    person_id: str
    kind: AnswerKind
    value: Any
    reason: str
    at: AwareDatetime


_answer = tables.answer.c
_ANSWER = tuple(_answer[name] for name in GivenAnswer.model_fields)


def add(
    unit: Unit, comparison_id: str, *, person_id: str, kind: AnswerKind, reason: str = "", value: Any = None
) -> GivenAnswer:
    """Store a person's answer other than scores, with its reason."""
    answer_id = unit.new_id()
    insert_one(
        unit.connection,
        tables.answer,
        id=answer_id,
        comparison_id=comparison_id,
        person_id=person_id,
        kind=kind.value,
        value=value,
        reason=reason,
        at=unit.at,
    )
    return one(
        unit.connection, sa.select(*_ANSWER).where(_answer.id == answer_id), GivenAnswer, what="such answer"
    )


def withdraw(unit: Unit, answer_id: str) -> None:
    """Take an answer back; both stay known."""
    given = one(
        unit.connection, sa.select(*_ANSWER).where(_answer.id == answer_id), GivenAnswer, what="such answer"
    )
    insert_one(
        unit.connection,
        tables.answer,
        id=unit.new_id(),
        comparison_id=given.comparison_id,
        person_id=given.person_id,
        kind=given.kind.value,
        reason="",
        withdraws=answer_id,
        at=unit.at,
    )


def of_comparison(
    connection: sa.Connection, comparison_id: str, *, person_id: str | None = None
) -> tuple[GivenAnswer, ...]:
    """The answers that stand, oldest first; of one person or of all."""
    back = tables.answer.alias("taken_back")
    query = (
        sa.select(*_ANSWER)
        .where(
            _answer.comparison_id == comparison_id,
            _answer.withdraws.is_(None),
            ~sa.exists().where(back.c.withdraws == _answer.id),
        )
        .order_by(_answer.at, _answer.id)
    )
    if person_id is not None:
        query = query.where(_answer.person_id == person_id)
    return several(connection, query, GivenAnswer)
