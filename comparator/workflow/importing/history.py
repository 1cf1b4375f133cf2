"""What judges and people said of pairs elsewhere, said again where our own lines bring it in, at the times of then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from comparator.domain.rights import Act, Role
from comparator.interop.imported import PairHistory, RecordedJudgment, RecordedReview
from comparator.judges.protocol import JudgeIdentity
from comparator.judges.stored import RecordedJudge
from comparator.store.core.database import Connection
from comparator.store.judging import passes
from comparator.store.pairs import reveals
from comparator.store.people import people
from comparator.store.reviewing import reviews
from comparator.workflow.importing.request import OnStep, tell
from comparator.workflow.judging.reader import judge_comparison
from comparator.workflow.people.people import authorise
from comparator.workflow.review.review import finalise, mark_knows, open_judge, record
from comparator.workflow.services import Services

IMPORTED = "imported:"
"""How the subject of a person begins whose reviews came in with lines; nobody signs in as one."""


def is_complete(connection: Connection, comparison_id: str, history: PairHistory) -> bool | None:
    """Whether the comparison has all of it, and not only what an interrupted import stored.

    None where it has readings or reviews that are not of this history.
    """
    digest = history.judgment.digest if history.judgment else None
    if any(read.judge_digest != digest for read in passes.sets(connection, comparison_id)):
        return None
    subjects = {IMPORTED + review.reviewer for review in history.reviews}
    reviewed = reviews.of_comparison(connection, comparison_id)
    if not {people.get(connection, review.person_id).subject for review in reviewed} <= subjects:
        return None
    # It is revealed last.
    return reveals.of_comparison(connection, comparison_id) is not None


def tell_again(
    services: Services,
    said: Sequence[tuple[str, PairHistory]],
    *,
    project_id: str,
    on_step: OnStep,
) -> None:
    """Store what was said of each comparison, by its id, as though it had been said here: judged, reviewed, revealed.

    What an interrupted import stored of it stays, and the rest is added.
    Reviewers become people of their name with the role of a reviewer. Raises the error of a step that does not fit, and
    RightsError for who may not reveal here.
    """
    if not said:
        return
    names = {review.reviewer for _, history in said for review in history.reviews}
    persons: dict[str, str] = {}
    with services.write() as unit:
        authorise(
            unit,
            Act.REVEAL,
            "history_imported",
            project_id=project_id,
            detail={"comparisons": len(said), "reviewers": sorted(names)},
        )
        for name in sorted(names):
            persons[name] = people.ensure_person(unit, IMPORTED + name, name=name).id
            people.grant(unit, persons[name], Role.REVIEWER, project_id=project_id, granted_by=services.who)
    asyncio.run(_judged(services, said, on_step))
    for number, (comparison_id, history) in enumerate(said, start=1):
        if history.reviews:
            tell(on_step, "Storing the reviews of pair", number, of=len(said))
        for review in history.reviews:
            _reviewed(services.by(persons[review.reviewer]), comparison_id, review)
    moments = sorted({history.revealed for _, history in said if history.revealed is not None})
    for moment in moments:
        ids = tuple(comparison_id for comparison_id, history in said if history.revealed == moment)
        with services.write(at=moment) as unit:
            reveals.add(unit, ids, project_id=project_id)


async def _judged(services: Services, said: Sequence[tuple[str, PairHistory]], on_step: OnStep) -> None:
    for number, (comparison_id, history) in enumerate(said, start=1):
        if (told := history.judgment) is not None:
            tell(on_step, "Storing the judgment of pair", number, of=len(said))
            judge = _judge(told)
            await judge_comparison(
                _at(services, told.at), judge, comparison_id, repetitions=judge.repetitions
            )


def _judge(told: RecordedJudgment) -> RecordedJudge:
    identity = JudgeIdentity(kind=told.kind, model=told.model, digest=told.digest)
    return RecordedJudge(identity, told.rubric, told.passes)


def _reviewed(services: Services, comparison_id: str, told: RecordedReview) -> None:
    with services.database.read() as connection:
        review = reviews.find(connection, comparison_id, person_id=services.person)
        if review is not None and reviews.is_final(connection, review.id):
            return
    for (moment, blind), changes in groupby(told.changes, lambda change: (change.at, change.blind)):
        then = _at(services, moment)
        if not blind:
            # Nothing happens where the judge's values are open already.
            open_judge(then, comparison_id)
        record(then, comparison_id, tuple(changes), began=told.began)
    if told.knew:
        mark_knows(_at(services, told.began), comparison_id)
    if told.finalised is not None:
        finalise(_at(services, told.finalised), comparison_id)


def _at(services: Services, moment: datetime) -> Services:
    """The same services at another time."""
    now: Callable[[], datetime] = lambda: moment  # noqa: E731  a clock that stands
    return replace(services, now=now)
