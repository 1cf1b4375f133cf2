"""Candidates, and their runs of tasks."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import AwareDatetime, Field
from sqlalchemy import Connection, Select, and_, select

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import batch_items, batches
from comparator.store.core.revisions import changed
from comparator.store.core.sql import (
    Stored,
    among,
    insert_new,
    lock,
    maybe,
    one,
    select_as,
    several,
    update,
)
from comparator.store.core.unit import Unit
from comparator.store.facts import fact


class RunState(StrEnum):
    """Whether a run counts."""

    VALID = "valid"
    VOID = "void"
    CUT_OFF = "cut_off"
    SUPERSEDED = "superseded"


class Candidate(Stored, table=tables.candidate):
    """What produces outputs. `neutral_number` is how it is called until the reveal."""

    id: str
    project_id: str
    name: str
    workspace: str | None
    iteration: str | None
    model: str | None
    skill_hash: str | None
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


_candidate, _run = tables.candidate.c, tables.run.c
_CANDIDATE, _RUN = select_as(tables.candidate, Candidate), select_as(tables.run, Run)


def ensure_candidate(
    unit: Unit,
    project_id: str,
    *,
    name: str,
    workspace: str = "",
    iteration: str | None = None,
    model: str | None = None,
    skill_hash: str | None = None,
) -> Candidate:
    """The project's candidate of this name, workspace, iteration, model and skill hash, created if new.

    Its neutral number follows its random id, not the order in which candidates became known.
    """
    lock(unit.connection, tables.project, project_id)
    identity = identity_of(
        name=name, iteration=iteration, model=model, skill_hash=skill_hash, workspace=workspace
    )
    query = _CANDIDATE.where(_candidate.project_id == project_id, _candidate.identity == identity)
    found = maybe(unit.connection, query, Candidate)
    if found is not None:
        return found
    id = unit.new_id()
    taken = set(
        unit.execute(select(_candidate.neutral_number).where(_candidate.project_id == project_id)).scalars()
    )
    unit.add(
        tables.candidate,
        id=id,
        project_id=project_id,
        name=name,
        workspace=workspace or None,
        iteration=iteration,
        model=model,
        skill_hash=skill_hash,
        identity=identity,
        neutral_number=_drawn_number(id, taken),
    )
    return one(unit.connection, query, Candidate, what="such candidate")


def identity_of(
    *,
    name: str,
    iteration: str | None = None,
    model: str | None = None,
    skill_hash: str | None = None,
    workspace: str | None = None,
) -> str:
    """What makes two candidates of a project one, in hexadecimal."""
    parts = [name, iteration, model, skill_hash, *([workspace] if workspace else [])]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def ensure_runs(unit: Unit, task_version_id: str, runs: Sequence[NewRun]) -> tuple[Run, ...]:
    """Store the runs of one version of a task; the rest as for several."""
    return ensure_runs_of(unit, {task_version_id: runs})[task_version_id]


def ensure_runs_of(unit: Unit, versions: Mapping[str, Sequence[NewRun]]) -> dict[str, tuple[Run, ...]]:
    """Store the runs by the ids of their tasks' versions, in the order given back but inserted in an order of their
    own, all at the same time.

    A run that is known already is returned. A new run supersedes the earlier run with the same repetition, origin,
    candidate name and iteration, under any task version. If the earlier run is also in `versions`, both stay. A run
    that is given as superseded supersedes no other, and its bytes do not count as coming back.
    """
    task_version = tables.task_version.c
    of = select(task_version.id, task_version.task_id).where(
        task_version.id.in_(among(unit.connection, list(versions)))
    )
    task_of = {row.id: row.task_id for row in unit.execute(of)}
    kept = frozenset(
        (task_of[version_id], each.candidate_id, each.repetition, each.snapshot_id)
        for version_id, new in versions.items()
        for each in new
        if each.state is not RunState.SUPERSEDED
    )
    namesakes = _namesakes(unit.connection, {each.candidate_id for new in versions.values() for each in new})
    stored: dict[str, tuple[Run, ...]] = {}
    old: list[str] = []
    back: list[str] = []
    for version_id, new in versions.items():
        drawn = sorted((unit.new_id(), index) for index in range(len(new)))
        ensured = {
            index: _ensure_run(
                unit,
                version_id,
                new[index],
                task_id=task_of[version_id],
                namesakes=namesakes[new[index].candidate_id],
                kept=kept,
                id=id,
            )
            for id, index in drawn
        }
        stored[version_id] = tuple(ensured[index].run for index in range(len(new)))
        old += [id for each in ensured.values() for id in each.old]
        back += [each.run.id for each in ensured.values() if each.back]
    if old or back:
        # All at once and in one order, and without waiting for what batches hold: nobody waits in a circle.
        without = batch_items.withdraw(unit, old)
        fact.lock(unit.connection, (*old, *back))
        fact.set_aside(unit, old)
        fact.take_in_again(unit, back)
        batches.close_finished(unit, without, wait=False)
    return stored


def complete_candidate(
    connection: Connection, candidate_id: str, *, model: str | None, skill_hash: str | None
) -> None:
    """Note what became known of a candidate later; nothing where there is another one of which that is known."""
    this = get_candidate(connection, candidate_id)
    lock(connection, tables.project, this.project_id)
    identity = identity_of(
        name=this.name,
        iteration=this.iteration,
        model=model,
        skill_hash=skill_hash,
        workspace=this.workspace,
    )
    taken = select(_candidate.id).where(
        _candidate.project_id == this.project_id, _candidate.identity == identity
    )
    if connection.execute(taken).first() is None:
        known = {"model": model, "skill_hash": skill_hash, "identity": identity}
        update(connection, tables.candidate, _candidate.id == candidate_id, **known)


get_candidate = Candidate.get


def candidates(connection: Connection, project_id: str) -> tuple[Candidate, ...]:
    """All candidates of a project by their neutral numbers."""
    query = _CANDIDATE.where(_candidate.project_id == project_id).order_by(_candidate.neutral_number)
    return several(connection, query, Candidate)


get = Run.get


def merge_candidate(connection: Connection, candidate_id: str, *, into: str | None) -> None:
    """Note that two candidates are one: results of the first count for the second; None for itself again."""
    update(connection, tables.candidate, _candidate.id == candidate_id, merged_into=into)
    changed(connection, projects=[get_candidate(connection, candidate_id).project_id])


class _Ensured(NamedTuple):
    run: Run
    old: tuple[str, ...] = ()
    """The ids of the runs that it superseded."""
    back: bool = False
    """Whether it was superseded itself until now."""


def _ensure_run(
    unit: Unit,
    task_version_id: str,
    new: NewRun,
    *,
    task_id: str,
    namesakes: Collection[str],
    kept: Collection[tuple[str, str, int, str]],
    id: str,
) -> _Ensured:
    values = new.model_dump(mode="python") | {
        "id": id,
        "task_version_id": task_version_id,
        "state": new.state.value,
        "created_at": unit.at,
    }
    same = and_(
        _run.task_version_id == task_version_id,
        _run.candidate_id == new.candidate_id,
        _run.repetition == new.repetition,
    )
    insert_new(unit.connection, tables.run, values)
    run = one(
        unit.connection,
        _RUN.where(same, _run.snapshot_id == new.snapshot_id),
        Run,
        what="such run",
    )
    old: tuple[str, ...] = ()
    if new.origin is not None and new.state is not RunState.SUPERSEDED:
        stand = _run.state != RunState.SUPERSEDED
        before = unit.connection.execute(
            select(_run.id, _run.candidate_id, _run.repetition, _run.snapshot_id).where(
                _run.task_version_id.in_(_versions_of(task_id)),
                _run.candidate_id.in_(namesakes),
                _run.repetition == new.repetition,
                _run.origin == new.origin,
                stand,
            )
        )
        if gone := [old_id for old_id, *what in before if (task_id, *what) not in kept]:
            replaced = unit.execute(
                tables.run.update()
                .where(_run.id.in_(gone), stand)
                .values(state=RunState.SUPERSEDED, superseded_by=run.id)
                .returning(_run.id)
            )
            old = tuple(replaced.scalars())
    if run.state is not RunState.SUPERSEDED or new.state is RunState.SUPERSEDED:
        return _Ensured(run, old)
    # The earlier bytes are back.
    unit.update(
        tables.run,
        _run.id == run.id,
        state=new.state.value,
        state_reason=new.state_reason,
        superseded_by=None,
    )
    return _Ensured(get(unit.connection, run.id), old, back=True)


def _versions_of(task_id: str) -> Select[Any]:
    """The ids of all versions of a task."""
    task_version = tables.task_version.c
    return select(task_version.id).where(task_version.task_id == task_id)


def _namesakes(connection: Connection, candidate_ids: Collection[str]) -> dict[str, list[str]]:
    """For each candidate the ids of those of its project, workspace, name and iteration, its own included."""
    homes = select(_candidate.project_id).where(_candidate.id.in_(among(connection, candidate_ids)))
    who = (_candidate.project_id, _candidate.workspace, _candidate.name, _candidate.iteration)
    query = select(_candidate.id, *who).where(_candidate.project_id.in_(homes))
    called: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for id, *what in connection.execute(query):
        called[tuple(what)].append(id)
    return {id: ids for ids in called.values() for id in ids}


def _drawn_number(id: str, taken: set[int]) -> int:
    """A free number whose choice rests on the random id alone: of two candidates either may become 1."""
    # Candidates come in pairs: of the lowest two free numbers, the id's parity takes one.
    free = [number for number in range(1, len(taken) + 3) if number not in taken]
    block = [number for number in free if (number - 1) // 2 == (free[0] - 1) // 2]
    return block[int(hashlib.sha256(id.encode()).hexdigest(), 16) % len(block)]
