"""Judging in bulk: a batch is stored, and worked at here or by any worker."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from comparator.api.opened import opened, project_named, wait_for
from comparator.jobs.batches import manage_batches, start_batches
from comparator.jobs.batches.manage_batches import BatchReport
from comparator.jobs.batches.start_batches import BatchRequest
from comparator.jobs.worker import Worker
from comparator.reporting.trust.labelled_record import LabelledRecord, labelled_records
from comparator.settings import JudgeKind, Settings
from comparator.store.bulk.batches import Via
from comparator.workflow.services import Services

IDLE_SECONDS = 2.0


def batch(
    project: str,
    *,
    comparisons: Sequence[str] = (),
    name: str = "",
    judge: JudgeKind | None = None,
    model: str | None = None,
    named: Sequence[str] = (),
    quorum: int | None = None,
    via: str = "messages",
    priority: int = 0,
    labelled: bool = False,
    sample: int | None = None,
    budget: Decimal | float | str | None = None,
    budget_tokens: int | None = None,
    settings: Settings | None = None,
) -> BatchReport:
    """Have comparisons judged in the background: those given by id, else all of the project that wait for a judge.

    `named` are judges of COMPARATOR_JUDGES, in place of judge and model; several have a batch each, and `quorum` of
    them need a verdict (a majority by default). `labelled` has the pairs with a label or a blind review read (`sample`
    of them) to measure the judge; no verdict changes. `budget` is in US dollars, for each judge. A worker has to run:
    `work`, `comparator worker`, or the app. Raises InputError where nothing waits or the project is unknown,
    JudgeNotAllowed for a budget where no price is known.
    """
    with opened(settings) as services:
        request = BatchRequest(
            project_id=project_named(services.database, project),
            name=name,
            comparison_ids=tuple(comparisons),
            kind=judge,
            model=model,
            judges=tuple(named),
            quorum=quorum,
            via=Via(via),
            priority=priority,
            labelled=labelled,
            sample=sample,
            money=None if budget is None else Decimal(str(budget)),
            tokens=budget_tokens,
        )
        return start(services, request)


def start(services: Services, request: BatchRequest) -> BatchReport:
    """Store the batch in the name of the person at this machine; where it is."""
    batch = start_batches.start(services, request)
    return manage_batches.report(services, batch.id)


def work(*, idle_seconds: float = IDLE_SECONDS, settings: Settings | None = None) -> tuple[BatchReport, ...]:
    """Work at all batches until nothing has waited for `idle_seconds`; where each batch is then, the newest first."""
    with opened(settings) as services:
        wait_for(Worker(services, idle_seconds=idle_seconds).run())
        return manage_batches.reports(services)


def judge_records(project: str, *, settings: Settings | None = None) -> tuple[LabelledRecord, ...]:
    """How each judge did on the project's labelled pairs; `comparator.stats.raters.accuracy` makes rates of the counts.

    Raises InputError for a project that there is not.
    """
    with opened(settings) as services:
        return labelled_records(services.database, [project_named(services.database, project)])
