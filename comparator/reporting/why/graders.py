"""What imported graders made of two candidates: how much of its expectations each met, and who was better by that."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen, LabelKind
from comparator.interop.gradings import claims_in
from comparator.interop.text import number_in
from comparator.reporting.facts import Facts, facts_of, sums
from comparator.reporting.frames import Frame, frame_of
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.expectations import ExpectationMet, expectations_of
from comparator.stats.intervals import Estimate, TooFew
from comparator.stats.paired import mean
from comparator.store import tables
from comparator.store.core.database import Database


class Graded(Frozen):
    """The grades from one source, of the counted pairs that it graded on both sides."""

    author: str
    pairs: int
    rate_one: float
    """The mean share of expectations that candidate one's outputs met, 0 to 1, each pair counted alike."""
    rate_two: float
    same: int
    """Pairs in which the higher rate, or a tie of both, is what the counted verdict says too."""


def by_grader(database: Database, asked: ResultFilter) -> tuple[Graded, ...]:
    """The imported grades, those of most pairs first. Raises BlindnessError."""
    with facts_of(database, asked.project_id) as facts:
        lines = grades_of(facts, facts.counted(asked))
    found = [
        Graded(
            author=author,
            pairs=len(own),
            rate_one=fmean(own.one),
            rate_two=fmean(own.two),
            same=int(own.same.sum()),
        )
        for author, own in lines.groupby("author")
    ]
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.author)))


class MetBySpeaker(Frozen):
    """How much more often candidate one meets an expectation than two, by the judge or by imported graders."""

    expectation: str
    speaker: str
    one: float
    """The share of the pairs in which candidate one meets it, 0 to 1."""
    two: float
    more: Estimate | TooFew
    """The difference of both, clustered by task."""
    pairs: int


def by_grader_and_expectation(database: Database, asked: ResultFilter) -> tuple[MetBySpeaker, ...]:
    """Each expectation that graders marked in both runs of a counted pair, as the verdicts and as the graders have it.

    Those on which the graders part the two most come first. Raises BlindnessError.
    """
    key, run_a, run_b = tables.ab_key.c, tables.run.alias("run_a"), tables.run.alias("run_b")
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
        judged = expectations_of(facts, pairs)
        query = (
            sa.select(key.comparison_id, run_a.c.grading, run_b.c.grading)
            .join_from(tables.ab_key, run_a, run_a.c.id == key.run_a)
            .join(run_b, run_b.c.id == key.run_b)
            .join(tables.comparison, tables.comparison.c.id == key.comparison_id)
            .where(
                tables.comparison.c.project_id == facts.project_id,
                run_a.c.grading.is_not(None),
                run_b.c.grading.is_not(None),
            )
        )
        graded = facts.connection.execute(query).all()
    side, task = pairs.side.to_dict(), pairs.task_id.to_dict()
    lines = []
    for id, *gradings in graded:
        if id in side:
            a, b = ({each.text: each.passed for each in claims_in(grading)} for grading in gradings)
            one, two = (a, b) if side[id] > 0 else (b, a)
            both = [text for text in one if one[text] is not None and two.get(text) is not None]
            lines += [(text, "graders", task[id], bool(one[text]), bool(two[text])) for text in both]
    known = judged[
        judged.plain.ne(ExpectationMet.NOT_ASSESSED) & judged.text.isin({text for text, *_ in lines})
    ]
    by_one, by_two = ({side, ExpectationMet.BOTH} for side in (ExpectationMet.ONE, ExpectationMet.TWO))
    lines += [
        (text, "verdicts", task_id, met in by_one, met in by_two)
        for text, task_id, met in zip(known.text, known.task_id, known.plain, strict=True)
    ]
    frame = pd.DataFrame(lines, columns=["text", "speaker", "task_id", "one", "two"])
    frame["more"] = frame.one.astype(int) - frame.two.astype(int)
    parted = frame[frame.speaker == "graders"].groupby("text").more.mean().abs()
    found = [
        MetBySpeaker(
            expectation=str(text),
            speaker=str(speaker),
            one=float(own.one.mean()),
            two=float(own.two.mean()),
            more=mean(sums(own.more, own.task_id)),
            pairs=len(own),
        )
        for (text, speaker), own in frame.groupby(["text", "speaker"])
    ]
    return tuple(sorted(found, key=lambda each: (-parted[each.expectation], each.expectation, each.speaker)))


def grades_of(facts: Facts, pairs: Frame) -> Frame:
    """A line for each pair and source that graded both sides, by its last grades: `one`, `two`, and whether the higher
    rate is the winner's (`same`)."""
    label, comparison = tables.label.c, tables.comparison.c
    query = (
        sa.select(label.comparison_id, label.author, label.winner, label.value)
        .join(tables.comparison, comparison.id == label.comparison_id)
        .where(comparison.project_id == facts.project_id, label.kind == LabelKind.GRADER.value)
        .order_by(label.at, label.id)
    )
    lines = frame_of(facts.connection, query)
    lines = lines[lines.comparison_id.isin(pairs.index)].join(pairs[["points", "side"]], on="comparison_id")
    a, b = (lines.value.map(lambda value, side=side: _rate(value, side)).astype(float) for side in "AB")
    a_is_one = lines.side > 0
    points = 1 + lines.winner.map({"A": 1, "B": -1}).astype(float).fillna(0) * lines.side
    lines = lines.assign(one=a.where(a_is_one, b), two=b.where(a_is_one, a), same=lines.points == points)
    return lines.dropna(subset=["one", "two"]).drop_duplicates(["author", "comparison_id"], keep="last")


def _rate(value: Any, side: str) -> float | None:
    """The pass rate of a side; a table may bring labels of this kind without one."""
    of_side = value.get(side) if isinstance(value, dict) else None
    return number_in(of_side, "pass_rate") if isinstance(of_side, dict) else None
