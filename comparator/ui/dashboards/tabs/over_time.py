"""Over time: every task in every iteration, what got worse, and which tasks are only noisy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from comparator.reporting.results.candidates import natural
from comparator.reporting.results.changes_since import ChangedTask, Since, since
from comparator.reporting.results.over_iterations import (
    History,
    TaskHistory,
    TaskState,
)
from comparator.reporting.scope import By, Meets, ResultFilter, Within
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.trend import trend_chart
from comparator.ui.frame.charts import PAIRS, Chart, Link, Row, break_marks, show
from comparator.ui.frame.charts.task_grid import ENDED, CellLink, label, task_grid
from comparator.ui.frame.lists.filters import one_of_many, pair_id
from comparator.ui.frame.words import counted

AT_FIRST = 60
"""Tasks of the grid at first: of more, the browser takes longer than a click may."""
STATES = {
    TaskState.FELL: "fell",
    TaskState.ROSE: "rose",
    TaskState.NOISY: "noisy",
    TaskState.STEADY: "steady",
}
STATES_EXPLAINED = (
    "Fell, rose: the winner changed and stayed changed, more than chance explains (Fisher's test, corrected for all "
    "tasks and change points). Noisy: the winner changed in more than a third of the iterations. Steady: neither. A "
    "change to or from a tie does not count. Orders disagreed: pairs in which the judge named another winner with the "
    "outputs swapped."
)


def over_time(top: Headline) -> None:
    """The tab."""
    found = top.history
    if found is None or not found.n:
        st.info("No pair of these two is counted yet.", icon=":material/info:")
        return
    if not found.counted_by_task:
        show([trend_chart(found, top.asked)])
        st.info(
            "Too many pairs to show tasks by iteration. Narrow the page first, under Where.",
            icon=":material/info:",
        )
        return
    task_grid(found, cell_link(top.asked, found), most=AT_FIRST)
    earlier = {
        pair_id(iteration.one, iteration.two): iteration.name for iteration in found.iterations[-2::-1]
    }
    chosen = one_of_many("since", earlier, "What changed since", width=240)
    at = len(earlier) - 1 - list(earlier).index(chosen)
    show([since_chart(top.asked, found, at), tasks_chart(top.asked, found)])


def cell_link(asked: ResultFilter, found: History) -> CellLink:
    """The list behind each task in each iteration."""
    return partial(_cell_link, asked, found)


def since_chart(asked: ResultFilter, found: History, at: int) -> Chart:
    """What is otherwise in the newest iteration than in another."""
    changed = since(found, at)
    then, now = found.iterations[at].name, found.iterations[-1].name
    every = (*changed.worse, *changed.better)
    apart = [
        *([f"New in {now}: {_some(changed.new)}."] if changed.new else ()),
        *([f"Not compared in {now}: {_some(changed.missing)}."] if changed.missing else ()),
        *_also_changed(found, at, "a different result"),
    ]
    usual = (
        f"Beyond the noise between iterations: the lead changed by more than {found.usual_change:.1f} points, "
        "the 95th percentile of changes from one iteration to the next."
        if found.usual_change is not None
        else "There are too few iterations to tell these changes from noise."
    )
    return Chart(
        "since",
        title=f"Since {then}: {_changes(changed)}",
        note=" ".join(apart),
        help=f"Tasks compared in both, with a different result in {now}; won to lost first. {usual}",
        rows=[_changed(each, then, now) for each in every],
        opens={PAIRS: [_cell_link(asked, found, each.task, len(found.iterations) - 1) for each in every]},
    )


def _also_changed(found: History, at: int, what: str) -> list[str]:
    """That not only the candidates changed after this place, if so: it may explain what is told."""
    if found.breaks is None:
        return [break_marks.NOT_CHECKED]
    later = [each for each in found.breaks if each.at > at]
    if not later:
        return []
    named = break_marks.named(later, [iteration.name for iteration in found.iterations])
    since = found.iterations[at].name
    return [
        f"Judge, guidance, rubric or tasks also changed since {since} ({named}), which may explain {what}."
    ]


def _changes(found: Since) -> str:
    """How many tasks got worse and better, those beyond the noise first and by name."""
    every = (*found.worse, *found.better)
    if not every:
        return "the same result (won, tied or lost) in every task compared in both"
    if any(each.beyond is None for each in every):
        return (
            f"a different result (won, tied or lost) in {counted(len(every), 'task')}, {len(found.worse)} got worse, "
            f"{len(found.better)} got better"
        )
    clear, within = (
        [[each.task for each in side if each.beyond is beyond] for side in (found.worse, found.better)]
        for beyond in (True, False)
    )
    worse, better = (f"{len(tasks)} ({_some(tasks)})" if tasks else "none" for tasks in clear)
    return (
        f"beyond the noise {worse} got worse and {better} got better; within it {len(within[0])} worse, "
        f"{len(within[1])} better"
    )


def tasks_chart(asked: ResultFilter, found: History) -> Chart:
    """Every task: what it won, how often its winner changed, and what it did."""
    tasks = sorted(
        found.tasks, key=lambda each: (list(STATES).index(each.state), -each.flips, natural(each.title))
    )
    named = {state: sum(each.state is state for each in tasks) for state in STATES}
    words = ", ".join(f"{n} {STATES[state]}" for state, n in named.items() if n)
    noisy = [each for each in tasks if each.state is TaskState.NOISY]
    if noisy:
        words = words.replace("noisy", f"noisy ({_some(noisy)})")
    return Chart(
        "tasks_over_time",
        title=f"By task: {words} over {counted(len(found.iterations), 'iteration')}",
        note=" ".join(_also_changed(found, 0, "where a task turned")),
        help=STATES_EXPLAINED,
        rows=[
            {
                "Task": each.title,
                "Id": each.key,
                "Tags": ", ".join(each.tags),
                "Trend": STATES[each.state],
                "Turned at": found.iterations[each.turned.at].name if each.turned else "",
                "Won": each.record[0],
                "Tied": each.record[1],
                "Lost": each.record[2],
                "Changes of winner": each.flips,
                "Orders disagreed": each.disagreed,
            }
            for each in tasks
        ],
        opens={PAIRS: [_task_link(asked, found, each) for each in tasks]},
    )


def _changed(each: ChangedTask, then: str, now: str) -> Row:
    beyond = {True: "beyond", False: "within", None: "not known"}[each.beyond]
    return {
        "Task": each.task.title,
        "Id": each.task.key,
        f"In {then}": ENDED[each.before.sign],
        f"In {now}": ENDED[each.now.sign],
        "Change of lead": None if each.change is None else round(each.change, 2),
        "Noise": beyond,
        "Trend": STATES[each.task.state],
    }


def _cell_link(asked: ResultFilter, found: History, task: TaskHistory, at: int) -> Link:
    iteration = found.iterations[at]
    return _task_link(
        asked.model_copy(update={"one": iteration.one, "two": iteration.two, "also": ()}), None, task
    )


def _task_link(asked: ResultFilter, found: History | None, task: TaskHistory) -> Link:
    part = Within(by=By.TASK, value=task.task_id)
    update: dict[str, object] = {"within": (*asked.within, part)}
    if found is not None:
        first, *rest = found.iterations
        update |= {
            "one": first.one,
            "two": first.two,
            "also": tuple(Meets(iteration.one, iteration.two) for iteration in rest),
        }
    return pairs_link(asked.model_copy(update=update))


def _some(tasks: Sequence[TaskHistory]) -> str:
    named = ", ".join(label(each) for each in tasks[:8])
    return f"{named} and {len(tasks) - 8} more" if len(tasks) > 8 else named
