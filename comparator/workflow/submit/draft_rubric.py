"""A rubric before there is a comparison: the one that holds for the task already, or a new one within the budget."""

from __future__ import annotations

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.pair.task import TaskText, key_from
from comparator.domain.pair.view import Family
from comparator.judges.protocol import Judge, Owner, RubricReply
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.judging import rubrics
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, outputs, tasks
from comparator.store.people import projects
from comparator.workflow.judging.paying import paid_alone
from comparator.workflow.judging.registry import Membership
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
        in_force = rubrics.current(
            connection, project_id=found.id, task_version_id="" if version is None else version.id
        )
    return in_force if in_force is not None and suits(in_force, judge) else None


async def draft_rubric(
    me: Membership,
    judge: Judge,
    task: TaskText,
    *,
    redactions: tuple[Redaction, ...],
    families: tuple[Family, ...],
) -> RubricReply:
    """A rubric by the judge from the blinded wording, not stored yet; what it cost counts in the budget at once.

    Raises JudgeError; what a failed try cost counts too. JudgeNotAllowed where the budget is used up.
    """
    wording = blinded_text(task, redactions)

    async def write(owner: Owner) -> RubricReply:
        return await judge.write_rubric(wording, families=families, on_behalf_of=owner)

    return await paid_alone(me, judge, write)


def store_drafted(services: Services, judge: Judge, comparison_id: str, reply: RubricReply) -> RubricVersion:
    """Keep a drafted rubric as the next version for the comparison's task version: what was shown is what is used.

    Where a rubric is locked by now, that one is returned. What the draft cost counts already.
    """
    with services.write() as unit:
        comparison = comparisons.get(unit.connection, comparison_id)
        return keep_draft(unit, judge, comparison, reply, shown=True)
