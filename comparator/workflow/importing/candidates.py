"""Candidates of an import that the project has already, though with more or less known of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from comparator.interop.imported import FoundRun
from comparator.store.pairs.existing import Known, Made


class Completed(NamedTuple):
    """What became known of a candidate since it was stored."""

    candidate_id: str
    model: str | None
    skill_hash: str | None


def as_stored(runs: Sequence[FoundRun], present: Known) -> tuple[tuple[FoundRun, ...], tuple[Completed, ...]]:
    """The runs by the candidates that are there, and what they say of those beyond what is stored.

    One name and iteration in both, of which one knows a model or a skill's hash that the other lacks, is one candidate.
    """
    told: defaultdict[tuple[str, str | None], set[tuple[str | None, str | None]]] = defaultdict(set)
    for run in runs:
        told[run.configuration, run.iteration].add((run.model, run.skill_hash))
    stored: dict[tuple[str, str | None], Made] = {}
    completed: list[Completed] = []
    for who, facts in told.items():
        there = present.candidates(*who)
        if len(facts) != 1 or len(there) != 1:
            continue
        (now,), (before,) = facts, there
        both = tuple(zip(now, (before.model, before.skill_hash), strict=True))
        if any(one is not None and other is not None and one != other for one, other in both):
            continue
        stored[who] = before
        whole = tuple(one if one is not None else other for one, other in both)
        if whole != (before.model, before.skill_hash):
            completed.append(Completed(before.id, *whole))
    return tuple(_by(run, stored.get((run.configuration, run.iteration))) for run in runs), tuple(completed)


def _by(run: FoundRun, made: Made | None) -> FoundRun:
    if made is None or (run.model, run.skill_hash) == (made.model, made.skill_hash):
        return run
    return run.model_copy(update={"model": made.model, "skill_hash": made.skill_hash})
