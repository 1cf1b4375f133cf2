"""What lies behind a result: the tasks that differ most, and the single pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import isnan
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
import sqlalchemy as sa
from pydantic import BeforeValidator, PlainSerializer

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.frames import Frame, read_json
from comparator.reporting.scope import ResultFilter, VerdictKind, Within
from comparator.reporting.theme_picture import pairs_of
from comparator.reporting.why.criteria import criteria_of
from comparator.reporting.why.differ import differences
from comparator.reporting.why.expectations import ExpectationMet, expectations_of, id_of
from comparator.reporting.why.graders import grades_of
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import among
from comparator.store.reviewing import finalisations


class PairOutcome(StrEnum):
    """How a pair ended for candidate one."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"


class Pair(Frozen):
    """One counted pair; the difference is candidate one minus candidate two, in points."""

    comparison_id: str
    title: str
    outcome: PairOutcome
    difference: float | None
    """None for a verdict without scores."""
    kind: VerdictKind
    reasoning: str
    """Of the verdict that holds; it speaks of A and B."""
    one_is: str
    """Which of the two outputs candidate one made."""


def _apart(value: object) -> object:
    return tuple(value.split(".")) if isinstance(value, str) else value


Ids = Annotated[tuple[str, ...], BeforeValidator(_apart), PlainSerializer(".".join, return_type=str)]
"""Ids, which an address holds with dots between them."""


class Slice(Frozen):
    """A part of the counted pairs; None means all."""

    outcome: PairOutcome | None = None
    audited: bool = False
    """Only those of the audit sample."""
    criterion: str | None = None
    """With `lead`: only those in which this criterion is won, tied or lost by candidate one."""
    lead: PairOutcome | None = None
    expectation: str | None = None
    """With `met`: only those in which the expectation of this id is in that class."""
    met: ExpectationMet | None = None
    reason: str | None = None
    """Only those in which a reviewer changed a score for this kind of reason."""
    grader: str | None = None
    """Only those that this source of imported grades graded on both sides."""
    measure: str | None = None
    """With `least`: only those in which candidate one has so much more of it than candidate two."""
    least: float = 0.0
    theme: str | None = None
    """Only those in which the theme of this id occurs."""
    speaks: PairOutcome | None = None
    """With `theme`: only those in which it speaks for candidate one, for neither, or for two."""
    comparisons: Ids = ()
    """Only these."""
    first_of: int = 0
    """With `comparisons`: of how many these are the first; 0 where they are all."""
    void: bool = False
    """Only those that are left out since an output is not valid."""
    figure: str | None = None
    """Only those that add to this figure of the tally (see `figures.py`)."""
    where: tuple[Mapping[str, str], ...] = ()
    """With `figure`: in lines that have these values, by column; one of several is enough."""
    without: Mapping[str, str] = {}
    """With `figure`: and in none with these."""

    @property
    def theme_points(self) -> int | None:
        """For whom the theme is to speak, as points of candidate one; None for either."""
        return POINTS[self.speaks] if self.speaks else None


WHOLE = Slice()
POINTS = {PairOutcome.WON: 2, PairOutcome.TIED: 1, PairOutcome.LOST: 0}


def pairs(
    database: Database,
    asked: ResultFilter,
    *,
    only: Slice = WHOLE,
    limit: int = 50,
    offset: int = 0,
) -> tuple[Pair, ...]:
    """The counted pairs, those that candidate one leads most first. Raises BlindnessError."""
    with facts_of(database, asked.project_id) as facts:
        found = facts.counted(asked)
        found = found[_within(facts, asked, found, only)]
        found = found.sort_values(["overall", "comparison_id"], ascending=[False, True], na_position="last")
        rows = found.iloc[offset : offset + limit]
        titles = _titles(facts.connection, list(rows.index))
        reasons = _reasons(facts.connection, list(rows.index))
    return tuple(
        Pair(
            comparison_id=row.comparison_id,
            title=titles[row.comparison_id],
            outcome=_ENDED[row.points],
            difference=None if isnan(row.overall) else int(row.overall) / 10,
            kind=VerdictKind(row.kind),
            reasoning=reasons[row.comparison_id],
            one_is="A" if row.side > 0 else "B",
        )
        for row in rows.itertuples()
    )


class TallyPair(NamedTuple):
    """A pair that adds to a figure of the tally."""

    comparison_id: str
    title: str


def tally_pairs(
    database: Database,
    project_id: str,
    only: Slice,
    *,
    of: ResultFilter | None = None,
    within: Sequence[Within] = (),
    limit: int = 200,
) -> tuple[TallyPair, ...]:
    """The pairs that add to the figure of `only`: revealed pairs of the result `of`, else of the project.

    `within` narrows them to revealed pairs that are in all of these parts.
    """

    def among_lines(*wanted: Mapping[str, str]) -> set[str]:
        return {
            id
            for values in wanted
            for id in lines.comparison_id[(lines[list(values)] == pd.Series(values)).all(axis=1)]
        }

    with facts_of(database, project_id) as facts:
        lines = lines_of(facts, only.figure or "", of=of, within=within)
        ids = among_lines(*only.where or ({},)) - (among_lines(only.without) if only.without else set())
        comparison = tables.comparison.c
        query = sa.select(comparison.id, comparison.title).where(comparison.id.in_(sorted(ids)[:limit]))
        return tuple(TallyPair(*row) for row in facts.connection.execute(query.order_by(comparison.id)))


def ids_by_outcome(database: Database, asked: ResultFilter) -> dict[PairOutcome, tuple[str, ...]]:
    """The ids of all counted pairs by how they ended for candidate one. Raises BlindnessError."""
    with facts_of(database, asked.project_id) as facts:
        points = facts.counted(asked).points.sort_index()
    return {outcome: tuple(points.index[points == each]) for outcome, each in POINTS.items()}


_ENDED = {points: outcome for outcome, points in POINTS.items()}


def _titles(connection: Connection, ids: list[str]) -> dict[str, str]:
    comparison = tables.comparison.c
    query = sa.select(comparison.id, comparison.title).where(comparison.id.in_(among(connection, ids)))
    return {row.id: row.title for row in connection.execute(query)}


def _within(facts: Facts, asked: ResultFilter, pairs: Frame, only: Slice) -> Frame:
    """Which of the counted pairs are in the part."""
    found = pd.Series(True, index=pairs.index)

    def among_ids(ids: Any) -> Frame:
        return pairs.comparison_id.isin(ids)

    if only.outcome is not None:
        found &= pairs.points == POINTS[only.outcome]
    if only.audited:
        found &= pairs.audited
    if only.comparisons:
        found &= among_ids(only.comparisons)
    if only.theme:
        found &= among_ids(pairs_of(facts, asked, only.theme, only.theme_points))
    if only.measure:
        found &= differences(facts, pairs, only.measure).more >= only.least
    if only.expectation and only.met:
        lines = expectations_of(facts, facts.counted(asked))
        wanted = lines.text.map(id_of).eq(only.expectation) & lines.met.eq(only.met)
        found &= among_ids(lines.comparison_id[wanted])
    if only.grader:
        lines = grades_of(facts, facts.counted(asked))
        found &= among_ids(lines.comparison_id[lines.author == only.grader])
    if only.reason:
        own = read_json(pairs.reasons)
        found &= among_ids([id for id, reasons in own.items() if only.reason in reasons])
    if only.criterion:
        lines = criteria_of(pairs)
        lines = lines[lines.path == only.criterion]
        if only.lead is not None:
            lines = lines[np.sign(lines.value) == POINTS[only.lead] - 1]
        found &= among_ids(lines.comparison_id)
    return found


def _reasons(connection: Connection, comparison_ids: list[str]) -> dict[str, str]:
    """The reasoning of the verdict that holds for each: of a ruling, else the last final review, else the judge."""
    fact, finalisation, review = tables.fact.c, tables.finalisation.c, tables.review.c
    judgment, attempt, adjudication = tables.judgment.c, tables.attempt.c, tables.adjudication.c
    found = dict.fromkeys(comparison_ids, "")
    judged = (
        sa.select(judgment.comparison_id, attempt.answer, fact.judge_winner)
        .select_from(
            tables.judgment.join(tables.attempt, attempt.judgment_id == judgment.id).join(
                tables.fact, fact.comparison_id == judgment.comparison_id
            )
        )
        .where(
            judgment.comparison_id.in_(comparison_ids),
            attempt.succeeded == sa.true(),
            judgment.trial.is_(None),
        )
        .order_by(attempt.at)
    )
    for row in connection.execute(judged):
        if row.answer["better"] == row.judge_winner or not found[row.comparison_id]:
            found[row.comparison_id] = row.answer["reasoning"]
    reviewed = (
        sa.select(review.comparison_id, finalisation.prose)
        .join_from(tables.finalisation, tables.review, review.id == finalisation.review_id)
        .where(review.comparison_id.in_(comparison_ids), finalisations.not_reopened())
        .order_by(finalisation.at)
    )
    ruled = (
        sa.select(adjudication.comparison_id, adjudication.prose)
        .where(adjudication.comparison_id.in_(comparison_ids))
        .order_by(adjudication.comparison_id, adjudication.number)
    )
    for query in (reviewed, ruled):
        found |= {line.comparison_id: line.prose["reasoning"] for line in connection.execute(query)}
    return found
