"""How two candidates did iteration after iteration, as a whole and task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, ended, facts_of, sums
from comparator.reporting.frames import Frame
from comparator.reporting.results.breaks import Break, breaks, breaks_of, ground_of
from comparator.reporting.results.candidates import names, names_of, revealed_ids
from comparator.reporting.results.series import Over, all_series
from comparator.reporting.results.task_history import (
    Series,
    TaskHistory,
    TaskState,
    Turns,
    cells_by_task,
    task_histories,
    turns_of,
    why_missing,
)
from comparator.reporting.scope import By, Meets, ResultFilter, WonTiedLost
from comparator.stats.differences import levels
from comparator.stats.intervals import Estimate, TooFew
from comparator.stats.paired import win_rate
from comparator.stats.ranking import HeadToHead
from comparator.store.core.database import Database

MOST_PAIRS = 20_000
"""With more pairs than this the iterations are told, but not each task in each of them, nor breaks between them."""


class IterationRecord(WonTiedLost):
    """One iteration, or version: how candidate one did in it. Means are per pair; None where nothing is known."""

    name: str
    one: str
    two: str
    rate: Estimate | TooFew
    lead: float | None
    """The mean difference of the overall score, in points."""
    met_one: float | None
    """The mean share of expectations met, 0 to 1."""
    met_two: float | None


class Stretch(WonTiedLost):
    """Iterations from place `at` up to, not including, `end`, with no change beyond chance."""

    at: int
    end: int
    rate: Estimate | TooFew
    p: float = 1.0
    """The chance of the change that it begins with."""


class History(Frozen):
    """All iterations of two candidates, oldest first, and every task that they met in."""

    over: Over
    one: str
    two: str
    iterations: tuple[IterationRecord, ...]
    chosen: int | None
    """The place of the iteration that was asked about; None where all of them count."""
    pooled: Estimate | TooFew
    """The win rate over all iterations together, `n` pairs."""
    n: int
    levels: tuple[Stretch, ...]
    """Between them the rate changed by more than chance; one where it did not, none without a counted pair."""
    tasks: tuple[TaskHistory, ...]
    counted_by_task: bool
    """Whether `tasks` were looked for; not with very many pairs."""
    breaks: tuple[Break, ...] | None = ()
    """The iterations that do not compare with the one before; None with so many pairs that they were not looked for."""

    @property
    def latest(self) -> bool:
        """Whether the newest iteration was asked about."""
        return self.chosen == len(self.iterations) - 1

    @property
    def regressed(self) -> tuple[TaskHistory, ...]:
        """The tasks that turned from won to lost, those of the latest turn first."""
        fallen = [each for each in self.tasks if each.state is TaskState.FELL and each.turned]
        return tuple(sorted(fallen, key=lambda each: -(each.turned.at if each.turned else 0)))

    @property
    def noisy(self) -> tuple[TaskHistory, ...]:
        """The tasks that are only noisy, those of most changes of winner first."""
        return tuple(
            sorted(
                (each for each in self.tasks if each.state is TaskState.NOISY), key=lambda each: -each.flips
            )
        )


class Iterations(NamedTuple):
    """The iterations of two candidates by name, and how many pairs they have before any filter."""

    over: Over
    one: str
    two: str
    iterations: tuple[tuple[str, Meets], ...]
    pairs: int


def iterations_of(database: Database, asked: ResultFilter) -> Iterations | None:
    """The iterations that the two candidates belong to, oldest first; None where there is only one."""
    with facts_of(database, asked.project_id) as facts:
        return _iterations_of(facts, asked)


def pooled(database: Database, asked: ResultFilter) -> ResultFilter:
    """The same question over all iterations; as it stands where there is only one."""
    found = iterations_of(database, asked)
    if found is None:
        return asked
    also = tuple(met for _, met in found.iterations if met != (asked.one, asked.two))
    return asked.model_copy(update={"also": also})


def over_iterations(database: Database, asked: ResultFilter) -> History | None:
    """All iterations, counted as `asked` counts but for its parts by iteration; None where there is only one.

    Raises BlindnessError.
    """
    asked = asked.without(By.ITERATION)
    with facts_of(database, asked.project_id) as facts:
        found = _iterations_of(facts, asked)
        if found is None:
            return None
        meets = [met for _, met in found.iterations]
        whole = asked.model_copy(update={"one": meets[0].one, "two": meets[0].two, "also": tuple(meets[1:])})
        few = found.pairs <= MOST_PAIRS
        if not asked.within:
            # Every click on a page needs it again, mostly unchanged.
            summed = facts.kept(f"iterations {few} {whole!r}", partial(_summed, facts, whole, few=few))
        else:
            summed = _summed(facts, whole, few=few)
        tasks = facts.tasks
    return History(
        over=found.over,
        one=found.one,
        two=found.two,
        iterations=tuple(
            _iteration(name, met, summed.pairs[summed.pairs.both == _both(met)])
            for name, met in found.iterations
        ),
        chosen=None if asked.also else meets.index(Meets(asked.one, asked.two)),
        pooled=_rate(summed.pairs),
        n=len(summed.pairs),
        levels=_stretches(summed.pairs.assign(step=summed.pairs.both), list(map(_both, meets))),
        tasks=task_histories(summed.series, summed.turns, tasks, summed.missing),
        counted_by_task=summed.by_task,
        breaks=summed.breaks,
    )


def over_days(database: Database, asked: ResultFilter) -> History | None:
    """The days (UTC) on which the counted pairs were set up, as if they were iterations; None where there is only one.

    Raises BlindnessError.
    """
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
        called = names_of(facts, one=asked.one, two=asked.two)
        days = sorted(pairs.day.unique())
        found = breaks(facts.connection, ground_of(pairs, pairs.day), days) if len(days) > 1 else ()
    if len(days) < 2:
        return None
    pairs = pairs.assign(step=pairs.day)
    return History(
        over=Over.DAYS,
        one=called.one,
        two=called.two,
        iterations=tuple(
            _iteration(day, Meets(asked.one, asked.two), pairs[pairs.step == day]) for day in days
        ),
        chosen=None,
        pooled=_rate(pairs),
        n=len(pairs),
        levels=_stretches(pairs, days),
        tasks=(),
        counted_by_task=False,
        # Other tasks each day are no change of what is compared.
        breaks=tuple(each for each in found if each.judge or each.guidance or each.rubrics),
    )


class _Summed(NamedTuple):
    """The counted pairs of all iterations and what they come to, without a name."""

    pairs: Frame
    series: Series
    turns: Turns
    missing: Mapping[str, Mapping[int, str]]
    by_task: bool
    breaks: tuple[Break, ...] | None


def _summed(facts: Facts, whole: ResultFilter, *, few: bool) -> _Summed:
    """`few` says whether the two have at most MOST_PAIRS before any filter."""
    pairs, every = facts.counted(whole), facts.within(facts.revealed(whole), whole.within)
    by_task = few or len(pairs) <= MOST_PAIRS
    place = {_both(met): at for at, met in enumerate(whole.meetings)}
    series = cells_by_task(pairs, place) if by_task else {}
    return _Summed(
        pairs=pairs,
        series=series,
        turns=turns_of(series),
        missing=why_missing(every, series, place) if by_task else {},
        by_task=by_task,
        breaks=breaks_of(facts, every, whole.meetings) if few else None,
    )


def _iterations_of(facts: Facts, asked: ResultFilter) -> Iterations | None:
    pairs = facts.pairs[facts.pairs.one != facts.pairs.two]
    met = [Meets(*both.split()) for both in sorted(pairs.both[pairs.revealed].unique())]
    revealed = revealed_ids(facts)
    called = names(facts.connection, facts.project_id, revealed, revealed=revealed)
    for over, first, second, steps in all_series(
        (HeadToHead(*each, won=0, lost=0, tied=0) for each in met), called
    ):
        meets = [(name, Meets(step.one, step.two)) for name, step in steps]
        for turned in (False, True):
            own = [(name, Meets(m.two, m.one) if turned else m) for name, m in meets]
            if any(m == (asked.one, asked.two) for _, m in own):
                number = int(pairs.both.isin([_both(m) for _, m in own]).sum())
                sides = (second, first) if turned else (first, second)
                return Iterations(over, *sides, tuple(own), number)
    return None


def _both(met: Meets) -> str:
    return " ".join(sorted(met))


def _rate(pairs: Frame) -> Estimate | TooFew:
    return win_rate(sums(pairs.points, pairs.task_id), tied=int((pairs.points == 1).sum()))


def _stretches(pairs: Frame, steps: Sequence[str]) -> tuple[Stretch, ...]:
    """The stretches between changes of the rate over these values of the column `step`."""
    shares = (pairs.points / 2).groupby(pairs.step).mean()
    found = []
    for level in levels([shares.get(each) for each in steps], pairs=len(pairs) / max(len(shares), 1)):
        own = pairs[pairs.step.isin(steps[level.at : level.end])]
        found.append(Stretch(at=level.at, end=level.end, p=level.p, rate=_rate(own), **ended(own.points)))
    return tuple(found)


def _iteration(name: str, met: Meets, pairs: Frame) -> IterationRecord:
    def mean(values: Frame, unit: float) -> float | None:
        known = values.dropna()
        return int(known.sum()) / len(known) * unit if len(known) else None

    return IterationRecord(
        name=name,
        one=met.one,
        two=met.two,
        **ended(pairs.points),
        rate=_rate(pairs),
        lead=mean(pairs.overall, 0.1),
        met_one=mean(pairs.passed_one, 0.01),
        met_two=mean(pairs.passed_two, 0.01),
    )
