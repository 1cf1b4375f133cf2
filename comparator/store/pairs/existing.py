"""What a project holds already, as an import asks: runs by what they are, comparisons by their two runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import select

from comparator.store import tables
from comparator.store.core.sql import Connection
from comparator.store.pairs.runs import RunState
from comparator.store.people.projects import name_as_kept


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


@dataclass
class ExistingRuns:
    """The runs and comparisons of one project at one moment."""

    runs: dict[RunKey, str] = field(default_factory=dict)
    """Their ids."""
    pairs: dict[frozenset[str | None], str] = field(default_factory=dict)
    """The ids of comparisons by those of their two runs."""
    standing: defaultdict[RunOrigin, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    """Candidate and snapshot, by their identities, of the runs that are not superseded, by their places."""
    workspaces: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Those that runs of one origin are kept in."""

    def superseded_by(self, runs: Collection[tuple[RunKey, RunOrigin]]) -> int:
        """How many of these runs, once stored where they lie, supersede one that stands now and is none of them."""
        kept = {(key.task_key, key.candidate, key.repetition, key.snapshot) for key, _ in runs}
        return sum(
            any(
                (place.task_key, candidate, place.repetition, snapshot) not in kept
                for candidate, snapshot in self.standing.get(place, ())
            )
            for _, place in runs
        )

    def comparison(self, one: RunKey, other: RunKey) -> str | None:
        """The id of the comparison of these two runs, whichever is A; None where there is none."""
        return self.pairs.get(frozenset((self.runs.get(one), self.runs.get(other))))


_project, _task, _version, _candidate, _run, _snapshot, _pair, _comparison = (
    tables.project.c,
    tables.task.c,
    tables.task_version.c,
    tables.candidate.c,
    tables.run.c,
    tables.snapshot.c,
    tables.run_pair.c,
    tables.comparison.c,
)
_WHOLE = tables.run.join(tables.candidate, _candidate.id == _run.candidate_id).join(
    tables.snapshot, _snapshot.id == _run.snapshot_id
)


def is_of(connection: Connection, run_id: str, key: RunKey) -> bool:
    """Whether this stored run, of whichever version of a task, has the key's candidate, repetition and snapshot."""
    query = select(_candidate.identity, _run.repetition, _snapshot.identity).select_from(_WHOLE)
    found = connection.execute(query.where(_run.id == run_id)).one()
    return tuple(found) == (key.candidate, key.repetition, key.snapshot)


def in_project(connection: Connection, name: str) -> ExistingRuns:
    """What the project of this name holds; nothing where there is no such project."""
    here = select(_project.id).where(_project.name == name_as_kept(name)).scalar_subquery()
    found = ExistingRuns()
    runs = (
        select(
            *(_task.key, _version.identity, _run.id, _run.repetition, _run.origin, _run.state),
            *(_candidate.name, _candidate.workspace, _candidate.iteration),
            _candidate.identity.label("candidate"),
            _snapshot.identity.label("snapshot"),
        )
        .select_from(
            _WHOLE.join(tables.task_version, _version.id == _run.task_version_id).join(
                tables.task, _task.id == _version.task_id
            )
        )
        .where(_task.project_id == here)
    )
    for row in connection.execute(runs):
        found.runs[RunKey(row.key, row.identity, row.candidate, row.repetition, row.snapshot)] = row.id
        if row.origin is not None and row.state != RunState.SUPERSEDED:
            workspace = row.workspace or ""
            place = RunOrigin(row.key, row.name, workspace, row.iteration, row.repetition, row.origin)
            found.standing[place].add((row.candidate, row.snapshot))
            found.workspaces[row.origin].add(workspace)
    of_project = select(_comparison.id).where(_comparison.project_id == here)
    for row in connection.execute(select(tables.run_pair).where(_pair.comparison_id.in_(of_project))):
        found.pairs[frozenset((row.run_low, row.run_high))] = row.comparison_id
    return found
