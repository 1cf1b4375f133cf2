"""What imported graders made of two candidates: how much of its expectations each met, and who was better by that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from statistics import fmean
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.interop.read.text import number_in
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, merged, require_revealed
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.pairs.labels import LabelKind


class Graded(Frozen):
    """The grades from one source, of the counted pairs that it graded on both sides."""

    author: str
    pairs: int
    rate_one: float
    """The mean share of expectations that candidate one's outputs met, 0 to 1, each pair counted alike."""
    rate_two: float
    same: int
    """Pairs in which the higher rate, or a tie of both, is what the counted verdict says too."""


class _Grades(NamedTuple):
    comparison_id: str
    author: str
    one: float
    two: float
    same: bool


def by_grader(database: Database, asked: ResultFilter) -> tuple[Graded, ...]:
    """The imported grades, those of most pairs first. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        found: dict[str, list[_Grades]] = defaultdict(list)
        for each in _graded(connection, asked):
            found[each.author].append(each)
    return tuple(
        Graded(
            author=author,
            pairs=len(those),
            rate_one=fmean(each.one for each in those),
            rate_two=fmean(each.two for each in those),
            same=sum(each.same for each in those),
        )
        for author, those in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def pairs_graded(connection: Connection, asked: ResultFilter, author: str) -> set[str]:
    """The ids of the counted pairs that this source graded on both sides."""
    return {each.comparison_id for each in _graded(connection, asked) if each.author == author}


def _graded(connection: Connection, asked: ResultFilter) -> Collection[_Grades]:
    """The grades of every counted pair, the last ones of each source."""
    pairs, label, ab_key = counted(asked).c, tables.label.c, tables.ab_key.c
    one_is_a = merged(tables.candidate).in_([each.one for each in asked.meetings])
    query = (
        sa.select(
            *(label.comparison_id, label.author, label.winner, label.value),
            pairs.points,
            one_is_a.label("one_is_a"),
        )
        .join_from(tables.label, tables.ab_key, ab_key.comparison_id == label.comparison_id)
        .join(tables.run, tables.run.c.id == ab_key.run_a)
        .join(tables.candidate, tables.candidate.c.id == tables.run.c.candidate_id)
        .where(label.kind == LabelKind.GRADER.value, label.comparison_id == pairs.comparison_id)
        .order_by(label.at, label.id)
    )
    found = {}
    for row in connection.execute(query):
        one, two = ("A", "B") if row.one_is_a else ("B", "A")
        rates = _rate(row.value, one), _rate(row.value, two)
        if rates[0] is not None and rates[1] is not None:
            same = row.points == {one: 2, two: 0}.get(row.winner, 1)
            found[row.author, row.comparison_id] = _Grades(
                row.comparison_id, row.author, rates[0], rates[1], same
            )
    return found.values()


def _rate(value: Any, side: str) -> float | None:
    """The pass rate of a side; a table may bring labels of this kind without one."""
    of_side = value.get(side) if isinstance(value, dict) else None
    return number_in(of_side, "pass_rate") if isinstance(of_side, dict) else None
