"""How two candidates did iteration after iteration, as a whole and task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import pairwise
from types import MappingProxyType
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
from comparator.stats.changes import Level, Turn, fell, levels, rose
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.multiple_testing import benjamini_hochberg
from comparator.stats.paired import win_rate
from comparator.stats.ranking import HeadToHead
from comparator.store.core.database import Database

MOST_PAIRS = 20_000
"""With more pairs than this the iterations are told, but not each task in each of them, nor breaks between them."""
NOT_VALID, NO_VERDICT = "an output is unusable, cut off or superseded", "no counted verdict"
"""Why a task is missing in an iteration."""
NOISY = 2 / 3
"""A task is called noisy if its winner changes so often, of how often a coin's would."""


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
    turned: Turn | None
    """Where it turned from won to lost or back, if that is more than chance."""
    missing: Mapping[int, str] = field(default_factory=dict)
    """By place, why nothing counts of what was compared there."""

    @property
    def noise(self) -> float | None:
        """Changes of winner beside the turn, as a share of how many a coin would give; None below four decided."""
        won, _, lost = self.record
        if won + lost < 4:
            return None
        return max(self.flips - (self.turned is not None), 0) / ((won + lost - 1) / 2)

    def rates(self, at: int) -> tuple[float | None, float | None]:
        """Its win rate before the iteration at this place and from it on, iterations counted alike."""
        return _mean(self.cells[:at]), _mean(self.cells[at:])

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


class Stretch(WonTiedLost):
    """Iterations from place `at` up to, not including, `end`, with no change beyond chance."""

    at: int
    end: int
    rate: Estimate | TooFew


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

    def breaks_at(self, level: Stretch) -> tuple[Break, ...]:
        """The breaks that coincide with a level's beginning: since the last iteration before it that has a rate."""
        before = [at for at, each in enumerate(self.iterations[: level.at]) if each.share is not None]
        return tuple(each for each in self.breaks or () if before and before[-1] < each.at <= level.at)


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
        levels=tuple(_stretch(each, summed.pairs, meets) for each in _levels(summed.pairs, meets)),
        tasks=_by_name(summed.series, summed.turns, tasks, summed.missing),
        counted_by_task=summed.by_task,
        breaks=summed.breaks,
    )


class _Summed(NamedTuple):
    """The counted pairs of all iterations and what they come to, without a name."""

    pairs: Frame
    series: dict[str, list[Cell | None]]
    """The iterations of each task, by its id."""
    turns: Turns
    """Where each task's winner turned, if it did."""
    missing: dict[str, dict[int, str]]
    """Of each task, by the place of an iteration, why none of its pairs counts."""
    by_task: bool
    breaks: tuple[Break, ...] | None


def _summed(facts: Facts, whole: ResultFilter, *, few: bool) -> _Summed:
    """`few` says whether the two have at most MOST_PAIRS before any filter."""
    pairs, every = facts.counted(whole), facts.within(facts.revealed(whole), whole.within)
    by_task = few or len(pairs) <= MOST_PAIRS
    place = {_both(met): at for at, met in enumerate(whole.meetings)}
    series = _by_task(pairs, place) if by_task else {}
    missing: dict[str, dict[int, str]] = {}
    for both, task_id, valid in (
        every[["both", "task_id", "valid"]].itertuples(index=False) if by_task else ()
    ):
        if task_id in series and series[task_id][place[both]] is None:
            missing.setdefault(task_id, {})[place[both]] = NO_VERDICT if valid else NOT_VALID
    return _Summed(
        pairs=pairs,
        series=series,
        turns=_turns(series),
        missing=missing,
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


def _levels(pairs: Frame, meets: list[Meets]) -> tuple[Level, ...]:
    shares = (pairs.points / 2).groupby(pairs.both).mean()
    return levels([shares.get(_both(met)) for met in meets], pairs=len(pairs) / max(len(shares), 1))


def _stretch(level: Level, pairs: Frame, meets: list[Meets]) -> Stretch:
    own = pairs[pairs.both.isin([_both(met) for met in meets[level.at : level.end]])]
    won, tied, lost = ended(own.points)
    return Stretch(at=level.at, end=level.end, won=won, tied=tied, lost=lost, rate=_rate(own))


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


def _by_task(pairs: Frame, place: Mapping[str, int]) -> dict[str, list[Cell | None]]:
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
        found.setdefault(task_id, [None] * len(place))[place[both]] = cell
    return found


Turns = dict[str, tuple[Turn | None, Turn | None]]


def _turns(series: dict[str, list[Cell | None]]) -> Turns:
    """Of each task where it fell and where it rose."""
    signs = {id: [None if cell is None else cell.sign for cell in cells] for id, cells in series.items()}
    return {id: (fell(each), rose(each)) for id, each in signs.items()}


def _by_name(
    series: dict[str, list[Cell | None]],
    turns: Turns,
    tasks: Mapping[str, Any],
    missing: Mapping[str, Mapping[int, str]] = MappingProxyType({}),
) -> tuple[TaskHistory, ...]:
    ids = sorted(series, key=lambda id: (natural(tasks[id].title), tasks[id].key))
    clear: dict[str, list[Turn]] = {id: [] for id in ids}
    for side in range(2):
        own = [turns[id][side] for id in ids]
        named = benjamini_hochberg([1.0 if turn is None else turn.p for turn in own])
        for id, turn, is_named in zip(ids, own, named, strict=True):
            if turn is not None and is_named:
                clear[id].append(turn)
    return tuple(
        _task(
            id,
            tasks[id],
            tuple(series[id]),
            max(clear[id], key=lambda turn: turn.at, default=None),
            missing.get(id, {}),
        )
        for id in ids
    )


def _task(
    id: str, row: Any, cells: tuple[Cell | None, ...], turned: Turn | None, missing: Mapping[int, str]
) -> TaskHistory:
    signs = [cell.sign for cell in cells if cell is not None and cell.sign]
    found = TaskHistory(
        task_id=id,
        key=row.key,
        title=row.title,
        tags=tuple(row.tags),
        cells=cells,
        flips=sum(before != after for before, after in pairwise(signs)),
        state=TaskState.STEADY if turned is None else TaskState.FELL if turned.fell else TaskState.ROSE,
        turned=turned,
        missing=missing,
    )
    noisy = turned is None and (found.noise or 0) > NOISY
    return replace(found, state=TaskState.NOISY) if noisy else found


def _mean(cells: Sequence[Cell | None]) -> float | None:
    signs = [cell.sign for cell in cells if cell is not None]
    return (sum(signs) / len(signs) + 1) / 2 if signs else None
