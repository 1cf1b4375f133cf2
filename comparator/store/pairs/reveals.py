"""Telling, for a whole set at once, which candidate was A and which B, and what revealed candidates are called."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Row, and_, func, or_, select

from comparator.domain.project import DecisionPlan
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, among, changed, scalars
from comparator.store.facts.fact import Status


class Reveal(Stored, table=tables.reveal):
    """When, by whom and why."""

    id: str
    project_id: str
    person_id: str | None
    reason: str
    at: AwareDatetime


_comparison = tables.comparison.c


def set_of(connection: Connection, comparison_id: str) -> tuple[str, ...]:
    """The ids of the comparisons that are revealed together: the same two candidates in the same project."""
    run_pair, run = tables.run_pair.c, tables.run.c
    mine = connection.execute(
        select(_comparison.project_id, run.candidate_id)
        .join_from(tables.comparison, tables.run_pair, run_pair.comparison_id == _comparison.id)
        .join(tables.run, run.id.in_([run_pair.run_low, run_pair.run_high]))
        .where(_comparison.id == comparison_id)
    ).all()
    if len(mine) != 2:
        return (comparison_id,)
    (project_id, one), (_, two) = mine
    return between(connection, project_id, one, two)


def between(connection: Connection, project_id: str, one: str, two: str) -> tuple[str, ...]:
    """The ids of all comparisons of these two candidates in the project, a merged one counting as what it became."""
    run_pair, candidate = tables.run_pair.c, tables.candidate.c
    low, high = tables.run.alias("low").c, tables.run.alias("high").c
    own, other = (
        select(candidate.id).where(
            candidate.project_id == project_id, or_(candidate.id == id, candidate.merged_into == id)
        )
        for id in (one, two)
    )
    query = (
        select(_comparison.id)
        .join_from(tables.comparison, tables.run_pair, run_pair.comparison_id == _comparison.id)
        .join(low.id.table, low.id == run_pair.run_low)
        .join(high.id.table, high.id == run_pair.run_high)
        .where(
            _comparison.project_id == project_id,
            or_(
                and_(low.candidate_id.in_(own), high.candidate_id.in_(other)),
                and_(low.candidate_id.in_(other), high.candidate_id.in_(own)),
            ),
        )
    )
    return scalars(connection, query.order_by(_comparison.id))


def unfinished(connection: Connection, comparison_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the comparisons in which a review is open; they stand in the way of a reveal."""
    fact = tables.fact.c
    query = select(fact.comparison_id).where(fact.comparison_id.in_(comparison_ids), fact.open_reviews > 0)
    return scalars(connection, query.order_by(fact.comparison_id))


def add(
    unit: Unit,
    comparison_ids: tuple[str, ...],
    *,
    project_id: str,
    reason: str = "",
    plans: tuple[DecisionPlan, ...] = (),
) -> None:
    """Note that these comparisons are revealed, and which plans stood. What was revealed before keeps its time."""
    reveal_id = unit.new_id()
    unit.add(
        tables.reveal, id=reveal_id, project_id=project_id, person_id=unit.who, reason=reason, plan=plans
    )
    these = among(unit, comparison_ids)
    unit.update(
        tables.comparison,
        _comparison.id.in_(these),
        _comparison.project_id == project_id,
        _comparison.reveal_id.is_(None),
        reveal_id=reveal_id,
    )
    fact = tables.fact.c
    waiting = (fact.comparison_id.in_(these), fact.project_id == project_id, fact.status == Status.TO_REVIEW)
    unit.update(tables.fact, *waiting, status=Status.NOT_REVIEWED)
    changed(unit, projects=[project_id])


def known(connection: Connection, comparison_ids: Collection[str]) -> frozenset[str]:
    """Those of the comparisons that are revealed."""
    these = _comparison.id.in_(among(connection, comparison_ids))
    query = select(_comparison.id).where(these, _comparison.reveal_id.is_not(None))
    return frozenset(scalars(connection, query))


def of_comparison(connection: Connection, comparison_id: str) -> Reveal | None:
    """The reveal of a comparison, or None while it is blind."""
    its = select(_comparison.reveal_id).where(_comparison.id == comparison_id).scalar_subquery()
    return Reveal.find(connection, tables.reveal.c.id == its)


SHORT = 7
"""Characters of a skill's hash that are shown."""


def distinct_names(rows: Collection[Any]) -> dict[str, str]:
    """Names with as much of workspace, iteration, model and skill as tells those of the same name apart."""
    parts: dict[str, tuple[str, ...]] = {row.id: (row.name,) for row in rows}
    for more in ("workspace", "iteration", "model", "skill_hash"):
        shared = Counter(parts.values())
        for row in rows:
            own = getattr(row, more)
            if own and shared[parts[row.id]] > 1:
                parts[row.id] = (*parts[row.id], own[:SHORT] if more == "skill_hash" else own)
    return {id: f"{name} ({', '.join(rest)})" if rest else name for id, (name, *rest) in parts.items()}


def in_revealed_pairs() -> ColumnElement[bool]:
    """The condition on a candidate that a pair with an output of its own is revealed."""
    candidate, run, run_pair, comparison = (
        tables.candidate.c,
        tables.run.c,
        tables.run_pair.c,
        tables.comparison.c,
    )
    # Of each candidate one revealed pair is enough.
    seen = (
        select(comparison.id)
        .select_from(
            tables.run.join(tables.run_pair, column == run.id).join(
                tables.comparison, comparison.id == run_pair.comparison_id
            )
        )
        .where(run.candidate_id == candidate.id, comparison.reveal_id.is_not(None))
        .correlate(tables.candidate)
        .exists()
        for column in (run_pair.run_low, run_pair.run_high)
    )
    return or_(*seen)


def names_within(connection: Connection, *project_ids: str) -> dict[str, str]:
    """The names of the projects' candidates that were revealed, by id; a merged one has that of what it became.

    A name is distinct within its project.
    """
    candidate, shown_candidate = tables.candidate.c, tables.candidate.alias("shown")
    query = (
        select(candidate.id.label("of"), shown_candidate)
        .join_from(
            tables.candidate,
            shown_candidate,
            shown_candidate.c.id == func.coalesce(candidate.merged_into, candidate.id),
        )
        .where(candidate.project_id.in_(project_ids), in_revealed_pairs())
    )
    rows = connection.execute(query).all()
    by_project: dict[str, dict[str, Row[Any]]] = {}
    for row in rows:
        by_project.setdefault(row.project_id, {})[row.id] = row
    called = {id: name for own in by_project.values() for id, name in distinct_names(own.values()).items()}
    return {row.of: called[row.id] for row in rows}
