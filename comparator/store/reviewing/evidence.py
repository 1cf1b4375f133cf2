"""Passages that reviewers hold against a criterion or an expectation; withdrawn ones stay known."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_new, insert_one, maybe, several
from comparator.store.core.unit import Unit


class Evidence(Frozen):
    """A passage of a file for one value of a review; `target` is the value's address, such as `score:A:content.facts`.

    `start` and `end` are places in the text of the shown document, where the reviewer's page knew them.
    """

    id: str
    review_id: str
    person_id: str
    target: str
    file_id: str
    text: str
    start: int | None = None
    end: int | None = None
    at: AwareDatetime


_evidence = tables.evidence.c
_EVIDENCE = tuple(_evidence[name] for name in Evidence.model_fields)


def add(connection: sa.Connection, piece: Evidence) -> bool:
    """Keep a piece of evidence; whether it is new. Its id is made by the sender, so that sending twice stores once."""
    return insert_new(connection, tables.evidence, piece.model_dump())


def find(connection: sa.Connection, evidence_id: str) -> Evidence | None:
    """The piece under this id, withdrawn or not; None where there is none."""
    return maybe(
        connection,
        sa.select(*_EVIDENCE).where(_evidence.id == evidence_id, _evidence.withdraws.is_(None)),
        Evidence,
    )


def withdraw(unit: Unit, piece: Evidence) -> None:
    """Take a piece back; both acts stay known. Withdrawing twice is withdrawing once."""
    if (
        unit.connection.execute(sa.select(_evidence.id).where(_evidence.withdraws == piece.id)).first()
        is None
    ):
        row = {**piece.model_dump(), "id": unit.new_id(), "withdraws": piece.id, "at": unit.at}
        insert_one(unit.connection, tables.evidence, **row)


def of_review(connection: sa.Connection, review_id: str) -> tuple[Evidence, ...]:
    """The pieces that stand, oldest first."""
    back = tables.evidence.alias("taken_back")
    query = sa.select(*_EVIDENCE).where(
        _evidence.review_id == review_id,
        _evidence.withdraws.is_(None),
        ~sa.exists().where(back.c.withdraws == _evidence.id),
    )
    return several(connection, query.order_by(_evidence.at, _evidence.id), Evidence)
