"""What changed since an iteration, where nothing did: identical reruns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean

import pytest

from comparator.reporting.results.changes_since import ChangedTask, Since, since
from comparator.reporting.results.over_iterations import (
    Cell,
    History,
    TaskHistory,
    TaskState,
)
from comparator.reporting.results.series import Over
from comparator.stats.changes import usual_change
from comparator.stats.figures import TooFew

TASKS, ITERATIONS, HISTORIES = 40, 6, 150
LEADS: dict[str, Callable[[random.Random], Callable[[], float]]] = {
    "tasks that are even": lambda rng: lambda: rng.gauss(0, 2),
    "tasks that lean their own way": lambda rng: _about(rng.gauss(0, 1.5), rng),
    "tasks that vary more or less": lambda rng: _about(0, rng, spread=rng.choice((0.5, 1, 4))),
    "scores of a few steps": lambda rng: lambda: float(rng.choice((-1, 0, 0, 1, 2))),
}
"""How the leads of a task are drawn, the same in each iteration."""


def _about(middle: float, rng: random.Random, *, spread: float = 2) -> Callable[[], float]:
    return lambda: rng.gauss(middle, spread)


@pytest.mark.parametrize("kind", LEADS)
def test_identical_reruns_name_on_average_at_most_5_in_100_tasks_beyond_noise(kind: str) -> None:
    rng = random.Random(20)
    shares = []
    for _ in range(HISTORIES):
        draws = [LEADS[kind](rng) for _ in range(TASKS)]
        found = history([[draw() for _ in range(ITERATIONS)] for draw in draws])
        shares.append(fmean(len(beyond(since(found, at))) / TASKS for at in range(ITERATIONS - 1)))

    # Monte Carlo error: three standard errors of such a mean are half a point; with 2,000 histories it is at most 4.7%.
    assert fmean(shares) <= 0.05


def test_tasks_that_turned_are_named_beyond_noise_and_others_are_not() -> None:
    rng = random.Random(21)
    leads = [[rng.gauss(0, 1) for _ in range(ITERATIONS)] for _ in range(TASKS)]
    leads[3][-2:] = [4.0, -4.0]
    leads[7][-2:] = [-4.0, 4.0]
    # More than any change, but won before and after.
    leads[9][-2:] = [9.0, 0.1]
    leads[11][-2:] = [0.2, -0.2]

    changed = since(history(leads), ITERATIONS - 2)

    assert {each.task.task_id for each in beyond(changed)} >= {"3", "7"}
    assert {"3", "11"} <= {each.task.task_id for each in changed.worse}
    assert "7" in {each.task.task_id for each in changed.better}
    named = {each.task.task_id for each in beyond(changed)}
    assert not named & {"9", "11"}


def beyond(changed: Since) -> list[ChangedTask]:
    return [each for each in (*changed.worse, *changed.better) if each.beyond]


def history(leads: Sequence[Sequence[float]]) -> History:
    """Of each task its lead in each iteration, one pair an iteration."""
    return History(
        over=Over.ITERATIONS,
        one="with_skill",
        two="without_skill",
        iterations=(),
        chosen=None,
        pooled=TooFew(n=0),
        n=len(leads) * len(leads[0]),
        step=None,
        tasks=tuple(_task(str(at), each) for at, each in enumerate(leads)),
        usual_change=usual_change(leads),
        counted_by_task=True,
    )


def _task(id: str, leads: Sequence[float]) -> TaskHistory:
    return TaskHistory(
        task_id=id,
        key=id,
        title=id,
        tags=(),
        cells=tuple(Cell(int(lead > 0), int(lead == 0), int(lead < 0), lead) for lead in leads),
        flips=0,
        state=TaskState.STEADY,
        turned=None,
    )
