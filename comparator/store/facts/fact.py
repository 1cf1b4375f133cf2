"""The row of facts of each comparison: its status and both verdicts, derived from what judges and people said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, Connection, and_, case, exists, func, or_, select, union

from comparator.domain.labels import Label, PerOutput
from comparator.domain.project import ProjectSettings
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import VerdictSource
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.sql import among, number, scalars
from comparator.store.core.unit import Unit
from comparator.store.facts import columns, queries, verdicts
from comparator.store.facts.review_facts import review_facts


class Status(StrEnum):
    """Where a comparison stands."""

    TO_JUDGE = "to_judge"
    JUDGING = "judging"
    FAILED = "failed"
    TO_REVIEW = "to_review"
    DRAFT = "draft"
    FINALISED = "finalised"
    SUPERSEDED = "superseded"
    """A later import replaced one of its runs, and nobody has begun a review of it: it waits for nobody."""
    VOID = "void"
    """One of its runs is void and it has too few final reviews: it waits for those who ask for all runs."""


AT_REST = (Status.SUPERSEDED, Status.VOID)
"""What waits for nobody unless it is asked for."""
_run_pair, _run = tables.run_pair.c, tables.run.c
_fact = tables.fact.c
UNREAD = and_(_fact.final_reviews == 0, _fact.open_reviews == 0)
"""Of a row of `fact`: nobody has begun a review."""

UNREAD_BY_JUDGE = and_(_fact.judge_winner.is_(None), _fact.form.is_(None))
"""Of a row of `fact`: it has neither a judge's verdict nor the offline check's finding."""

_comparison = tables.comparison.alias("revealed_one").c
REVEALED = exists().where(_comparison.id == _fact.comparison_id, _comparison.reveal_id.is_not(None))
"""Of a row of `fact`: its comparison is revealed."""

VALID = PerOutput[str](A="valid", B="valid")


@dataclass(frozen=True)
class RunStates:
    """Which of a comparison's runs do not count."""

    superseded: bool = False
    """A later import replaced one of them; which one is not told."""
    each: PerOutput[str] = VALID
    """`valid`, `void` or `cut_off`."""

    @property
    def void(self) -> bool:
        """Whether one of them is void."""
        return "void" in (self.each.A, self.each.B)

    @property
    def cut_off(self) -> tuple[Label, ...]:
        """The outputs that were probably cut off before their end."""
        return tuple(label for label, state in self.each.items() if state == "cut_off")


def _with(state: str) -> ColumnElement[bool]:
    return or_(*(func.coalesce(each, "") == state for each in (_fact.state_a, _fact.state_b)))


WITH_VOID = _with("void")
"""Of a row of `fact`: one of the runs is void."""


def refresh(unit: Unit, comparison_id: str) -> None:
    """Derive the comparison's row anew, in the transaction of what changed it."""
    these = {"comparison": comparison_id}
    # Two writers take turns, so that the later one sees what both did.
    unit.execute(queries.LOCK_ROW, these)
    changed(unit.connection, comparisons=[comparison_id])
    unit.execute(queries.UPDATE, {**derive(unit.connection, comparison_id), "touched_at": unit.at, **these})


def lock(connection: Connection, run_ids: Collection[str]) -> None:
    """Hold the rows of these runs' comparisons until the end of the transaction.

    In one order, so that two who change several comparisons do not wait for each other.
    """
    query = select(_fact.comparison_id).where(_fact.comparison_id.in_(of_runs(connection, run_ids)))
    connection.execute(query.order_by(_fact.comparison_id).with_for_update())


def set_aside(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs were superseded: their pairs wait for nobody, but where somebody has begun a review."""
    gone = (
        tables.fact.update()
        .where(_fact.comparison_id.in_(of_runs(unit.connection, run_ids)))
        .values(
            superseded=True,
            status=case((UNREAD, Status.SUPERSEDED.value), else_=_fact.status),
            touched_at=unit.at,
        )
    )
    changed(unit.connection, comparisons=unit.scalars(gone.returning(_fact.comparison_id)))


def take_in_again(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs are no longer superseded: their pairs wait again, but for those whose other run is."""
    superseded = select(_run.id).where(_run.state == Status.SUPERSEDED)
    still = _run_pair.run_low.in_(superseded) | _run_pair.run_high.in_(superseded)
    theirs = _run_pair.comparison_id.in_(of_runs(unit.connection, run_ids))
    query = select(_run_pair.comparison_id).where(theirs, ~still).order_by(_run_pair.comparison_id)
    for comparison_id in unit.scalars(query):
        unit.update(tables.fact, _fact.comparison_id == comparison_id, superseded=None)
        refresh(unit, comparison_id)


def void_among(connection: Connection, comparison_ids: Sequence[str]) -> frozenset[str]:
    """Those of the comparisons of which a run is void."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    return frozenset(scalars(connection, select(_fact.comparison_id).where(these, _with("void"))))


def cut_off_among(connection: Connection, comparison_ids: Sequence[str]) -> int:
    """How many of the comparisons have a run that was probably cut off."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    return number(connection, tables.fact, these, _with("cut_off"))


def run_states(connection: Connection, comparison_id: str) -> RunStates:
    """Whether each run of the comparison counts."""
    row = connection.execute(queries.PAIR, {"comparison": comparison_id}).one_or_none()
    return RunStates() if row is None else _run_states(row)


def _run_states(row: Any) -> RunStates:
    each = PerOutput[str](A=row.state_a or "valid", B=row.state_b or "valid")
    return RunStates(superseded=bool(row.superseded), each=each)


def of_runs(connection: Connection, run_ids: Collection[str]) -> CompoundSelect[Any]:
    """The ids of the comparisons with one of these runs."""
    these = among(connection, run_ids)
    # Not one condition with "or": on PostgreSQL that reads the whole table.
    sides = (_run_pair.run_low, _run_pair.run_high)
    return union(*(select(_run_pair.comparison_id).where(side.in_(these)) for side in sides))


_NOT_DERIVED = {"comparison_id", "project_id", "created_at", "touched_at", "superseded", "state_a", "state_b"}
_EMPTY = dict.fromkeys(name for name in _fact.keys() if name not in _NOT_DERIVED)  # noqa: SIM118  # columns, no dict


def derive(connection: Connection, comparison_id: str) -> dict[str, Any]:
    """The row's values, from nothing but what was inserted (and who is at work)."""
    these = {"comparison": comparison_id}
    pair = connection.execute(queries.PAIR, these).one()
    reviews = connection.execute(queries.REVIEWS, these).all()
    final, begun = _final_and_open(reviews)
    now = verdicts.judged(connection, comparison_id)
    first = columns.first_assessments(now)
    effective = verdicts.effective_verdict(connection, comparison_id, now, verdicts.finals(reviews))
    people = review_facts(connection, reviews, first, may_reveal=bool(pair.may_reveal))
    if effective.source is VerdictSource.ADJUDICATION:
        ruling = connection.execute(queries.RULING, these).one()
        known = (Blindness(each) for each in (people["blindness"], ruling.blindness) if each)
        people["blindness"] = Blindness.least(known)
    # Whether a judge reads it or is about to by itself; else why the last one ended without success.
    running, problem = bool(connection.execute(queries.BEING_JUDGED, these).scalar()), None
    if not running:
        problem = connection.execute(queries.ENDED_WITH, these).scalar()
    read = now is not None and (now.judgment is not None or now.form is not None)
    if now is not None and not read and problem is None:
        problem = connection.execute(queries.LAST_PROBLEM, {"set": now.chosen.digest}).scalar()
    runs, needed = _run_states(pair), ProjectSettings.model_validate(pair.settings).reviews_needed
    holds = {
        Status.SUPERSEDED: runs.superseded and not final and not begun,
        Status.FINALISED: final >= needed,
        Status.VOID: runs.void,
        Status.DRAFT: begun,
        Status.JUDGING: running,
        Status.TO_REVIEW: read,
        Status.FAILED: problem is not None,
        Status.TO_JUDGE: True,
    }
    cost = connection.execute(queries.COST, these).one()
    return {
        **_EMPTY,
        "status": next(status for status, so in holds.items() if so),
        **(columns.judge_columns(now, first) if now else {}),
        "judge_cost": cost.cost if cost.whole else None,
        "problem": None if read else problem,
        **columns.verdict_columns(effective, first),
        "final_reviews": final,
        "open_reviews": begun,
        **people,
    }


def final_and_open(connection: Connection, comparison_id: str) -> tuple[int, int]:
    """The number of final reviews, and of reviews with unfinished work."""
    return _final_and_open(connection.execute(queries.REVIEWS, {"comparison": comparison_id}).all())


def _final_and_open(rows: Sequence[Any]) -> tuple[int, int]:
    begun = sum(row.kind == "reopened" or (row.kind is None and row.begun) for row in rows)
    return sum(row.kind == "final" for row in rows), begun


class Counted(NamedTuple):
    """So many comparisons of a project have this status; `reviewed` says that they have a final review."""

    project_id: str
    status: str
    reviewed: bool
    judge_model: str | None
    number: int


def counted(
    connection: Connection, *, project_id: str | None = None, among: Collection[str] | None = None
) -> tuple[Counted, ...]:
    """The numbers of a project, of some of them, or of all; an index holds all that is read."""
    keys = (_fact.project_id, _fact.status, _fact.final_reviews > 0, _fact.judge_model)
    query = select(*keys, func.count()).group_by(*keys)
    if project_id is not None:
        query = query.where(_fact.project_id == project_id)
    if among is not None:
        query = query.where(_fact.project_id.in_(sorted(among)))
    return tuple(Counted(*row) for row in connection.execute(query))
