"""Where figures stop to compare from one step to the next: another judge, another rubric, other tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from comparator.domain.labels import Frozen


class Break(Frozen):
    """A step from which figures do not compare with those before, and what is otherwise there."""

    at: int
    judge: tuple[str, str] | None = None
    """What judged before, and since; the same name twice where its prompts, guidance or settings changed."""
    rubrics: int = 0
    """Tasks that are judged by another rubric."""
    tasks: int = 0
    """Tasks that came, went, or are worded otherwise."""


Ground = tuple[Any, Any, Any, Any, Any, Any]
"""What one pair rests on: its step (None where it stands at none), the ids of task, task version and rubric, the name
of its judge and the digest of what that one was asked with. A plain tuple, for a history has thousands."""


class _OfStep(NamedTuple):
    judges: dict[str, str]
    rubrics: dict[str, set[str]]
    versions: dict[str, set[str]]


def breaks(pairs: Iterable[Ground], order: Sequence[Hashable]) -> tuple[Break, ...]:
    """The breaks between these steps, oldest first."""
    ground = {step: _OfStep({}, defaultdict(set), defaultdict(set)) for step in order}
    for step, task, version, rubric, judge, digest in pairs:
        if step not in ground:
            continue
        judges, rubrics, versions = ground[step]
        if digest is not None:
            judges[digest] = judge
        if version is not None:
            versions[task].add(version)
            if rubric is not None:
                rubrics[version].add(rubric)
    found = []
    for at, (before, now) in enumerate(pairwise(ground[step] for step in order), start=1):
        both = before.rubrics.keys() & now.rubrics.keys()
        every = before.versions.keys() | now.versions.keys()
        change = Break(
            at=at,
            judge=_judges(before.judges, now.judges),
            rubrics=sum(before.rubrics[each] != now.rubrics[each] for each in both),
            tasks=sum(before.versions.get(each) != now.versions.get(each) for each in every),
        )
        if change.judge or change.rubrics or change.tasks:
            found.append(change)
    return tuple(found)


def _judges(before: dict[str, str], now: dict[str, str]) -> tuple[str, str] | None:
    if not before or not now or before.keys() == now.keys():
        return None
    return " and ".join(sorted(set(before.values()))), " and ".join(sorted(set(now.values())))
