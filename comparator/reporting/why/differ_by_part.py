"""Of one measure, part by part: how often the side with more of it won, and which candidate that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.results.candidates import natural
from comparator.reporting.scope import By, ResultFilter, Within
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
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
        more_of = differences(facts, pairs, measure).more
        pairs, more_of = pairs[more_of.abs() > 0], more_of[more_of.abs() > 0]
        if pairs.empty:
            return {}
        tasks, task_of = np.unique(pairs.task_id.to_numpy(dtype=object), return_inverse=True)
        boths, both_of = np.unique(pairs.both.to_numpy(dtype=object), return_inverse=True)
        by_task = _of_tasks([facts.tasks[id] for id in tasks])
        by_both = _of_candidates(facts.connection, set(boths))
    points = pairs.points.to_numpy(dtype=np.int8)
    ahead = (more_of > 0).to_numpy()
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


def _of_tasks(rows: Iterable[Any]) -> Mapping[By, Mapping[str, set[str]]]:
    """The tasks of each tag, and of each word that titles of several have."""
    tags, words = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for row in rows:
        for tag in row.tags:
            tags[tag].add(row.id)
        for word in words_of(row.title):
            words[word].add(row.id)
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
