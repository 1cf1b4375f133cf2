"""Batches: many comparisons that a judge reads in the background, how far each is, what it cost, and its pace."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise, takewhile

from pydantic import AwareDatetime, ConfigDict, Field
from sqlalchemy import and_, bindparam, case, exists, func, or_, select, true, union

from comparator.domain.errors import Conflict
from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Identity, Tools
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.settings import JudgeKind
from comparator.store import tables
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import (
    Connection,
    Stored,
    Unit,
    insert_many,
    lock,
    scalars,
    several,
    there_is,
)


class BatchState(StrEnum):
    """What a batch is doing."""

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    DONE = "done"


class ItemState(StrEnum):
    """What is happening to one comparison of a batch."""

    WAITING = "waiting"
    """Also while a worker has it: its lease says so."""
    OUT = "out"
    """A Message Batch at the provider has its requests."""
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


MOST_LISTED = 100
OPEN = (ItemState.WAITING, ItemState.OUT)
"""What is still to end."""


class Via(StrEnum):
    """How the judge is asked: one request at a time, or by Message Batches at half the price."""

    MESSAGES = "messages"
    BATCHES = "batches"


class GuidanceTrial(Frozen):
    """A version of guidance that is tried against the one in force (or none), by the judge without it and with it."""

    number: int
    baseline: int | None
    before: Identity
    after: Identity


class JudgesAsked(Frozen):
    """Which judge or judges are asked, and how; the docstrings are help of the command line."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    judge: JudgeKind | None = None
    """Which judge; by default, as the settings say"""
    model: str | None = None
    """Model of the judge"""
    named: tuple[str, ...] = ()
    """A judge of COMPARATOR_JUDGES by its name, in place of --judge and --model; repeat for several judges. By default,
    as the project says"""
    quorum: int | None = Field(default=None, ge=1)
    """How many of several judges must reach a verdict; by default, most of them"""
    tools: Tools | None = None
    """Whether the judge opens files with tools; by default, as the project or the settings say"""


class BatchRequest(JudgesAsked):
    """What is to be judged, how, and for how many US dollars at most; the docstrings are help of the command line."""

    project_id: str
    name: str = ""
    """What to call the batch"""
    comparisons: tuple[str, ...] = ()
    """Id of a comparison; repeat. Without it: all that wait for a judge or failed, and are in no open batch"""
    via: Via = Via.MESSAGES
    """batches cost half as much and take up to a day"""
    budget: Decimal | None = None
    """Limit in US dollars, for each judge."""
    all_runs: bool = False
    """Without --comparison: include pairs with an unusable output or read to measure a judge, left out otherwise"""
    labelled: bool = False
    """Read the pairs with a label or a blind review to measure the judge; no verdict changes"""
    sample: int | None = Field(default=None, ge=1)
    """Read this many of them, at random; the same ones each time, also in a larger sample"""
    tries: int | None = None
    """A version of the project's guidance: the judge reads the held-out pairs with it and without it; a trial."""

    @property
    def is_trial(self) -> bool:
        """Whether what comes of it is not the pairs' judgment."""
        return self.labelled or self.tries is not None


class NewBatch(Frozen):
    """What is to be judged, and how."""

    project_id: str
    name: str
    judge: JudgeChoice
    via: Via = Via.MESSAGES
    budget_id: str | None = None
    created_by: str | None = None
    single: bool | None = None
    """True for one pair that somebody asked for by itself."""
    trial: bool | None = None
    """True where it is read for a judge's record or a trial of guidance: it is not the pairs' judgment."""
    tries: GuidanceTrial | None = None
    """The trial of guidance that it is read for."""
    panel: SeveralJudges | None = None
    """The judges that are asked about the same pairs, this one among them; None where it is alone."""


class Batch(NewBatch, Stored, table=tables.batch):
    """What was started, and how far it is; `problem` says why it does not go on by itself."""

    id: str
    state: BatchState
    created_at: AwareDatetime
    finished_at: AwareDatetime | None
    problem: str | None


class BatchCounts(Frozen):
    """How many comparisons of a batch are in which state."""

    waiting: int = 0
    running: int = 0
    out: int = 0
    done: int = 0
    failed: int = 0
    cancelled: int = 0
    reviewed: int = 0
    """Of them all, those with a final review."""

    @property
    def total(self) -> int:
        """All comparisons of the batch."""
        return self.left + self.done + self.failed + self.cancelled

    @property
    def left(self) -> int:
        """Those that have not ended."""
        return self.waiting + self.running + self.out


_batch, _item, _judgment, _attempt, _event, _comparison, _fact = (
    tables.batch.c,
    tables.batch_item.c,
    tables.judgment.c,
    tables.attempt.c,
    tables.event.c,
    tables.comparison.c,
    tables.fact.c,
)
LEASED = exists().where(tables.lease.c.kind == LeaseKind.PAIR, tables.lease.c.id == _item.comparison_id)
"""Of an item: a worker has its pair in hand, or left it behind."""


def add(unit: Unit, new: NewBatch, comparison_ids: Sequence[str]) -> Batch:
    """Store a batch that runs at once, its comparisons in this order."""
    batch_id = unit.new_id()
    unit.add(tables.batch, id=batch_id, state=BatchState.RUNNING, **new.model_dump(mode="json"))
    rows = [
        {"batch_id": batch_id, "comparison_id": id, "position": n, "state": "waiting", "touched_at": unit.at}
        for n, id in enumerate(comparison_ids)
    ]
    insert_many(unit, tables.batch_item, rows)
    return get(unit, batch_id)


get = Batch.get


def listed(connection: Connection, *, project_id: str | None = None) -> tuple[Batch, ...]:
    """Batches of many, the newest first."""
    here = _batch.project_id == project_id if project_id else true()
    query = Batch.select(_batch.single.is_(None), here).order_by(_batch.created_at.desc(), _batch.id)
    return several(connection, query.limit(MOST_LISTED), Batch)


def ids_like(connection: Connection, beginning: str) -> tuple[str, ...]:
    """At most two batches of many whose ids begin so."""
    these = _batch.single.is_(None), _batch.id.startswith(beginning, autoescape=True)
    return scalars(connection, select(_batch.id).where(*these).limit(2))


def trials_of_guidance(connection: Connection, project_id: str) -> tuple[Batch, ...]:
    """The batches by which the project's guidance is tried, the oldest first."""
    these = (_batch.project_id == project_id, _batch.tries.is_not(None))
    return Batch.all(connection, *these, by=[_batch.created_at, _batch.id])


def states(connection: Connection, batch_ids: Sequence[str]) -> dict[str, BatchState]:
    """What these batches are doing."""
    query = select(_batch.id, _batch.state).where(_batch.id.in_(batch_ids))
    return {id: BatchState(state) for id, state in connection.execute(query)}


def move(unit: Unit, batch_id: str, state: BatchState) -> Batch:
    """Let the batch run, pause or end it. Raises Conflict where it has ended, NotFound where there is none."""
    lock(unit, tables.batch, batch_id)
    now = get(unit, batch_id)
    if now.state not in (BatchState.RUNNING, BatchState.PAUSED, state):
        raise Conflict(f"The batch {now.name!r} is {now.state} and cannot be {state} any more.")
    ended = unit.at if state is BatchState.CANCELLED else None
    unit.update(tables.batch, _batch.id == batch_id, state=state, problem=None, finished_at=ended)
    if ended:
        these = (_item.batch_id == batch_id, _item.state.in_(OPEN), ~LEASED)
        unit.update(tables.batch_item, *these, state=ItemState.CANCELLED)
    elif state is BatchState.RUNNING:
        # What was under way when it was paused may have been the last of it.
        close_finished(unit, [batch_id])
    return get(unit, batch_id)


def stop_for(unit: Unit, batch_id: str | None, *, problem: str) -> None:
    """Pause a running batch that cannot go on, or (None) all of them; nothing happens to one that does not run."""
    running = _batch.state == BatchState.RUNNING
    which = true() if batch_id is None else _batch.id == batch_id
    unit.update(tables.batch, running, which, state=BatchState.PAUSED, problem=problem)


def retry_failed(unit: Unit, batch_id: str) -> int:
    """Let the failed comparisons be read again; how many there are."""
    lock(unit, tables.batch, batch_id)
    failed = (_item.batch_id == batch_id, _item.state == ItemState.FAILED)
    fresh = {"problem": None, "touched_at": unit.at}
    again = unit.update(tables.batch_item, *failed, state=ItemState.WAITING, **fresh)
    if again:
        running = {"state": BatchState.RUNNING, "problem": None, "finished_at": None}
        unit.update(tables.batch, _batch.id == batch_id, **running)
    return again


_UNFINISHED = exists().where(_item.batch_id == _batch.id, _item.state.in_(OPEN))
# Built once, as it goes into most commits of a worker.
_FINISHED = (
    tables.batch.update()
    .where(_batch.id.in_(bindparam("ids", expanding=True)), _batch.state == BatchState.RUNNING, ~_UNFINISHED)
    .values(state=BatchState.DONE, finished_at=bindparam("now", type_=_batch.finished_at.type))
)


def close_finished(unit: Unit, batch_ids: Collection[str], *, wait: bool = True) -> None:
    """Note the end of those of the running batches in which nothing is left to do.

    Without waiting, batches that somebody else is just changing are left to them.
    """
    if batch_ids and not wait:
        free = select(_batch.id).where(_batch.id.in_(batch_ids)).with_for_update(skip_locked=True)
        batch_ids = scalars(unit, free)
    if batch_ids:
        unit.execute(_FINISHED, {"ids": sorted(set(batch_ids)), "now": unit.at})


def counts(connection: Connection, batch_ids: Sequence[str]) -> dict[str, BatchCounts]:
    """How far these batches are."""
    state = case((and_(_item.state == ItemState.WAITING, LEASED), "running"), else_=_item.state)
    query = (
        select(_item.batch_id, state, func.count(), func.count().filter(_fact.final_reviews > 0))
        .join_from(tables.batch_item, tables.fact, _fact.comparison_id == _item.comparison_id, isouter=True)
        .where(_item.batch_id.in_(batch_ids))
    )
    numbers = {batch_id: {"reviewed": 0} for batch_id in batch_ids}
    for batch_id, name, count, reviewed in connection.execute(query.group_by(_item.batch_id, state)):
        numbers[batch_id][name] = count
        numbers[batch_id]["reviewed"] += reviewed
    return {batch_id: BatchCounts.model_validate(own) for batch_id, own in numbers.items()}


def waits(connection: Connection) -> bool:
    """Whether a worker would find something to do now or later."""
    return there_is(connection, _batch.state == BatchState.RUNNING, _UNFINISHED)


class Failure(Frozen):
    """A comparison of a batch that failed, and why."""

    comparison_id: str
    title: str
    problem: str


def failures(connection: Connection, batch_id: str) -> tuple[Failure, ...]:
    """The failed comparisons of a batch in their order, at most fifty."""
    query = (
        select(_item.comparison_id, _comparison.title, func.coalesce(_item.problem, "").label("problem"))
        .join_from(tables.batch_item, tables.comparison, _comparison.id == _item.comparison_id)
        .where(_item.batch_id == batch_id, _item.state == ItemState.FAILED)
    )
    return several(connection, query.order_by(_item.position).limit(50), Failure)


PACED = 60
"""So many pairs that ended last tell how long one takes."""
FEWEST = 3
"""From fewer pairs nothing is said of what the others will cost, or how long they will take."""
PAUSED = timedelta(minutes=10)
"""So long without a pair that ends, and the batch has stood still."""
GOES_ON = ("batch_started", "batch_resumed", "batch_retried")
"""Kinds of events from which on a batch runs."""


def cost(connection: Connection, batch: Batch) -> Decimal | None:
    """What all tries for the batch have cost so far, in US dollars; None where nothing has a known price.

    A try at a pair is for the batch until the pair ended in it: later ones are others'.
    """
    ours = (
        _item.batch_id == batch.id,
        _attempt.at >= batch.created_at,
        or_(_item.state.in_(OPEN), _attempt.at <= _item.touched_at),
    )
    readings = (
        select(_attempt.id, _attempt.cost)
        .where(*ours)
        .join_from(tables.batch_item, tables.judgment, _judgment.comparison_id == _item.comparison_id)
        .join(tables.attempt, _attempt.judgment_id == _judgment.id)
    )
    rubrics = (
        select(_attempt.id, _attempt.cost)
        .where(*ours)
        .join_from(tables.batch_item, tables.comparison, _comparison.id == _item.comparison_id)
        .join(tables.attempt, _attempt.task_version_id == _comparison.task_version_id)
    )
    # Each try once, although many pairs may be of one task.
    tries = union(readings, rubrics).subquery().c
    total: Decimal | None = connection.execute(select(func.sum(tries.cost))).scalar()
    return total


def pace(connection: Connection, batch_id: str, *, now: datetime) -> float | None:
    """Seconds that passed for one comparison, by the last ones that ended; None while fewer than three have since the
    batch was started or resumed, or stood still.
    """
    begun = (_event.subject_id == batch_id, _event.kind.in_(GOES_ON))
    since = scalars(connection, select(_event.at).where(*begun).order_by(_event.at.desc()).limit(1))
    ended = [_item.batch_id == batch_id, _item.state.in_((ItemState.DONE, ItemState.FAILED))]
    query = select(_item.touched_at).where(*ended, *(_item.touched_at > at for at in since))
    times = scalars(connection, query.order_by(_item.touched_at.desc()).limit(PACED))
    # To the present: while nothing ends, a pair takes longer.
    gaps = [later - earlier for later, earlier in pairwise((now, *times, *since))]
    under_way = list(takewhile(lambda gap: gap < PAUSED, gaps))
    pairs = len(under_way) - 1
    return sum(under_way, timedelta()).total_seconds() / pairs if pairs >= FEWEST else None
