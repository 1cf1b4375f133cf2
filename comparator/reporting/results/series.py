"""Which iterations, or versions, two candidates belong to, by name."""

from collections.abc import Mapping, Set
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from comparator.domain.counted import natural
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.results.candidates import NamedCandidate, names, stem
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


def iterations_of(database: Database, result_filter: ResultFilter) -> Series | None:
    """The iterations that the two candidates belong to, oldest first; None where there is only one."""
    with facts_of(database, result_filter.project_id) as facts:
        return series_of(facts, result_filter)


def pooled(database: Database, result_filter: ResultFilter) -> ResultFilter:
    """The same question over all iterations; as it stands where there is only one."""
    series = iterations_of(database, result_filter)
    if series is None:
        return result_filter
    also = tuple(met for _, met in series.iterations if met != (result_filter.one, result_filter.two))
    return result_filter.copy_with(also=also)


def series_of(facts: Facts, result_filter: ResultFilter) -> Series | None:
    """The iterations of the two, else the versions of one of them; None where there is only one of either.

    Versions of one candidate have the same name but for its digits, as v31 and v32 have, or the same name in several
    iterations, or with several skills.
    """
    pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
    met = {Meets(*both.split()) for both in pairs.both.unique()}
    met |= {meeting.turned for meeting in met}
    asked_for = Meets(result_filter.one, result_filter.two)
    if asked_for not in met:
        return None
    called = names(facts)
    return _iterations(asked_for, met, called) or _versions(asked_for, met, called)


def _iterations(meeting: Meets, met: Set[Meets], called: Mapping[str, NamedCandidate]) -> Series | None:
    one, two = (called[id].plain for id in meeting)
    steps = [
        (str(called[meeting.one].iteration), meeting)
        for meeting in sorted(met)
        if (called[meeting.one].plain, called[meeting.two].plain) == (one, two)
        and called[meeting.one].iteration == called[meeting.two].iteration is not None
    ]
    if one == two or len(steps) < 2 or meeting not in dict(steps).values():
        return None
    return Series(Over.ITERATIONS, one, two, tuple(sorted(steps, key=lambda step: natural(step[0]))))


def _versions(meeting: Meets, met: Set[Meets], called: Mapping[str, NamedCandidate]) -> Series | None:
    """The versions of one of the two against the other, or each against the one before."""
    for own, other in sorted((meeting, meeting.turned), key=lambda side: stem(called[side.one].plain)):
        name = stem(called[own].plain)
        family = [
            called[id] for id in sorted({meeting.one for meeting in met}) if stem(called[id].plain) == name
        ]
        family.sort(
            key=lambda candidate: (
                natural(candidate.plain),
                natural(candidate.iteration or ""),
                str(candidate.at),
            )
        )
        # Those that differ by their model alone are no versions of each other.
        if len({(candidate.plain, candidate.iteration, candidate.skill) for candidate in family}) < len(
            family
        ):
            continue
        first, second = f"{family[0].name} to {family[-1].name}", called[other].name
        over, steps = Over.VERSIONS, [(candidate.name, Meets(candidate.id, other)) for candidate in family]
        if called[other] in family:
            over, second = Over.SUCCESSORS, "the version before"
            steps = [(later.name, Meets(later.id, earlier.id)) for earlier, later in pairwise(family)]
        steps = [(step, meeting) for step, meeting in steps if meeting in met]
        if len(steps) < 2:
            continue
        if meeting in dict(steps).values():
            return Series(over, first, second, tuple(steps))
        if meeting.turned in dict(steps).values():
            return Series(over, second, first, tuple((step, meeting.turned) for step, meeting in steps))
    return None
