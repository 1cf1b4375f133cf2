"""The order of more than two candidates, and who beat whom."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, ended, facts_of, sums
from comparator.reporting.results.breaks import Break, breaks_of
from comparator.reporting.results.candidates import NamedCandidate, names, revealed_ids
from comparator.reporting.results.over_iterations import MOST_PAIRS
from comparator.reporting.results.series import Trend, trends
from comparator.reporting.scope import KINDS, Meets, Runs, Verdicts, Within
from comparator.stats.paired import Sums
from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry
from comparator.store.core.database import Database


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
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
        pairs = facts.within(pairs, within)
        decided = pairs[pairs.kind.isin(KINDS[verdicts])]
        if runs is Runs.VALID:
            pairs, decided = pairs[pairs.valid], decided[decided.valid]
        by_two = {Meets(*both.split()): own for both, own in decided.groupby("both")}
        ids = {id for both in by_two for id in both}
        # Named as among all that are revealed, so that a version is called the same wherever it stands.
        revealed = revealed_ids(facts)
        every_name = names(facts.connection, project_id, revealed, revealed=revealed)
        called = {id: every_name[id] for id in ids}
        met = tuple(
            HeadToHead(both.one, both.two, won=won, tied=tied, lost=lost)
            for both, own in sorted(by_two.items())
            for won, tied, lost in (ended(own.points),)
        )

        def made(one: str, two: str) -> Sums:
            own = by_two[Meets(*sorted((one, two)))]
            return sums(own.points if one < two else 2 - own.points, own.task_id)

        followed = tuple(
            trend.model_copy(update={"breaks": _breaks(facts, trend, within)})
            for trend in trends(met, called, made)
        )
    return Field(ranking=_ranking(met, called) if len(ids) > 2 else None, trends=followed)


def _breaks(facts: Facts, trend: Trend, within: tuple[Within, ...]) -> tuple[Break, ...] | None:
    """The breaks between the steps of a trend; None with too many pairs to look for them."""
    if sum(step.n for step in trend.steps) > MOST_PAIRS:
        return None
    steps = [Meets(step.one, step.two) for step in trend.steps]
    pairs = facts.pairs[
        facts.pairs.revealed & facts.pairs.both.isin([" ".join(sorted(met)) for met in steps])
    ]
    return breaks_of(facts, facts.within(pairs, within), steps)


def _ranking(met: tuple[HeadToHead, ...], called: dict[str, NamedCandidate]) -> Ranking:
    found = bradley_terry(met)
    apart = found.groups if isinstance(found, NotConnected) else ()
    return Ranking(
        order=() if isinstance(found, NotConnected) else found,
        apart=apart,
        met=met,
        called={id: each.name for id, each in called.items()},
    )
