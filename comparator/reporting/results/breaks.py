"""Where figures stop to compare from one step to the next: another judge, guidance or rubric, or other tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts
from comparator.reporting.frames import Frame
from comparator.reporting.scope import Meets
from comparator.store.core.database import Connection
from comparator.store.facts import verdicts


class Break(Frozen):
    """A step from which figures do not compare with those before, and what is otherwise there.

    Each is compared with the last step that says something of it: one without a judge says nothing of judges.
    """

    at: int
    judge: tuple[str, str] | None = None
    """What judged before, and since; the same name twice where its prompts or settings changed."""
    guidance: tuple[str, str] | None = None
    """The version of the guidance before, and since. Whatever else changed in the same judge goes with it."""
    rubrics: int = 0
    """Tasks that are judged by another rubric."""
    tasks: int = 0
    """Tasks that came, went, or are worded otherwise."""


Ground = tuple[Any, Any, Any, Any, Any, Any, Any]
"""What one pair rests on: its step (None where it stands at none), the ids of task, task version and rubric, the name
of its judge, the digest of what that one was asked with, and the id of the pair. A plain tuple, for a history has
thousands; pairs that share all but the id may stand as one."""


class _Judge(NamedTuple):
    name: str
    comparison_id: str
    """One of the pairs that it judged."""


class _OfStep(NamedTuple):
    judges: dict[str, _Judge]
    """By digest."""
    rubrics: dict[str, set[str]]
    """By task version."""
    versions: dict[str, set[str]]
    """By task."""


def breaks(connection: Connection, pairs: Iterable[Ground], order: Sequence[Hashable]) -> tuple[Break, ...]:
    """The breaks between these steps, oldest first."""
    ground = {step: _OfStep({}, defaultdict(set), defaultdict(set)) for step in order}
    for step, task, version, rubric, judge, digest, comparison_id in pairs:
        if step not in ground:
            continue
        judges, rubrics, versions = ground[step]
        if digest is not None:
            judges[digest] = _Judge(judge, comparison_id)
        if version is not None:
            versions[task].add(version)
            if rubric is not None:
                rubrics[version].add(rubric)
    found = []
    last = _OfStep({}, {}, {})
    for at, step in enumerate(order):
        now = ground[step]
        both = last.rubrics.keys() & now.rubrics.keys()
        every = last.versions.keys() | now.versions.keys() if last.versions and now.versions else ()
        judge, guidance = _judges(connection, last.judges, now.judges)
        change = Break(
            at=at,
            judge=judge,
            guidance=guidance,
            rubrics=sum(last.rubrics[each] != now.rubrics[each] for each in both),
            tasks=sum(last.versions.get(each) != now.versions.get(each) for each in every),
        )
        if change.judge or change.guidance or change.rubrics or change.tasks:
            found.append(change)
        last.rubrics.update(now.rubrics)
        last = _OfStep(now.judges or last.judges, last.rubrics, now.versions or last.versions)
    return tuple(found)


def breaks_of(facts: Facts, pairs: Frame, meets: Iterable[Meets]) -> tuple[Break, ...]:
    """The breaks between these meetings, each a step, by these pairs.

    They are all revealed pairs, with and without a verdict: a void run too belongs to what was tried.
    """
    return breaks(facts.connection, ground_of(pairs, pairs.both), [" ".join(sorted(met)) for met in meets])


def ground_of(pairs: Frame, steps: Frame) -> Iterator[Ground]:
    """What these pairs rest on, those of one step that share all but the id as one; `steps` names the step of each."""
    keys = ["task_id", "version_id", "rubric_id", "judge", "judge_digest"]
    judge = pairs.judge_model.where(pairs.judge_digest.notna())
    lines = pairs.assign(judge=judge, step=steps)[["step", *keys, "comparison_id"]]
    # A step may be unknown, as may be the judge: both are kept, as None.
    lines = lines.astype(object).where(lines.notna(), None).sort_values("comparison_id")
    yield from lines.drop_duplicates(["step", *keys]).itertuples(index=False, name=None)


_Change = tuple[str, str] | None


def _judges(
    connection: Connection, before: dict[str, _Judge], now: dict[str, _Judge]
) -> tuple[_Change, _Change]:
    """What changed of the judge, and of its guidance."""
    if not before or not now or before.keys() == now.keys():
        return None, None
    names = [_listed(each.name for each in step.values()) for step in (before, now)]
    versions = [_listed(_guidance(connection, step)) for step in (before, now)]
    judge, guidance = _change(*names), _change(*versions)
    return judge if judge or guidance else (names[0], names[1]), guidance


def _change(before: str, now: str) -> _Change:
    return (before, now) if before != now else None


def _guidance(connection: Connection, judges: dict[str, _Judge]) -> Iterable[str]:
    """The versions of the guidance that these judges went by, as the readings of a pair of each have it."""
    for each in judges.values():
        judged = verdicts.judged(connection, each.comparison_id)
        for own in judged.sets if judged else ():
            yield "none" if own.guidance is None else f"version {own.guidance}"


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(set(names)))
