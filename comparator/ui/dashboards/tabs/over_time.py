"""Over time: every task in every iteration, which tasks regressed, and which keep changing."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import streamlit as st

from comparator.domain.counted import natural
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.spending import largest_change, ratios, runs_by_step
from comparator.reporting.results.task_history import TaskHistory, TaskState, kinds_of
from comparator.reporting.scope import By, ResultFilter, Within
from comparator.ui.dashboards.cost_words import times_of
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Chart, Lines, Link, Multiples, break_marks, outcome, show
from comparator.ui.frame.charts.task_grid import CellLink, task_grid
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.lists.filters import one_of, one_of_many
from comparator.ui.frame.words import counted
from comparator.workflow.projects.settings import project_settings

OVERLAYS = {
    "apart": "Each kind and task by itself",
    "kinds": "Win rate by kind of task",
    "candidates": "Expectations met by each candidate",
    "figures": "Win rate and expectations met",
}
PARTS = {"tasks": "Tasks by iteration", "lines": "Lines"}
MOST_MULTIPLES = 12
CAUSES = (
    "What changed beyond chance, by iteration, beside what may explain it: another model, skill, judge, guidance or "
    "rubric, other tasks, and the notes of the page History. No known cause: none of these changed there."
)
STATES_EXPLAINED = (
    "Regressed: the last iterations are lost, more than the task's record explains (exact tests of a run of losses "
    "and of losses before and after, corrected for all tasks by Benjamini and Hochberg). Improved: the same of wins. "
    "Noise: changes of winner beside that; 1 is what a coin gives, and a task keeps changing over two thirds. One to "
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
    with st.container(border=True, gap="xxsmall", key="what_changed"):
        st.subheader("What changed in which iteration", anchor=False, help=CAUSES)
        for line in what_changed(top, history):
            safe.say(line)
    names = history.steps
    starts = {names[0]: "No split", **{name: name for name in names[1:]}}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = one_of("over_time", PARTS, "Show", label_visibility="collapsed")
        start = one_of_many("from", starts, "Before and since", usual=names[since(top)], width=160)
    at = names.index(start)
    if part == "lines":
        _lines(top.filter, history, at)
        return
    task_grid(history, cell_link(top.filter, history), at=at)
    figures = st.expander("Rates, p-values and noise", key="over_time_figures", on_change="rerun")
    if figures.open:
        with figures:
            show([periods_chart(history), tasks_chart(top.filter, history, at)])


def _lines(result_filter: ResultFilter, history: History, at: int) -> None:
    kinds = kinds_of(history.tasks)
    overlays = {name: words for name, words in OVERLAYS.items() if name != "kinds" or len(kinds) > 1}
    overlay = one_of_many("overlay", overlays, "Lines over time", width=320)
    if overlay != "apart":
        show([overlay_chart(result_filter, history, overlay)])
        return
    if len(kinds) > 1:
        show([multiples_chart("kinds", history, kinds, _weakest(history, kinds, at))])
    restless = _restless(history.tasks)
    show(
        [
            multiples_chart(
                "tasks", history, restless, f"The {counted(len(restless), 'task')} that changed most"
            )
        ]
    )


def _weakest(history: History, kinds: Sequence[TaskHistory], at: int) -> str:
    """The kind of task of which the least is won from this iteration on, in a sentence."""
    kind = min(kinds, key=lambda kind: rate if (rate := kind.rates(at)[1]) is not None else 1.0)
    before, after = ("–" if rate is None else percent(rate) for rate in kind.rates(at))
    split = f" since {history.steps[at]}, {before} before" if at else ""
    return f"{history.one} wins least on {kind.title}: {after}{split}"


def what_changed(top: Findings, history: History) -> Iterator[str]:
    """Each iteration at which the win rate, tasks, or what may explain them changed, with all of that."""
    services, names, (one, two) = session.services(), history.steps, top.names
    figures, causes = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for before, after in pairwise(history.levels):
        rates = " → ".join(percent(level.share or 0.0) for level in (before, after))
        figures[names[after.at]].append(f"win rate of {one} {rates}")
    turns = Counter((names[task.turned.at], task.state) for task in history.tasks if task.turned)
    for (name, state), number in turns.items():
        figures[name].append(f"{counted(number, 'task')} {state}")
    steps = {iteration.name: iteration.met for iteration in history.iterations}
    used, times = ratios(runs_by_step(services.database, top.filter, top.names, steps), top.names)
    step, how = largest_change(times)
    if step:
        figures[step].append(
            f"{used.lower()} of a run of {one} {how} to {times_of(times[step])} times {two}'s"
        )
    for change in history.breaks or ():
        causes[names[change.at]].append(break_marks.what(change))
    for note in project_settings(services, top.filter.project_id).notes:
        causes[note.step].append(f"note: {note.words}")
    with facts_of(services.database, top.filter.project_id) as facts:
        skills = [[facts.candidates[id].skill_hash for id in own.met] for own in history.iterations]
    for at, (earlier, now) in enumerate(pairwise(skills), 1):
        if names[at] in figures and earlier != now:
            causes[names[at]].append("another skill")
    for name in names:
        if name in figures or name in causes:
            yield f"{name}: {'; '.join((*figures[name], *(causes[name] or ['no known cause'])))}."
    if not figures and not causes:
        yield "Nothing beyond chance."


def since(top: Findings) -> int:
    """The place of the iteration at which the win rate changed most; without any change, the first one."""
    changes = [
        (abs((after.share or 0.0) - (before.share or 0.0)), after.at)
        for before, after in pairwise(top.history.levels if top.history else ())
    ]
    return max(changes, default=(0.0, 0))[1]


def overlay_chart(result_filter: ResultFilter, history: History, overlay: str) -> Chart:
    """Several lines over the iterations: kinds of task, the two candidates, or two figures."""
    names = history.steps
    one, two = history.one, history.two
    lines: dict[str, list[tuple[float | None, int]]] = {}
    if overlay == "kinds":
        for kind in kinds_of(history.tasks):
            lines[kind.title] = [
                (None, 0) if cell is None else (cell.share, cell.won + cell.tied + cell.lost)
                for cell in kind.cells
            ]
    else:
        met = {f"Expectations met by {one}": "met_one", f"Expectations met by {two}": "met_two"}
        if overlay == "figures":
            lines[f"Won by {one}"] = [(iteration.share, iteration.n) for iteration in history.iterations]
            del met[f"Expectations met by {two}"]
        for name, field in met.items():
            lines[name] = [(getattr(iteration, field), iteration.n) for iteration in history.iterations]
    steps = [pairs_link(result_filter.over(iteration.met)) for iteration in history.iterations]
    return Chart(
        "overlay",
        f"{OVERLAYS[overlay]} over {counted(len(names), 'iteration')}",
        [
            {"Iteration": step, "Line": line, "Share": None if share is None else round(share, 3), "Pairs": n}
            for line, values in lines.items()
            for step, (share, n) in zip(names, values, strict=True)
        ],
        Lines(
            "Iteration",
            "Share",
            names,
            by="Line",
            n="Pairs",
            even=None if overlay == "candidates" else 0.5,
            breaks=break_marks.marks_of(history.breaks, names),
        ),
        {PAIRS: steps * len(lines)},
        help=break_marks.sentence(history.breaks, names),
    )


def multiples_chart(what: str, history: History, rows: Sequence[TaskHistory], title: str) -> Chart:
    """A small line for each kind or task, all to one scale: its win rate."""
    return Chart(
        f"multiples_{what}",
        title,
        [
            {
                "Iteration": iteration.name,
                **{
                    row.name: None if (cell := row.cells[at]) is None else round(cell.share, 3)
                    for row in rows
                },
            }
            for at, iteration in enumerate(history.iterations)
        ],
        Multiples("Iteration", [row.name for row in rows], [change.at for change in history.breaks or ()]),
        note=f"Win rate of {history.one} against {history.two}. "
        + break_marks.sentence(history.breaks, history.steps),
    )


def _restless(tasks: Sequence[TaskHistory]) -> list[TaskHistory]:
    """Those that turned, then those that change most."""
    return sorted(tasks, key=lambda task: (task.turned is None, -(task.noise or 0)))[:MOST_MULTIPLES]


def periods_chart(history: History) -> Chart:
    """The stretches between changes beyond chance as a table: their rates, intervals and the p-value of each change."""
    names = history.steps
    return Chart(
        "periods",
        f"{counted(len(history.levels), 'period')} between changes of the win rate",
        [
            {
                "From": names[stretch.at],
                "To": names[stretch.end - 1],
                **outcome(stretch),
                "p-value of the change": float(f"{stretch.p:.3g}") if at else None,
            }
            for at, stretch in enumerate(history.levels)
        ],
        help="p-value: a t-test of the iterations before and after the change, corrected for every place tried.",
    )


def cell_link(result_filter: ResultFilter, history: History) -> CellLink:
    """The list behind each task in each iteration."""
    return lambda task, at: _task_link(result_filter.over(history.iterations[at].met), task)


def tasks_chart(result_filter: ResultFilter, history: History, at: int) -> Chart:
    """Every task: what it won before and since its own turn, else this iteration, how often it changed, and what it
    did."""
    tasks = sorted(
        history.tasks,
        key=lambda task_history: (
            list(TaskState).index(task_history.state),
            -task_history.flips,
            natural(task_history.title),
        ),
    )
    words = ", ".join(f"{n} {state}" for state, n in Counter(task.state for task in tasks).items())
    every = result_filter.over(*(iteration.met for iteration in history.iterations))
    split = {task.key: task.turned.at if task.turned else at for task in tasks}
    also = break_marks.sentence(history.breaks, history.steps)
    return Chart(
        "tasks_over_time",
        title=f"By task: {words} over {counted(len(history.iterations), 'iteration')}",
        note=also and f"{also} That may explain where a task turned.",
        help=STATES_EXPLAINED,
        rows=[
            {
                "Task": task.name,
                "Tags": ", ".join(task.tags),
                "Trend": f"keeps changing: {counted(task.flips, 'time')}"
                if task.state is TaskState.NOISY
                else task.state.value,
                "Since": history.iterations[split[task.key]].name if split[task.key] else "",
                "Won before": _rounded(task.rates(split[task.key])[0]),
                "Won since": _rounded(task.rates(split[task.key])[1]),
                "p-value of the change": float(f"{task.turned.p:.3g}") if task.turned else None,
                "Noise": _rounded(task.noise),
                **dict(zip(("Won", "Tied", "Lost"), task.record, strict=True)),
                "Orders disagreed": task.disagreed,
            }
            for task in tasks
        ],
        opens={PAIRS: [_task_link(every, task) for task in tasks]},
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _task_link(result_filter: ResultFilter, task: TaskHistory) -> Link:
    part = Within(by=By.TASK, value=task.task_id) if task.task_id else Within(by=By.TAG, value=task.title)
    return pairs_link(result_filter.copy_with(within=(*result_filter.within, part)))
