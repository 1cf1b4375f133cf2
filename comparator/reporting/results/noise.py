"""What chance gives: two runs of one candidate compared, and which wins lie within that."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.part_conditions import condition
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.scope import ResultFilter, Runs, counted, require_revealed
from comparator.reporting.tally.sums import count
from comparator.stats.figures import TooFew
from comparator.stats.noise import NoiseFloor, noise_floor
from comparator.store import tables
from comparator.store.core.database import Connection, Database


class Noise(Frozen):
    """The noise floor by the counted kinds of verdict, and how the result of two candidates stands against it."""

    floor: NoiseFloor | TooFew
    clear: int
    """Pairs won or lost by more than the floor's usual lead; `within` by no more than it."""
    within: int
    tied: int
    flipped: int
    """Pairs on which the judge's two orders disagreed, of all counted."""
    of_project: bool
    """Whether the whole project was asked, because the parts asked for have too few revealed pairs of this kind."""


def noise(database: Database, asked: ResultFilter) -> Noise:
    """The noise floor and the pairs within it. Raises BlindnessError while nothing of the two is revealed."""
    with current(database) as connection:
        require_revealed(connection, asked)
        floor = _of_parts(connection, asked) if asked.within else _of_project(connection, asked)
        of_project = isinstance(floor, TooFew) and bool(asked.within)
        if of_project:
            floor = _of_project(connection, asked)
        pairs = counted(asked)
        most = floor.most if isinstance(floor, NoiseFloor) else 0
        close = sa.func.abs(pairs.c.overall) <= most
        won = pairs.c.points != 1

        row = connection.execute(
            sa.select(
                count(won, sa.not_(close)).label("clear"),
                count(sa.and_(won, close)).label("within"),
                count(pairs.c.points == 1).label("tied"),
                count(pairs.c.position_consistent == sa.false()).label("flipped"),
            )
        ).one()
    return Noise(
        floor=floor,
        clear=int(row.clear),
        within=int(row.within),
        tied=int(row.tied),
        flipped=int(row.flipped),
        of_project=of_project,
    )


def _of_project(connection: Connection, asked: ResultFilter) -> NoiseFloor | TooFew:
    """The noise floor of the whole project, from its tally."""
    kinds = {each.value for each in asked.kinds}
    numbers = read(connection, asked.project_id, ("noise", "noise_decided"))
    leads: Counter[int] = Counter()
    for (kind, valid, lead), number in numbers["noise"].items():
        if kind in kinds and (valid == "valid" or asked.runs is Runs.ALL):
            leads[int(lead)] += number
    decided = sum(
        number
        for (kind, valid), number in numbers["noise_decided"].items()
        if kind in kinds and (valid == "valid" or asked.runs is Runs.ALL)
    )
    return noise_floor(leads, decided=decided)


def _of_parts(connection: Connection, asked: ResultFilter) -> NoiseFloor | TooFew:
    """The noise floor of the revealed pairs that are in all of the parts asked for."""
    outcome, candidate = tables.outcome.c, tables.candidate.c
    # Each candidate is looked up in the index of pairs: a condition that both are the same would read all of them.
    twice = sa.select(candidate.id, candidate.id).where(candidate.project_id == asked.project_id)
    query = (
        sa.select(
            sa.func.coalesce(sa.func.abs(outcome.overall), 0).label("lead"),
            sa.func.count().label("pairs"),
            count(outcome.points != 1).label("decided"),
        )
        .where(
            outcome.project_id == asked.project_id,
            sa.tuple_(outcome.one, outcome.two).in_(twice),
            outcome.revealed == sa.true(),
            outcome.kind.in_([each.value for each in asked.kinds]),
            *(condition(each) for each in asked.within),
        )
        .group_by("lead")
    )
    if asked.runs is Runs.VALID:
        query = query.where(outcome.valid == sa.true())
    rows = connection.execute(query).all()
    return noise_floor(
        {int(row.lead): int(row.pairs) for row in rows}, decided=sum(int(row.decided) for row in rows)
    )
