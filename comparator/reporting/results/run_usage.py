"""What the candidates' own runs took: tokens and seconds."""

from __future__ import annotations

from typing import NamedTuple

from comparator.reporting.facts import facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.results.candidates import Names, names
from comparator.reporting.scope import ResultFilter, Runs
from comparator.store.core.database import Database


class RunUsage(NamedTuple):
    """What a candidate's own runs took on average, over the runs that say so."""

    name: str
    runs: int
    tokens: float | None
    with_tokens: int
    seconds: float | None
    with_seconds: int


class Usage(NamedTuple):
    """The two candidates over all their iterations, None without a run, and each of their iterations by itself."""

    one: RunUsage | None
    two: RunUsage | None
    each: tuple[RunUsage, ...]

    def times(self, what: str) -> float | None:
        """How many times the tokens or seconds of two a run of one takes; None where that is not known."""
        one, two = (getattr(side, what, None) for side in (self.one, self.two))
        return one / two if one and two else None


def run_usage(database: Database, asked: ResultFilter, called: Names) -> Usage:
    """The tokens and seconds of the two candidates' own runs; of a part, of runs for its tasks.

    `called` are their names over all iterations. Raises BlindnessError before the reveal.
    """
    with facts_of(database, asked.project_id) as facts:
        facts.revealed(asked)
        runs = facts.runs
        if asked.runs is Runs.VALID:
            runs = runs[runs.state == "valid"]
        if asked.within:
            pairs = facts.within(facts.pairs[facts.pairs.revealed], asked.within)
            runs = runs[runs.version_id.isin(pairs.version_id)]
        ids = list(dict.fromkeys(id for met in asked.meetings for id in met))
        by_id = {id: own for id in ids if len(own := runs[runs.candidate == id])}
        known = names(facts.connection, asked.project_id, set(by_id), revealed=set(by_id))
    sides = (runs[runs.candidate.isin([met[at] for met in asked.meetings])] for at in (0, 1))
    one, two = (_usage(name, own) if len(own) else None for name, own in zip(called, sides, strict=True))
    return Usage(one, two, tuple(_usage(known[id].name, own) for id, own in by_id.items()))


def _usage(name: str, runs: Frame) -> RunUsage:
    tokens, seconds = runs.tokens.dropna(), runs.exact_seconds.dropna()
    return RunUsage(
        name=name,
        runs=len(runs),
        tokens=float(tokens.mean()) if len(tokens) else None,
        with_tokens=len(tokens),
        seconds=float(seconds.mean()) if len(seconds) else None,
        with_seconds=len(seconds),
    )
