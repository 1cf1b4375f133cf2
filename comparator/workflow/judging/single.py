"""Asking for one pair by itself: an item of high priority, which the next worker takes first."""

from __future__ import annotations

from comparator.domain.rights import Act
from comparator.settings import JudgeKind
from comparator.store.bulk import batches
from comparator.store.bulk.batches import Batch, BatchState, ItemState, JudgeChoice, Via
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparisons
from comparator.store.rollup import rollup
from comparator.workflow.judging.project_judge import manner_for
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
    person_id: str | None,
) -> None:
    """Have a worker read the comparison, and note who asked. Asking twice while it waits or runs changes nothing.

    Without `kind` and `model`, by the judge that was asked last time, else by the one of the settings. Raises
    RightsError, NotFound, SettingsError where the judge is not configured.
    """
    with services.database.read() as connection:
        last = batches.last_asked(connection, comparison_id) if kind is None and model is None else None
    named = None
    if last is not None:
        kind, model, named = last.judge.kind, last.judge.model, last.judge.named
    identity = services.judge_identity(kind, model, named=named)
    with services.write() as unit:
        project_id = comparisons.get(unit.connection, comparison_id).project_id
        says = manner_for(services, unit.connection, project_id)
        choice = JudgeChoice(
            kind=identity.kind,
            model=identity.model,
            repetitions=services.settings.repetitions,
            tools=says.tools,
            guidance=says.guidance_of(identity),
            named=named,
        )
        authorise(
            unit,
            Act.JUDGE,
            "judging_asked",
            person_id=person_id,
            project_id=project_id,
            subject_id=comparison_id,
        )
        add_single(unit, comparison_id, choice, person_id=person_id)


def stop(services: Services, comparison_id: str, *, person_id: str | None) -> bool:
    """Send nothing more for a pair that was asked for by itself; False where nothing is under way.

    An answer that is on the wire is kept. Raises RightsError, NotFound.
    """
    at = services.now()
    with services.write(at=at) as unit:
        authorise(
            unit,
            Act.JUDGE,
            "judging_stopped",
            person_id=person_id,
            project_id=comparisons.get(unit.connection, comparison_id).project_id,
            subject_id=comparison_id,
        )
        last = batches.last_asked(unit.connection, comparison_id)
        if last is None or not last.single or last.state is not ItemState.WAITING:
            return False
        batches.move(unit, last.batch_id, BatchState.CANCELLED)
        rollup.refresh(unit, comparison_id)
    return True


def add_single(unit: Unit, comparison_id: str, choice: JudgeChoice, *, person_id: str | None) -> Batch:
    """A batch of this pair alone; the one that waits or runs already, where there is one. Raises NotFound."""
    comparison = comparisons.get(unit.connection, comparison_id)
    last = batches.last_asked(unit.connection, comparison_id)
    if last is not None and last.single and last.state is ItemState.WAITING:
        if last.batch_state is BatchState.RUNNING:
            return batches.get(unit.connection, last.batch_id)
        # It was paused as nobody could work; this one takes its place.
        batches.move(unit, last.batch_id, BatchState.CANCELLED)
    batch = batches.add(
        unit,
        (comparison_id,),
        project_id=comparison.project_id,
        name="",
        judge=choice,
        via=Via.MESSAGES,
        priority=PRIORITY,
        budget_id=None,
        created_by=person_id,
        single=True,
    )
    rollup.refresh(unit, comparison_id)
    return batch
