"""Which verdicts a result counts, as SQL: revealed pairs of two candidates, seen from the first of them."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import Blindness
from comparator.reporting.tally.part_conditions import By, Within, condition
from comparator.store import tables


class VerdictKind(StrEnum):
    """Whose verdict it is; never added up unseen."""

    BLIND = "blind"
    """A person's, who could not know which candidate was which."""
    SIDES_HIDDEN = "sides_hidden"
    """A person's, who set the pair up and may know its candidates, but not which output is whose."""
    KNEW = "knew"
    """A person's, who knew which output was whose, such as after the reveal."""
    REVEALING = "revealing"
    """A person's, on a pair in which a passage tells outright which run an output is from."""
    JUDGE = "judge"
    """The judge's, where no person reviewed."""
    JUDGE_REVEALING = "judge_revealing"
    """The judge's, where no person reviewed, on such a pair."""


class How(StrEnum):
    """How a final review was made."""

    BLIND_FIRST = "blind_first"
    """Scored before the judge's values were shown."""
    JUDGE_FIRST = "judge_first"
    """With the judge's values in view, which pull towards agreement."""
    SIDES_HIDDEN = "sides_hidden"
    """By someone who set the pair up and may know its candidates, but not which output is whose."""
    KNEW = "knew"
    """By someone who knew which output was whose, such as after the reveal."""
    REVEALING = "revealing"
    """Of a pair in which a passage tells outright which run an output is from."""


HOW_NAMES = {
    How.BLIND_FIRST: "reviewers who scored first",
    How.JUDGE_FIRST: "reviewers who saw the judge's scores",
    How.SIDES_HIDDEN: "reviewers who set the pairs up, sides hidden",
    How.KNEW: "reviewers who knew which output was whose",
    How.REVEALING: "reviewers of pairs that may reveal their candidate",
}
"""Whose reviews these are."""
HOW_SHORT = {
    How.BLIND_FIRST: "scored first",
    How.JUDGE_FIRST: "saw the judge",
    How.SIDES_HIDDEN: "sides hidden",
    How.KNEW: "knew",
    How.REVEALING: "may reveal its candidate",
}
"""The same where there is little room."""
KIND_NAMES = {
    VerdictKind.BLIND: "reviewed, blind",
    VerdictKind.SIDES_HIDDEN: "reviewed, sides hidden",
    VerdictKind.KNEW: "reviewed, not blind",
    VerdictKind.REVEALING: "reviewed, may reveal its candidate",
    VerdictKind.JUDGE: "judge only",
    VerdictKind.JUDGE_REVEALING: "judge only, may reveal its candidate",
}
"""What a person reads of each."""
KIND_OF = {
    Blindness.BLIND: VerdictKind.BLIND,
    Blindness.SIDES_HIDDEN: VerdictKind.SIDES_HIDDEN,
    Blindness.KNOWN: VerdictKind.KNEW,
}
"""By what the people knew whose verdict it is."""
PEOPLE = (*KIND_OF.values(), VerdictKind.REVEALING)


class Verdicts(StrEnum):
    """Which of them to count."""

    REVIEWED = "reviewed"
    BLIND = "blind"
    JUDGE = "judge"
    EITHER = "either"


KINDS = {
    Verdicts.REVIEWED: PEOPLE,
    Verdicts.BLIND: (VerdictKind.BLIND,),
    Verdicts.JUDGE: (VerdictKind.JUDGE,),
    Verdicts.EITHER: (*PEOPLE, VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING),
}


class Runs(StrEnum):
    """Which runs to count: a void or superseded one only when asked for."""

    VALID = "valid"
    ALL = "all"


class Meets(NamedTuple):
    """Two candidates (their ids), seen from the first."""

    one: str
    two: str


class ResultFilter(Frozen):
    """The result of candidate `one` against candidate `two` (their ids) in a project."""

    project_id: str
    one: str
    two: str
    also: tuple[Meets, ...] = ()
    """More candidates whose pairs count as those of the two do: the same two in other iterations."""
    verdicts: Verdicts = Verdicts.REVIEWED
    runs: Runs = Runs.VALID
    within: tuple[Within, ...] = ()
    """Only the pairs that are in all of these parts."""

    @property
    def meetings(self) -> tuple[Meets, ...]:
        """All the candidates whose pairs count."""
        return (Meets(self.one, self.two), *self.also)

    @property
    def kinds(self) -> tuple[VerdictKind, ...]:
        """Whose verdicts count."""
        return KINDS[self.verdicts]

    def without(self, by: By) -> ResultFilter:
        """The same without its parts by this property, for a chart that shows all of them."""
        return self.model_copy(update={"within": tuple(each for each in self.within if each.by is not by)})


def require_revealed(connection: sa.Connection, asked: ResultFilter) -> None:
    """Raise BlindnessError where no pair of the two candidates is revealed: who may review must not see results."""
    if connection.execute(_revealed_query(asked)).first() is None:
        raise BlindnessError(
            "The comparisons of these two candidates are not revealed yet. Their result appears here after the reveal."
        )


@lru_cache(maxsize=256)
def _revealed_query(asked: ResultFilter) -> sa.Select[tuple[str]]:
    outcome = tables.outcome.c
    return sa.select(outcome.comparison_id).where(*of_two(asked), outcome.revealed == sa.true()).limit(1)


def of_two(asked: ResultFilter) -> tuple[sa.ColumnElement[bool], ...]:
    """The conditions on `outcome` for the two candidates, whichever way round."""
    outcome = tables.outcome.c
    if not asked.also:
        one, two = sorted((asked.one, asked.two))
        return (outcome.project_id == asked.project_id, outcome.one == one, outcome.two == two)
    return (
        outcome.project_id == asked.project_id,
        sa.tuple_(outcome.one, outcome.two).in_([tuple(sorted(each)) for each in asked.meetings]),
    )


@lru_cache(maxsize=256)
def counted(asked: ResultFilter, *, every_kind: bool = False) -> sa.Subquery:
    """A row a counted pair: `points` (2 won, 1 tied, 0 lost) and differences as candidate one minus candidate two.

    Differences of scores are in tenths, of pass rates in hundredths. With `every_kind`, verdicts of all kinds.
    """
    outcome = tables.outcome.c
    turned = [(each.two, each.one) for each in asked.meetings if each.one > each.two]
    # Most often all of them are seen from the same side: then the database need not ask for each row.
    mirrored: bool | sa.ColumnElement[bool] = bool(turned)
    if turned and len(turned) < len(asked.meetings):
        mirrored = sa.tuple_(outcome.one, outcome.two).in_(turned)

    def either(plain: sa.ColumnElement[Any], turned: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        if isinstance(mirrored, bool):
            return turned if mirrored else plain
        return sa.case((mirrored, turned), else_=plain)

    def points(name: str) -> sa.ColumnElement[Any]:
        return either(outcome[name] + 0, 2 - outcome[name]).label(name)

    measures = ("overall", "content", "structure", "pass_rate")
    query = sa.select(
        outcome.comparison_id,
        outcome.task_id,
        outcome.kind,
        points("points"),
        points("judge_points"),
        *(either(outcome[name] + 0, -outcome[name]).label(name) for name in measures),
        either(outcome.passed_one + 0, outcome.passed_two + 0).label("passed_one"),
        either(outcome.passed_two + 0, outcome.passed_one + 0).label("passed_two"),
        either(sa.literal(1), sa.literal(-1)).label("sign"),
        outcome.one.concat(" ").concat(outcome.two).label("both"),
        outcome.position_consistent,
        outcome.decided_by,
        outcome.audited,
        outcome.criteria,
        outcome.met,
        outcome.reasons,
    ).where(*of_two(asked), outcome.revealed == sa.true(), outcome.points.is_not(None))
    if asked.runs is Runs.VALID:
        query = query.where(outcome.valid == sa.true())
    if not every_kind:
        query = query.where(outcome.kind.in_([each.value for each in asked.kinds]))
    return query.where(*(condition(each) for each in asked.within)).subquery()


def merged(candidate: sa.FromClause) -> sa.ColumnElement[str]:
    """The id under which a candidate counts: that of the one into which it was merged, else its own."""
    return sa.func.coalesce(candidate.c.merged_into, candidate.c.id)


def whole(column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """A decimal column as the whole number of smallest units in which it is stored."""
    return sa.type_coerce(column, sa.BigInteger)
