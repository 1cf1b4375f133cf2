"""How far the judge can be trusted: its verdicts against people's, its flips, its quotes, its stated confidence."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Winner
from comparator.reporting.results_scope import last_finalisations, require_revealed
from comparator.stats.agreement import ac1, raw_agreement
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.shares import share
from comparator.store import tables
from comparator.store.database import Connection, Database

CRITERIA_SHOWN = 12
OFFLINE = "offline"
WINNERS = tuple(Winner)


class How(StrEnum):
    """How a final review was made."""

    BLIND_FIRST = "blind_first"
    """Scored before the judge's values were shown."""
    JUDGE_FIRST = "judge_first"
    """With the judge's values in view, which pull towards agreement."""
    KNEW = "knew"
    """By someone who set the pair up, or after the reveal."""


class Agreement(Frozen):
    """How often judge and reviewers named the same winner, in reviews made in one way."""

    how: How
    counts: tuple[tuple[int, ...], ...]
    """Rows: the judge's A, B, TIE; columns: the reviewer's."""
    share: Estimate | TooFew
    beyond_chance: Estimate | TooFew | Undefined

    @property
    def n(self) -> int:
        """The reviews."""
        return sum(map(sum, self.counts))

    @property
    def same(self) -> int:
        """Those that named the judge's winner."""
        return sum(row[at] for at, row in enumerate(self.counts))


class AgreementCounts(Frozen):
    """The agreement by how reviews were made; `no_opinion` reviews were finalised without touching a single value."""

    by_how: tuple[Agreement, ...]
    no_opinion: int


class Criterion(Frozen):
    """How often reviewers kept or changed the judge's score of a criterion, where they said anything."""

    path: str
    confirmed: int
    changed: int
    share: Estimate | TooFew


class Stated(Frozen):
    """What came out where the judge stated this confidence, in percent."""

    confidence: int
    same: int
    n: int
    share: Estimate | TooFew


class JudgeModel(Frozen):
    """What one judge's readings were like: pairs read in both orders, those that flipped, and its quotes."""

    kind: str
    model: str
    judged: int
    read_twice: int
    flipped: int
    flips: Estimate | TooFew
    quotes: int
    quotes_missing: int


class Trust(Frozen):
    """All that is known of the judge in a project."""

    agreement: AgreementCounts
    criteria: tuple[Criterion, ...]
    stated: tuple[Stated, ...]
    models: tuple[JudgeModel, ...]


def agreement(database: Database, project_id: str, *, baseline: bool = False) -> AgreementCounts:
    """Judge against final reviews on the winner; says nothing of candidates, so an open project may show it.

    The judge's verdict is the one that stands now. Reviews in which no score, expectation or winner was confirmed or
    changed are no opinion and do not count.
    """
    with database.read() as connection:
        return _agreement(connection, project_id, baseline=baseline)


def trust(database: Database, project_id: str, *, baseline: bool = False) -> Trust:
    """All that is known of the judge. Raises BlindnessError while a comparison of the project is not revealed."""
    with database.read() as connection:
        require_revealed(connection, project_id)
        return Trust(
            agreement=_agreement(connection, project_id, baseline=baseline),
            criteria=_criteria(connection, project_id, baseline=baseline),
            stated=_stated(connection, project_id, baseline=baseline),
            models=_models(connection, project_id, baseline=baseline),
        )


def _agreement(connection: Connection, project_id: str, *, baseline: bool) -> AgreementCounts:
    last, s = last_finalisations(), tables.standing.c
    how = sa.case(
        (sa.or_(last.c.knows == sa.true(), last.c.unblinded == sa.true()), How.KNEW.value),
        (last.c.mode == How.BLIND_FIRST.value, How.BLIND_FIRST.value),
        else_=How.JUDGE_FIRST.value,
    )
    opinion = _opinion(last)
    query = _final(
        sa.select(
            how.label("how"),
            s.judge_winner,
            last.c.winner,
            opinion.label("opinion"),
            sa.func.count().label("n"),
        ),
        last,
        project_id,
        baseline=baseline,
    ).group_by(how, s.judge_winner, last.c.winner, opinion)
    found: dict[How, Counter[tuple[Winner, Winner]]] = {each: Counter() for each in How}
    silent = 0
    for row in connection.execute(query):
        if row.opinion:
            found[How(row.how)][Winner(row.judge_winner), Winner(row.winner)] += row.n
        else:
            silent += row.n
    tables_ = {
        each: tuple(tuple(counts[judge, person] for person in WINNERS) for judge in WINNERS)
        for each, counts in found.items()
    }
    return AgreementCounts(
        by_how=tuple(
            Agreement(how=each, counts=counts, share=raw_agreement(counts), beyond_chance=ac1(counts))
            for each, counts in tables_.items()
            if any(map(any, counts))
        ),
        no_opinion=silent,
    )


def _criteria(connection: Connection, project_id: str, *, baseline: bool) -> tuple[Criterion, ...]:
    last = last_finalisations()
    said = _said(last)
    path = sa.func.substr(said.c.target, len("score:A:") + 1)
    changed = sa.func.sum(sa.case((said.c.kind == "set", 1), else_=0))
    query = (
        _final(
            sa.select(path.label("path"), sa.func.count().label("n"), changed.label("changed")),
            last,
            project_id,
            baseline=baseline,
        )
        .join(said, said.c.review_id == last.c.review_id)
        # A score given before the judge's was seen is no change of it.
        .where(said.c.target.like("score:%"), said.c.blind == sa.false())
        .group_by(path)
        .order_by(sa.func.count().desc(), path)
        .limit(CRITERIA_SHOWN)
    )
    return tuple(
        Criterion(
            path=row.path,
            changed=int(row.changed),
            confirmed=row.n - int(row.changed),
            share=share(int(row.changed), row.n),
        )
        for row in connection.execute(query)
    )


def _stated(connection: Connection, project_id: str, *, baseline: bool) -> tuple[Stated, ...]:
    last, s = last_finalisations(), tables.standing.c
    same = sa.func.sum(sa.case((s.judge_winner == last.c.winner, 1), else_=0))
    query = (
        _final(
            sa.select(s.stated_confidence, sa.func.count().label("n"), same.label("same")),
            last,
            project_id,
            baseline=baseline,
        )
        .where(s.stated_confidence.is_not(None), _opinion(last))
        .group_by(s.stated_confidence)
        .order_by(s.stated_confidence)
    )
    return tuple(
        Stated(
            confidence=row.stated_confidence, same=int(row.same), n=row.n, share=share(int(row.same), row.n)
        )
        for row in connection.execute(query)
    )


def _models(connection: Connection, project_id: str, *, baseline: bool) -> tuple[JudgeModel, ...]:
    s = tables.standing.c
    flipped = sa.func.sum(sa.case((s.position_consistent == sa.false(), 1), else_=0))
    query = (
        sa.select(
            s.judge_kind,
            s.judge_model,
            sa.func.count().label("judged"),
            sa.func.count(s.position_consistent).label("read_twice"),
            flipped.label("flipped"),
            sa.func.coalesce(sa.func.sum(s.quotes_total), 0).label("quotes"),
            sa.func.coalesce(sa.func.sum(s.quotes_total - s.quotes_found), 0).label("missing"),
        )
        .where(s.project_id == project_id, s.judge_winner.is_not(None), *_judge(baseline))
        .group_by(s.judge_kind, s.judge_model)
        .order_by(sa.func.count().desc(), s.judge_model)
    )
    return tuple(
        JudgeModel(
            kind=row.judge_kind,
            model=row.judge_model,
            judged=row.judged,
            read_twice=row.read_twice,
            flipped=int(row.flipped),
            flips=share(int(row.flipped), row.read_twice),
            quotes=int(row.quotes),
            quotes_missing=int(row.missing),
        )
        for row in connection.execute(query)
    )


def _final(query: sa.Select[Any], last: sa.Subquery, project_id: str, *, baseline: bool) -> sa.Select[Any]:
    """The query over final reviews of judged comparisons of the project."""
    s = tables.standing.c
    return query.join_from(last, tables.standing, s.comparison_id == last.c.comparison_id).where(
        s.project_id == project_id,
        s.judge_winner.is_not(None),
        last.c.kind == "final",
        *_judge(baseline),
    )


def _judge(baseline: bool) -> tuple[sa.ColumnElement[bool], ...]:
    return () if baseline else (tables.standing.c.judge_kind != OFFLINE,)


def _opinion(last: sa.Subquery) -> sa.ColumnElement[bool]:
    """Whether a score, an expectation or the winner is confirmed or changed as the review was finalised."""
    said = _said(last)
    spoken = sa.or_(
        said.c.target.like("score:%"), said.c.target.like("expectation:%"), said.c.target == "winner"
    )
    return last.c.review_id.in_(sa.select(said.c.review_id).where(spoken))


def _said(last: sa.Subquery) -> sa.Subquery:
    """What was confirmed or changed in each review as it was finalised: the last change of each value."""
    c = tables.change.c
    inner = tables.change.alias("covered")
    # The sets are built once each; looking for a later change row by row grows with the square of the history.
    newest = (
        sa.select(inner.c.review_id, sa.func.max(inner.c.seq).label("seq"))
        .join_from(inner, last, last.c.review_id == inner.c.review_id)
        .where(inner.c.seq <= last.c.last_change)
        .group_by(inner.c.review_id, inner.c.target)
        .subquery()
    )
    return (
        sa.select(c.review_id, c.target, c.kind, c.blind)
        .join_from(tables.change, newest, sa.and_(newest.c.review_id == c.review_id, newest.c.seq == c.seq))
        .where(c.kind.in_(("set", "confirm", "confirm_rest")))
        .subquery()
    )
