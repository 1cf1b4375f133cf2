"""Over time: every task in every iteration, which tasks regressed, and which are only noisy."""

from __future__ import annotations

from functools import partial

import streamlit as st

from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import natural
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.task_history import TaskHistory, TaskState
from comparator.reporting.scope import By, Meets, ResultFilter, Within
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame.charts import PAIRS, Chart, Link, break_marks, show
from comparator.ui.frame.charts.task_grid import CellLink, task_grid
from comparator.ui.frame.lists.filters import one_of_many
from comparator.ui.frame.words import counted

AT_FIRST = 60
"""Tasks of the grid at first: of more, the browser takes longer than a click may."""
STATES = {
    TaskState.FELL: "regressed",
    TaskState.ROSE: "improved",
    TaskState.NOISY: "noisy",
    TaskState.STEADY: "steady",
}
STATES_EXPLAINED = (
    "Regressed: the last iterations are lost, more than the task's record explains (exact tests of a run of losses "
    "and of losses before and after, corrected for all tasks by Benjamini and Hochberg). Improved: the same of wins. "
    "Noise: changes of winner beside that; 1 is what a coin gives, and noisy is over two thirds. A change to "
    "or from a tie does not count. Orders disagreed: pairs whose winner changed when the outputs were swapped."
)


def over_time(top: Findings) -> None:
    """The tab."""
    history = top.history
    if history is None:
        return
    if not history.counted_by_task:
        st.info(
            "Too many pairs to show tasks by iteration. Narrow the page first, under Where.",
            icon=":material/info:",
        )
        return
    names = [each.name for each in history.iterations]
    usual = names[top.now.at if top.now else -1]
    starts = {name: name for name in names[1:]}
    at = names.index(one_of_many("since", starts, "Before and since", usual=usual, width=240))
    task_grid(history, cell_link(top.asked, history), at=at, most=AT_FIRST)
    show([tasks_chart(top.asked, history, at)])


def cell_link(asked: ResultFilter, history: History) -> CellLink:
    """The list behind each task in each iteration."""
    return partial(_cell_link, asked, history)


def tasks_chart(asked: ResultFilter, history: History, at: int) -> Chart:
    """Every task: what it won before and since this iteration, how noisy it is, and what it did."""
    tasks = sorted(
        history.tasks,
        key=lambda each: (list(STATES).index(each.state), -(each.noise or 0), natural(each.title)),
    )
    named = {state: sum(each.state is state for each in tasks) for state in STATES}
    words = ", ".join(f"{n} {STATES[state]}" for state, n in named.items() if n)
    start = history.iterations[at].name
    also = break_marks.sentence(history.breaks, [each.name for each in history.iterations])
    return Chart(
        "tasks_over_time",
        title=f"By task: {words} over {counted(len(history.iterations), 'iteration')}",
        note=also and f"{also} That may explain where a task turned.",
        help=STATES_EXPLAINED,
        rows=[
            {
                "Task": each.title,
                "Id": each.key,
                "Tags": ", ".join(each.tags),
                "Trend": STATES[each.state],
                "Since": history.iterations[each.turned.at].name if each.turned else "",
                f"Won before {start}": _rounded(each.rates(at)[0]),
                f"Won from {start}": _rounded(each.rates(at)[1]),
                "Noise": _rounded(each.noise),
                **dict(zip(("Won", "Tied", "Lost"), each.record, strict=True)),
                "Orders disagreed": each.disagreed,
            }
            for each in tasks
        ],
        opens={PAIRS: [_task_link(asked, history, each) for each in tasks]},
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _cell_link(asked: ResultFilter, history: History, task: TaskHistory, at: int) -> Link:
    iteration = history.iterations[at]
    alone = asked.model_copy(update={"one": iteration.one, "two": iteration.two, "also": ()})
    return _task_link(alone, None, task)


def _task_link(asked: ResultFilter, history: History | None, task: TaskHistory) -> Link:
    part = Within(by=By.TASK, value=task.task_id)
    update: dict[str, object] = {"within": (*asked.within, part)}
    if history is not None:
        first, *rest = history.iterations
        update |= {
            "one": first.one,
            "two": first.two,
            "also": tuple(Meets(each.one, each.two) for each in rest),
        }
    return pairs_link(asked.model_copy(update=update))
