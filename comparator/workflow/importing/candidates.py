"""Candidates of an import that the project has already, though with more or less known of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from comparator.interop.imported import FoundRun
from comparator.store.pairs.existing import CandidateDetails, ExistingRuns


class Completed(NamedTuple):
    """What became known of a candidate since it was stored."""

    candidate_id: str
    model: str | None
    skill_hash: str | None


def as_stored(
    runs: Sequence[FoundRun], present: ExistingRuns
) -> tuple[tuple[FoundRun, ...], tuple[Completed, ...]]:
    """The runs by the candidates that are there, and what they say of those beyond what is stored.

    One name and iteration in both, of which one knows a model or a skill's hash that the other lacks, is one candidate.
    """
    facts_of: defaultdict[tuple[str, str | None, str], set[tuple[str | None, str | None]]] = defaultdict(set)
    for run in runs:
        facts_of[_who(run)].add((run.model, run.skill_hash))
    stored: dict[tuple[str, str | None, str], CandidateDetails] = {}
    completed: list[Completed] = []
    for who, facts in facts_of.items():
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
    return tuple(_by(run, stored.get(_who(run))) for run in runs), tuple(completed)


def known_workspaces(runs: Sequence[FoundRun], known: Mapping[str, Collection[str]]) -> tuple[FoundRun, ...]:
    """The runs under the workspaces that a project keeps them in, by address: another import may begin a folder higher.

    Where the project holds two workspaces as one, as it did before they were told apart, they are new ones.
    """
    stored_as: defaultdict[str, set[str]] = defaultdict(set)
    for run in runs:
        stored_as[run.workspace].update(known[run.address])
    kept = {own: next(iter(there)) for own, there in stored_as.items() if len(there) == 1}
    shared = Counter(kept.values())
    taken = {own: there for own, there in kept.items() if shared[there] == 1 and there != own}
    return tuple(
        run.model_copy(update={"workspace": there, "task_key": _moved(run, there)})
        if (there := taken.get(run.workspace)) is not None
        else run
        for run in runs
    )


def _moved(run: FoundRun, workspace: str) -> str:
    key = run.task_key.removeprefix(f"{run.workspace}/") if run.workspace else run.task_key
    return f"{workspace}/{key}" if workspace else key


def _who(run: FoundRun) -> tuple[str, str | None, str]:
    return run.configuration, run.iteration, run.workspace


def _by(run: FoundRun, made: CandidateDetails | None) -> FoundRun:
    if made is None or (run.model, run.skill_hash) == (made.model, made.skill_hash):
        return run
    return run.model_copy(update={"model": made.model, "skill_hash": made.skill_hash})
