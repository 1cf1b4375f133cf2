"""Which expectations separate two candidates, and which say nothing: each one in five classes of pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.stats.slices import NOTHING, Ended, Runs
from comparator.store import tables
from comparator.store.core.database import Connection, Database


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


_LETTERS = {
    "b": ExpectationMet.BOTH,
    "n": ExpectationMet.NEITHER,
    "1": ExpectationMet.ONE,
    "2": ExpectationMet.TWO,
    "-": ExpectationMet.NOT_ASSESSED,
}
_TURNED = {ExpectationMet.ONE: ExpectationMet.TWO, ExpectationMet.TWO: ExpectationMet.ONE}

_ENDS = {ExpectationMet.ONE: Ended(1, 0, 0), ExpectationMet.TWO: Ended(0, 0, 1)}


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


class _Seen(NamedTuple):
    comparison_id: str
    task_id: str
    both: str
    id: str
    text: str
    letter: ExpectationMet
    met: ExpectationMet


def id_of(text: str) -> str:
    """A short id of an expectation's wording, for addresses."""
    return sha256(text.encode()).hexdigest()[:12]


def by_expectation(database: Database, asked: ResultFilter) -> tuple[Expectation, ...]:
    """Every expectation of the counted pairs, those that separate the two most first. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        texts: dict[str, str] = {}
        pairs: dict[str, Counter[ExpectationMet]] = defaultdict(Counter)
        plain: dict[str, Counter[ExpectationMet]] = defaultdict(Counter)
        for each in _seen(connection, asked):
            texts[each.id] = each.text
            pairs[each.id][each.met] += 1
            plain[each.id][each.letter] += 1
    found = [
        Expectation(
            id=id,
            text=text,
            pairs={met: pairs[id][met] for met in ExpectationMet},
            met_one=plain[id][ExpectationMet.BOTH] + plain[id][ExpectationMet.ONE],
            met_two=plain[id][ExpectationMet.BOTH] + plain[id][ExpectationMet.TWO],
            assessed=plain[id].total() - plain[id][ExpectationMet.NOT_ASSESSED],
        )
        for id, text in texts.items()
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.difference), -each.n, each.text)))


def leads_by_expectation(connection: Connection, asked: ResultFilter) -> dict[str, Runs]:
    """Of each expectation's wording: how often only candidate one meets it, both or neither, and only two, by task and
    run. Those that nobody assessed are left out."""
    found: dict[str, Runs] = defaultdict(lambda: defaultdict(dict))
    for each in _seen(connection, asked):
        if each.letter is not ExpectationMet.NOT_ASSESSED:
            runs = found[each.text][each.task_id]
            runs[each.both] = runs.get(each.both, NOTHING).plus(_ENDS.get(each.letter, Ended(0, 1, 0)))
    return found


def pairs_with(connection: Connection, asked: ResultFilter, id: str, met: ExpectationMet) -> list[str]:
    """The ids of the pairs in which this expectation is in this class."""
    return [each.comparison_id for each in _seen(connection, asked) if each.id == id and each.met is met]


def _seen(connection: Connection, asked: ResultFilter) -> Iterator[_Seen]:
    """Every expectation of every counted pair."""
    pairs, comparison = counted(asked).c, tables.comparison.c
    query = (
        sa.select(
            pairs.comparison_id, pairs.task_id, pairs.met, pairs.sign, pairs.both, comparison.task_version_id
        )
        .where(pairs.met.is_not(None))
        .join(tables.comparison, comparison.id == pairs.comparison_id)
    )
    rows: list[Any] = list(connection.execute(query))
    task_version = tables.task_version.c
    versions = {row.task_version_id for row in rows}
    wording = {
        row.id: [(id_of(text), text) for text in row.expectations]
        for row in connection.execute(sa.select(task_version.id, task_version.expectations))
        if row.id in versions
    }
    letters: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for row in rows:
        for place, letter in enumerate(row.met):
            if letter != "-":
                letters[row.both, row.task_version_id, place].add(letter)
    for row in rows:
        for place, (letter, (id, text)) in enumerate(
            zip(row.met, wording[row.task_version_id], strict=False)
        ):
            met = _LETTERS[letter]
            if row.sign < 0:
                met = _TURNED.get(met, met)
            varies = len(letters[row.both, row.task_version_id, place]) > 1 and letter != "-"
            yield _Seen(
                row.comparison_id,
                row.task_id,
                row.both,
                id,
                text,
                met,
                ExpectationMet.VARIES if varies else met,
            )
