"""The key: which run is output A. Only the reveal, the export and the one who asks on purpose come here."""

from collections.abc import Sequence
from typing import Any

from pydantic import AwareDatetime, Field
from sqlalchemy import select

from comparator.domain.labels import Frozen, PerOutput
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, permit, scalars
from comparator.store.pairs.runs import Run


class LeakDecision(Frozen):
    """The decision on a pattern that tells who made an output; `place` is where it was found, `counts` how often."""

    pattern: str
    place: str
    decision: str
    replacement: str = ""
    counts: dict[str, Any] = Field(default_factory=dict)


class Key(Stored, table=tables.ab_key):
    """Which run is A and which is B."""

    comparison_id: str
    run_a: str
    run_b: str
    created_at: AwareDatetime
    leak_decisions: tuple[LeakDecision, ...]


_ab_key, _run_pair, _run, _candidate = (tables.ab_key.c, tables.run_pair.c, tables.run.c, tables.candidate.c)


def write(
    unit: Unit,
    comparison_id: str,
    *,
    task_version_id: str,
    run_a: str,
    run_b: str,
    decisions: Sequence[LeakDecision] = (),
) -> None:
    """Seal the key of a new comparison. Raises Conflict if these two runs are compared already."""
    low, high = sorted((run_a, run_b))
    pair = {"task_version_id": task_version_id, "run_low": low, "run_high": high}
    unit.add(tables.run_pair, comparison_id=comparison_id, **pair)
    key = {"run_a": run_a, "run_b": run_b, "leak_decisions": tuple(decisions)}
    unit.add(tables.ab_key, comparison_id=comparison_id, **key)


def decide(unit: Unit, comparison_id: str, decisions: Sequence[LeakDecision]) -> None:
    """Add decisions that were made when the comparison was set up once more."""
    every = (*read(unit, comparison_id).leak_decisions, *decisions)
    with permit(unit):
        unit.update(tables.ab_key, _ab_key.comparison_id == comparison_id, leak_decisions=every)


read = Key.get


def runs_of(connection: Connection, comparison_id: str) -> PerOutput[Run]:
    """The runs that made both outputs."""
    key = read(connection, comparison_id)
    return PerOutput(A=Run.get(connection, key.run_a), B=Run.get(connection, key.run_b))


def candidate_names(connection: Connection, comparison_id: str) -> tuple[str, ...]:
    """The names of the candidates of a comparison, in an order that says nothing of the key."""
    query = (
        select(_candidate.name)
        .distinct()
        .join(tables.run, _run.candidate_id == _candidate.id)
        .join(tables.run_pair, _run.id.in_([_run_pair.run_low, _run_pair.run_high]))
        .where(_run_pair.comparison_id == comparison_id)
    )
    return scalars(connection, query.order_by(_candidate.name))


def comparison_of(connection: Connection, task_version_id: str, *, runs: tuple[str, str]) -> str | None:
    """The id of the comparison of these two runs, whichever is A; None where there is none."""
    low, high = sorted(runs)
    these = (_run_pair.run_low == low, _run_pair.run_high == high)
    query = select(_run_pair.comparison_id).where(_run_pair.task_version_id == task_version_id, *these)
    return next(iter(scalars(connection, query)), None)
