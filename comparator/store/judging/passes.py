"""Reading judgments back: which set of passes counts, and its successful answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Connection, Select, String, and_, bindparam, select, true

from comparator.domain.labels import Frozen, Order
from comparator.domain.scoring.judgment import Answer, Pass
from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.store import tables
from comparator.store.core.sql import among


class Identity(Protocol):
    """Which judge it is; `digest` changes whenever an answer could change."""

    @property
    def kind(self) -> str:
        """Such as `anthropic` or `offline`."""

    @property
    def model(self) -> str:
        """The model's name."""

    @property
    def digest(self) -> str:
        """Of model, server, prompts, guidance and answer format."""


class PassSet(Frozen):
    """Passes that are read as one judgment: one pair of views, one rubric, one judge."""

    digest: str
    rubric_id: str
    judge_kind: str
    judge_model: str
    judge_digest: str
    view_a_digest: str
    view_b_digest: str
    guidance: int | None
    """The version of the project's guidance that the judge went by."""
    started_at: AwareDatetime
    succeeded: frozenset[Order]
    """The orders in which at least one pass succeeded."""

    @property
    def complete(self) -> bool:
        """Whether there is a pass in each order."""
        return self.succeeded == frozenset(Order)


_judgment, _attempt, _comparison = tables.judgment.c, tables.attempt.c, tables.comparison.c
_a, _b = tables.view.alias("view_a"), tables.view.alias("view_b")
PRESENT = (
    tables.judgment.join(tables.comparison, _comparison.id == _judgment.comparison_id)
    .join(_a, and_(_a.c.id == _comparison.view_a, _a.c.digest == _judgment.view_a_digest))
    .join(_b, and_(_b.c.id == _comparison.view_b, _b.c.digest == _judgment.view_b_digest))
    .outerjoin(tables.attempt, and_(_attempt.judgment_id == _judgment.id, _attempt.succeeded == true()))
)
"""The judgments over the present views of their comparisons, each with the try that succeeded."""


def by(judge: Identity) -> tuple[ColumnElement[bool], ...]:
    """That a judgment is this judge's."""
    return (
        _judgment.judge_kind == judge.kind,
        _judgment.judge_model == judge.model,
        _judgment.judge_digest == judge.digest,
    )


def _with_answers(*where: ColumnElement[bool]) -> Select[Any]:
    query = select(tables.judgment, _attempt.succeeded).select_from(PRESENT).where(*where)
    return query.order_by(_judgment.created_at, _judgment.set_digest)


# Made once: it is asked after each judgment, and to make it takes longer than to run it.
_SETS = _with_answers(
    _judgment.comparison_id == bindparam("comparison", type_=String()), _judgment.trial.is_(None)
)


def sets(connection: Connection, comparison_id: str) -> tuple[PassSet, ...]:
    """All sets of passes over the present views of a comparison, oldest first; those of trials are not among them."""
    return _sets_of(connection.execute(_SETS, {"comparison": comparison_id}))


def by_judge(connection: Connection, comparison_ids: Collection[str], judge: Identity) -> dict[str, PassSet]:
    """The complete set of each comparison that this very judge read, for a trial or not; the others are left out."""
    query = _with_answers(*by(judge), _judgment.comparison_id.in_(among(connection, comparison_ids)))
    rows: defaultdict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        rows[row.comparison_id].append(row)
    found = {comparison_id: current(_sets_of(theirs)) for comparison_id, theirs in rows.items()}
    return {id: each for id, each in found.items() if each is not None and each.complete}


def _sets_of(rows: Iterable[Any]) -> tuple[PassSet, ...]:
    """The sets, oldest first, of rows of judgments."""
    together: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        together[row.set_digest].append(row)
    found = [
        PassSet(
            digest=digest,
            started_at=min(row.created_at for row in own),
            succeeded=frozenset(Order(row.order) for row in own if row.succeeded),
            **{name: getattr(own[0], name) for name in PassSet.model_fields if name in _judgment},
        )
        for digest, own in together.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.started_at, each.digest)))


def current(known: Iterable[PassSet]) -> PassSet | None:
    """The set that counts: the newest complete one, else the newest; None where there is none."""
    every = tuple(known)
    return next((each for each in reversed(every) if each.complete), every[-1] if every else None)


_SUCCESSFUL = (
    select(_judgment.set_digest, _judgment.order, _judgment.repetition, _attempt.answer)
    .join_from(tables.judgment, tables.attempt, _attempt.judgment_id == _judgment.id)
    .where(_attempt.succeeded == true())
    .order_by(_attempt.at, _judgment.order, _judgment.repetition)
)
# Made once, as `_SETS` is.
_OF_ONE_SET = _SUCCESSFUL.where(_judgment.set_digest == bindparam("digest", type_=String()))


def successful(connection: Connection, set_digest: str) -> tuple[Pass, ...]:
    """The successful passes of a set, in the order in which they were stored."""
    return tuple(map(_pass, connection.execute(_OF_ONE_SET, {"digest": set_digest})))


def successful_of(connection: Connection, set_digests: Collection[str]) -> dict[str, list[Pass]]:
    """The successful passes of many sets, each in the order in which they were stored."""
    query = _SUCCESSFUL.where(_judgment.set_digest.in_(among(connection, set_digests)))
    found: dict[str, list[Pass]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.set_digest].append(_pass(row))
    return found


def _pass(row: Any) -> Pass:
    return Pass(order=Order(row.order), repetition=row.repetition, answer=Answer.model_validate(row.answer))


_OPEN = ("waiting", "out")
"""States of an item that is still to end, unless its batch was cancelled while somebody else had the pair."""
_batch_item, _batch = tables.batch_item.c, tables.batch.c


class JudgmentRequest(NamedTuple):
    """One time that a judgment of a pair was asked for: of one judge (`judges` is None) or of several."""

    judges: SeveralJudges | None
    at: datetime
    is_open: bool
    """Whether a judge is still to read the pair."""
    is_done: bool
    """Whether a judge has read it."""


# Made once: it is asked after each judgment, and to make it takes longer than to run it.
_ASKINGS = (
    select(_batch.id, _batch.panel, _batch.created_at, _batch_item.state, _batch.state.label("of_batch"))
    .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
    .where(_batch_item.comparison_id == bindparam("comparison", type_=String()), _batch.trial.is_(None))
    .order_by(_batch.created_at.desc(), _batch.id)
)


def judgment_requests(connection: Connection, comparison_id: str) -> tuple[JudgmentRequest, ...]:
    """Each time that the pair was asked about, the newest first; empty where several judges never were."""
    rows = connection.execute(_ASKINGS, {"comparison": comparison_id}).all()
    if all(row.panel is None for row in rows):
        return ()
    # Each of several judges has a batch of its own.
    together: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        together[row.panel["id"] if row.panel else row.id].append(row)
    return tuple(
        JudgmentRequest(
            SeveralJudges.model_validate(own[0].panel) if own[0].panel else None,
            at=min(row.created_at for row in own),
            is_open=any(row.state in _OPEN and row.of_batch != "cancelled" for row in own),
            is_done=any(row.state == "done" for row in own),
        )
        for own in together.values()
    )
