"""Which criteria, expectations, reasons and imported graders speak for whom."""

from enum import StrEnum
from hashlib import sha256
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen, LabelKind
from comparator.interop.gradings import claims_in
from comparator.interop.text import number_in
from comparator.reporting.facts import Facts, facts_of, kept, rated, sums
from comparator.reporting.figures import Crossed, crossed
from comparator.reporting.frames import Frame
from comparator.reporting.results.result import HALF, Difference, difference_of
from comparator.reporting.scope import Rated, ResultFilter
from comparator.stats.intervals import ENOUGH, Estimate, TooFew
from comparator.stats.paired import mean
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.facts.fact import NOT_ASSESSED

FAVOURS = 0.05
"""Graders whose rates differ by less favour neither."""


class CriterionDifference(Rated):
    """The pairs in which a criterion favours candidate one, neither, and candidate two; the difference is in points."""

    path: str
    """Its dimension and key; criteria of several rubrics with one path are the same."""
    name: str
    difference: Difference


@kept
def by_criterion(database: Database, result_filter: ResultFilter) -> tuple[CriterionDifference, ...]:
    """The differences, in the order of their paths. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        lines = criteria_of(facts, facts.counted(result_filter))
        names = {path: facts.criterion(path) for path in lines.path.unique()}
    differences = []
    for path, own in lines.groupby("path"):
        differences.append(
            CriterionDifference(
                path=path,
                name=names[path],
                difference=difference_of(sums(own.value, own.task_id), unit=HALF),
                **dict(rated(1 + np.sign(own.value), own.task_id)),
            )
        )
    return tuple(differences)


def criteria_of(facts: Facts, pairs: Frame) -> Frame:
    """A line for each criterion of each pair: its path, and candidate one's lead by it in half points."""
    known = facts.read("criteria", pairs)
    lines = pd.DataFrame(
        [(id, path, value) for id, own in known.items() for path, value in own.items()],
        columns=["comparison_id", "path", "value"],
    ).join(pairs[["task_id", "both", "points", "side"]], on="comparison_id")
    return lines.assign(value=lines.value * lines.side)


class Reason(Frozen):
    """One kind of reason: how many scores were changed for it, and in how many pairs."""

    code: str
    one: int
    """Scores of candidate one's output."""
    two: int
    pairs: int


class Reasons(Frozen):
    """The kinds of reasons, the most frequent first, and in how many counted pairs one was given."""

    kinds: tuple[Reason, ...]
    pairs: int


def by_reason(database: Database, result_filter: ResultFilter) -> Reasons:
    """The kinds of reasons given in the counted pairs. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
        known = facts.read("reasons", pairs)
    lines: Frame = pd.DataFrame(
        [
            (code, *(numbers if pairs.side[id] > 0 else reversed(numbers)))
            for id, own in known.items()
            for code, numbers in own.items()
        ],
        columns=["code", "one", "two"],
    )
    kinds = [
        Reason(code=code, one=int(own.one.sum()), two=int(own.two.sum()), pairs=len(own))
        for code, own in lines.groupby("code")
    ]
    return Reasons(
        kinds=tuple(sorted(kinds, key=lambda reason: (-reason.pairs, reason.code))), pairs=len(known)
    )


class ExpectationMet(StrEnum):
    """What a pair says of an expectation."""

    ONE = "one"
    """Only candidate one's output meets it."""
    BOTH = "both"
    NEITHER = "neither"
    TWO = "two"
    VARIES = "varies"
    """Another run of the same two candidates in the same task says something else."""
    NOT_ASSESSED = "not_assessed"


class Expectation(Frozen):
    """One expectation, by its wording: in how many counted pairs it is in each class."""

    id: str
    text: str
    pairs: dict[ExpectationMet, int]
    met_one: int
    """In how many of the `assessed` pairs candidate one's output meets it."""
    met_two: int
    assessed: int

    @property
    def n(self) -> int:
        """All pairs whose task has it."""
        return sum(self.pairs.values())

    @property
    def difference(self) -> float:
        """The share of pairs in which candidate one meets it minus that of candidate two, -1 to 1."""
        return (self.met_one - self.met_two) / self.assessed if self.assessed else 0.0


def id_of(text: str) -> str:
    """A short id of an expectation's wording, for addresses."""
    return sha256(text.encode()).hexdigest()[:12]


@kept
def by_expectation(database: Database, result_filter: ResultFilter) -> tuple[Expectation, ...]:
    """Every expectation of the counted pairs, those that separate the two most first. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        lines = expectations_of(facts, facts.counted(result_filter))
    expectations = []
    for text, own in lines.groupby("text"):
        met, plain = own.met.value_counts(), own.plain.value_counts()
        expectations.append(
            Expectation(
                id=id_of(text),
                text=text,
                pairs={
                    expectation_met: int(met.get(expectation_met, 0)) for expectation_met in ExpectationMet
                },
                met_one=int(plain.get(ExpectationMet.BOTH, 0) + plain.get(ExpectationMet.ONE, 0)),
                met_two=int(plain.get(ExpectationMet.BOTH, 0) + plain.get(ExpectationMet.TWO, 0)),
                assessed=int((own.plain != ExpectationMet.NOT_ASSESSED).sum()),
            )
        )
    return tuple(
        sorted(
            expectations,
            key=lambda expectation: (-abs(expectation.difference), -expectation.n, expectation.text),
        )
    )


def expectations_of(facts: Facts, pairs: Frame) -> Frame:
    """A line for each expectation of each pair: its wording (`text`), who meets it (`plain`), and `met`, which says so
    where other runs of the same two in the same task say something else."""
    texts = facts.expectations
    known = pairs[pairs.met.notna()]
    lines = pd.DataFrame(
        [
            (id, place, letter, text)
            for id, version, letters in zip(known.index, known.version_id, known.met, strict=True)
            for place, (letter, text) in enumerate(zip(letters, texts[version], strict=False))
        ],
        columns=["comparison_id", "place", "letter", "text"],
    ).join(pairs[["task_id", "version_id", "both", "points", "side"]], on="comparison_id")
    plain = lines.letter.map(_MEANS)
    for label, side in (("A", 1), ("B", -1)):
        is_one = lines.side == side
        plain = plain.mask(
            lines.letter == label, is_one.map({True: ExpectationMet.ONE, False: ExpectationMet.TWO})
        )
    assessed = plain.where(lines.letter != NOT_ASSESSED)
    several = assessed.groupby([lines.both, lines.version_id, lines.place]).transform("nunique") > 1
    return lines.assign(plain=plain, met=plain.mask(several & assessed.notna(), ExpectationMet.VARIES))


_MEANS = {"b": ExpectationMet.BOTH, "n": ExpectationMet.NEITHER, NOT_ASSESSED: ExpectationMet.NOT_ASSESSED}


class Graded(Crossed):
    """The grades from one source, of the counted pairs that it graded on both sides: what the verdict says (rows) and
    whose rate is higher (columns), each candidate one, two or a tie."""

    author: str
    rate_one: float
    """The mean share of expectations that candidate one's outputs met, 0 to 1, each pair counted alike."""
    rate_two: float
    apart: Estimate | TooFew
    """By how much `rate_one` is the larger, in hundredths; the interval is clustered by task."""

    @property
    def favours(self) -> int:
        """The place of the candidate whose outputs met clearly more, 2 where neither's did beyond chance."""
        by_chance = isinstance(self.apart, Estimate) and 0 in self.apart.interval
        if by_chance or abs(self.rate_one - self.rate_two) < FAVOURS:
            return 2
        return int(self.rate_one < self.rate_two)

    @property
    def no_evidence(self) -> bool:
        """Whether they favour neither side, and name the verdict's winner or the loser as guessing would."""
        return self.favours == 2 and (self.says_nothing or self.agreed + self.opposite < ENOUGH)


def by_grader(database: Database, result_filter: ResultFilter) -> tuple[Graded, ...]:
    """The imported grades, those of most pairs first. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        lines = grades_of(facts, facts.counted(result_filter))
    gradings = [
        Graded(
            author=author,
            rate_one=fmean(own.one),
            rate_two=fmean(own.two),
            apart=mean(sums(100 * (own.one - own.two), own.task_id)),
            counts=crossed(own.points, own.graded, (2, 0, 1)),
        )
        for author, own in lines.groupby("author")
    ]
    return tuple(sorted(gradings, key=lambda grading: (-grading.n, grading.author)))


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


@kept
def by_grader_and_expectation(database: Database, result_filter: ResultFilter) -> tuple[MetBySpeaker, ...]:
    """Each expectation that graders marked in both runs of a counted pair, as the verdicts and as the graders have it.

    Those on which the graders part the two most come first. Raises BlindnessError.
    """
    key, run_a, run_b = tables.ab_key.c, tables.run.alias("run_a"), tables.run.alias("run_b")
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
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
            a, b = ({claim.text: claim.passed for claim in claims_in(grading)} for grading in gradings)
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
    rates = [
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
    return tuple(sorted(rates, key=lambda rate: (-parted[rate.expectation], rate.expectation, rate.speaker)))


def grades_of(facts: Facts, pairs: Frame) -> Frame:
    """A line for each pair and source that graded both sides, by its last grades: `one`, `two`, the points that the
    higher rate would give candidate one (`graded`), and whether both name winners, but not the same (`against`)."""
    lines = facts.labels[facts.labels.kind == LabelKind.GRADER]
    lines = lines[lines.comparison_id.isin(pairs.index)].join(
        pairs[["points", "side", "task_id"]], on="comparison_id"
    )
    a, b = (lines.value.map(lambda value, side=side: _rate(value, side)).astype(float) for side in "AB")
    a_is_one = lines.side > 0
    graded = 1 + lines.winner.map({"A": 1, "B": -1}).astype(float).fillna(0) * lines.side
    against = (lines.points - graded).abs() == 2
    lines = lines.assign(one=a.where(a_is_one, b), two=b.where(a_is_one, a), against=against, graded=graded)
    return lines.dropna(subset=["one", "two"]).drop_duplicates(["author", "comparison_id"], keep="last")


def _rate(value: Any, side: str) -> float | None:
    """The pass rate of a side; a table may bring labels of this kind without one."""
    of_side = value.get(side) if isinstance(value, dict) else None
    return number_in(of_side, "pass_rate") if isinstance(of_side, dict) else None
