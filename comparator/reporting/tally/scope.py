"""Which verdicts a result counts, as SQL: revealed pairs of two candidates, seen from the first of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen
from comparator.store import tables


class Kind(StrEnum):
    """Whose verdict it is; never added up unseen."""

    BLIND = "blind"
    """A person's, who could not know which candidate was which."""
    KNEW = "knew"
    """A person's, who set the pair up or reviewed it after the reveal."""
    TOLD = "told"
    """A person's, on a pair in which a passage tells outright which run an output is from."""
    JUDGE = "judge"
    """The judge's, where no person reviewed."""
    JUDGE_TOLD = "judge_told"
    """The judge's, where no person reviewed, on a pair that may be told."""
    OFFLINE = "offline_check"
    """The offline check's, which is no judgment."""


class How(StrEnum):
    """How a final review was made."""

    BLIND_FIRST = "blind_first"
    """Scored before the judge's values were shown."""
    JUDGE_FIRST = "judge_first"
    """With the judge's values in view, which pull towards agreement."""
    KNEW = "knew"
    """By someone who set the pair up, or after the reveal."""
    TOLD = "told"
    """Of a pair in which a passage tells outright which run an output is from."""


PEOPLE = (Kind.BLIND, Kind.KNEW, Kind.TOLD)


class Verdicts(StrEnum):
    """Which of them to count."""

    REVIEWED = "reviewed"
    BLIND = "blind"
    JUDGE = "judge"
    EITHER = "either"


KINDS = {
    Verdicts.REVIEWED: PEOPLE,
    Verdicts.BLIND: (Kind.BLIND,),
    Verdicts.JUDGE: (Kind.JUDGE,),
    Verdicts.EITHER: (*PEOPLE, Kind.JUDGE, Kind.JUDGE_TOLD),
}


class Runs(StrEnum):
    """Which runs to count: a void or superseded one only when asked for."""

    VALID = "valid"
    ALL = "all"


class ResultFilter(Frozen):
    """The result of candidate `one` against candidate `two` (their ids) in a project."""

    project_id: str
    one: str
    two: str
    verdicts: Verdicts = Verdicts.REVIEWED
    runs: Runs = Runs.VALID
    offline: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Whose verdicts count; the offline check's only when asked for."""
        return (*KINDS[self.verdicts], *((Kind.OFFLINE,) if self.offline else ()))


def require_revealed(connection: sa.Connection, asked: ResultFilter) -> None:
    """Raise BlindnessError where no pair of the two candidates is revealed: who may review must not see results."""
    o = tables.outcome.c
    query = sa.select(o.comparison_id).where(*of_two(asked), o.revealed == sa.true()).limit(1)
    if connection.execute(query).first() is None:
        raise BlindnessError(
            "The comparisons of these two candidates are not revealed yet. Their result stands here once they are."
        )


def of_two(asked: ResultFilter) -> tuple[sa.ColumnElement[bool], ...]:
    """The conditions on `outcome` for the two candidates, whichever way round."""
    o = tables.outcome.c
    one, two = sorted((asked.one, asked.two))
    return (o.project_id == asked.project_id, o.one == one, o.two == two)


def counted(asked: ResultFilter, *, every_kind: bool = False) -> sa.Subquery:
    """A row a counted pair: `points` (2 won, 1 tied, 0 lost) and differences as candidate one minus candidate two.

    Differences of scores are in tenths, of pass rates in hundredths. With `every_kind`, verdicts of all kinds.
    """
    o = tables.outcome.c
    mirrored = asked.one > asked.two
    sign = -1 if mirrored else 1

    def points(name: str) -> sa.ColumnElement[Any]:
        return (2 - o[name] if mirrored else o[name] + 0).label(name)

    measures = ("overall", "content", "structure", "pass_rate")
    # The offline check's two orders say nothing about a judge; its pairs have no points of the judge.
    orders: sa.ColumnElement[Any] = o.position_consistent
    if not asked.offline:
        orders = sa.case((o.judge_points.is_not(None), orders)).label("position_consistent")
    query = sa.select(
        o.comparison_id,
        o.task_id,
        o.kind,
        points("points"),
        points("judge_points"),
        *((sign * o[name]).label(name) for name in measures),
        (o.passed_two if mirrored else o.passed_one).label("passed_one"),
        (o.passed_one if mirrored else o.passed_two).label("passed_two"),
        orders,
        o.decided_by,
        o.audited,
        o.criteria,
    ).where(*of_two(asked), o.revealed == sa.true(), o.points.is_not(None))
    if asked.runs is Runs.VALID:
        query = query.where(o.valid == sa.true())
    if not every_kind:
        query = query.where(o.kind.in_([each.value for each in asked.kinds]))
    return query.subquery()


def merged(candidate: sa.FromClause) -> sa.ColumnElement[str]:
    """The id under which a candidate counts: that of the one into which it was merged, else its own."""
    return sa.func.coalesce(candidate.c.merged_into, candidate.c.id)


def whole(column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """A decimal column as the whole number of smallest units in which it is stored."""
    return sa.type_coerce(column, sa.BigInteger)
