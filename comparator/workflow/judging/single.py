"""Asking for one pair by itself: an item of high priority, which the next worker takes first."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import JudgeState
from comparator.settings import JudgeKind
from comparator.store.bulk import batch_items, batches, leases
from comparator.store.bulk.batches import Batch, BatchState, ItemState, NewBatch
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.store.judging import budgets
from comparator.store.judging.budgets import BudgetUnit
from comparator.store.pairs import comparisons
from comparator.workflow.judging.which_judges import AskedJudges, asked_judges
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

PRIORITY = 1_000_000
"""Above any that a batch can be given: somebody waits for it."""


def ask(
    services: Services,
    comparison_id: str,
    *,
    kind: JudgeKind | None = None,
    model: str | None = None,
) -> None:
    """Have a worker read the comparison, and note who asked. Asking twice while it waits or runs changes nothing.

    Without `kind` and `model`, by the judges that were asked last time, as names, settings and project describe them
    now, else by those of the project. Raises RightsError, NotFound, SettingsError where the judge is not configured.
    """
    with services.database.read() as connection:
        last = batch_items.last_asked(connection, comparison_id) if kind is None and model is None else None
        project_id = comparisons.get(connection, comparison_id).project_id
    names: tuple[str, ...] = ()
    quorum = None
    if last is not None and last.panel is not None:
        names, quorum = tuple(each.name for each in last.panel.members), last.panel.quorum
    elif last is not None:
        kind, model = last.judge.kind, last.judge.model
        names = () if last.judge.named is None else (last.judge.named,)
    asked = asked_judges(services, project_id, kind=kind, model=model, names=names, quorum=quorum)
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "judging_asked",
            project_id=project_id,
            subject_id=comparison_id,
        )
        before = batch_items.waiting_singles(unit.connection, comparison_id)
        if BatchState.RUNNING not in before.values():
            order(unit, comparison_id, asked)


def order(
    unit: Unit,
    comparison_id: str,
    asked: AskedJudges,
    *,
    budget: Decimal | None = None,
) -> tuple[Batch, ...]:
    """A batch of this pair alone for each judge, in place of those that wait; each may spend `budget` US dollars.

    Raises NotFound.
    """
    for batch_id in batch_items.waiting_singles(unit.connection, comparison_id):
        batches.move(unit, batch_id, BatchState.CANCELLED)
    project_id = comparisons.get(unit.connection, comparison_id).project_id
    together = asked.together(unit.new_id())
    ordered = []
    for choice in asked.choices:
        budget_id = None
        if budget is not None:
            budget_id = budgets.add(
                unit, project_id=project_id, counted_in=BudgetUnit.MONEY, ceiling=budget, created_by=None
            )
        new = NewBatch(
            project_id=project_id,
            name="",
            judge=choice,
            priority=PRIORITY,
            budget_id=budget_id,
            created_by=unit.who,
            single=True,
            panel=together,
        )
        ordered.append(batches.add(unit, new, (comparison_id,)))
    fact.refresh(unit, comparison_id)
    return tuple(ordered)


def stop(services: Services, comparison_id: str) -> bool:
    """Send nothing more for a pair that was asked for by itself; False where nothing is under way.

    An answer that is on the wire is kept. Raises RightsError, NotFound.
    """
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "judging_stopped",
            project_id=comparisons.get(unit.connection, comparison_id).project_id,
            subject_id=comparison_id,
        )
        waiting = batch_items.waiting_singles(unit.connection, comparison_id)
        if not waiting:
            return False
        for batch_id in waiting:
            batches.move(unit, batch_id, BatchState.CANCELLED)
        fact.refresh(unit, comparison_id)
    return True


QUEUED = "Waiting for a free place"
INTERRUPTED = "Judging was interrupted. Start it again; what is done is not paid for twice."


class Progress(Frozen):
    """Where the judge is; `asked_at` is when a pair that waits was asked for."""

    state: JudgeState
    step: str | None = None
    problem: str | None = None
    asked_at: datetime | None = None

    @property
    def in_progress(self) -> bool:
        """Whether something will come of it without anybody doing anything."""
        return self.state is JudgeState.RUNNING or self.step is not None


def progress_of(connection: Connection, comparison_id: str, *, now: datetime) -> Progress:
    """Where the judge is at this time, whichever process has the comparison."""
    return progress_since(
        connection, comparison_id, batch_items.last_asked(connection, comparison_id), now=now
    )


def progress_since(
    connection: Connection, comparison_id: str, asked: batch_items.LastBatch | None, *, now: datetime
) -> Progress:
    """The same, for a caller that knows how the judge was asked last."""
    lease = leases.of_pair(connection, comparison_id)
    if lease is not None and lease.beat_at is not None and leases.is_alive(lease.beat_at, at=now):
        return Progress(state=JudgeState.RUNNING, step=lease.step)
    if asked is None:
        return Progress(state=JudgeState.WAITING)
    match asked.state:
        case ItemState.DONE:
            return Progress(state=JudgeState.DONE)
        case ItemState.FAILED:
            return Progress(state=JudgeState.FAILED, problem=asked.problem)
        case ItemState.CANCELLED if asked.problem is not None:
            return Progress(state=JudgeState.INTERRUPTED, problem=asked.problem)
        case ItemState.WAITING if asked.single and asked.batch_state is BatchState.PAUSED:
            return Progress(state=JudgeState.FAILED, problem=asked.batch_problem)
        case ItemState.WAITING if asked.single:
            return Progress(state=JudgeState.WAITING, step=QUEUED, asked_at=asked.touched_at)
        case _:
            return Progress(state=JudgeState.WAITING)
