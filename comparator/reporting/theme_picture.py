"""For whom each theme speaks, how far the assignment is, and which subjects are mentioned where there is none."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen, Label, Winner
from comparator.domain.themes import (
    Assigned,
    Codebook,
    Finding,
    FindingSource,
    StatedReason,
    Theme,
    winner_of_points,
)
from comparator.reporting.facts import Facts, facts_of, kept, rated
from comparator.reporting.frames import Frame
from comparator.reporting.scope import Meets, Rated, ResultFilter
from comparator.stats.grouping import group
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import among
from comparator.store.judging import inquiries
from comparator.store.judging.inquiries import Inquiry, InquiryKind, InquiryState
from comparator.store.people import projects
from comparator.store.reviewing.reasons import pairs_with_reasons, stated_in

NONE, ALL = "", "*"
"""In place of a theme: the findings that belong to none, and all that were assigned."""
_POINTS = {Winner.A: 2, Winner.TIE: 1, Winner.B: 0}


class ThemeSides(Rated):
    """A theme over the counted pairs: won are those in which it speaks for candidate one, tied for neither."""

    theme: Theme
    for_winner: int
    """The pairs that somebody won in which it speaks for the winner."""
    for_loser: int

    @property
    def decided(self) -> int:
        """The pairs that somebody won in which it speaks for one of the two."""
        return self.for_winner + self.for_loser


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


def theme_picture(database: Database, result_filter: ResultFilter) -> ThemePicture | None:
    """The picture; None before an assignment. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
        if inquiries.assignment(facts.connection, result_filter.project_id) is None:
            return None
        book = projects.codebook(facts.connection, result_filter.project_id)
        lines = theme_lines(facts, pairs)
    theme_sides = [_sides(theme, lines[lines.theme_id == theme.id]) for theme in book.themes]
    read = lines[lines.theme_id == ALL]
    return ThemePicture(
        themes=tuple(sorted(theme_sides, key=lambda side: (-side.n, side.theme.name))),
        read=len(read),
        findings=int(read.findings.sum()),
        none=int(lines.findings[lines.theme_id == NONE].sum()),
    )


def trends(database: Database, result_filter: ResultFilter, steps: Sequence[Meets]) -> Frame:
    """A row a step and a column a theme, by its id: the share of pairs read in which it speaks for one, minus that for
    two; not a number where no pair of the step was read. Raises BlindnessError."""
    whole = result_filter.over(*steps)
    with facts_of(database, result_filter.project_id) as facts:
        lines = theme_lines(facts, facts.counted(whole))
    leads: Frame = (lines.points - 1).groupby([lines.both, lines.theme_id]).agg(["size", "sum"]).unstack()
    read = leads["size"].get(ALL, pd.Series(dtype=float))
    return leads["sum"].fillna(0).div(read, axis=0).reindex([met.both for met in steps])


def theme_lines(facts: Facts, pairs: Frame) -> Frame:
    """Themes of these pairs; `points` are 2 where one speaks for candidate one, 1 for neither, 0 for two.

    `outcome` are the pair's own points for candidate one.
    """
    lines = theme_pairs(facts)
    own = pairs[["task_id", "both", "side", "points"]].rename(columns={"points": "outcome"})
    lines = lines[lines.comparison_id.isin(pairs.index)].join(own, on="comparison_id")
    return lines.assign(points=lines.points.where(lines.side > 0, 2 - lines.points))


def theme_pairs(facts: Facts) -> Frame:
    """For which output each theme speaks in each pair: `points` are 2 for A, 1 for neither, 0 for B.

    They follow from the newest assignment and the codebook that holds.
    """
    newest = inquiries.assignment(facts.connection, facts.project_id)
    book = projects.codebook(facts.connection, facts.project_id)
    if newest is None or newest.state is not InquiryState.DONE:
        return _derived(facts, newest, book)
    key = f"themes of {newest.id} by {book.model_dump_json()}"
    return facts.kept(key, lambda: _derived(facts, newest, book))


def _derived(facts: Facts, newest: Inquiry | None, book: Codebook) -> Frame:
    finding, marks = tables.finding.c, tables.theme_mark.c
    query = (
        sa.select(finding.comparison_id, finding.speaks_for, marks.themes)
        .join_from(tables.theme_mark, tables.finding, finding.id == marks.finding_id)
        .where(marks.inquiry_id == (newest and newest.id), marks.themes.is_not(None))
    )
    winners: dict[tuple[str, str], list[Winner]] = defaultdict(list)
    for row in facts.connection.execute(query):
        themes = book.themes_of(mark["theme"] for mark in row.themes)
        for theme in (*(themes or (NONE,)), ALL):
            winners[theme, row.comparison_id].append(Winner(row.speaks_for))
    return pd.DataFrame(
        [(*key, len(own), _POINTS[winner_of_points(own)]) for key, own in winners.items()],
        columns=["theme_id", "comparison_id", "findings", "points"],
    )


def citations(
    database: Database, result_filter: ResultFilter, theme: str, points: int | None, *, limit: int = 200
) -> tuple[Cited, ...]:
    """The findings of the theme, with their quotes: in the pairs in which it speaks for candidate one (2 points), for
    neither (1) or for two (0); without `points`, in all in which it occurs. Raises BlindnessError."""
    finding, theme_mark, comparison = tables.finding.c, tables.theme_mark.c, tables.comparison.c
    with facts_of(database, result_filter.project_id) as facts:
        connection = facts.connection
        pairs = facts.counted(result_filter)
        assignment = inquiries.assignment(connection, result_filter.project_id)
        if assignment is None:
            return ()
        book = projects.codebook(connection, result_filter.project_id)
        lines = theme_lines(facts, pairs)
        lines = lines[lines.theme_id == theme]
        ids = set(lines.comparison_id if points is None else lines.comparison_id[lines.points == points])
        query = (
            sa.select(finding.id, theme_mark.themes, finding.comparison_id, comparison.title)
            .select_from(tables.finding)
            .join(tables.theme_mark, theme_mark.finding_id == finding.id)
            .join(tables.comparison, comparison.id == finding.comparison_id)
            .where(theme_mark.inquiry_id == assignment.id, theme_mark.themes.is_not(None))
            .where(finding.comparison_id.in_(among(connection, ids)))
            .order_by(comparison.title, finding.comparison_id, finding.label, finding.source, finding.words)
        )
        kept: list[tuple[str, str, bool, str]] = []
        for row in connection.execute(query):
            assigned = [Assigned.model_validate(mark) for mark in row.themes]
            if theme not in book.themes_of(mark.theme for mark in assigned):
                continue
            quote = next((mark.quote for mark in assigned if book.now(mark.theme) == theme), "")
            kept.append((row.id, quote, bool(pairs.side[row.comparison_id] > 0), row.title))
            if len(kept) == limit:
                break
        found_by_id = inquiries.findings_by_id(connection, [id for id, *_ in kept])
    return tuple(
        Cited(
            finding=found_by_id[id],
            quote=quote,
            of_one=(found_by_id[id].label is Label.A) == a_is_one,
            title=title,
        )
        for id, quote, a_is_one, title in kept
    )


def _sides(theme: Theme, lines: Frame) -> ThemeSides:
    with_outcome = (lines.points - 1) * (lines.outcome - 1)
    return ThemeSides(
        **dict(rated(lines.points, lines.task_id)),
        theme=theme,
        for_winner=int((with_outcome > 0).sum()),
        for_loser=int((with_outcome < 0).sum()),
    )


class AssignmentStatus(Frozen):
    """The assignment that counts, and a newer one that is not done."""

    assignment: Inquiry
    unfinished: Inquiry | None
    """The newest assignment where it is not done: it failed, was interrupted, or is under way."""
    waiting: int
    """Its findings that are not assigned yet."""
    outdated: bool
    """Whether a model drafted themes after the assignment that counts."""


def assignment_status(database: Database, project_id: str) -> AssignmentStatus | None:
    """The status of the project's assignment; None before there is one."""
    with database.read() as connection:
        assignment = inquiries.assignment(connection, project_id)
        if assignment is None:
            return None
        book = projects.codebook(connection, project_id)
        newest = inquiries.newest(connection, project_id, InquiryKind.ASSIGN)
        unfinished = newest if newest and newest.state is not InquiryState.DONE else None
        return AssignmentStatus(
            assignment=assignment,
            unfinished=unfinished,
            waiting=inquiries.number(connection, unfinished.id, waiting=True) if unfinished else 0,
            outdated=any(
                theme not in assignment.request.themes for theme in book.themes if theme.id not in book.kept
            ),
        )


GROUPS = 5
"""Of strengths, and of weaknesses."""
MOST_READ = 100
"""Pairs beyond this are not all read: it takes seconds."""
QUOTATION = re.compile(r"[“\"]\w.*[”\"]")
"""Words of an output in a remark."""


class Subject(Frozen):
    """Strengths, or weaknesses, that share words: the pairs, by their ids, in which one is of candidate one, and of
    two; in `of_winner` of them it is of the winner."""

    words: tuple[str, ...]
    of_one: tuple[str, ...]
    of_two: tuple[str, ...]
    of_winner: int
    example: StatedReason
    """A typical one, of the candidate that has most of them."""


class Subjects(Frozen):
    """Those that are most about one candidate come first; some of the `pairs` with a stated reason were drawn."""

    groups: tuple[Subject, ...]
    both: dict[str, str]
    """The two candidates of each pair that was drawn."""
    pairs: int

    @property
    def read(self) -> int:
        """How many were drawn."""
        return len(self.both)


@kept
def subjects(database: Database, result_filter: ResultFilter) -> Subjects:
    """Strengths and weaknesses that were stated in the counted pairs, or in some that are drawn, by subject.

    Raises BlindnessError.
    """
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
        ids = sorted(pairs.index.intersection(pairs_with_reasons(facts.connection, facts.project_id)))
        # The same ones each time; nothing secret hangs on it.
        drawn = random.Random(0).sample(ids, min(len(ids), MOST_READ))
        stated = dict.fromkeys(reason for id in drawn for reason in stated_in(facts.connection, id))
    groups = [
        subject
        for source in (FindingSource.STRENGTH, FindingSource.WEAKNESS)
        for subject in _subjects(
            [reason for reason in stated if reason.words and reason.source is source], pairs
        )
    ]
    both = pairs.both[drawn].to_dict()
    return Subjects(groups=tuple(sorted(groups, key=_evenness)), both=both, pairs=len(ids))


def _subjects(own: Sequence[StatedReason], pairs: Frame) -> Iterator[Subject]:
    side, points = pairs.side.to_dict(), pairs.points.to_dict()

    def about_one(reason: StatedReason) -> bool:
        return (reason.label is Label.A) == bool(side[reason.comparison_id] > 0)

    for cluster in group([reason.words for reason in own], groups=GROUPS):
        members = [own[place] for place in cluster.members]
        of_one, of_two = (
            tuple(dict.fromkeys(reason.comparison_id for reason in members if about_one(reason) is is_one))
            for is_one in (True, False)
        )
        # The example is of the candidate that has most of them, and quotes the output where one does.
        ahead = len(of_one) >= len(of_two)
        of_leader = [reason for reason in (own[cluster.middle], *members) if about_one(reason) is ahead]
        yield Subject(
            words=cluster.words,
            of_one=of_one,
            of_two=of_two,
            of_winner=sum(points[id] == 2 for id in of_one) + sum(points[id] == 0 for id in of_two),
            example=min(of_leader, key=lambda reason: not QUOTATION.search(reason.words)),
        )


def _evenness(subject: Subject) -> tuple[float, tuple[str, ...]]:
    """Lowest where most is about one side, beyond what chance gives as many findings."""
    one, two = len(subject.of_one), len(subject.of_two)
    return -abs(one - two) / sqrt(one + two), subject.words
