"""Over time: every task in every iteration, what got worse, and which tasks are only noisy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import overload

import streamlit as st

from comparator.reporting.results.candidates import natural
from comparator.reporting.results.course import (
    Cell,
    ChangedTask,
    History,
    Since,
    TaskCourse,
    TaskState,
    since,
)
from comparator.reporting.tally.scope import Meets, ResultFilter
from comparator.reporting.tally.within import By, Within
from comparator.ui.dashboards.behind import pairs_link
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.trend import trend_panel
from comparator.ui.frame import charts
from comparator.ui.frame.charts.heat_map import Square, heat_map
from comparator.ui.frame.charts.panel_box import FOLLOWED, PAIRS, Link, Panel, Row, show
from comparator.ui.frame.charts.theme import PALETTES, Theme, theme
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted

FULL = 3.0
"""A lead of so many points has the fullest colour, in every grid."""
SIGNS = {1: "+", 0: "=", -1: "−"}
ENDED = {1: "won", 0: "tied", -1: "lost"}
STATES = {
    TaskState.FELL: "fell",
    TaskState.ROSE: "rose",
    TaskState.NOISY: "noisy",
    TaskState.STEADY: "steady",
}
ORDERS: dict[str, tuple[str, Callable[[TaskCourse], tuple[object, ...]]]] = {
    "change": (
        "Last change",
        lambda each: (-(each.turned.at if each.turned else -1), -_last_flip(each), natural(each.key)),
    ),
    "worst": ("Worst", lambda each: (each.record[0] - each.record[2], natural(each.key))),
    "name": ("Name", lambda each: (natural(each.title), natural(each.key))),
}
SHORT = 12


def over_time(top: Headline, *, picture: str) -> None:
    """The tab."""
    found = top.history
    if found is None or not found.n:
        st.info("No pair of these two is counted yet.", icon=":material/info:")
        return
    if not found.counted_by_task:
        show([trend_panel(found, top.asked, theme())], picture=picture)
        st.info(
            "Too many pairs to show tasks by iteration. Narrow the page first, under Where.",
            icon=":material/info:",
        )
        return
    with st.container(horizontal=True):
        order = one_of("rows", {name: told for name, (told, _) in ORDERS.items()}, "Rows by")
    show([grid_panel(top, found, theme=theme(), order=order)], picture=picture)
    _open_cell(top.asked, found)
    names = [lap.name for lap in found.laps]
    at = st.selectbox(
        "What changed since",
        range(len(names) - 2, -1, -1),
        format_func=names.__getitem__,
        key="dashboards_since",
        width=240,
    )
    show([since_panel(top, found, at or 0), tasks_panel(top, found)], picture=picture)


def grid_panel(top: Headline, found: History, *, theme: Theme, order: str) -> Panel:
    """A square for each task and iteration; a click lists its pairs."""
    tasks = sorted(found.tasks, key=ORDERS[order][1])
    one, two = top.names
    weak: list[tuple[TaskCourse, Square]] = []
    strong: list[tuple[TaskCourse, Square]] = []
    names = [lap.name for lap in found.laps]
    for row, task in enumerate(tasks):
        called = label(task)
        for column, cell in enumerate(task.cells):
            if cell is not None:
                words = f"{called}, {names[column]}: {_words(cell)}"
                square = Square(row, column, _value(cell), SIGNS[cell.sign], words)
                (strong if square.strong else weak).append((task, square))
    return Panel(
        "grid",
        title=turned(found),
        counts=f"Every task (row) in every iteration (column): + won by {one}, − won by {two}, = tied. "
        f"The stronger the color, the larger the mean lead, up to {FULL:.0f} points. Empty: not "
        "compared. Click a cell to list its pairs, or use the boxes below.",
        figure=heat_map(
            [label(each) for each in tasks],
            names,
            [square for _, square in weak],
            [square for _, square in strong],
            colours=charts.CANDIDATES[theme],
            palette=PALETTES[theme],
        ),
        rows=[],
        marks=[
            _CellLinks(top.asked, found, [(task, square.column) for task, square in squares])
            for squares in (weak, strong)
        ],
    )


def turned(found: History) -> str:
    """Which tasks turned from won to lost, and where; else that none did."""
    fell = [each for each in found.tasks if each.state is TaskState.FELL and each.turned]
    rose = sum(each.state is TaskState.ROSE for each in found.tasks)
    if not fell:
        return "No task turned from won to lost" + (
            f"; {counted(rose, 'task')} turned to won" if rose else ""
        )
    by_lap: dict[int, list[str]] = {}
    for each in fell:
        if each.turned:
            by_lap.setdefault(each.turned.at, []).append(label(each))
    told = "; ".join(
        f"at {found.laps[at].name}: {', '.join(names)}" for at, names in sorted(by_lap.items(), reverse=True)
    )
    return f"Turned from won to lost {told}" + (f". {counted(rose, 'task')} turned to won" if rose else "")


def since_panel(top: Headline, found: History, at: int) -> Panel:
    """What is otherwise in the newest iteration than in another."""
    changed = since(found, at)
    then, now = found.laps[at].name, found.laps[-1].name
    rows: list[Row] = [
        _changed(top.asked, found, each, then, now) for each in (*changed.worse, *changed.better)
    ]
    apart = [
        *([f"New in {now}: {_some(changed.new)}."] if changed.new else ()),
        *([f"Not compared in {now}: {_some(changed.missing)}."] if changed.missing else ()),
    ]
    usual = (
        f"Beyond the noise between iterations: the lead changed by more than {found.usual_change:.1f} points, "
        "the 95th percentile of changes from one iteration to the next."
        if found.usual_change is not None
        else "Too few iterations to estimate the noise between them."
    )
    return Panel(
        "since",
        title=f"Since {then}: {_changes(changed)}",
        counts=" ".join(
            (f"Tasks compared in both, with another winner in {now}; won to lost first. {usual}", *apart)
        ),
        figure=None,
        rows=rows,
    )


def _changes(found: Since) -> str:
    """How many tasks got worse and better, those beyond the noise first and by name."""
    if any(each.beyond is None for each in (*found.worse, *found.better)):
        return f"{counted(len(found.worse), 'task')} got worse, {len(found.better)} got better"
    clear, within = (
        [[each.task for each in side if each.beyond is beyond] for side in (found.worse, found.better)]
        for beyond in (True, False)
    )
    worse, better = (f"{len(tasks)} ({_some(tasks)})" if tasks else "none" for tasks in clear)
    return (
        f"beyond the noise {worse} got worse and {better} got better; within it {len(within[0])} worse, "
        f"{len(within[1])} better"
    )


def tasks_panel(top: Headline, found: History) -> Panel:
    """Every task: what it won, how often its winner changed, and what it did."""
    tasks = sorted(
        found.tasks, key=lambda each: (list(STATES).index(each.state), -each.flips, natural(each.title))
    )
    named = {state: sum(each.state is state for each in tasks) for state in STATES}
    told = ", ".join(f"{n} {STATES[state]}" for state, n in named.items() if n)
    noisy = [each for each in tasks if each.state is TaskState.NOISY]
    if noisy:
        told = told.replace("noisy", f"noisy ({_some(noisy)})")
    return Panel(
        "tasks_over_time",
        title=f"By task: {told}",
        counts="Fell, rose: the winner changed and stayed changed, more than chance explains (Fisher's "
        "test, corrected for all tasks and change points). Noisy: the winner changed in more "
        "than a third of the iterations. Steady: neither.",
        figure=None,
        rows=[
            {
                "Task": each.title,
                "Id": each.key,
                "Tags": ", ".join(each.tags),
                "Course": STATES[each.state],
                "Turned at": found.laps[each.turned.at].name if each.turned else "",
                "Won": each.record[0],
                "Tied": each.record[1],
                "Lost": each.record[2],
                "Changes of winner": each.flips,
                PAIRS: _task_link(top.asked, found, each),
            }
            for each in tasks
        ],
    )


def label(task: TaskCourse) -> str:
    """A task's short id and its title, such as "eval-16 Billing 6"; its title alone where the id is long."""
    short = len(task.key) <= SHORT and task.key != task.title
    return f"{task.key} {task.title}" if short else task.title


def _open_cell(asked: ResultFilter, found: History) -> None:
    by_id = {each.task_id: each for each in found.tasks}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        task = st.selectbox(
            "Task",
            sorted(by_id, key=lambda id: natural(by_id[id].key)),
            format_func=lambda id: label(by_id[id]),
            key="grid_task",
            width=320,
        )
        places = range(len(found.laps) - 1, -1, -1)
        lap = st.selectbox(
            "Iteration", places, format_func=lambda at: found.laps[at].name, key="grid_lap", width=160
        )
        if st.button("List the pairs", key="grid_open", icon=":material/list:"):
            st.session_state[FOLLOWED] = _cell_link(asked, found, by_id[task], lap)


def _changed(asked: ResultFilter, found: History, each: ChangedTask, then: str, now: str) -> Row:
    beyond = {True: "beyond", False: "within", None: "not known"}[each.beyond]
    return {
        "Task": each.task.title,
        "Id": each.task.key,
        f"In {then}": ENDED[each.before.sign],
        f"In {now}": ENDED[each.now.sign],
        "Change of lead": None if each.change is None else round(each.change, 2),
        "Noise": beyond,
        "Course": STATES[each.task.state],
        PAIRS: _cell_link(asked, found, each.task, len(found.laps) - 1),
    }


class _CellLinks(Sequence[Link]):
    """The address behind each cell, written when it is asked for: a page has thousands and follows one."""

    def __init__(self, asked: ResultFilter, found: History, cells: Sequence[tuple[TaskCourse, int]]) -> None:
        self._asked, self._found, self._cells = asked, found, cells

    def __len__(self) -> int:
        return len(self._cells)

    @overload
    def __getitem__(self, at: int) -> Link: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Link]: ...
    def __getitem__(self, at: int | slice) -> Link | Sequence[Link]:
        if isinstance(at, slice):
            return _CellLinks(self._asked, self._found, self._cells[at])
        return _cell_link(self._asked, self._found, *self._cells[at])


def _cell_link(asked: ResultFilter, found: History, task: TaskCourse, at: int) -> Link:
    lap = found.laps[at]
    return _task_link(asked.model_copy(update={"one": lap.one, "two": lap.two, "also": ()}), None, task)


def _task_link(asked: ResultFilter, found: History | None, task: TaskCourse) -> Link:
    part = Within(by=By.TASK, value=task.task_id)
    update: dict[str, object] = {"within": (*asked.within, part)}
    if found is not None:
        first, *rest = found.laps
        update |= {"one": first.one, "two": first.two, "also": tuple(Meets(lap.one, lap.two) for lap in rest)}
    return pairs_link(asked.model_copy(update=update))


def _value(cell: Cell) -> float:
    lead = cell.lead if cell.lead is not None else cell.sign * FULL / 2
    return max(-1.0, min(1.0, lead / FULL))


def _words(cell: Cell) -> str:
    lead = "" if cell.lead is None else f", lead {cell.lead:+z.1f}"
    many = cell.won + cell.tied + cell.lost
    more = f", {many} pairs" if many > 1 else ""
    return f"{ENDED[cell.sign]}{lead}{more}"


def _last_flip(task: TaskCourse) -> int:
    signs = [(at, cell.sign) for at, cell in enumerate(task.cells) if cell is not None and cell.sign]
    flips = [at for (_, before), (at, after) in pairwise(signs) if before != after]
    return flips[-1] if flips else -1


def _some(tasks: Sequence[TaskCourse]) -> str:
    named = ", ".join(label(each) for each in tasks[:8])
    return f"{named} and {len(tasks) - 8} more" if len(tasks) > 8 else named
