"""Candidates, their runs of tasks, and what a project holds of both, as an import asks."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import AwareDatetime, Field
from sqlalchemy import select

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import batch_items, batches
from comparator.store.core.sql import Connection, Stored, Unit, among, changed, lock, scalars
from comparator.store.facts import fact
from comparator.store.people.projects import name_as_kept


class RunState(StrEnum):
    """Whether a run counts."""

    VALID = "valid"
    VOID = "void"
    CUT_OFF = "cut_off"
    SUPERSEDED = "superseded"


class NewCandidate(Frozen):
    """What makes a candidate of a project itself."""

    name: str
    workspace: str | None = None
    iteration: str | None = None
    model: str | None = None
    skill_hash: str | None = None

    @property
    def identity(self) -> str:
        """Of all of these, in hexadecimal."""
        parts = [self.name, self.iteration, self.model, self.skill_hash]
        parts += [self.workspace] if self.workspace else []
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Candidate(NewCandidate, Stored, table=tables.candidate):
    """What produces outputs. `neutral_number` is how it is called until the reveal."""

    id: str
    project_id: str
    neutral_number: int
    merged_into: str | None
    created_at: AwareDatetime


class NewRun(Frozen):
    """A run to be stored; `origin` is where it came from, such as a path."""

    candidate_id: str
    snapshot_id: str
    repetition: int = 1
    origin: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    seconds: float | None = None
    grading: Any = None
    details: dict[str, Any] = Field(default_factory=dict)
    state: RunState = RunState.VALID
    state_reason: str = ""


class Run(NewRun, Stored, table=tables.run):
    """One execution of a task by a candidate."""

    id: str
    task_version_id: str
    superseded_by: str | None
    created_at: AwareDatetime


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


def ensure_candidate(unit: Unit, project_id: str, new: NewCandidate) -> Candidate:
    """The project's candidate that this is, created if new.

    Its neutral number follows its random id, not the order in which candidates became known.
    """
    this = (_candidate.project_id == project_id, _candidate.identity == new.identity)
    if (known := Candidate.find(unit, *this)) is not None:
        return known
    # Only for a new one: a worker that has a pair in hand raises the project's revision, and would wait in a circle.
    lock(unit, tables.project, project_id)
    if (known := Candidate.find(unit, *this)) is not None:
        return known
    id = unit.new_id()
    numbers = select(_candidate.neutral_number).where(_candidate.project_id == project_id)
    unit.add(
        tables.candidate,
        id=id,
        project_id=project_id,
        **dict(new) | {"workspace": new.workspace or None},
        identity=new.identity,
        neutral_number=_drawn_number(id, set(scalars(unit, numbers))),
    )
    return get_candidate(unit, id)


def ensure_runs_of(unit: Unit, versions: Mapping[str, Sequence[NewRun]]) -> dict[str, tuple[Run, ...]]:
    """Store the runs by the ids of their tasks' versions, in the order given back but inserted in an order of their
    own, all at the same time.

    A run that is known already is returned. A new run supersedes the earlier run with the same repetition, origin,
    candidate name and iteration, under any task version. If the earlier run is also in `versions`, both stay. A run
    that is given as superseded supersedes no other, and its bytes do not count as coming back.
    """
    of = select(_version.id, _version.task_id).where(_version.id.in_(among(unit, list(versions))))
    task_of = {row.id: row.task_id for row in unit.execute(of)}
    standing = {
        (task_of[version_id], new.candidate_id, new.repetition, new.snapshot_id)
        for version_id, runs in versions.items()
        for new in runs
        if new.state is not RunState.SUPERSEDED
    }
    every = {new.candidate_id for runs in versions.values() for new in runs}
    namesakes = _namesakes(unit, every)
    stored: dict[str, tuple[Run, ...]] = {}
    old: list[str] = []
    back: list[str] = []
    for version_id, runs in versions.items():
        ids = {new: unit.new_id() for new in range(len(runs))}
        ensured: dict[int, Run] = {}
        for at in sorted(ids, key=ids.__getitem__):
            new = runs[at]
            what = new.model_dump(include={"candidate_id", "repetition", "snapshot_id"})
            further = {name: value for name, value in new if name not in what}
            key = {"task_version_id": version_id} | what
            run = ensured[at] = unit.ensure(Run, key, **further, id=ids[at])
            if new.state is RunState.SUPERSEDED:
                continue
            if new.origin is not None:
                known = _runs_in_place(unit, new, task_of[version_id], namesakes[new.candidate_id])
                gone = [id for id, *what in known if (task_of[version_id], *what) not in standing]
                these = (_run.id.in_(gone), _run.state != RunState.SUPERSEDED)
                if gone and unit.update(tables.run, *these, state=RunState.SUPERSEDED, superseded_by=run.id):
                    old += gone
            if run.state is RunState.SUPERSEDED:
                # The earlier bytes are back.
                again = {"state": new.state, "state_reason": new.state_reason, "superseded_by": None}
                unit.update(tables.run, _run.id == run.id, **again)
                ensured[at] = get(unit, run.id)
                back.append(run.id)
        stored[version_id] = tuple(ensured[at] for at in range(len(runs)))
    if old or back:
        # All at once and in one order, and without waiting for what batches hold: nobody waits in a circle.
        without = batch_items.withdraw(unit, old)
        fact.lock(unit, (*old, *back))
        fact.set_aside(unit, old)
        fact.take_in_again(unit, back)
        batches.close_finished(unit, without, wait=False)
    return stored


def _runs_in_place(unit: Unit, new: NewRun, task_id: str, namesakes: Collection[str]) -> Any:
    """The runs of the task that stand in the run's own place, whatever the version: id and what they are of."""
    query = select(_run.id, _run.candidate_id, _run.repetition, _run.snapshot_id).where(
        _run.task_version_id.in_(select(_version.id).where(_version.task_id == task_id)),
        _run.candidate_id.in_(namesakes),
        _run.repetition == new.repetition,
        _run.origin == new.origin,
        _run.state != RunState.SUPERSEDED,
    )
    return unit.execute(query).all()


get_candidate = Candidate.get
get = Run.get


def candidates(connection: Connection, project_id: str) -> tuple[Candidate, ...]:
    """All candidates of a project by their neutral numbers."""
    return Candidate.all(connection, _candidate.project_id == project_id, by=[_candidate.neutral_number])


def merge_candidate(unit: Unit, candidate_id: str, *, into: str | None) -> None:
    """Note that two candidates are one: results of the first count for the second; None for itself again."""
    unit.update(tables.candidate, _candidate.id == candidate_id, merged_into=into)
    changed(unit, projects=[get_candidate(unit, candidate_id).project_id])


def _namesakes(connection: Connection, candidate_ids: Collection[str]) -> dict[str, list[str]]:
    """For each candidate the ids of those of its project, workspace, name and iteration, its own included."""
    homes = select(_candidate.project_id).where(_candidate.id.in_(among(connection, candidate_ids)))
    who = (_candidate.project_id, _candidate.workspace, _candidate.name, _candidate.iteration)
    query = select(_candidate.id, *who).where(_candidate.project_id.in_(homes))
    called: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for id, *what in connection.execute(query):
        called[tuple(what)].append(id)
    return {id: ids for ids in called.values() for id in ids}


def _drawn_number(id: str, used: set[int]) -> int:
    """A free number whose choice rests on the random id alone: of two candidates either may become 1."""
    # Candidates come in pairs: of the lowest two free numbers, the id's parity takes one.
    free = [number for number in range(1, len(used) + 3) if number not in used]
    block = [number for number in free if (number - 1) // 2 == (free[0] - 1) // 2]
    return block[int(hashlib.sha256(id.encode()).hexdigest(), 16) % len(block)]


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


_WHOLE = tables.run.join(tables.candidate, _candidate.id == _run.candidate_id).join(
    tables.snapshot, _snapshot.id == _run.snapshot_id
)


def is_of(connection: Connection, run_id: str, key: RunKey) -> bool:
    """Whether this stored run, of whichever version of a task, has the key's candidate, repetition and snapshot."""
    query = select(_candidate.identity, _run.repetition, _snapshot.identity).select_from(_WHOLE)
    row = connection.execute(query.where(_run.id == run_id)).one()
    return tuple(row) == (key.candidate, key.repetition, key.snapshot)


def in_project(connection: Connection, name: str) -> ExistingRuns:
    """What the project of this name holds; nothing where there is no such project."""
    here = select(_project.id).where(_project.name == name_as_kept(name)).scalar_subquery()
    existing = ExistingRuns()
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
        existing.runs[RunKey(row.key, row.identity, row.candidate, row.repetition, row.snapshot)] = row.id
        if row.origin is not None and row.state != RunState.SUPERSEDED:
            workspace = row.workspace or ""
            place = RunOrigin(row.key, row.name, workspace, row.iteration, row.repetition, row.origin)
            existing.standing[place].add((row.candidate, row.snapshot))
            existing.workspaces[row.origin].add(workspace)
    of_project = select(_comparison.id).where(_comparison.project_id == here)
    for row in connection.execute(select(tables.run_pair).where(_pair.comparison_id.in_(of_project))):
        existing.pairs[frozenset((row.run_low, row.run_high))] = row.comparison_id
    return existing
