"""Rubrics that judges and people write, before there is a comparison or for one, with what they cost."""

from __future__ import annotations

from comparator.domain.blinding.redaction import Redaction, blinded_text, redact
from comparator.domain.errors import JudgeError
from comparator.domain.pair.task import TaskText, key_from
from comparator.domain.pair.view import Family
from comparator.domain.rights import Act
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, Owner, RubricReply
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.core.unit import Unit
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import Problem, TryRecord
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, outputs, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.workflow.judging.paying import paid_alone
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services


def keep_draft(
    unit: Unit, judge: Judge, comparison: Comparison, reply: RubricReply, *, shown: bool = False
) -> RubricVersion:
    """Keep a rubric that the judge wrote as the next version for the comparison's task version.

    A draft that was `shown` to a person is what is used, unless a rubric is locked by now; its cost counts already.
    """
    # Another comparison of the same task may have been quicker; one rubric is shared by all.
    in_force = rubrics.current(
        unit.connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
    )
    holds = in_force is not None and (in_force.locked if shown else suits(in_force, judge))
    stored = (in_force if holds else None) or rubrics.add(
        unit,
        reply.rubric,
        project_id=comparison.project_id,
        task_version_id=comparison.task_version_id,
        author_kind="offline" if judge.identity.kind == OFFLINE_KIND else "model",
        author=judge.identity.model,
    )
    keep_try(unit, judge, comparison.task_version_id, reply, counted=shown)
    return stored


def keep_try(
    unit: Unit, judge: Judge, task_version_id: str, came: RubricReply | JudgeError, *, counted: bool = False
) -> None:
    """Keep a try at writing a rubric, and count what it cost unless that is `counted` already."""
    problem = Problem(kind=type(came).__name__, message=str(came)) if isinstance(came, JudgeError) else None
    cost = cost_of_calls(came.calls)
    judgments.keep_other_try(
        unit,
        TryRecord(calls=came.calls, prompts=judge.prompt_digests, cost=cost, problem=problem),
        task_version_id=task_version_id,
        model=judge.identity.model,
        counted=counted,
    )


def store_own(
    services: Services,
    comparison_id: str,
    rubric: Rubric,
    *,
    author: str,
    locked: bool = False,
    shared: bool = False,
) -> RubricVersion:
    """Keep a rubric that a person wrote or edited; `locked` fixes it, `shared` makes it the whole project's.

    Raises Conflict where the rubric that holds is locked.
    """
    with services.write() as unit:
        comparison = comparisons.get(unit.connection, comparison_id)
        authorise(
            unit,
            Act.SUBMIT,
            "rubric_written",
            project_id=comparison.project_id,
            subject_id=comparison_id,
            detail={"locked": locked, "shared": shared},
        )
        stored = rubrics.add(
            unit,
            rubric,
            project_id=comparison.project_id,
            task_version_id=comparison.task_version_id,
            author_kind="person",
            author=author,
        )
        if shared:
            return rubrics.reuse_for_project(unit, stored.id)
        if locked:
            rubrics.lock_rubric(unit, stored.id)
        return rubrics.get(unit.connection, stored.id)


def redact_rubric(rubric: Rubric, redactions: tuple[Redaction, ...]) -> Rubric:
    """The rubric with the redactions of a comparison; keys that would change are kept."""

    def line(criterion: Criterion) -> Criterion:
        return criterion.model_copy(
            update={
                "name": redact(criterion.name, redactions),
                "description": redact(criterion.description, redactions),
                "anchors": Anchors(
                    **{k: redact(v, redactions) for k, v in criterion.anchors.model_dump().items()}
                ),
            }
        )

    return Rubric(
        content=tuple(line(c) for c in rubric.content),
        structure=tuple(line(c) for c in rubric.structure),
        right_answer=redact(rubric.right_answer, redactions),
    )


def suits(in_force: RubricVersion, judge: Judge) -> bool:
    """Whether the judge goes by this rubric: a model does not go by an offline check's, unless it was locked."""
    return in_force.locked or in_force.author_kind != "offline" or judge.identity.kind == OFFLINE_KIND


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
