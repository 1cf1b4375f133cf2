"""Judgments and every try at them, or at rubrics and inquiries; which set of passes counts."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Select, and_, bindparam, func, select, true

from comparator.domain.labels import Frozen, Order, PerOutput
from comparator.domain.pair.examination import ToolCall
from comparator.domain.scoring.judgment import Answer, Identity, Pass
from comparator.domain.usage import Call, Usage, added
from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, among, lock, several
from comparator.store.judging import budgets


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
TRIES = tables.attempt.join(tables.judgment, _attempt.judgment_id == _judgment.id)
"""The tries at judgments."""
_a, _b = tables.view.alias("view_a"), tables.view.alias("view_b")
PRESENT = (
    tables.judgment.join(tables.comparison, _comparison.id == _judgment.comparison_id)
    .join(_a, and_(_a.c.id == _comparison.view_a, _a.c.digest == _judgment.view_a_digest))
    .join(_b, and_(_b.c.id == _comparison.view_b, _b.c.digest == _judgment.view_b_digest))
    .outerjoin(tables.attempt, and_(_attempt.judgment_id == _judgment.id, _attempt.succeeded == true()))
)
"""The judgments over the present views of their comparisons, each with the try that succeeded."""


def is_by(judge: Identity) -> tuple[ColumnElement[bool], ...]:
    """That a judgment is this judge's."""
    return (
        _judgment.judge_kind == judge.kind,
        _judgment.judge_model == judge.model,
        _judgment.judge_digest == judge.digest,
    )


def _answered_query(*where: ColumnElement[bool]) -> Select[Any]:
    query = select(tables.judgment, _attempt.succeeded).select_from(PRESENT).where(*where)
    return query.order_by(_judgment.created_at, _judgment.set_digest)


# Made once: it is asked after each judgment, and to make it takes longer than to run it.
_SETS = _answered_query(_judgment.comparison_id == bindparam("comparison"), _judgment.trial.is_(None))


def sets(connection: Connection, comparison_id: str) -> tuple[PassSet, ...]:
    """All sets of passes over the present views of a comparison, oldest first; those of trials are not among them."""
    return _sets_of(connection.execute(_SETS, {"comparison": comparison_id}))


def by_judge(connection: Connection, comparison_ids: Collection[str], judge: Identity) -> dict[str, PassSet]:
    """The set that counts of each comparison that this very judge began to read, for a trial or not."""
    query = _answered_query(*is_by(judge), _judgment.comparison_id.in_(among(connection, comparison_ids)))
    rows: defaultdict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        rows[row.comparison_id].append(row)
    newest = {comparison_id: current(_sets_of(theirs)) for comparison_id, theirs in rows.items()}
    return {id: readings for id, readings in newest.items() if readings is not None}


def _sets_of(rows: Iterable[Any]) -> tuple[PassSet, ...]:
    """The sets, oldest first, of rows of judgments."""
    together: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        together[row.set_digest].append(row)
    readings = [
        PassSet(
            digest=digest,
            started_at=min(row.created_at for row in own),
            succeeded=frozenset(Order(row.order) for row in own if row.succeeded),
            **{name: getattr(own[0], name) for name in PassSet.model_fields if name in _judgment},
        )
        for digest, own in together.items()
    ]
    return tuple(sorted(readings, key=lambda entry: (entry.started_at, entry.digest)))


def current(known: Iterable[PassSet]) -> PassSet | None:
    """The set that counts: the newest complete one, else the newest; None where there is none."""
    every = tuple(known)
    return next((readings for readings in reversed(every) if readings.complete), every[-1] if every else None)


_SUCCESSFUL = (
    select(_judgment.set_digest, _judgment.order, _judgment.repetition, _attempt.answer)
    .select_from(TRIES)
    .where(_attempt.succeeded == true())
    .order_by(_attempt.at, _judgment.order, _judgment.repetition)
)
# Made once, as `_SETS` is.
_OF_ONE_SET = _SUCCESSFUL.where(_judgment.set_digest == bindparam("digest"))


def successful(connection: Connection, set_digest: str) -> tuple[Pass, ...]:
    """The successful passes of a set, in the order in which they were stored."""
    return tuple(map(_pass, connection.execute(_OF_ONE_SET, {"digest": set_digest})))


def successful_of(connection: Connection, set_digests: Collection[str]) -> dict[str, list[Pass]]:
    """The successful passes of many sets, each in the order in which they were stored."""
    query = _SUCCESSFUL.where(_judgment.set_digest.in_(among(connection, set_digests)))
    passes: dict[str, list[Pass]] = defaultdict(list)
    for row in connection.execute(query):
        passes[row.set_digest].append(_pass(row))
    return passes


def _pass(row: Any) -> Pass:
    return Pass(order=Order(row.order), repetition=row.repetition, answer=Answer.model_validate(row.answer))


_item, _batch = tables.batch_item.c, tables.batch.c
ITEMS = tables.batch_item.join(tables.batch, _batch.id == _item.batch_id)
"""The pairs of batches, each with its batch."""


DUPLICATE = "Duplicate"
"""The error kind of an answer that came after another one had been stored as the success."""
CONTRADICTED = "Contradicted"
"""The error kind of a valid answer whose scores gave another winner than it named; the judge was asked once more."""


class Effort(Frozen):
    """One try, with what became of it and what it took."""

    id: str
    judgment_id: str
    order: Order
    repetition: int
    set_digest: str
    rubric_id: str
    judge_kind: str
    judge_model: str
    judge_digest: str
    view_a_digest: str
    view_b_digest: str
    at: AwareDatetime
    succeeded: bool
    error_kind: str | None
    message: str | None
    calls: tuple[Call, ...]
    prompts: dict[str, str]
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_written_tokens: int
    seconds: float
    cost: Decimal | None
    guidance: int | None = None
    """The version of the project's guidance that the judge went by."""


class Attempt(Effort):
    """One try, with everything that came back."""

    answer: Answer | None
    looked_at: tuple[ToolCall, ...] | None = None
    """The calls of a reading with tools."""


class TryRecord(Frozen):
    """What one try took: its requests, the digests of their prompts, the cost in US dollars, and what went wrong."""

    calls: tuple[Call, ...]
    prompts: dict[str, str]
    cost: Decimal | None
    error_kind: str | None = None
    """The error's class name, or one of those above."""
    message: str | None = None
    """What to tell a person."""


E = TypeVar("E", bound=Effort)


def set_digest(
    comparison_id: str,
    *,
    view_digests: PerOutput[str],
    rubric_id: str,
    judge: Identity,
    trial: bool | None = None,
) -> str:
    """The identity of the passes that are read as one judgment; those of a `trial` stand apart."""
    parts = [comparison_id, view_digests.A, view_digests.B, rubric_id, judge.kind, judge.model, judge.digest]
    return hashlib.sha256("\n".join([*parts, "trial"] if trial else parts).encode()).hexdigest()


# Made once: it is asked with each answer, and to make it takes longer than to run it.
_READING = select(_judgment.id).where(
    _judgment.set_digest == bindparam("set"),
    _judgment.order == bindparam("of_order"),
    _judgment.repetition == bindparam("number"),
)


def ensure_judgment(
    unit: Unit,
    comparison_id: str,
    *,
    view_digests: PerOutput[str],
    rubric_id: str,
    judge: Identity,
    order: Order,
    repetition: int = 0,
    guidance: int | None = None,
    trial: bool | None = None,
) -> str:
    """The id of the reading of these views by this judge in this order, stored if it is new.

    A reading of a `trial` is not the comparison's judgment.
    """
    digest = set_digest(
        comparison_id, view_digests=view_digests, rubric_id=rubric_id, judge=judge, trial=trial
    )
    unit.add_new(
        tables.judgment,
        comparison_id=comparison_id,
        rubric_id=rubric_id,
        view_a_digest=view_digests.A,
        view_b_digest=view_digests.B,
        judge_kind=judge.kind,
        judge_model=judge.model,
        judge_digest=judge.digest,
        set_digest=digest,
        order=order,
        repetition=repetition,
        guidance=guidance,
        trial=trial or None,
    )
    key = {"set": digest, "of_order": order, "number": repetition}
    return str(unit.execute(_READING, key).scalar_one())


def keep_try(
    unit: Unit,
    judgment_id: str,
    tried: TryRecord,
    *,
    answer: Answer | None,
    looked_at: tuple[ToolCall, ...] | None = None,
) -> bool:
    """Keep a try; True if its answer is now the judgment's. The caller derives the comparison's facts anew with it.

    Of two answers to one judgment the first stored one counts; the other is kept as a duplicate, with its cost.
    """
    lock(unit, tables.judgment, judgment_id)
    of: dict[str, Any] = {"judgment_id": judgment_id, "answer": answer, "looked_at": looked_at}
    if answer is not None:
        if _keep(unit, tried, succeeded=True, **of):
            return True
        of |= {"error_kind": DUPLICATE, "message": "Another answer had been stored before."}
    _keep(unit, tried, succeeded=False, **of)
    return False


def keep_contradicted(unit: Unit, judgment_id: str, tried: TryRecord, *, answer: Answer) -> None:
    """Keep an answer that contradicts itself, before the one that was given upon asking once more."""
    why = "Its scores gave another winner than it named."
    tried = tried.copy_with(error_kind=CONTRADICTED, message=why)
    _keep(unit, tried, succeeded=False, judgment_id=judgment_id, answer=answer)


def keep_other_try(
    unit: Unit,
    tried: TryRecord,
    *,
    model: str,
    task_version_id: str | None = None,
    inquiry_id: str | None = None,
    counted: bool = False,
) -> None:
    """Keep a try at the rubric of a task version or at an inquiry; its cost counts, unless it is `counted` already."""
    of = {"task_version_id": task_version_id, "inquiry_id": inquiry_id, "model": model[:200]}
    _keep(unit, tried, succeeded=tried.error_kind is None, counted=counted, **of)


def _keep(unit: Unit, tried: TryRecord, *, counted: bool = False, **columns: Any) -> bool:
    """Keep a try; False where it succeeded, as another one had before."""
    cost = None if tried.cost is None else budgets.exact(tried.cost)
    used = dict(sum((call.usage for call in tried.calls), Usage()))
    kept = unit.add_new(tables.attempt, **dict(tried) | used | {"cost": cost} | columns)
    if kept and not counted:
        budgets.spend(unit, tried.cost)
    return kept


def counts(
    connection: Connection,
    comparison_ids: Collection[str],
    *,
    judge: Identity,
    repetitions: int,
    trial: bool = False,
) -> dict[str, dict[str, int]]:
    """How many of the judge's passes over their present views are there, by comparison and rubric.

    Only the first `repetitions` of each order count.
    """
    key = (_judgment.comparison_id, _judgment.rubric_id)
    query = (
        select(*key, func.count())
        .select_from(PRESENT)
        .where(
            *is_by(judge),
            _judgment.comparison_id.in_(among(connection, comparison_ids)),
            _attempt.succeeded == true(),
            _judgment.repetition < repetitions,
            _judgment.trial == true() if trial else _judgment.trial.is_(None),
        )
        .group_by(*key)
    )
    numbers: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for comparison_id, rubric_id, number in connection.execute(query):
        numbers[comparison_id][rubric_id] = number
    return numbers


def tries(connection: Connection, comparison_id: str, kind: type[E]) -> tuple[E, ...]:
    """Every try at every judgment of a comparison, oldest first, with its answer or (Effort) without: they are long.

    Those of trials are not among them.
    """
    columns = (_attempt[name] if name in _attempt else _judgment[name] for name in kind.model_fields)
    query = select(*columns).select_from(TRIES)
    query = query.where(_judgment.comparison_id == comparison_id, _judgment.trial.is_(None))
    return several(connection, query.order_by(_attempt.at, _attempt.id), kind)


def total_cost(tries: Iterable[Effort]) -> Decimal | None:
    """What the tries that used tokens cost, in US dollars; None if there are none or one has no known price."""
    return added(effort.cost for effort in tries if effort.input_tokens or effort.output_tokens)


def failures(connection: Connection, comparison_id: str) -> tuple[Effort, ...]:
    """Of the set that counts, the last try of each judgment that has no answer."""
    chosen = current(sets(connection, comparison_id))
    own = [e for e in tries(connection, comparison_id, Effort) if chosen and e.set_digest == chosen.digest]
    # An answer counts more than any try without one, before or after it.
    last = {effort.judgment_id: effort for effort in sorted(own, key=lambda effort: effort.succeeded)}
    return tuple(effort for effort in last.values() if not effort.succeeded)
