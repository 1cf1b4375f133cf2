"""The order of more than two candidates, and who beat whom."""

from __future__ import annotations

from collections import Counter

from comparator.domain.labels import Frozen
from comparator.reporting.results.breaks import breaks_of_two
from comparator.reporting.results.candidates import NamedCandidate, names, revealed_ids
from comparator.reporting.results.over_iterations import MOST_PAIRS
from comparator.reporting.results.result import points_of
from comparator.reporting.results.series import Trend, trends
from comparator.reporting.tally.part_conditions import Within
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.scope import Meets, ResultFilter, Runs, Verdicts
from comparator.stats.paired import Sums
from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry
from comparator.store.core.database import Connection, Database


class Ranking(Frozen):
    """The revealed candidates from best to worst, or the groups that no comparison connects; and who met whom."""

    order: tuple[Ranked, ...]
    apart: tuple[tuple[str, ...], ...]
    met: tuple[HeadToHead, ...]
    called: dict[str, str]


class Field(Frozen):
    """Everything about more than two candidates."""

    ranking: Ranking | None
    """None where fewer than three met."""
    trends: tuple[Trend, ...]


def field(
    database: Database,
    project_id: str,
    *,
    verdicts: Verdicts,
    runs: Runs,
    within: tuple[Within, ...] = (),
) -> Field:
    """Ranking and trends over all revealed pairs of the project, or those that are in all of these parts."""
    every = ResultFilter(project_id=project_id, one="", two="", verdicts=verdicts, runs=runs, within=within)
    kinds = {each.value for each in every.kinds}
    with current(database) as connection:
        numbers = read(connection, project_id, ("won", "met"), within=within)
        counts: dict[tuple[str, str], Counter[str]] = {}
        for (one, two, kind, valid, points), number in numbers["won"].items():
            if kind in kinds and (valid == "valid" or runs is Runs.ALL):
                counts.setdefault((one, two), Counter())[points] += number
        ids = {id for both in counts for id in both}
        revealed = ids | revealed_ids(numbers["met"])
        # Named as among all that are revealed, so that a version is called the same wherever it stands.
        every_name = names(connection, project_id, revealed, revealed=revealed)
        called = {id: every_name[id] for id in ids}
        met = tuple(
            HeadToHead(one, two, won=each["2"], lost=each["0"], tied=each["1"])
            for (one, two), each in sorted(counts.items())
        )

        def made(one: str, two: str) -> Sums:
            return points_of(connection, every.model_copy(update={"one": one, "two": two}))

        followed = tuple(_parted(connection, each, every) for each in trends(met, called, made))
    return Field(ranking=_ranking(met, called) if len(ids) > 2 else None, trends=followed)


def _parted(connection: Connection, trend: Trend, every: ResultFilter) -> Trend:
    """The same with its breaks, unless there are too many pairs to look for them."""
    steps = [Meets(step.one, step.two) for step in trend.steps]
    few = sum(step.n for step in trend.steps) <= MOST_PAIRS
    return trend.model_copy(update={"breaks": breaks_of_two(connection, every, steps) if few else None})


def _ranking(met: tuple[HeadToHead, ...], called: dict[str, NamedCandidate]) -> Ranking:
    found = bradley_terry(met)
    apart = found.groups if isinstance(found, NotConnected) else ()
    return Ranking(
        order=() if isinstance(found, NotConnected) else found,
        apart=apart,
        met=met,
        called={id: each.name for id, each in called.items()},
    )
