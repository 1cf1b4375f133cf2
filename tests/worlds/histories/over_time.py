"""What tasks did over iterations, as values: no database."""

from __future__ import annotations

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import History, IterationRecord
from comparator.reporting.results.series import Over
from comparator.reporting.results.task_history import Cell, TaskHistory, TaskState
from comparator.stats.changes import Turn
from comparator.stats.figures import TooFew

FEW = TooFew(n=1, needed=20)


def task(key: str, *cells: Cell | None, turned: int | None = None, title: str = "") -> TaskHistory:
    """A task with its cell in each iteration, and the place from which it was lost instead of won."""
    return TaskHistory(
        task_id=f"task-{key}",
        key=key,
        title=title or key,
        name=title or key,
        tags=(),
        cells=cells,
        flips=0,
        state=TaskState.STEADY if turned is None else TaskState.FELL,
        turned=None if turned is None else Turn(at=turned, fell=True, p=0.01),
        missing={},
    )


def over_time(
    *tasks: TaskHistory,
    won: int = 0,
    breaks: tuple[Break, ...] | None = (),
) -> History:
    """These tasks over the iterations 1, 2, … that they have cells for; each has so many pairs won."""
    return History(
        over=Over.ITERATIONS,
        one="new",
        two="old",
        iterations=tuple(
            IterationRecord(
                name=str(n),
                one=f"new-{n}",
                two=f"old-{n}",
                won=won,
                tied=0,
                lost=0,
                rate=FEW,
                lead=None,
                met_one=None,
                met_two=None,
            )
            for n in range(1, len(tasks[0].cells) + 1)
        ),
        chosen=None,
        pooled=FEW,
        n=1,
        levels=(),
        tasks=tasks,
        counted_by_task=True,
        breaks=breaks,
    )
