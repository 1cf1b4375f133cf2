"""Which candidates of a project met, how far their pairs are, and what they are called: neutrally before the reveal."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.results_scope import merged, unrevealed
from comparator.store import tables
from comparator.store.database import Connection, Database


class Meeting(Frozen):
    """Two candidates and their pairs; the names are "candidate 1" and the like while the project is open."""

    one: str
    two: str
    one_name: str
    two_name: str
    pairs: int
    judged: int
    reviewed: int
    unrevealed: int
    open_reviews: int
    finalised: str | None
    """One of its pairs that was reviewed and can be revealed with all others; None where there is none."""


class ProjectState(Frozen):
    """How far a project is. Results are shown only when nothing in it is unrevealed."""

    comparisons: int
    judged: int
    reviewed: int
    unrevealed: int
    open_reviews: int
    meetings: tuple[Meeting, ...]

    @property
    def open(self) -> bool:
        """Whether a comparison in it is still blind, so that nobody may see who leads."""
        return self.unrevealed > 0


def project_state(database: Database, project_id: str) -> ProjectState:
    """How far the project is, and which candidates met in it, those with most pairs first."""
    s = tables.standing.c
    query = sa.select(
        sa.func.count().label("all"),
        sa.func.count(s.judge_winner).label("judged"),
        _sum(s.final_reviews > 0).label("reviewed"),
        _sum(s.open_reviews > 0).label("drafts"),
    ).where(s.project_id == project_id)
    with database.read() as connection:
        row = connection.execute(query).one()
        blind = unrevealed(connection, project_id)
        meetings = _meetings(connection, project_id, neutral=blind > 0)
    return ProjectState(
        comparisons=row.all,
        judged=row.judged,
        reviewed=int(row.reviewed),
        unrevealed=blind,
        open_reviews=int(row.drafts),
        meetings=meetings,
    )


def _meetings(connection: Connection, project_id: str, *, neutral: bool) -> tuple[Meeting, ...]:
    s, p, known = tables.standing.c, tables.pair.c, tables.reveal_comparison.c
    low, high = tables.run.alias("low"), tables.run.alias("high")
    of_low, of_high = tables.candidate.alias("of_low"), tables.candidate.alias("of_high")
    first, second = merged(of_low), merged(of_high)
    one = sa.case((first < second, first), else_=second)
    two = sa.case((first < second, second), else_=first)
    query = (
        sa.select(
            one.label("one"),
            two.label("two"),
            sa.func.count().label("pairs"),
            sa.func.count(s.judge_winner).label("judged"),
            _sum(s.final_reviews > 0).label("reviewed"),
            _sum(known.comparison_id.is_(None)).label("unrevealed"),
            _sum(s.open_reviews > 0).label("drafts"),
            sa.func.min(sa.case((s.final_reviews > 0, s.comparison_id))).label("finalised"),
        )
        .select_from(
            tables.standing.join(tables.pair, p.comparison_id == s.comparison_id)
            .outerjoin(tables.reveal_comparison, known.comparison_id == s.comparison_id)
            .join(low, low.c.id == p.run_low)
            .join(high, high.c.id == p.run_high)
            .join(of_low, of_low.c.id == low.c.candidate_id)
            .join(of_high, of_high.c.id == high.c.candidate_id)
        )
        # Two runs of one candidate show the noise; they are no result.
        .where(s.project_id == project_id, first != second)
        .group_by(one, two)
    )
    rows = connection.execute(query).all()
    names = _names(connection, project_id, neutral=neutral)
    found = []
    for row in rows:
        # Named in the order of their drawn numbers, so that the order tells nothing.
        ordered = sorted((row.one, row.two), key=lambda id: names[id][0])
        found.append(
            Meeting(
                one=ordered[0],
                two=ordered[1],
                one_name=names[ordered[0]][1],
                two_name=names[ordered[1]][1],
                pairs=row.pairs,
                judged=row.judged,
                reviewed=int(row.reviewed),
                unrevealed=int(row.unrevealed),
                open_reviews=int(row.drafts),
                finalised=row.finalised,
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.pairs, names[each.one][0], names[each.two][0])))


def _names(connection: Connection, project_id: str, *, neutral: bool) -> dict[str, tuple[int, str]]:
    """Each candidate's drawn number and its name; an iteration is added where a name occurs twice."""
    c = tables.candidate.c
    if neutral:
        # The names themselves are not even read.
        query = sa.select(c.id, c.neutral_number).where(c.project_id == project_id)
        return {
            row.id: (row.neutral_number, f"candidate {row.neutral_number}")
            for row in connection.execute(query)
        }
    columns: tuple[Any, ...] = (c.id, c.neutral_number, c.name, c.iteration, c.model)
    rows = connection.execute(sa.select(*columns).where(c.project_id == project_id)).all()
    taken = [row.name for row in rows]

    def name(row: Any) -> str:
        parts = [row.name, row.iteration, row.model] if taken.count(row.name) > 1 else [row.name]
        return ", ".join(part for part in parts if part)

    return {row.id: (row.neutral_number, name(row)) for row in rows}


def _sum(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)
