"""What changed for each task between an earlier iteration and the newest one."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.results.over_iterations import Cell, History, TaskHistory


class ChangedTask(Frozen):
    """A task whose winner is another one than before; `change` is that of its lead, in points."""

    task: TaskHistory
    before: Cell
    now: Cell
    change: float | None
    beyond: bool | None
    """Whether the change is larger than 95 of 100; None where that is not known."""


class Since(Frozen):
    """What changed from an iteration to the newest."""

    worse: tuple[ChangedTask, ...]
    better: tuple[ChangedTask, ...]
    new: tuple[TaskHistory, ...]
    missing: tuple[TaskHistory, ...]


def since(found: History, at: int) -> Since:
    """What is otherwise in the newest iteration than at this place: tasks of both, won to lost first.

    A change is beyond the noise if it is larger than 95 of 100 changes of all tasks and iterations. Identical reruns so
    name at most 5% of the tasks on average over comparisons; a single comparison can name more.
    """
    changed: list[ChangedTask] = []
    new, missing = [], []
    for task in found.tasks:
        before, now = task.cells[at], task.cells[-1]
        if before is None and now is None:
            continue
        if before is None:
            new.append(task)
        elif now is None:
            missing.append(task)
        elif before.sign != now.sign:
            change = None if before.lead is None or now.lead is None else now.lead - before.lead
            usual = found.usual_change
            beyond = None if change is None or usual is None else abs(change) > usual
            changed.append(ChangedTask(task=task, before=before, now=now, change=change, beyond=beyond))
    # From won to lost first, then by how much.
    changed.sort(key=lambda each: (each.now.sign - each.before.sign, each.change or 0))
    return Since(
        worse=tuple(each for each in changed if each.now.sign < each.before.sign),
        better=tuple(reversed([each for each in changed if each.now.sign > each.before.sign])),
        new=tuple(new),
        missing=tuple(missing),
    )
