"""What a candidate would have to fix: where it trails in the pairs that it lost, and which of them that would flip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.arithmetic import dimension_score, pass_rate
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Remark


class Trailed(NamedTuple):
    """One pair that a candidate lost, trailing in something: its remark, the other's, and whether fixing it flips."""

    pair: Exported
    label: Label
    own: Remark
    other: Remark
    flips: bool


class Fix(NamedTuple):
    """A criterion or expectation in which it trails, with every lost pair in which it does."""

    name: str
    dimension: Dimension | None
    trailed: tuple[Trailed, ...]

    @property
    def flipped(self) -> tuple[Trailed, ...]:
        """The pairs that it would no longer lose, had it been level there."""
        return tuple(each for each in self.trailed if each.flips)

    @property
    def tasks(self) -> int:
        """In how many tasks it trails."""
        return len({each.pair.task_key or each.pair.title for each in self.trailed})

    @property
    def behind(self) -> Decimal:
        """By how many points it trails on average; 0 for an expectation."""
        if self.dimension is None:
            return Decimal(0)
        gaps = [(each.other.final or Decimal(0)) - (each.own.final or Decimal(0)) for each in self.trailed]
        return sum(gaps, Decimal(0)) / len(gaps)


def fixes(lost: Iterable[tuple[Exported, Label]]) -> tuple[Fix, ...]:
    """What to fix, that first which would flip most of these lost pairs, then that which trails in most."""
    found: dict[tuple[Dimension | None, str], list[Trailed]] = {}
    for pair, label in lost:
        for own, other in trailing(pair, label):
            key = (own.dimension, own.name)
            each = Trailed(pair, label, own, other, flips(pair, label, own, other))
            found.setdefault(key, []).append(each)
    every = [Fix(name, dimension, tuple(trailed)) for (dimension, name), trailed in found.items()]
    return tuple(
        sorted(every, key=lambda each: (-len(each.flipped), -len(each.trailed), -each.behind, each.name))
    )


def trailing(pair: Exported, label: Label) -> Iterator[tuple[Remark, Remark]]:
    """Where one output has fewer points than the other, or only the other meets an expectation: both remarks."""
    others = {(each.dimension, each.key): each for each in pair.of(label.other)}
    for own in pair.of(label):
        other = others.get((own.dimension, own.key))
        if other is None or own.final is None or other.final is None:
            continue
        if own.final < other.final:
            yield own, other


def flips(pair: Exported, label: Label, own: Remark, other: Remark) -> bool:
    """Whether the output would no longer lose, had it been level there and everything else as it is."""
    if pair.result is None or pair.loser is not label or pair.decided_by is DecidedBy.REVIEWER:
        # A winner that a reviewer set outright follows from no value.
        return False
    overall = pair.result.rubric[label].overall_score
    if own.dimension is not None:
        overall = _overall(pair.result, label, own, other)
    theirs = pair.result.rubric[label.other].overall_score
    if overall != theirs:
        return overall > theirs
    rates = _rates(pair.result, label, own)
    return rates is None or rates[0] >= rates[1]


def _overall(result: ComparisonResult, label: Label, own: Remark, other: Remark) -> Decimal:
    scores = result.rubric[label]
    total = Decimal(0)
    for dimension in Dimension:
        values = dict(getattr(scores, dimension.value))
        if dimension is own.dimension and own.key in values:
            values[own.key] = getattr(result.rubric[label.other], dimension.value)[other.key]
            total += dimension_score(list(values.values()))
        else:
            total += getattr(scores, f"{dimension.value}_score")
    return total


def _rates(result: ComparisonResult, label: Label, own: Remark) -> tuple[Decimal, Decimal] | None:
    results = result.expectation_results
    if results is None:
        return None
    met = [
        each.passed or (own.dimension is None and each.text == own.name) for each in results[label].details
    ]
    return pass_rate(met), results[label.other].pass_rate
