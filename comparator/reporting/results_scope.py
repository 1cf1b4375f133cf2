"""Which verdicts a result counts, as SQL: revealed pairs of two candidates, seen from the first of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen, Winner
from comparator.domain.verdict import VerdictSource
from comparator.store import tables
from comparator.store.runs import RunState


class Kind(StrEnum):
    """Whose verdict it is; never added up unseen."""

    BLIND = "blind"
    """A person's, who could not know which candidate was which."""
    KNEW = "knew"
    """A person's, who set the pair up or reviewed it after the reveal."""
    JUDGE = "judge"
    """The judge's, where no person reviewed."""
    BASELINE = "baseline"
    """The offline baseline's, which is no judgment."""


class Verdicts(StrEnum):
    """Which of them to count."""

    REVIEWED = "reviewed"
    BLIND = "blind"
    JUDGE = "judge"
    EITHER = "either"


KINDS = {
    Verdicts.REVIEWED: (Kind.BLIND, Kind.KNEW),
    Verdicts.BLIND: (Kind.BLIND,),
    Verdicts.JUDGE: (Kind.JUDGE,),
    Verdicts.EITHER: (Kind.BLIND, Kind.KNEW, Kind.JUDGE),
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
    baseline: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Whose verdicts count; the baseline's only when asked for."""
        return (*KINDS[self.verdicts], *((Kind.BASELINE,) if self.baseline else ()))


def unrevealed(connection: sa.Connection, project_id: str) -> int:
    """How many comparisons of the project are still blind."""
    c, v = tables.comparison.c, tables.reveal_comparison.c
    known = sa.exists().where(v.comparison_id == c.id)
    query = (
        sa.select(sa.func.count()).select_from(tables.comparison).where(c.project_id == project_id, ~known)
    )
    return int(connection.execute(query).scalar_one())


def require_revealed(connection: sa.Connection, project_id: str) -> None:
    """Raise BlindnessError while a comparison of the project is still blind: who may review must not see results."""
    left = unrevealed(connection, project_id)
    if left:
        raise BlindnessError(
            f"{left} comparisons of this project are not revealed yet. Results stand here once all are."
        )


def last_finalisations() -> sa.Subquery:
    """The last word of each review: finalised or reopened, with the review's own columns."""
    f, r = tables.finalisation.c, tables.review.c
    newest = sa.select(f.review_id, sa.func.max(f.seq).label("seq")).group_by(f.review_id).subquery()
    return (
        sa.select(
            r.id.label("review_id"),
            r.comparison_id,
            r.mode,
            r.knows,
            f.kind,
            f.winner,
            f.last_change,
            f.unblinded,
        )
        .select_from(
            tables.finalisation.join(
                newest, sa.and_(newest.c.review_id == f.review_id, newest.c.seq == f.seq)
            ).join(tables.review, r.id == f.review_id)
        )
        .subquery()
    )


def counted(asked: ResultFilter, *, every_kind: bool = False) -> sa.Subquery:
    """A row a counted pair: `points` (2 won, 1 tied, 0 lost) and differences as candidate one minus candidate two.

    Differences of scores are in tenths, of pass rates in hundredths. With `every_kind`, verdicts of all kinds.
    """
    s, k = tables.standing.c, tables.ab_key.c
    run_a, run_b = tables.run.alias("run_a"), tables.run.alias("run_b")
    one_a, one_b = tables.candidate.alias("one_a"), tables.candidate.alias("one_b")
    version, known = tables.task_version.c, tables.reveal_comparison.c
    made_a, made_b = merged(one_a), merged(one_b)
    is_a = made_a == asked.one
    won = sa.case((is_a, Winner.A.value), else_=Winner.B.value)
    kind = _kind()

    def difference(name: str) -> sa.ColumnElement[Any]:
        a, b = whole(s[f"{name}_a"]), whole(s[f"{name}_b"])
        return sa.case((is_a, a - b), else_=b - a).label(name)

    query = (
        sa.select(
            s.comparison_id,
            version.task_id,
            kind.label("kind"),
            sa.case((s.winner == Winner.TIE.value, 1), (s.winner == won, 2), else_=0).label("points"),
            difference("overall"),
            difference("content"),
            difference("structure"),
            difference("pass_rate"),
            sa.case((is_a, whole(s.pass_rate_a)), else_=whole(s.pass_rate_b)).label("passed_one"),
            sa.case((is_a, whole(s.pass_rate_b)), else_=whole(s.pass_rate_a)).label("passed_two"),
            s.position_consistent,
            s.decided_by,
        )
        .select_from(
            tables.standing.join(tables.reveal_comparison, known.comparison_id == s.comparison_id)
            .join(tables.ab_key, k.comparison_id == s.comparison_id)
            .join(run_a, run_a.c.id == k.run_a)
            .join(run_b, run_b.c.id == k.run_b)
            .join(one_a, one_a.c.id == run_a.c.candidate_id)
            .join(one_b, one_b.c.id == run_b.c.candidate_id)
            .join(tables.task_version, version.id == run_a.c.task_version_id)
        )
        .where(
            s.project_id == asked.project_id,
            s.winner.is_not(None),
            sa.or_(
                sa.and_(made_a == asked.one, made_b == asked.two),
                sa.and_(made_a == asked.two, made_b == asked.one),
            ),
        )
    )
    if asked.runs is Runs.VALID:
        valid = RunState.VALID.value
        query = query.where(run_a.c.state == valid, run_b.c.state == valid)
    if not every_kind:
        query = query.where(kind.in_([each.value for each in asked.kinds]))
    return query.subquery()


def merged(candidate: sa.FromClause) -> sa.ColumnElement[str]:
    """The id under which a candidate counts: that of the one into which it was merged, else its own."""
    return sa.func.coalesce(candidate.c.merged_into, candidate.c.id)


def whole(column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """A decimal column as the whole number of smallest units in which it is stored."""
    return sa.type_coerce(column, sa.BigInteger)


def _kind() -> sa.ColumnElement[str]:
    s, d = tables.standing.c, tables.adjudication.c
    last = last_finalisations()
    knew = sa.or_(
        sa.exists().where(
            last.c.comparison_id == s.comparison_id,
            last.c.kind == "final",
            sa.or_(last.c.knows == sa.true(), last.c.unblinded == sa.true()),
        ),
        sa.exists().where(d.comparison_id == s.comparison_id, d.unblinded == sa.true()),
    )
    return sa.case(
        (s.verdict_source == VerdictSource.JUDGE.value, Kind.JUDGE.value),
        (s.verdict_source == VerdictSource.BASELINE.value, Kind.BASELINE.value),
        (knew, Kind.KNEW.value),
        else_=Kind.BLIND.value,
    )
