"""How two candidates did iteration after iteration, as a whole and task by task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, ended, facts_of, sums
from comparator.reporting.frames import Frame
from comparator.reporting.results.breaks import Break, breaks_of
from comparator.reporting.results.candidates import names, natural, revealed_ids
from comparator.reporting.results.series import Over, all_series
from comparator.reporting.scope import By, Meets, ResultFilter, WonTiedLost
from comparator.stats.changes import LevelStep, common_step, turning_point, usual_change
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.multiple_testing import benjamini_hochberg
from comparator.stats.paired import win_rate
from comparator.stats.ranking import HeadToHead
from comparator.store.core.database import Database

MOST_PAIRS = 20_000
"""With more pairs than this the iterations are told, but not each task in each of them, nor breaks between them."""
SHARE_OF_FLIPS = 1 / 3
"""A task is called noisy if its winner changes in more than this share of its iterations."""


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


class Cell(NamedTuple):
    """One task in one iteration; `lead` is the mean difference of the overall score, in points.

    Not a model of pydantic's: a page has thousands.
    """

    won: int
    tied: int
    lost: int
    lead: float | None
    disagreed: int | None = None
    """Pairs in which the judge's two orders disagreed; None where none was judged in both."""

    @property
    def sign(self) -> int:
        """1 where candidate one won more of its pairs, -1 where it lost more, else 0."""
        return (self.won > self.lost) - (self.won < self.lost)


class TaskState(StrEnum):
    """What a task did over the iterations."""

    FELL = "fell"
    ROSE = "rose"
    NOISY = "noisy"
    STEADY = "steady"


@dataclass(frozen=True)
class TaskHistory:
    """One task over all iterations; `cells` holds one an iteration, None where it was not compared.

    Not a model of pydantic's, which would copy every cell.
    """

    task_id: str
    key: str
    title: str
    tags: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    flips: int
    """How often the winner changed from one decided iteration to the next."""
    state: TaskState
    turned: LevelStep | None
    """Where it turned from won to lost or back, if that is more than chance."""

    @property
    def record(self) -> tuple[int, int, int]:
        """Iterations won, tied and lost."""
        signs = [cell.sign for cell in self.cells if cell is not None]
        return signs.count(1), signs.count(0), signs.count(-1)

    @property
    def disagreed(self) -> int | None:
        """Pairs in which the judge's two orders disagreed; None where none was judged in both."""
        known = [cell.disagreed for cell in self.cells if cell is not None and cell.disagreed is not None]
        return sum(known) if known else None


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
    step: LevelStep | None
    tasks: tuple[TaskHistory, ...]
    usual_change: float | None
    """95 of 100 changes of a task's lead from one iteration to the next are no larger, in points."""
    counted_by_task: bool
    """Whether `tasks` and `usual_change` were looked for; not with very many pairs."""
    breaks: tuple[Break, ...] | None = ()
    """The iterations that do not compare with the one before; None with so many pairs that they were not looked for."""

    @property
    def latest(self) -> bool:
        """Whether the newest iteration was asked about."""
        return self.chosen == len(self.iterations) - 1

    @property
    def at_step(self) -> tuple[Break, ...]:
        """The breaks that coincide with the step: since the last iteration before it that has a rate."""
        if self.step is None or not self.breaks:
            return ()
        with_rate = [
            at for at, iteration in enumerate(self.iterations[: self.step.at]) if iteration.share is not None
        ]
        last = with_rate[-1] if with_rate else -1
        return tuple(each for each in self.breaks if last < each.at <= self.step.at)


def iterations_of(
    database: Database, asked: ResultFilter
) -> tuple[Over, tuple[tuple[str, Meets], ...]] | None:
    """The iterations that the two candidates belong to, oldest first; None where there is only one."""
    with facts_of(database, asked.project_id) as facts:
        found = _iterations_of(facts, asked)
    return None if found is None else (found.over, found.iterations)


def pooled(database: Database, asked: ResultFilter) -> ResultFilter:
    """The same question over all iterations; as it stands where there is only one."""
    found = iterations_of(database, asked)
    if found is None:
        return asked
    also = tuple(met for _, met in found[1] if met != (asked.one, asked.two))
    return asked.model_copy(update={"also": also})


def plain_names(database: Database, asked: ResultFilter) -> dict[str, str]:
    """What the two are called over all iterations, by id."""
    with facts_of(database, asked.project_id) as facts:
        found = _iterations_of(facts, asked)
    if found is None:
        raise NotFound("These two candidates met in one iteration only.")
    return {asked.one: found.one, asked.two: found.two}


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
        step=common_step([_share(summed.pairs[summed.pairs.both == _both(met)]) for met in meets]),
        tasks=_by_name(summed.series, summed.turns, tasks),
        usual_change=summed.usual_change,
        counted_by_task=summed.by_task,
        breaks=summed.breaks,
    )


class _Summed(NamedTuple):
    """The counted pairs of all iterations and what they come to, without a name."""

    pairs: Frame
    series: dict[str, list[Cell | None]]
    """The iterations of each task, by its id."""
    turns: dict[str, LevelStep | None]
    """Where each task's winner turned, if it did."""
    usual_change: float | None
    by_task: bool
    breaks: tuple[Break, ...] | None


def _summed(facts: Facts, whole: ResultFilter, *, few: bool) -> _Summed:
    """`few` says whether the two have at most MOST_PAIRS before any filter."""
    pairs, every = facts.counted(whole), facts.within(facts.revealed(whole), whole.within)
    by_task = few or len(pairs) <= MOST_PAIRS
    series = _by_task(pairs, [_both(met) for met in whole.meetings]) if by_task else {}
    return _Summed(
        pairs=pairs,
        series=series,
        turns=_turns(series),
        usual_change=usual_change(
            [[cell.lead if cell else None for cell in cells] for cells in series.values()]
        ),
        by_task=by_task,
        breaks=breaks_of(facts, every, whole.meetings) if few else None,
    )


class _Iterations(NamedTuple):
    """The iterations of two candidates by name, and how many pairs they have before any filter."""

    over: Over
    one: str
    two: str
    iterations: tuple[tuple[str, Meets], ...]
    pairs: int


def _iterations_of(facts: Facts, asked: ResultFilter) -> _Iterations | None:
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
                return _Iterations(over, *sides, tuple(own), number)
    return None


def _both(met: Meets) -> str:
    return " ".join(sorted(met))


def _rate(pairs: Frame) -> Estimate | TooFew:
    return win_rate(sums(pairs.points, pairs.task_id), tied=int((pairs.points == 1).sum()))


def _share(pairs: Frame) -> float | None:
    won, tied, lost = ended(pairs.points)
    return WonTiedLost(won=won, tied=tied, lost=lost).share


def _iteration(name: str, met: Meets, pairs: Frame) -> IterationRecord:
    won, tied, lost = ended(pairs.points)

    def mean(values: Frame, unit: float) -> float | None:
        known = values.dropna()
        return int(known.sum()) / len(known) * unit if len(known) else None

    return IterationRecord(
        name=name,
        one=met.one,
        two=met.two,
        won=won,
        tied=tied,
        lost=lost,
        rate=_rate(pairs),
        lead=mean(pairs.overall, 0.1),
        met_one=mean(pairs.passed_one, 0.01),
        met_two=mean(pairs.passed_two, 0.01),
    )


def _by_task(pairs: Frame, meets: list[str]) -> dict[str, list[Cell | None]]:
    place = {both: at for at, both in enumerate(meets)}
    found: dict[str, list[Cell | None]] = {}
    numbers = pd.DataFrame(
        {
            "won": pairs.points == 2,
            "tied": pairs.points == 1,
            "lost": pairs.points == 0,
            "overall": pairs.overall.fillna(0),
            "scored": pairs.overall.notna(),
            "read": pairs.position_consistent.notna(),
            "disagreed": pairs.position_consistent.eq(False),
        }
    ).astype("int64")
    grouped = numbers.groupby([pairs.both, pairs.task_id]).sum()
    for (both, task_id), won, tied, lost, overall, scored, read, disagreed in grouped.itertuples():
        cell = Cell(won, tied, lost, overall / 10 / scored if scored else None, disagreed if read else None)
        found.setdefault(task_id, [None] * len(meets))[place[both]] = cell
    return found


def _turns(series: dict[str, list[Cell | None]]) -> dict[str, LevelStep | None]:
    return {
        task_id: turning_point([None if cell is None else cell.sign for cell in cells])
        for task_id, cells in series.items()
    }


def _by_name(
    series: dict[str, list[Cell | None]], turns: dict[str, LevelStep | None], tasks: Mapping[str, Any]
) -> tuple[TaskHistory, ...]:
    ids = sorted(series, key=lambda id: (natural(tasks[id].title), tasks[id].key))
    clear = benjamini_hochberg([1.0 if (turned := turns[id]) is None else turned.p for id in ids])
    return tuple(
        _task(id, tasks[id], tuple(series[id]), turns[id] if named else None)
        for id, named in zip(ids, clear, strict=True)
    )


def _task(id: str, row: Any, cells: tuple[Cell | None, ...], turned: LevelStep | None) -> TaskHistory:
    signs = [cell.sign for cell in cells if cell is not None and cell.sign]
    flips = sum(before != after for before, after in pairwise(signs))
    if turned is not None:
        what = TaskState.FELL if turned.after < turned.before else TaskState.ROSE
    else:
        what = (
            TaskState.NOISY if flips > 1 and flips > SHARE_OF_FLIPS * (len(signs) - 1) else TaskState.STEADY
        )
    return TaskHistory(
        task_id=id,
        key=row.key,
        title=row.title,
        tags=tuple(row.tags),
        cells=cells,
        flips=flips,
        state=what,
        turned=turned,
    )
