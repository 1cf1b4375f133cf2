"""What the pairs of each iteration add up to, with their tasks or, for very many pairs, without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.reporting.tally.scope import ResultFilter, counted
from comparator.reporting.tally.sums import count, sums_in, sums_over_tasks
from comparator.stats.paired import Sums
from comparator.store.core.database import Connection

ADDED = ("won", "tied", "lost", "overall", "scored", "met_one", "met_two", "with_met")


class IterationSums(NamedTuple):
    """What the pairs of an iteration add up to; `sums` over its tasks, differences in tenths, shares in hundredths."""

    sums: Sums
    won: int
    tied: int
    lost: int
    overall: int
    scored: int
    met_one: int
    met_two: int
    with_met: int


NOTHING = IterationSums(Sums(0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0)


class Added(NamedTuple):
    """What each iteration adds up to, by its candidates, and all of them together with their ties."""

    iterations: dict[str, IterationSums]
    whole: Sums
    tied: int


def _by_iteration_and_task(asked: ResultFilter, among: sa.Select[tuple[str]] | None = None) -> sa.Select[Any]:
    c = counted(asked).c
    query = sa.select(
        c.both,
        c.task_id,
        count(c.points == 2).label("won"),
        count(c.points == 1).label("tied"),
        count(c.points == 0).label("lost"),
        sa.func.coalesce(sa.func.sum(c.overall), 0).label("overall"),
        sa.func.count(c.overall).label("scored"),
        sa.func.coalesce(sa.func.sum(c.passed_one), 0).label("met_one"),
        sa.func.coalesce(sa.func.sum(c.passed_two), 0).label("met_two"),
        sa.func.count(c.passed_one).label("with_met"),
        # None where no pair was judged in both orders.
        sa.func.sum(
            sa.case((c.position_consistent == sa.false(), 1), (c.position_consistent == sa.true(), 0))
        ).label("disagreed"),
    ).group_by(c.both, c.task_id)
    return query if among is None else query.where(c.comparison_id.in_(among))


def cells_of(
    connection: Connection, asked: ResultFilter, among: sa.Select[tuple[str]] | None = None
) -> list[tuple[Any, ...]]:
    """Of each iteration and task the numbers of ADDED, of all pairs or those `among` these ids.

    Last, in how many of them the judge's two orders disagreed; None where no pair was judged in both.

    Plain tuples: a row looks each name up, thousands of times.
    """
    return [tuple(row) for row in connection.execute(_by_iteration_and_task(asked, among))]


def added_up(cells: Sequence[tuple[Any, ...]]) -> Added:
    """What these tasks add up to."""
    by_iteration: dict[str, list[tuple[Any, ...]]] = {}
    by_task: dict[str, list[tuple[int, int]]] = {}
    for both, task_id, won, tied, lost, *rest, _ in cells:
        by_iteration.setdefault(both, []).append((won, tied, lost, *rest))
        by_task.setdefault(task_id, []).append((won + tied + lost, 2 * won + tied))
    iterations = {
        both: IterationSums(
            Sums.added((won + tied + lost, 2 * won + tied) for won, tied, lost, *_ in rows),
            *(int(sum(column)) for column in zip(*rows, strict=True)),
        )
        for both, rows in by_iteration.items()
    }
    whole = Sums.added(
        (sum(n for n, _ in each), sum(points for _, points in each)) for each in by_task.values()
    )
    return Added(iterations, whole, sum(iteration.tied for iteration in iterations.values()))


def added_by_database(
    connection: Connection, asked: ResultFilter, among: sa.Select[tuple[str]] | None = None
) -> Added:
    """The same without reading the tasks, for very many pairs."""
    cells = _by_iteration_and_task(asked, among).subquery().c
    by_task = (
        sa.select(*(sa.func.sum(cells[name]).label(name) for name in ("won", "tied", "lost")))
        .group_by(cells.task_id)
        .subquery()
        .c
    )

    def sums(c: Any) -> tuple[sa.Label[Any], ...]:
        return sums_over_tasks(c.won + c.tied + c.lost, 2 * c.won + c.tied)

    whole = connection.execute(sa.select(*sums(by_task), sa.func.sum(by_task.tied).label("tied"))).one()
    rows = connection.execute(
        sa.select(
            cells.both, *sums(cells), *(sa.func.sum(cells[name]).label(name) for name in ADDED)
        ).group_by(cells.both)
    )
    iterations = {
        row.both: IterationSums(sums_in(row), *(int(getattr(row, name)) for name in ADDED)) for row in rows
    }
    return Added(iterations, sums_in(whole), int(whole.tied or 0))
