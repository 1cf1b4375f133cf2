"""How two candidates did iteration after iteration, as a whole and task by task."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from comparator.domain.counted import natural
from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of, rated
from comparator.reporting.frames import Frame
from comparator.reporting.results.breaks import Break, breaks
from comparator.reporting.results.candidates import names_of
from comparator.reporting.results.result import HUNDREDTH, TENTH, mean_of
from comparator.reporting.results.series import Over, Series, series_of
from comparator.reporting.results.task_history import (
    CellsByTask,
    TaskHistory,
    TaskState,
    Turns,
    cells_by_task,
    regressed,
    task_histories,
    turns_of,
    why_missing,
)
from comparator.reporting.scope import By, Meets, Rated, ResultFilter
from comparator.stats.differences import levels
from comparator.store.core.database import Database

MOST_PAIRS = 20_000
"""With more pairs than this the iterations are told, but not each task in each of them, nor breaks between them."""


class IterationRecord(Rated):
    """One iteration, or version: how candidate one did in it. Means are per pair; None where nothing is known."""

    name: str
    met: Meets
    lead: float | None
    """The mean difference of the overall score, in points."""
    met_one: float | None
    """The mean share of expectations met, 0 to 1."""
    met_two: float | None


class Stretch(Rated):
    """Iterations from place `at` up to, not including, `end`, with no change beyond chance."""

    at: int
    end: int
    p: float
    """The chance of the change that it begins with; 0 of the first."""


class History(Frozen):
    """All iterations of two candidates, oldest first, and every task that they met in."""

    over: Over
    one: str
    two: str
    iterations: tuple[IterationRecord, ...]
    chosen: int | None
    """The place of the iteration that was asked about; None where all of them count."""
    pooled: Rated
    """All iterations together."""
    levels: tuple[Stretch, ...]
    """Between them the rate changed by more than chance; none without a counted pair."""
    tasks: tuple[TaskHistory, ...]
    counted_by_task: bool
    """Whether `tasks` were looked for; not with very many pairs."""
    breaks: tuple[Break, ...] | None = ()
    """The iterations that do not compare with the one before; None with so many pairs that they were not looked for."""

    @property
    def steps(self) -> Sequence[str]:
        """The names of the iterations."""
        return [iteration.name for iteration in self.iterations]

    @property
    def latest(self) -> bool:
        """Whether the newest iteration was asked about."""
        return self.chosen == len(self.iterations) - 1

    @property
    def regressed(self) -> tuple[TaskHistory, ...]:
        """The tasks that turned from won to lost, those of the latest turn first."""
        return regressed(self.tasks)

    @property
    def noisy(self) -> tuple[TaskHistory, ...]:
        """The tasks that are only noisy, those of most changes of winner first."""
        return tuple(
            sorted(
                (task for task in self.tasks if task.state is TaskState.NOISY), key=lambda task: -task.flips
            )
        )


def over_iterations(database: Database, result_filter: ResultFilter) -> History | None:
    """All iterations, counted as `result_filter` counts but for its parts by iteration; None where there is only one.

    Raises BlindnessError.
    """
    result_filter = result_filter.without(By.ITERATION)
    with facts_of(database, result_filter.project_id) as facts:
        series = series_of(facts, result_filter)
        if series is None:
            return None
        since = next((part.value for part in result_filter.within if part.by is By.SINCE), "")
        later = tuple(step for step in series.iterations if natural(step[0]) >= natural(since))
        if result_filter.also and len(later) > 1:
            series = series._replace(iterations=later)
        meets = [met for _, met in series.iterations]
        whole = result_filter.over(*meets)
        # Every click on a page needs it again, mostly unchanged.
        summed = facts.kept(f"iterations {whole!r}", partial(_summed, facts, whole))
        tasks = facts.tasks
    history = _history(
        series, summed.pairs.assign(step=summed.pairs.both), [met.both for met in meets], breaks=summed.breaks
    )
    return history.model_copy(
        update={
            "chosen": None
            if result_filter.also
            else meets.index(Meets(result_filter.one, result_filter.two)),
            "tasks": task_histories(summed.series, summed.turns, tasks, summed.missing),
            "counted_by_task": summed.by_task,
        }
    )


def over_days(database: Database, result_filter: ResultFilter) -> History | None:
    """The days (UTC) on which the counted pairs were set up, as if they were iterations; None where there is only one.

    Raises BlindnessError.
    """
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
        called = names_of(facts, one=result_filter.one, two=result_filter.two)
        days = sorted(pairs.day.unique())
        if len(days) < 2:
            return None
        changes = breaks(facts, pairs, pairs.day, days)
    return _history(
        Series(Over.DAYS, *called, tuple((day, Meets(result_filter.one, result_filter.two)) for day in days)),
        pairs.assign(step=pairs.day),
        days,
        # Other tasks each day are no change of what is compared.
        breaks=tuple(change for change in changes if change.beyond_tasks),
    )


def _history(
    series: Series, pairs: Frame, steps: Sequence[str], *, breaks: tuple[Break, ...] | None
) -> History:
    """The history of these pairs by the values of their column `step`, without tasks."""
    return History(
        over=series.over,
        one=series.one,
        two=series.two,
        iterations=tuple(
            _iteration(name, met, pairs[pairs.step == step])
            for (name, met), step in zip(series.iterations, steps, strict=True)
        ),
        chosen=None,
        pooled=rated(pairs.points, pairs.task_id),
        levels=stretches(pairs, steps, breaks or ()),
        tasks=(),
        counted_by_task=False,
        breaks=breaks,
    )


class _Summed(NamedTuple):
    """The counted pairs of all iterations and what they come to, without a name."""

    pairs: Frame
    series: CellsByTask
    turns: Turns
    missing: Mapping[str, Mapping[int, str]]
    by_task: bool
    breaks: tuple[Break, ...] | None


def _summed(facts: Facts, whole: ResultFilter) -> _Summed:
    few = len(facts.of_two(whole)) <= MOST_PAIRS
    pairs, every = facts.counted(whole), facts.within(facts.revealed(whole), whole.within)
    by_task = few or len(pairs) <= MOST_PAIRS
    place = {met.both: at for at, met in enumerate(whole.meetings)}
    series = cells_by_task(pairs, place) if by_task else {}
    return _Summed(
        pairs=pairs,
        series=series,
        turns=turns_of(series),
        missing=why_missing(every, series, place) if by_task else {},
        by_task=by_task,
        breaks=breaks(facts, every, every.both, [met.both for met in whole.meetings]) if few else None,
    )


def stretches(pairs: Frame, steps: Sequence[str], breaks: Sequence[Break]) -> tuple[Stretch, ...]:
    """The stretches between changes of the rate over these values of the column `step`."""
    shares = (pairs.points / 2).groupby(pairs.step).mean()
    cuts = [change.at for change in breaks if change.beyond_tasks]
    parts = []
    for level in levels(
        [shares.get(step) for step in steps], pairs=len(pairs) / max(len(shares), 1), cuts=cuts
    ):
        own = pairs[pairs.step.isin(steps[level.at : level.end])]
        parts.append(Stretch(at=level.at, end=level.end, p=level.p, **dict(rated(own.points, own.task_id))))
    return tuple(parts)


def _iteration(name: str, met: Meets, pairs: Frame) -> IterationRecord:
    return IterationRecord(
        name=name,
        met=met,
        **dict(rated(pairs.points, pairs.task_id)),
        lead=mean_of(pairs.overall, TENTH),
        met_one=mean_of(pairs.passed_one, HUNDREDTH),
        met_two=mean_of(pairs.passed_two, HUNDREDTH),
    )
