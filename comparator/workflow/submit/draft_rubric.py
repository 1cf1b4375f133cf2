"""A rubric before there is a comparison: the one that holds for the task already, or a new one within the budget."""

from __future__ import annotations

import asyncio

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.errors import JudgeError
from comparator.domain.pair.task import TaskText, key_from
from comparator.domain.pair.view import Family
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, Owner, RubricReply
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.core.database import Connection
from comparator.store.judging import budgets, rubrics
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, outputs, tasks
from comparator.store.people import projects
from comparator.workflow.judging.budgets import paying_for_model
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.reservations import PairReservations
from comparator.workflow.judging.rubrics import keep_draft, suits
from comparator.workflow.services import Services
from comparator.workflow.submit.submission import blinded_text


def rubric_in_force(
    services: Services,
    judge: Judge,
    task: TaskText,
    *,
    project: str,
    inputs: Snapshot | None,
    reference: Snapshot | None,
) -> RubricVersion | None:
    """The rubric that this judge would go by for the task, if there is one; nothing is stored or paid for it."""
    with services.database.read() as connection:
        found = next((p for p in projects.all_projects(connection) if p.name == project), None)
        if found is None:
            return None
        version = tasks.find_version(
            connection,
            found.id,
            key=key_from(task.prompt),
            text=task,
            inputs=None if inputs is None else outputs.identity_of(inputs),
            reference=None if reference is None else outputs.identity_of(reference),
        )
        held = rubrics.current(
            connection, project_id=found.id, task_version_id="" if version is None else version.id
        )
    return held if held is not None and suits(held, judge) else None


async def draft_rubric(
    services: Services,
    judge: Judge,
    task: TaskText,
    *,
    redactions: tuple[Redaction, ...],
    families: tuple[Family, ...],
    worker: str,
) -> RubricReply:
    """A rubric by the judge from the blinded wording, not stored yet; what it cost counts in the budget at once.

    Raises JudgeError; what a failed try cost counts too. JudgeNotAllowed where the budget is used up.
    """
    wording, identity, ledger = blinded_text(task, redactions), judge.identity, Ledger(services)
    try:
        paying = await ledger.write(
            lambda connection: paying_for_model(
                services, connection, kind=identity.kind, model=identity.model, budget_id=None
            )
        )
        reservations = PairReservations(services, ledger, paying=paying, model=identity.model, worker=worker)
        owner = Owner(writes_rubric=True, reserve=reservations.set_aside)
        paid: RubricReply | JudgeError | None = None
        try:
            paid = reply = await judge.write_rubric(wording, families=families, on_behalf_of=owner)
        except JudgeError as error:
            paid = error
            raise
        finally:
            await ledger.write(lambda connection: _settle(connection, reservations, paid))
    finally:
        await asyncio.to_thread(ledger.close)
    return reply


def _settle(
    connection: Connection, reservations: PairReservations, paid: RubricReply | JudgeError | None
) -> None:
    kept = reservations.take_all()
    if paid is None:
        reservations.settle_unknown(connection, kept)
    else:
        reservations.settle(connection, kept, calls=paid.calls)
        budgets.spend(connection, cost_of_calls(paid.calls))


def store_drafted(services: Services, judge: Judge, comparison_id: str, reply: RubricReply) -> RubricVersion:
    """Keep a drafted rubric as the next version for the comparison's task version: what was shown is what is used.

    Where a rubric is locked by now, that one is returned. What the draft cost counts already.
    """
    with services.database.write() as connection:
        comparison = comparisons.get(connection, comparison_id)
        return keep_draft(services, connection, judge, comparison, reply, shown=True)
