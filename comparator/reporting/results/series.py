"""Candidates in a row, iteration by iteration or version by version, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, Self

from comparator.reporting.results.candidates import NamedCandidate, natural, stem
from comparator.stats.ranking import HeadToHead


class Over(StrEnum):
    """What follows each other in a trend."""

    ITERATIONS = "iterations"
    """Two candidates of the same names, iteration after iteration."""
    VERSIONS = "versions"
    """The versions of a candidate, each against one and the same other candidate."""
    SUCCESSORS = "successors"
    """The versions of a candidate, each against the one before."""
    DAYS = "days"
    """The days on which pairs were set up."""


def all_series(met: Iterable[HeadToHead], called: Mapping[str, NamedCandidate]) -> Iterator[Series]:
    """All series of at least two steps, one at a time: the first are often all that is asked.

    Versions of one candidate have the same name but for its digits, as v31 and v32 have, or the same name in several
    iterations, or with several skills.
    """
    counts = {(each.one, each.two): each for each in met}
    counts |= {
        (each.two, each.one): HeadToHead(each.two, each.one, won=each.lost, lost=each.won, tied=each.tied)
        for each in counts.values()
    }
    yield from (each for each in _iterations(counts, called) if len(each.steps) > 1)
    families: dict[str, list[NamedCandidate]] = {}
    for id in dict.fromkeys(one for one, _ in counts):
        families.setdefault(stem(called[id].plain), []).append(called[id])
    for family in families.values():
        family.sort(key=lambda each: (natural(each.plain), natural(each.iteration or ""), str(each.made)))
    for name in sorted(families):
        yield from (each for each in _versions(families[name], counts, called) if len(each.steps) > 1)


class Series(NamedTuple):
    """What follows each other, oldest first, by the name of each step."""

    over: Over
    one: str
    two: str
    steps: tuple[tuple[str, HeadToHead], ...]

    @classmethod
    def of(cls, over: Over, one: str, two: str, steps: Iterable[tuple[str, HeadToHead | None]]) -> Self:
        """Of the steps that were made."""
        return cls(over, one, two, tuple((name, met) for name, met in steps if met))


def _iterations(
    counts: Mapping[tuple[str, str], HeadToHead], called: Mapping[str, NamedCandidate]
) -> Iterator[Series]:
    found: dict[tuple[str, str], list[tuple[str, HeadToHead]]] = {}
    for each in counts.values():
        one, two = called[each.one], called[each.two]
        if one.iteration is not None and one.iteration == two.iteration and one.plain < two.plain:
            found.setdefault((one.plain, two.plain), []).append((one.iteration, each))
    for (first, second), steps in sorted(found.items()):
        steps.sort(key=lambda step: natural(step[0]))
        yield Series.of(Over.ITERATIONS, first, second, steps)


def _versions(
    family: list[NamedCandidate],
    counts: Mapping[tuple[str, str], HeadToHead],
    called: Mapping[str, NamedCandidate],
) -> Iterator[Series]:
    # Those that differ by their model alone are no versions of each other.
    if len(family) < 2 or len({(each.plain, each.iteration, each.skill) for each in family}) < len(family):
        return
    name = f"{family[0].name} to {family[-1].name}"
    steps = [(later.name, counts.get((later.id, earlier.id))) for earlier, later in pairwise(family)]
    yield Series.of(Over.SUCCESSORS, name, "the version before", steps)
    own = {each.id for each in family}
    others = {two: called[two].name for one, two in counts if one in own and two not in own}
    for id, other in sorted(others.items(), key=lambda each: natural(each[1])):
        steps = [(each.name, counts.get((each.id, id))) for each in family]
        yield Series.of(Over.VERSIONS, name, other, steps)
