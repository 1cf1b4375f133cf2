"""Which iterations, or versions, two candidates belong to, by name."""

from collections.abc import Mapping, Set
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.results.candidates import NamedCandidate, names, natural, revealed_ids, stem
from comparator.reporting.scope import Meets, ResultFilter
from comparator.store.core.database import Database


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


class Series(NamedTuple):
    """The iterations of two candidates by name, oldest first, told from the side of `one`."""

    over: Over
    one: str
    two: str
    iterations: tuple[tuple[str, Meets], ...]


def iterations_of(database: Database, asked: ResultFilter) -> Series | None:
    """The iterations that the two candidates belong to, oldest first; None where there is only one."""
    with facts_of(database, asked.project_id) as facts:
        return series_of(facts, asked)


def pooled(database: Database, asked: ResultFilter) -> ResultFilter:
    """The same question over all iterations; as it stands where there is only one."""
    found = iterations_of(database, asked)
    if found is None:
        return asked
    also = tuple(met for _, met in found.iterations if met != (asked.one, asked.two))
    return asked.copy_with(also=also)


def series_of(facts: Facts, asked: ResultFilter) -> Series | None:
    """The iterations of the two, else the versions of one of them; None where there is only one of either.

    Versions of one candidate have the same name but for its digits, as v31 and v32 have, or the same name in several
    iterations, or with several skills.
    """
    pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
    met = {Meets(*both.split()) for both in pairs.both.unique()}
    met |= {each.turned for each in met}
    asked_for = Meets(asked.one, asked.two)
    if asked_for not in met:
        return None
    revealed = revealed_ids(facts)
    called = names(facts.connection, facts.project_id, revealed, revealed=revealed)
    return _iterations(asked_for, met, called) or _versions(asked_for, met, called)


def _iterations(asked: Meets, met: Set[Meets], called: Mapping[str, NamedCandidate]) -> Series | None:
    one, two = (called[id].plain for id in asked)
    steps = [
        (str(called[each.one].iteration), each)
        for each in sorted(met)
        if (called[each.one].plain, called[each.two].plain) == (one, two)
        and called[each.one].iteration == called[each.two].iteration is not None
    ]
    if one == two or len(steps) < 2 or asked not in dict(steps).values():
        return None
    return Series(Over.ITERATIONS, one, two, tuple(sorted(steps, key=lambda step: natural(step[0]))))


def _versions(asked: Meets, met: Set[Meets], called: Mapping[str, NamedCandidate]) -> Series | None:
    """The versions of one of the two against the other, or each against the one before."""
    for own, other in sorted((asked, asked.turned), key=lambda side: stem(called[side.one].plain)):
        name = stem(called[own].plain)
        family = [called[id] for id in sorted({each.one for each in met}) if stem(called[id].plain) == name]
        family.sort(key=lambda each: (natural(each.plain), natural(each.iteration or ""), str(each.made)))
        # Those that differ by their model alone are no versions of each other.
        if len({(each.plain, each.iteration, each.skill) for each in family}) < len(family):
            continue
        first, second = f"{family[0].name} to {family[-1].name}", called[other].name
        over, steps = Over.VERSIONS, [(each.name, Meets(each.id, other)) for each in family]
        if called[other] in family:
            over, second = Over.SUCCESSORS, "the version before"
            steps = [(later.name, Meets(later.id, earlier.id)) for earlier, later in pairwise(family)]
        steps = [(step, each) for step, each in steps if each in met]
        if len(steps) < 2:
            continue
        if asked in dict(steps).values():
            return Series(over, first, second, tuple(steps))
        if asked.turned in dict(steps).values():
            return Series(over, second, first, tuple((step, each.turned) for step, each in steps))
    return None
