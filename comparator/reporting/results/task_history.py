"""What each task did over the iterations: who won it in each, whether it turned for good, and how noisy it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from math import sqrt
from statistics import median_low
from typing import Any, NamedTuple

import pandas as pd

from comparator.domain.counted import natural
from comparator.reporting.frames import Frame
from comparator.stats.differences import FAMILY_LEVEL, Turn, benjamini_hochberg, fell, rose

NO_VERDICT = "no counted verdict"
"""Why a task is missing in an iteration whose outputs are valid."""
NOISY, BEYOND = 2 / 3, 1.5
"""A task is noisy if its winner changes more often than this share of the changes that coin tosses would give, and if
its share exceeds that of the median task by this many standard deviations of a coin's."""


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
    def share(self) -> float:
        """The share of its pairs that candidate one won, ties as half."""
        return (self.won + self.tied / 2) / (self.won + self.tied + self.lost)

    @property
    def sign(self) -> int:
        """1 where candidate one won more of its pairs, -1 where it lost more, else 0."""
        return (self.won > self.lost) - (self.won < self.lost)


class TaskState(StrEnum):
    """What a task did over the iterations."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    NOISY = "keep changing"
    STEADY = "steady"


@dataclass(frozen=True)
class TaskHistory:
    """One task over all iterations; `cells` holds one an iteration, None where it was not compared.

    Not a model of pydantic's, which would copy every cell.
    """

    task_id: str
    key: str
    title: str
    name: str
    """Its title; with its key where another task has the same title."""
    tags: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    flips: int = 0
    """How often the winner changed from one decided iteration to the next."""
    state: TaskState = TaskState.STEADY
    turned: Turn | None = None
    """Where it turned from won to lost or back, if that is more than chance."""
    perhaps: Turn | None = None
    """Where it may have turned from won to lost: more than chance, were it the only task."""
    missing: Mapping[int, str] = field(default_factory=dict[int, str])
    """By the place of an iteration, why none of its pairs counts."""

    @property
    def chances(self) -> int:
        """How often its winner could change: a coin would do so in half of them."""
        won, _, lost = self.record
        return won + lost - 1

    @property
    def noise(self) -> float | None:
        """Changes of winner except the turn, as a share of those that a coin would give; None below four decided."""
        changes = max(self.flips - (self.turned is not None), 0)
        return changes / (self.chances / 2) if self.chances > 2 else None

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


CellsByTask = Mapping[str, Sequence[Cell | None]]
"""The iterations of each task, by its id."""
Turns = Mapping[str, tuple[Turn | None, Turn | None]]
"""Where each task fell and where it rose."""


def cells_by_task(pairs: Frame, place: Mapping[str, int]) -> CellsByTask:
    """The cells of each task; `place` is that of an iteration by its two candidates."""
    cells: dict[str, list[Cell | None]] = {}
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
        cells.setdefault(task_id, [None] * len(place))[place[both]] = cell
    return cells


def why_missing(every: Frame, series: CellsByTask, place: Mapping[str, int]) -> dict[str, dict[int, str]]:
    """For each task and place of an iteration, why none of the pairs of `every` counts there."""
    missing: dict[str, dict[int, str]] = {}
    columns = ["both", "task_id", "valid", "not_valid"]
    for both, task_id, valid, cause in every[columns].itertuples(index=False):
        if task_id in series and series[task_id][place[both]] is None:
            missing.setdefault(task_id, {})[place[both]] = NO_VERDICT if valid else f"an output is {cause}"
    return missing


def turns_of(series: CellsByTask) -> Turns:
    """Where each task's winner turned, not yet corrected for the number of tasks."""
    signs = {id: [None if cell is None else cell.sign for cell in cells] for id, cells in series.items()}
    return {id: (fell(line), rose(line)) for id, line in signs.items()}


def task_histories(
    series: CellsByTask, turns: Turns, tasks: Mapping[str, Any], missing: Mapping[str, Mapping[int, str]]
) -> tuple[TaskHistory, ...]:
    """The tasks by name. A turn counts if it is more than chance, corrected for the number of tasks."""
    ids = sorted(series, key=lambda id: (natural(tasks[id].title), tasks[id].key))
    clear: dict[str, list[Turn]] = {id: [] for id in ids}
    for side in range(2):
        own = [turns[id][side] for id in ids]
        named = benjamini_hochberg([1.0 if turn is None else turn.p for turn in own])
        for id, turn, is_named in zip(ids, own, named, strict=True):
            if turn is not None and is_named:
                clear[id].append(turn)
    titles = Counter(tasks[id].title for id in ids)
    histories = []
    for id in ids:
        row, turned = tasks[id], max(clear[id], key=lambda turn: turn.at, default=None)
        signs = [cell.sign for cell in series[id] if cell is not None and cell.sign]
        fall = turns[id][0]
        history = TaskHistory(
            task_id=id,
            key=row.key,
            title=row.title,
            name=row.title if titles[row.title] == 1 else f"{row.title} ({row.key})",
            tags=tuple(row.tags),
            cells=tuple(series[id]),
            flips=sum(before != after for before, after in pairwise(signs)),
            state=TaskState.STEADY
            if turned is None
            else TaskState.REGRESSED
            if turned.fell
            else TaskState.IMPROVED,
            turned=turned,
            perhaps=fall if turned is None and fall is not None and fall.p < FAMILY_LEVEL else None,
            missing=missing.get(id, {}),
        )
        histories.append(history)
    steady = [history for history in histories if history.turned is None and history.noise is not None]
    usual = median_low([history.noise or 0 for history in steady] or [0])
    noisy = {
        history.task_id
        for history in steady
        if (history.noise or 0) > max(NOISY, usual + BEYOND / sqrt(history.chances))
    }
    return tuple(
        replace(history, state=TaskState.NOISY) if history.task_id in noisy else history
        for history in histories
    )


def regressed(tasks: Sequence[TaskHistory]) -> tuple[TaskHistory, ...]:
    """The tasks that turned from won to lost, those of the latest turn first."""
    fallen = [task for task in tasks if task.state is TaskState.REGRESSED and task.turned]
    return tuple(sorted(fallen, key=lambda task: -(task.turned.at if task.turned else 0)))


def kinds_of(tasks: Sequence[TaskHistory]) -> tuple[TaskHistory, ...]:
    """All tasks of each tag together, by name, as if they were one task; its id is empty."""
    kinds = []
    for tag in sorted({tag for task in tasks for tag in task.tags}, key=natural):
        own = [task for task in tasks if tag in task.tags]
        cells = [
            _together(column) for column in zip(*(task_history.cells for task_history in own), strict=True)
        ]
        kinds.append(
            TaskHistory(
                task_id="",
                key=tag,
                title=tag,
                name=f"{tag}: all {len(own)}",
                tags=(tag,),
                cells=tuple(cells),
            )
        )
    return tuple(kinds)


def _together(cells: Sequence[Cell | None]) -> Cell | None:
    known = [cell for cell in cells if cell is not None]
    if not known:
        return None
    leads = [(cell.lead, cell.won + cell.tied + cell.lost) for cell in known if cell.lead is not None]
    pairs = sum(n for _, n in leads)
    return Cell(
        won=sum(cell.won for cell in known),
        tied=sum(cell.tied for cell in known),
        lost=sum(cell.lost for cell in known),
        lead=sum(lead * n for lead, n in leads) / pairs if pairs else None,
    )


def _mean(cells: Sequence[Cell | None]) -> float | None:
    shares = [cell.share for cell in cells if cell is not None]
    return sum(shares) / len(shares) if shares else None
