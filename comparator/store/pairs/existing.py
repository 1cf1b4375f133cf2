"""What a project holds already, as an import asks: runs by what they are, comparisons by their two runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, select

from comparator.store import tables
from comparator.store.pairs.runs import RunState


class RunKey(NamedTuple):
    """What makes two runs one; version, candidate and snapshot by their identities."""

    task_key: str
    version: str
    candidate: str
    repetition: int
    snapshot: str


class RunOrigin(NamedTuple):
    """Where a run came from: of runs of one place the later supersedes the earlier.

    Whatever the task's version, the model and the skill's hash are.
    """

    task_key: str
    name: str
    workspace: str
    iteration: str | None
    repetition: int
    origin: str


class CandidateDetails(NamedTuple):
    """What is known of a candidate beside its name and iteration."""

    id: str
    model: str | None
    skill_hash: str | None


class ExistingRuns:
    """The runs and comparisons of one project at one moment."""

    def __init__(
        self,
        runs: dict[RunKey, str],
        pairs: dict[tuple[str, str], str],
        stored_runs: Mapping[RunOrigin, Collection[tuple[str, str]]],
        candidates: Mapping[tuple[str, str | None, str], Collection[CandidateDetails]],
        workspaces: Mapping[str, Collection[str]],
    ) -> None:
        self._runs, self._pairs, self._stored_runs, self._candidates = runs, pairs, stored_runs, candidates
        self._workspaces = workspaces
        self._comparisons = frozenset(pairs.values())

    def run(self, key: RunKey) -> str | None:
        """The id of this run; None where there is none."""
        return self._runs.get(key)

    def superseded_by(self, runs: Collection[tuple[RunKey, RunOrigin]]) -> int:
        """How many of these runs, once stored where they lie, supersede one that stands now and is none of them."""
        kept = {(key.task_key, key.candidate, key.repetition, key.snapshot) for key, _ in runs}
        return sum(
            any(
                (place.task_key, candidate, place.repetition, snapshot) not in kept
                for candidate, snapshot in self._stored_runs.get(place, ())
            )
            for _, place in runs
        )

    def candidates(self, name: str, iteration: str | None, workspace: str) -> tuple[CandidateDetails, ...]:
        """All candidates of this name and iteration in a workspace."""
        return tuple(self._candidates.get((name, iteration, workspace), ()))

    def workspaces(self, origin: str) -> Collection[str]:
        """The workspaces that runs of this origin are kept in."""
        return self._workspaces.get(origin, ())

    def holds(self, comparison_id: str) -> bool:
        """Whether there is this comparison."""
        return comparison_id in self._comparisons

    def comparison(self, one: RunKey, other: RunKey) -> str | None:
        """The id of the comparison of these two runs, whichever is A; None where there is none."""
        found = (self._runs.get(one), self._runs.get(other))
        if found[0] is None or found[1] is None:
            return None
        low, high = sorted((found[0], found[1]))
        return self._pairs.get((low, high))


def is_of(connection: Connection, run_id: str, key: RunKey) -> bool:
    """Whether this stored run, of whichever version of a task, has the key's candidate, repetition and snapshot."""
    candidate, run, snapshot = tables.candidate.c, tables.run.c, tables.snapshot.c
    found = connection.execute(
        select(candidate.identity, run.repetition, snapshot.identity)
        .select_from(
            tables.run.join(tables.candidate, candidate.id == run.candidate_id).join(
                tables.snapshot, snapshot.id == run.snapshot_id
            )
        )
        .where(run.id == run_id)
    ).one()
    return tuple(found) == (key.candidate, key.repetition, key.snapshot)


def in_project(connection: Connection, name: str) -> ExistingRuns:
    """What the project of this name holds; nothing where there is no such project."""
    project, task, task_version, candidate, run, snapshot, pair = (
        tables.project.c,
        tables.task.c,
        tables.task_version.c,
        tables.candidate.c,
        tables.run.c,
        tables.snapshot.c,
        tables.run_pair.c,
    )
    here = select(project.id).where(project.name == " ".join(name.split())[:200]).scalar_subquery()
    found = connection.execute(
        select(
            task.key,
            task_version.identity,
            candidate.identity.label("candidate"),
            candidate.name,
            candidate.workspace,
            candidate.iteration,
            run.repetition,
            snapshot.identity.label("snapshot"),
            run.id,
            run.origin,
            run.state,
        )
        .select_from(
            tables.run.join(tables.task_version, task_version.id == run.task_version_id)
            .join(tables.task, task.id == task_version.task_id)
            .join(tables.candidate, candidate.id == run.candidate_id)
            .join(tables.snapshot, snapshot.id == run.snapshot_id)
        )
        .where(task.project_id == here)
    )
    runs: dict[RunKey, str] = {}
    stored_runs: defaultdict[RunOrigin, set[tuple[str, str]]] = defaultdict(set)
    workspaces: defaultdict[str, set[str]] = defaultdict(set)
    for row in found:
        runs[RunKey(row.key, row.identity, row.candidate, row.repetition, row.snapshot)] = row.id
        if row.origin is not None and row.state != RunState.SUPERSEDED:
            place = RunOrigin(
                row.key, row.name, row.workspace or "", row.iteration, row.repetition, row.origin
            )
            stored_runs[place].add((row.candidate, row.snapshot))
            workspaces[row.origin].add(row.workspace or "")
    candidates: defaultdict[tuple[str, str | None, str], list[CandidateDetails]] = defaultdict(list)
    for each in connection.execute(
        select(
            candidate.id,
            candidate.name,
            candidate.workspace,
            candidate.iteration,
            candidate.model,
            candidate.skill_hash,
        ).where(candidate.project_id == here)
    ):
        who = (each.name, each.iteration, each.workspace or "")
        candidates[who].append(CandidateDetails(each.id, each.model, each.skill_hash))
    pairs = connection.execute(
        select(pair.run_low, pair.run_high, pair.comparison_id)
        .select_from(
            tables.run_pair.join(tables.task_version, task_version.id == pair.task_version_id).join(
                tables.task, task.id == task_version.task_id
            )
        )
        .where(task.project_id == here)
    )
    return ExistingRuns(
        runs,
        {(row.run_low, row.run_high): row.comparison_id for row in pairs},
        stored_runs,
        candidates,
        workspaces,
    )
