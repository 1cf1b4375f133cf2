"""The result of two candidates over the revealed pairs of a project, added up by the database."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, VerdictKind, counted, require_revealed
from comparator.reporting.tally.sums import WonTiedLost, count, sums_in, sums_over_tasks
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import SignTest, Sums, mean, sign_test, win_rate
from comparator.store.core.database import Connection, Database

TENTH, HUNDREDTH, HALF = 0.1, 0.01, 0.5
MEASURES = ("overall", "content", "structure", "pass_rate")


class Outcomes(WonTiedLost):
    """How many pairs candidate one won, tied and lost by one kind of verdict; `flipped` of them the judge read
    differently in its two orders."""

    kind: VerdictKind
    flipped: int

    def turned(self) -> Outcomes:
        """The same from the side of candidate two."""
        return self.model_copy(update={"won": self.lost, "lost": self.won})


class Difference(Frozen):
    """The mean of candidate one minus candidate two over `pairs`, in points; None without any pair."""

    mean: float | None
    pairs: int
    estimate: Estimate | TooFew


class PassRates(Frozen):
    """The mean share of expectations that each met, 0 to 1, over the pairs whose task has any."""

    pairs: int
    one: float
    two: float
    difference: Estimate | TooFew


class Result(WonTiedLost):
    """What the counted verdicts say of candidate one against candidate two."""

    by_kind: tuple[Outcomes, ...]
    """Of every kind of verdict, whether it is counted here or not."""
    tasks: int
    win_rate: Estimate | TooFew
    sign_test: SignTest | TooFew
    """Over tasks: one is won by who won more of its pairs."""
    overall: Difference
    content: Difference
    structure: Difference
    pass_rates: PassRates | None
    read_twice: int
    """Counted pairs that the judge read in both orders; `consistent` of them with the same winner."""
    consistent: int


def result(database: Database, asked: ResultFilter, *, known: tuple[Outcomes, ...] = ()) -> Result:
    """The result. Raises BlindnessError while no comparison of the two is revealed.

    `known` are its outcomes by kind, where they were read for the same pairs just now.
    """
    with current(database) as connection:
        require_revealed(connection, asked)
        by_kind = known or _by_kind(connection, asked)
        row = connection.execute(_sums_query(asked, ("points", *MEASURES))).one()
    taken = [each for each in by_kind if each.kind in asked.kinds]
    rates = sums_in(row, prefix="pass_rate_")
    return Result(
        by_kind=by_kind,
        won=sum(each.won for each in taken),
        tied=sum(each.tied for each in taken),
        lost=sum(each.lost for each in taken),
        tasks=int(row.points_tasks or 0),
        win_rate=win_rate(sums_in(row, prefix="points_"), tied=sum(each.tied for each in taken)),
        sign_test=sign_test(int(row.tasks_won or 0), int(row.tasks_lost or 0)),
        overall=difference_of(sums_in(row, prefix="overall_")),
        content=difference_of(sums_in(row, prefix="content_")),
        structure=difference_of(sums_in(row, prefix="structure_")),
        pass_rates=PassRates(
            pairs=rates.n,
            one=float(row.passed_one) / rates.n * HUNDREDTH,
            two=float(row.passed_two) / rates.n * HUNDREDTH,
            difference=mean(rates, unit=HUNDREDTH),
        )
        if rates.n
        else None,
        read_twice=int(row.read_twice or 0),
        consistent=int(row.consistent or 0),
    )


def outcomes(database: Database, asked: ResultFilter) -> tuple[Outcomes, ...]:
    """Pairs won, tied and lost for each kind of verdict. Raises BlindnessError while nothing of the two is revealed."""
    with current(database) as connection:
        require_revealed(connection, asked)
        return _by_kind(connection, asked)


def points_of(connection: Connection, asked: ResultFilter) -> Sums:
    """The points that candidate one made in the counted pairs (2, 1 or 0 each), added up task by task."""
    row = connection.execute(_sums_query(asked, ("points",))).one()
    return sums_in(row, prefix="points_")


def _by_kind(connection: Connection, asked: ResultFilter) -> tuple[Outcomes, ...]:
    found = {row.kind: row for row in connection.execute(_outcomes_query(asked))}
    return tuple(
        Outcomes(
            kind=kind,
            won=int(found[kind].won),
            tied=int(found[kind].tied),
            lost=int(found[kind].lost),
            flipped=int(found[kind].flipped),
        )
        for kind in VerdictKind
        if kind in found
    )


@lru_cache(maxsize=256)
def _outcomes_query(asked: ResultFilter) -> sa.Select[Any]:
    pairs = counted(asked, every_kind=True)
    return sa.select(
        pairs.c.kind,
        count(pairs.c.points == 2).label("won"),
        count(pairs.c.points == 1).label("tied"),
        count(pairs.c.points == 0).label("lost"),
        count(pairs.c.position_consistent == sa.false()).label("flipped"),
    ).group_by(pairs.c.kind)


@lru_cache(maxsize=256)
def _sums_query(asked: ResultFilter, names: tuple[str, ...]) -> sa.Select[Any]:
    """One row with the sums of each measure over tasks, whatever the number of pairs."""
    pairs = counted(asked)
    whole = {
        "passed_one": sa.func.sum(pairs.c.passed_one),
        "passed_two": sa.func.sum(pairs.c.passed_two),
        "read_twice": sa.func.count(pairs.c.position_consistent),
        "consistent": count(pairs.c.position_consistent == sa.true()),
    }
    by_task = (
        sa.select(
            *(number.label(name) for name, number in whole.items()),
            *(sa.func.count(pairs.c[name]).label(f"{name}_n") for name in names),
            *(sa.func.coalesce(sa.func.sum(pairs.c[name]), 0).label(f"{name}_sum") for name in names),
        )
        .group_by(pairs.c.task_id)
        .subquery()
    )
    columns: list[sa.ColumnElement[Any]] = [sa.func.sum(by_task.c[name]).label(name) for name in whole]
    for name in names:
        n, s = by_task.c[f"{name}_n"], by_task.c[f"{name}_sum"]
        columns += sums_over_tasks(n, s, prefix=f"{name}_")
    won, n = by_task.c.points_sum, by_task.c.points_n
    return sa.select(*columns, count(won > n).label("tasks_won"), count(won < n).label("tasks_lost"))


def difference_of(sums: Sums, *, unit: float = TENTH) -> Difference:
    """A mean difference with its interval, from sums in this unit of a point."""
    return Difference(
        mean=sums.total / sums.n * unit if sums.n else None, pairs=sums.n, estimate=mean(sums, unit=unit)
    )
