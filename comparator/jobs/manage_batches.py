"""Looking at batches, and pausing, resuming, cancelling and retrying them."""

from collections.abc import Sequence
from decimal import Decimal

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.jobs.start_batches import authorise_batch, ceiling_of
from comparator.judges.protocol import WAITING
from comparator.store.bulk import batch_items, batches, leases
from comparator.store.bulk.batches import Batch, BatchCounts, BatchState, Failure, Via
from comparator.store.core.sql import Connection
from comparator.store.facts import fact
from comparator.store.judging import budgets
from comparator.store.people import projects
from comparator.workflow.judging import registry
from comparator.workflow.services import Services

REFRESHED = 100
"""Pairs whose facts are derived in one transaction, so that nobody who saves waits long."""


class BatchReport(Frozen):
    """Where a batch is; `workers` work at batches at this moment, `seconds_left` is None while that cannot be told."""

    batch: Batch
    project: str
    counts: BatchCounts
    cost: Decimal | None
    """What it has cost so far, in US dollars; None where nothing has a known price."""
    budget: budgets.Budget | None
    seconds_left: float | None
    workers: int
    waits_for: str = ""
    """The sentence that says which server takes no requests just now, and since when."""

    @property
    def waits_for_worker(self) -> bool:
        """Whether it would go on if there were a worker."""
        return self.batch.state is BatchState.RUNNING and self.counts.left > 0 and not self.workers

    @property
    def cost_at_the_end(self) -> Decimal | None:
        """About what it will have cost once every pair is read, if the others cost what those did that ended; None
        where nothing is left, or too few have ended."""
        ended = self.counts.done + self.counts.failed
        goes_on = self.batch.state in (BatchState.RUNNING, BatchState.PAUSED) and self.counts.left
        if self.cost is None or not goes_on or ended < batches.FEWEST:
            return None
        return self.cost * (ended + self.counts.left) / ended


def reports(services: Services, *, project_id: str | None = None) -> tuple[BatchReport, ...]:
    """All batches, the newest first."""
    with services.database.read() as connection:
        return _reports(services, connection, batches.listed(connection, project_id=project_id))


def report(services: Services, batch_id: str) -> BatchReport:
    """One batch. Raises NotFound."""
    with services.database.read() as connection:
        return _reports(services, connection, [batches.get(connection, batch_id)])[0]


def failures(services: Services, batch_id: str) -> tuple[Failure, ...]:
    """The failed comparisons of a batch, at most fifty."""
    with services.database.read() as connection:
        return batches.failures(connection, batch_id)


_DONE = {
    BatchState.PAUSED: "batch_paused",
    BatchState.RUNNING: "batch_resumed",
    BatchState.CANCELLED: "batch_cancelled",
}


def move(services: Services, batch_id: str, state: BatchState, *, ceiling: Decimal | None = None) -> Batch:
    """Pause the batch, let it go on (with another ceiling in US dollars if given), or cancel it.

    What is on the wire when it is paused is kept, and what is read already when it is cancelled. Raises Conflict where
    it has ended, InputError for a ceiling where it has no budget.
    """
    ceiling = ceiling_of(ceiling)
    with services.write() as unit:
        batch = batches.get(unit, batch_id)
        if ceiling is not None:
            if batch.budget_id is None:
                raise InputError("This batch has no budget of its own. Let it go on without one.")
            budgets.raise_ceiling(unit, batch.budget_id, ceiling)
        batch = batches.move(unit, batch_id, state)
        authorise_batch(unit, _DONE[state], batch)
    if state is BatchState.CANCELLED and batch.panel is not None:
        # The other judges of its pairs wait for this one no longer: their verdict holds.
        with services.database.read() as connection:
            ids = batch_items.ids_of(connection, batch_id)
        for start in range(0, len(ids), REFRESHED):
            with services.write() as unit:
                for comparison_id in sorted(ids[start : start + REFRESHED]):
                    fact.refresh(unit, comparison_id)
    return batch


def retry(services: Services, batch_id: str) -> int:
    """Have the failed comparisons read again; how many there are. Finished readings are not charged again."""
    with services.write() as unit:
        again = batches.retry_failed(unit, batch_id)
        if again:
            batch = batches.get(unit, batch_id)
            authorise_batch(unit, "batch_retried", batch)
    return again


def _reports(services: Services, connection: Connection, listed: Sequence[Batch]) -> tuple[BatchReport, ...]:
    counts = batches.counts(connection, [batch.id for batch in listed])
    workers, steps = registry.number(services, connection), leases.steps_of_batches(connection, begin=WAITING)

    def seconds_left(batch: Batch) -> float | None:
        if batch.state is not BatchState.RUNNING or batch.via is not Via.MESSAGES:
            return None
        pace = batches.pace(connection, batch.id, now=services.now())
        return None if pace is None else pace * counts[batch.id].left

    return tuple(
        BatchReport(
            batch=batch,
            project=projects.get(connection, batch.project_id).name,
            counts=counts[batch.id],
            cost=batches.cost(connection, batch),
            budget=budgets.get(connection, batch.budget_id) if batch.budget_id else None,
            seconds_left=seconds_left(batch),
            workers=workers,
            waits_for=steps.get(batch.id, ""),
        )
        for batch in listed
    )
