"""For whom each theme speaks, candidates as well as winners and losers: by pairs, with an interval by task."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Label
from comparator.domain.themes import Assigned, Finding, Theme
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import Meets, ResultFilter, counted, merged, require_revealed
from comparator.reporting.tally.sums import count, sums_in, sums_over_tasks
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.themes import codebooks, findings, theme_pairs
from comparator.store.themes.theme_pairs import ALL, NONE


class ThemeSides(Frozen):
    """A theme over the counted pairs: in how many it speaks for candidate one, for neither, and for two."""

    theme: Theme
    one: int
    even: int
    two: int
    tasks: int
    share: Estimate | TooFew
    """The share of these pairs in which it speaks for one, ties as half."""
    for_winner: int
    """The pairs that somebody won in which it speaks for the winner."""
    for_loser: int

    @property
    def decided(self) -> int:
        """The pairs that somebody won in which it speaks for one of the two."""
        return self.for_winner + self.for_loser

    @property
    def pairs(self) -> int:
        """All pairs in which it occurs."""
        return self.one + self.even + self.two


class ThemePicture(Frozen):
    """All themes, those in most pairs first, and what the codebook leaves out."""

    themes: tuple[ThemeSides, ...]
    read: int
    """The counted pairs whose findings were assigned."""
    findings: int
    none: int
    """Findings that belong to none of the themes."""

    @property
    def uncovered(self) -> float:
        """The share of findings that belong to none, 0 to 1."""
        return self.none / self.findings if self.findings else 0.0

    @property
    def covers(self) -> bool:
        """Whether the codebook covers the findings: at most a quarter belongs to none."""
        return self.uncovered <= MOST_UNCOVERED


MOST_UNCOVERED = 0.25


class Cited(Frozen):
    """A finding that speaks in a pair, with the quote that assigns it to the theme."""

    finding: Finding
    quote: str
    of_one: bool
    """Whether it is about candidate one's output."""
    title: str


class ThemeTrend(Frozen):
    """A theme iteration by iteration: the share of pairs read in which it speaks for one, minus that for two."""

    theme: Theme
    leads: tuple[float | None, ...]
    """-1 to 1; None where no pair of the iteration was read."""


def theme_names(database: Database, project_id: str) -> dict[str, str]:
    """What the themes of the codebook are called, by id."""
    with database.read() as connection:
        return codebooks.codebook(connection, project_id).names


def theme_picture(database: Database, asked: ResultFilter) -> ThemePicture | None:
    """The picture; None before an assignment. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        if theme_pairs.assignment(connection, asked.project_id) is None:
            return None
        book = codebooks.codebook(connection, asked.project_id)
        sums = _by_theme(connection, asked)
    found = [_sides(theme, sums.get(theme.id)) for theme in book.themes]
    return ThemePicture(
        themes=tuple(sorted(found, key=lambda each: (-each.pairs, each.theme.name))),
        read=int(sums[ALL].n) if ALL in sums else 0,
        findings=int(sums[ALL].findings) if ALL in sums else 0,
        none=int(sums[NONE].findings) if NONE in sums else 0,
    )


def trends(
    database: Database, asked: ResultFilter, iterations: tuple[tuple[str, Meets], ...]
) -> tuple[ThemeTrend, ...]:
    """The themes over these iterations. Raises BlindnessError."""
    every = tuple(met for _, met in iterations)
    whole = asked.model_copy(update={"one": every[0].one, "two": every[0].two, "also": every[1:]})
    with current(database) as connection:
        require_revealed(connection, whole)
        book = codebooks.codebook(connection, asked.project_id)
        rows = _rows(whole).subquery()
        query = sa.select(
            rows.c.theme_id,
            rows.c.both,
            sa.func.count().label("n"),
            sa.func.sum(rows.c.points - 1).label("lead"),
        ).group_by(rows.c.theme_id, rows.c.both)
        by = {(row.theme_id, row.both): (int(row.n), int(row.lead)) for row in connection.execute(query)}
    keys = [" ".join(sorted(met)) for met in every]

    def lead(theme: str, key: str) -> float | None:
        read = by.get((ALL, key))
        return None if read is None else by.get((theme, key), (0, 0))[1] / read[0]

    return tuple(
        ThemeTrend(theme=theme, leads=tuple(lead(theme.id, key) for key in keys)) for theme in book.themes
    )


def pairs_of(connection: Connection, asked: ResultFilter, theme: str, points: int | None) -> set[str]:
    """The counted pairs in which the theme speaks for candidate one (2 points), for neither (1), or for two (0).

    Without `points`, all in which it occurs.
    """
    rows = _rows(asked).subquery()
    query = sa.select(rows.c.comparison_id).where(*_that(rows, theme, points))
    return set(connection.execute(query).scalars())


def _that(rows: sa.Subquery, theme: str, points: int | None) -> tuple[sa.ColumnElement[bool], ...]:
    return (rows.c.theme_id == theme, *(() if points is None else (rows.c.points == points,)))


def cited(
    database: Database, asked: ResultFilter, theme: str, points: int | None, *, limit: int = 200
) -> tuple[Cited, ...]:
    """The findings of the theme in the pairs that `pairs_of` gives, with their quotes. Raises BlindnessError."""
    finding, theme_mark, comparison = tables.finding.c, tables.theme_mark.c, tables.comparison.c
    with current(database) as connection:
        require_revealed(connection, asked)
        assignment = theme_pairs.assignment(connection, asked.project_id)
        if assignment is None:
            return ()
        book = codebooks.codebook(connection, asked.project_id)
        rows = _rows(asked).subquery()
        query = (
            sa.select(finding.id, theme_mark.themes, rows.c.a_is_one, comparison.title)
            .select_from(tables.finding)
            .join(tables.theme_mark, theme_mark.finding_id == finding.id)
            .join(rows, rows.c.comparison_id == finding.comparison_id)
            .join(tables.comparison, comparison.id == finding.comparison_id)
            .where(theme_mark.inquiry_id == assignment.id, theme_mark.themes.is_not(None))
            .where(*_that(rows, theme, points))
            .order_by(comparison.title, finding.comparison_id, finding.label, finding.source, finding.words)
        )
        kept: list[tuple[str, str, bool, str]] = []
        for row in connection.execute(query):
            assigned = [Assigned.model_validate(each) for each in row.themes]
            if theme not in book.themes_of(each.theme for each in assigned):
                continue
            quote = next((each.quote for each in assigned if book.now(each.theme) == theme), "")
            kept.append((row.id, quote, bool(row.a_is_one), row.title))
            if len(kept) == limit:
                break
        found_by_id = findings.by_id(connection, [id for id, *_ in kept])
    return tuple(
        Cited(
            finding=found_by_id[id],
            quote=quote,
            of_one=(found_by_id[id].label is Label.A) == a_is_one,
            title=title,
        )
        for id, quote, a_is_one, title in kept
    )


def _rows(asked: ResultFilter) -> sa.Select[Any]:
    """Themes of the counted pairs; `points` are 2 where one speaks for candidate one, 1 for neither, 0 for two.

    `outcome` are the pair's own points for candidate one: 2 won, 1 tied, 0 lost.
    """
    pairs, theme_pair, ab_key = counted(asked), tables.theme_pair.c, tables.ab_key.c
    made, ones = merged(tables.candidate), sorted({met.one for met in asked.meetings})
    a_is_one = sa.case((made.in_(ones), sa.true()), else_=sa.false())
    return (
        sa.select(
            theme_pair.theme_id,
            theme_pair.comparison_id,
            theme_pair.findings,
            pairs.c.task_id,
            pairs.c.both,
            pairs.c.points.label("outcome"),
            a_is_one.label("a_is_one"),
            sa.case((made.in_(ones), theme_pair.points), else_=2 - theme_pair.points).label("points"),
        )
        .select_from(tables.theme_pair)
        .join(pairs, pairs.c.comparison_id == theme_pair.comparison_id)
        .join(tables.ab_key, ab_key.comparison_id == theme_pair.comparison_id)
        .join(tables.run, tables.run.c.id == ab_key.run_a)
        .join(tables.candidate, tables.candidate.c.id == tables.run.c.candidate_id)
    )


def _by_theme(connection: Connection, asked: ResultFilter) -> dict[str, Any]:
    """The sums by theme that a share and its interval need."""
    rows = _rows(asked).subquery()
    with_outcome = (rows.c.points - 1) * (rows.c.outcome - 1)
    named = {
        "one": count(rows.c.points == 2),
        "even": count(rows.c.points == 1),
        "two": count(rows.c.points == 0),
        "for_winner": count(with_outcome > 0),
        "for_loser": count(with_outcome < 0),
        "findings": sa.func.sum(rows.c.findings),
    }
    by_task = (
        sa.select(
            rows.c.theme_id,
            sa.func.count().label("n"),
            sa.func.sum(rows.c.points).label("s"),
            *(column.label(name) for name, column in named.items()),
        )
        .group_by(rows.c.theme_id, rows.c.task_id)
        .subquery()
    )
    query = sa.select(
        by_task.c.theme_id,
        *sums_over_tasks(by_task.c.n, by_task.c.s),
        *(sa.func.sum(by_task.c[name]).label(name) for name in named),
    ).group_by(by_task.c.theme_id)
    return {row.theme_id: row for row in connection.execute(query)}


def _sides(theme: Theme, row: Any) -> ThemeSides:
    if row is None:
        return ThemeSides(
            theme=theme, one=0, even=0, two=0, tasks=0, share=TooFew(n=0), for_winner=0, for_loser=0
        )
    sums = sums_in(row)
    return ThemeSides(
        theme=theme,
        one=int(row.one),
        even=int(row.even),
        two=int(row.two),
        tasks=sums.tasks,
        share=win_rate(sums, tied=int(row.even)),
        for_winner=int(row.for_winner),
        for_loser=int(row.for_loser),
    )
