"""Of one measure, part by part: how often the side with more of it won, and which candidate that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.results.candidates import natural
from comparator.reporting.tally.part_conditions import By, Within
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, require_revealed
from comparator.reporting.why.differ import Record, differences, record_of
from comparator.reporting.why.slices import words_of
from comparator.store import tables
from comparator.store.core.database import Connection, Database

MOST, MOST_ITERATIONS = 24, 60
"""So many parts of one property are told of: those with most pairs, and the newest iterations."""


class PartDiffers(Frozen):
    """A part of the pairs in which the two candidates have not the same, by the side that has more."""

    part: Within
    more: Record
    one_more: Record
    two_more: Record
    """The same where that side is candidate one's, and where it is candidate two's."""


def by_part(database: Database, asked: ResultFilter, measure: str) -> dict[By, tuple[PartDiffers, ...]]:
    """By each property that parts the counted pairs: iterations in order, other parts by who wins them.

    Raises BlindnessError.
    """
    with current(database) as connection:
        require_revealed(connection, asked)
        pairs = [each for each in differences(connection, asked, measure) if each.more]
        if not pairs:
            return {}
        by_task = _of_tasks(connection, asked.project_id, {each.task_id for each in pairs})
        by_both = _of_candidates(connection, {each.both for each in pairs})
    tasks, task_of = _numbered(each.task_id for each in pairs)
    boths, both_of = _numbered(each.both for each in pairs)
    points = np.array([each.points for each in pairs], dtype=np.int8)
    ahead = np.array([(each.more or 0) > 0 for each in pairs])
    more = np.where(ahead, points, 2 - points)
    found = {}
    for by, (values, known, place_of) in {
        By.TAG: (by_task[By.TAG], tasks, task_of),
        By.WORD: (by_task[By.WORD], tasks, task_of),
        By.ITERATION: (by_both[By.ITERATION], boths, both_of),
        By.MODEL: (by_both[By.MODEL], boths, both_of),
    }.items():
        parts = []
        for value, members in values.items():
            which = np.array([each in members for each in known])[place_of]
            if which.all():
                continue
            parts.append(
                PartDiffers(
                    part=Within(by=by, value=value),
                    more=record_of(more, task_of, which),
                    one_more=record_of(points, task_of, which & ahead),
                    two_more=record_of(2 - points, task_of, which & ~ahead),
                )
            )
        if len(parts) > 1:
            found[by] = _ordered(by, parts)
    return found


def _ordered(by: By, parts: list[PartDiffers]) -> tuple[PartDiffers, ...]:
    in_order = sorted(parts, key=lambda each: natural(each.part.value))
    if by is By.ITERATION:
        return tuple(in_order[-MOST_ITERATIONS:])
    most = sorted(in_order, key=lambda each: -each.more.n)[:MOST]
    return tuple(sorted(most, key=lambda each: -(each.more.share or 0)))


def _numbered(values: Iterable[str]) -> tuple[list[str], npt.NDArray[np.intp]]:
    known, places = np.unique(np.array(list(values), dtype=object), return_inverse=True)
    return list(known), places


def _of_tasks(
    connection: Connection, project_id: str, tasks: set[str]
) -> Mapping[By, Mapping[str, set[str]]]:
    """The tasks of each tag, and of each word that titles of several have."""
    task = tables.task.c
    query = sa.select(task.id, task.title, task.tags).where(task.project_id == project_id)
    tags, words = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for id, title, tagged in connection.execute(query):
        if id in tasks:
            for tag in tagged:
                tags[tag].add(id)
            for word in words_of(title):
                words[word].add(id)
    return {By.TAG: tags, By.WORD: {word: own for word, own in words.items() if len(own) > 1}}


def _of_candidates(connection: Connection, boths: set[str]) -> Mapping[By, Mapping[str, set[str]]]:
    """The pairs of candidates of which one belongs to each iteration, and to each model."""
    candidate = tables.candidate.c
    of: dict[str, list[str]] = defaultdict(list)
    for both in boths:
        for id in both.split():
            of[id].append(both)
    iterations, models = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    query = sa.select(candidate.id, candidate.iteration, candidate.model).where(candidate.id.in_(sorted(of)))
    for id, iteration, model in connection.execute(query):
        for value, own in ((iteration, iterations), (model, models)):
            if value:
                own[value].update(of[id])
    return {By.ITERATION: iterations, By.MODEL: models}
