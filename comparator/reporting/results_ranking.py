"""The order of more than two candidates, who beat whom, and how the result changed from iteration to iteration."""

from __future__ import annotations

import re
from collections import Counter

from comparator.domain.labels import Frozen
from comparator.reporting.candidates import Named, names
from comparator.reporting.results_scope import KINDS, Kind, Runs, Verdicts
from comparator.reporting.tallying import current, read
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import Sums, win_rate
from comparator.stats.ranking import Met, NotConnected, Ranked, bradley_terry
from comparator.store.database import Database


class Ranking(Frozen):
    """The revealed candidates from best to worst, or the groups that no comparison connects; and who met whom."""

    order: tuple[Ranked, ...]
    apart: tuple[tuple[str, ...], ...]
    met: tuple[Met, ...]
    called: dict[str, str]


class Step(Frozen):
    """How two kinds of candidates did against each other in one iteration; counts are of the first of them."""

    iteration: str
    won: int
    tied: int
    lost: int
    rate: Estimate | TooFew
    one: str
    two: str
    """The candidates' ids."""

    @property
    def n(self) -> int:
        """The pairs."""
        return self.won + self.tied + self.lost


class Trend(Frozen):
    """The same two names, iteration after iteration."""

    one: str
    two: str
    steps: tuple[Step, ...]


class Field(Frozen):
    """Everything about more than two candidates."""

    ranking: Ranking | None
    """None where fewer than three met."""
    trends: tuple[Trend, ...]


def field(database: Database, project_id: str, *, verdicts: Verdicts, runs: Runs, baseline: bool) -> Field:
    """Ranking and trends over all revealed pairs of the project."""
    kinds = {each.value for each in (*KINDS[verdicts], *((Kind.BASELINE,) if baseline else ()))}
    with current(database) as connection:
        numbers = read(connection, project_id, ("won",))["won"]
        counts: dict[tuple[str, str], Counter[str]] = {}
        for (one, two, kind, valid, points), number in numbers.items():
            if kind in kinds and (valid == "valid" or runs is Runs.ALL):
                counts.setdefault((one, two), Counter())[points] += number
        ids = {id for both in counts for id in both}
        called = names(connection, project_id, ids, revealed=ids)
    met = tuple(
        Met(one, two, won=each["2"], lost=each["0"], tied=each["1"])
        for (one, two), each in sorted(counts.items())
    )
    return Field(ranking=_ranking(met, called) if len(ids) > 2 else None, trends=_trends(met, called))


def _ranking(met: tuple[Met, ...], called: dict[str, Named]) -> Ranking:
    found = bradley_terry(met)
    apart = found.groups if isinstance(found, NotConnected) else ()
    return Ranking(
        order=() if isinstance(found, NotConnected) else found,
        apart=apart,
        met=met,
        called={id: each.name for id, each in called.items()},
    )


def _trends(met: tuple[Met, ...], called: dict[str, Named]) -> tuple[Trend, ...]:
    """Pairs of names that met within at least two iterations."""
    found: dict[tuple[str, str], list[Step]] = {}
    for each in met:
        one, two = called[each.one], called[each.two]
        if one.iteration is None or one.iteration != two.iteration:
            continue
        plain = {own.id: own.plain for own in (one, two)}
        first, second = sorted((one, two), key=lambda own: plain[own.id])
        won, lost = (each.won, each.lost) if first is one else (each.lost, each.won)
        points = (
            Sums.of([*[[2]] * won, *[[1]] * each.tied, *[[0]] * lost]) if won + lost + each.tied else None
        )
        if points is None:
            continue
        found.setdefault((plain[first.id], plain[second.id]), []).append(
            Step(
                iteration=one.iteration,
                won=won,
                tied=each.tied,
                lost=lost,
                rate=win_rate(points, tied=each.tied),
                one=first.id,
                two=second.id,
            )
        )
    return tuple(
        Trend(one=one, two=two, steps=tuple(sorted(steps, key=lambda step: natural(step.iteration))))
        for (one, two), steps in sorted(found.items())
        if len(steps) > 1
    )


def natural(text: str) -> tuple[tuple[int, str], ...]:
    """A key that puts iteration 9 before iteration 10.

    >>> sorted(["iteration-10", "iteration-9"], key=natural)
    ['iteration-9', 'iteration-10']
    """
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text))
