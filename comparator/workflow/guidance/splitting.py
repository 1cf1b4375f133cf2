"""Freezes what is learnt from and what is held out, before anything is drafted."""

from __future__ import annotations

from collections import Counter

from comparator.domain.errors import InputError
from comparator.domain.guidance import FEWEST, Split, halves
from comparator.domain.rights import Act
from comparator.store.core.database import Connection
from comparator.store.judging import guidance
from comparator.store.judging.guidance import StoredSplit
from comparator.store.reviewing import corrections
from comparator.workflow.guidance.corrections import found_in, numbered
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


def freeze(services: Services, project_id: str, *, person_id: str | None) -> StoredSplit:
    """Split the project's corrections by task, half to learn from and half to test on, and keep that for good.

    Later corrections wait for the next split. Raises RightsError, and InputError below 10 corrections or 2 tasks.
    """
    with services.write() as unit:
        require(unit.connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        split = _drawn(services, unit.connection, project_id)
        stored = guidance.add_split(unit, project_id, split, person_id=person_id)
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "corrections_split",
            person_id=person_id,
            project_id=project_id,
            subject_id=stored.id,
            detail={"digest": stored.digest, "corrections": split.total, "held": len(split.held_out)},
        )
    return stored


def _drawn(services: Services, connection: Connection, project_id: str) -> Split:
    found = found_in(
        corrections.reviewed(connection, project_id), corrections.rewritten(connection, project_id)
    )
    total = sum(map(len, found.by_task.values()))
    if total < FEWEST:
        raise InputError(
            f"People have corrected {total} of the judge's values in this project; {FEWEST} are needed before guidance "
            "can be learnt. Review more pairs first."
        )
    # Blind pairs and corrections both belong into both halves.
    weights = Counter({task: len(own) for task, own in found.by_task.items()})
    weights.update(pair.task_id for pair in found.blind)
    learn, test = halves(weights, lot=services.lot)
    if not test:
        raise InputError(
            "All corrections are of one task, so none can be held out for a test. Review pairs of other tasks first."
        )
    return Split(
        learn=learn,
        test=test,
        corrections=numbered([each for task in learn for each in found.by_task.get(task, ())]),
        withheld=sum(len(found.by_task.get(task, ())) for task in test),
        held_out=tuple(pair for pair in found.blind if pair.task_id in test),
    )


def newest(services: Services, project_id: str, *, person_id: str | None) -> StoredSplit:
    """The project's newest split, frozen now where there is none. Raises what `freeze` does."""
    with services.database.read() as connection:
        require(connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        newest = guidance.newest_split(connection, project_id)
    return newest or freeze(services, project_id, person_id=person_id)
