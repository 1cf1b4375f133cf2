"""The order of more than two candidates."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, ended, facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.results.candidates import names, revealed_ids
from comparator.reporting.scope import ResultFilter, Runs
from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry
from comparator.store.core.database import Database


class Ranking(Frozen):
    """The revealed candidates from best to worst; none where groups of them never met."""

    order: tuple[Ranked, ...]
    met: tuple[HeadToHead, ...]
    called: dict[str, str]


def ranking(database: Database, asked: ResultFilter) -> Ranking | None:
    """All revealed pairs of the project, counted as `asked` counts its two; None where fewer than three met."""
    with facts_of(database, asked.project_id) as facts:
        pairs = ranked_pairs(facts, asked)
        ids = {*pairs.one, *pairs.two}
        if len(ids) < 3:
            return None
        # Named as among all that are revealed, so that a version is called the same wherever it stands.
        revealed = revealed_ids(facts)
        called = names(facts.connection, asked.project_id, revealed, revealed=revealed)
    met = tuple(
        HeadToHead(one, two, won=won, tied=tied, lost=lost)
        for both, own in sorted(pairs.groupby("both"))
        for (one, two), (won, tied, lost) in ((both.split(), ended(own.points)),)
    )
    found = bradley_terry(met)
    return Ranking(
        order=() if isinstance(found, NotConnected) else found,
        met=met,
        called={id: called[id].name for id in ids},
    )


def ranked_pairs(facts: Facts, asked: ResultFilter) -> Frame:
    """The pairs that a ranking counts."""
    pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
    pairs = facts.within(pairs, asked.within)
    pairs = pairs[pairs.kind.isin(asked.kinds)]
    return pairs[pairs.valid] if asked.runs is Runs.VALID else pairs
