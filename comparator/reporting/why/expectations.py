"""Which expectations separate two candidates, and which say nothing: each one in five classes of pairs."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256

import pandas as pd

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter
from comparator.store.core.database import Database
from comparator.store.facts.fact import NOT_ASSESSED


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


def by_expectation(database: Database, asked: ResultFilter) -> tuple[Expectation, ...]:
    """Every expectation of the counted pairs, those that separate the two most first. Raises BlindnessError."""
    with facts_of(database, asked.project_id) as facts:
        lines = expectations_of(facts, facts.counted(asked))
    found = []
    for text, own in lines.groupby("text"):
        met, plain = own.met.value_counts(), own.plain.value_counts()
        found.append(
            Expectation(
                id=id_of(text),
                text=text,
                pairs={each: int(met.get(each, 0)) for each in ExpectationMet},
                met_one=int(plain.get(ExpectationMet.BOTH, 0) + plain.get(ExpectationMet.ONE, 0)),
                met_two=int(plain.get(ExpectationMet.BOTH, 0) + plain.get(ExpectationMet.TWO, 0)),
                assessed=int((own.plain != ExpectationMet.NOT_ASSESSED).sum()),
            )
        )
    return tuple(sorted(found, key=lambda each: (-abs(each.difference), -each.n, each.text)))


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
