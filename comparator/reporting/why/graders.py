"""What imported graders made of two candidates: how much of its expectations each met, and who was better by that."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.interop.read.text import number_in
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.frames import Frame, frame_of
from comparator.reporting.scope import ResultFilter
from comparator.store import tables
from comparator.store.core.database import Database
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
