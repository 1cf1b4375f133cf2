"""Asking for one pair by itself: an item of high priority, which the next worker takes first."""

from __future__ import annotations

from comparator.domain.rights import Act
from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.settings import JudgeKind
from comparator.store.bulk import batches, pair_batches
from comparator.store.bulk.batches import Batch, BatchState, ItemState, JudgeChoice, NewBatch
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparisons
from comparator.store.rollup import rollup
from comparator.workflow.judging import several_judges
from comparator.workflow.judging.project_judge import manner_for
from comparator.workflow.judging.several_judges import AskedJudges, JudgeNames
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
        last = pair_batches.last_asked(connection, comparison_id) if kind is None and model is None else None
        project_id = comparisons.get(connection, comparison_id).project_id
    names = None
    if last is not None and last.panel is not None:
        names = JudgeNames(tuple(each.name for each in last.panel.members), last.panel.quorum)
    elif last is None and kind is None and model is None:
        names = several_judges.of_project(services, project_id)
    if names is not None:
        asked = several_judges.asked_by(services, project_id, names)
    elif last is not None:
        asked = AskedJudges((_again(services, project_id, last.judge),))
    else:
        asked = AskedJudges((_choice(services, project_id, kind, model),))
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "judging_asked",
            person_id=person_id,
            project_id=project_id,
            subject_id=comparison_id,
        )
        if asked.members:
            add_several(unit, comparison_id, asked, project_id=project_id, person_id=person_id)
        else:
            add_single(unit, comparison_id, asked.choices[0], person_id=person_id)


def _again(services: Services, project_id: str, judge: JudgeChoice) -> JudgeChoice:
    """The same judge, as its name, the settings and the project describe it now."""
    if judge.named is not None:
        return several_judges.choice_by_name(services, project_id, judge.named)
    return _choice(services, project_id, judge.kind, judge.model)


def _choice(services: Services, project_id: str, kind: JudgeKind | None, model: str | None) -> JudgeChoice:
    identity = services.judge_identity(kind, model)
    with services.database.read() as connection:
        says = manner_for(services, connection, project_id)
    return JudgeChoice(
        kind=identity.kind,
        model=identity.model,
        repetitions=services.settings.repetitions,
        tools=says.tools,
        guidance=says.guidance_of(identity),
    )


def add_several(
    unit: Unit, comparison_id: str, asked: AskedJudges, *, project_id: str, person_id: str | None
) -> None:
    """Have each of several judges read the pair, unless judges are to read it already.

    A judge is not asked again for what it has read already.
    """
    before = pair_batches.waiting_singles(unit.connection, comparison_id)
    if BatchState.RUNNING in before.values():
        return
    for batch_id in before:
        batches.move(unit, batch_id, BatchState.CANCELLED)
    together = asked.together(unit.new_id())
    for choice in asked.choices:
        _add(unit, comparison_id, choice, project_id=project_id, person_id=person_id, panel=together)
    rollup.refresh(unit, comparison_id)


def stop(services: Services, comparison_id: str, *, person_id: str | None) -> bool:
    """Send nothing more for a pair that was asked for by itself; False where nothing is under way.

    An answer that is on the wire is kept. Raises RightsError, NotFound.
    """
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "judging_stopped",
            person_id=person_id,
            project_id=comparisons.get(unit.connection, comparison_id).project_id,
            subject_id=comparison_id,
        )
        waiting = pair_batches.waiting_singles(unit.connection, comparison_id)
        if not waiting:
            return False
        for batch_id in waiting:
            batches.move(unit, batch_id, BatchState.CANCELLED)
        rollup.refresh(unit, comparison_id)
    return True


def add_single(unit: Unit, comparison_id: str, choice: JudgeChoice, *, person_id: str | None) -> Batch:
    """A batch of this pair alone; the one that waits or runs already, where there is one. Raises NotFound."""
    comparison = comparisons.get(unit.connection, comparison_id)
    last = pair_batches.last_asked(unit.connection, comparison_id)
    if last is not None and last.single and last.state is ItemState.WAITING:
        if last.batch_state is BatchState.RUNNING:
            return batches.get(unit.connection, last.batch_id)
        # It was paused as nobody could work; this one takes its place.
        batches.move(unit, last.batch_id, BatchState.CANCELLED)
    batch = _add(unit, comparison_id, choice, project_id=comparison.project_id, person_id=person_id)
    rollup.refresh(unit, comparison_id)
    return batch


def _add(
    unit: Unit,
    comparison_id: str,
    choice: JudgeChoice,
    *,
    project_id: str,
    person_id: str | None,
    panel: SeveralJudges | None = None,
) -> Batch:
    return batches.add(
        unit,
        NewBatch(
            project_id=project_id,
            name="",
            judge=choice,
            priority=PRIORITY,
            created_by=person_id,
            single=True,
            panel=panel,
        ),
        (comparison_id,),
    )
