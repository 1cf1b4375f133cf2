"""Tasks by iteration: a heat map with a square for each and a sign on it, and boxes that open one by keyboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isnan
from statistics import fmean
from typing import Any, NamedTuple

import plotly.graph_objects as go
import streamlit as st

from comparator.domain.counted import natural
from comparator.domain.rights import Act
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.task_history import NO_VERDICT, Cell, TaskHistory, TaskState, kinds_of
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.break_marks import BreakMark, rules
from comparator.ui.frame.charts.chart import FOLLOWED, Chart, Link, show
from comparator.ui.frame.charts.drawing import WIDE, Drawing, Row, rows_axis
from comparator.ui.frame.charts.plotting import HIDDEN, base_layout, figure, marks, plain, stroke
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, SHADES, ColourTheme, Palette
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted

LARGEST = 18
"""Pixels of a square where the columns have room for it."""
MOST_NAMES = 20
"""Names of columns that have room beside each other on paper; of more, every other one is written, and so on."""
STRONG = 0.4
"""From here on a sign has the colour of the page, so that it stands out from its square."""
BETWEEN, ARM, THIN = 4, 0.22, 12
"""Pixels between two rows; of a sign the way from its middle to its end, and of its line, by the size of its square."""
USUAL_WIDTH, PAPER_WIDTH = 700, 280
"""Pixels of the columns together on a usual page, and on paper. On a wider page, signs are wider as well."""
WIDEST, MOST_WIDTH = 44, 0.88
"""Pixels of a column on a usual page at most, and the share of the picture that all columns take at most."""
STROKES = {
    "+": ((-1, 0, 1, 0), (0, -1, 0, 1)),
    "−": ((-1, 0, 1, 0),),
    "=": ((-1, -0.5, 1, -0.5), (-1, 0.5, 1, 0.5)),
}
"""The lines of each sign, from one point to another, in arms from its middle."""


class Square(NamedTuple):
    """One cell: its place, a value from -1 to 1 for its colour, a sign, and the words of its tooltip."""

    row: int
    column: int
    value: float
    sign: str
    words: str
    began: bool = False
    """Whether it is framed."""


@dataclass(frozen=True)
class HeatMap(Drawing):
    """A row of squares for each row of the frame; a dashed line stands before the column of each break."""

    label: str
    columns: Sequence[str]
    squares: Sequence[Square]
    breaks: Sequence[BreakMark] = ()
    missing: Sequence[tuple[int, int, bool, str]] = ()
    """Rows and columns of cells without a square: hatched if a run is unusable, else a dot; with their words."""
    beside: Sequence[str] = ()
    """Words at the right of each row."""
    lines: Sequence[Sequence[float]] = ()
    """Before these words, a small line for each row through values from 0 to 1."""
    width: int = USUAL_WIDTH

    def is_worth_drawing(self, rows: Sequence[Row]) -> bool:
        return len(self.squares) > 1

    def words(self, rows: Sequence[Row]) -> str:
        return " ".join(f"{square.words}." for square in self.squares)

    def figure(self, rows: Sequence[Row], theme: ColourTheme) -> go.Figure:
        palette, (one, two) = PALETTES[theme], CANDIDATES[theme]
        size = min(LARGEST, max(self.width // len(self.columns) - 1, 4))
        # Squares are marks of a scatter chart, since Plotly's own heat map tells Streamlit of no click. Lists, not
        # arrays: Streamlit hands each figure to Plotly twice, which takes the same array for a new one.
        squares = marks(
            [square.column for square in self.squares],
            [square.row for square in self.squares],
            [square.words for square in self.squares],
            marker={
                "symbol": "square",
                "size": size,
                # In steps, whose colours paper has as well.
                "color": [round(square.value * SHADES) / SHADES for square in self.squares],
                "cmin": -1,
                "cmax": 1,
                "colorscale": [[0, two], [0.5, palette.line], [1, one]],
                "line": {
                    "width": [2 if square.began else 0 for square in self.squares],
                    "color": palette.ink,
                },
            },
        )
        hatched = [is_hatched for *_, is_hatched, _ in self.missing]
        absent = marks(
            [column for _, column, *_ in self.missing],
            [row for row, *_ in self.missing],
            [words for *_, words in self.missing],
            marker={
                "symbol": ["hash-open" if is_hatched else "circle" for is_hatched in hatched],
                "size": [size * 0.7 if is_hatched else 4 for is_hatched in hatched],
                "color": palette.muted,
                "opacity": 0.6,
            },
        )
        every = -(-len(self.columns) // MOST_NAMES)
        # The newest is always named.
        named = [at for at in range(len(self.columns)) if (len(self.columns) - 1 - at) % every == 0]
        layout = base_layout(palette, height=60 + ceil((size + BETWEEN) * (len(rows) + 0.2))) | {"meta": WIDE}
        layout["height"] += 8 * min(max(map(len, self.columns)), 10)
        layout["margin"] |= {"t": 8, "r": 48}
        layout["xaxis"] |= {
            "side": "top",
            "range": [-0.6, len(self.columns) - 0.4],
            "tickvals": named,
            "ticktext": [plain(safe.cut(self.columns[at], 10)) for at in named],
            "tickangle": -60 if max(map(len, self.columns)) > 3 else 0,
        }
        names = [plain(safe.cut(str(row[self.label]), 28)) for row in rows]
        beside = rows_axis(layout, names, self.beside)
        small: list[dict[str, Any]] = []
        # Few columns stand together at the left.
        end = min(MOST_WIDTH, WIDEST * len(self.columns) / self.width)
        if self.lines:
            layout["xaxis"]["domain"] = [0, end]
            layout["xaxis2"] = HIDDEN | {"domain": [end + 0.02, end + 0.12], "range": [-0.05, 1.05]}
            layout["xaxis2"] |= {"showticklabels": False}
            if beside:
                layout["yaxis2"]["anchor"] = "x2"
            points = [
                (at / max(len(line) - 1, 1), row + 0.35 - 0.7 * value)
                for row, line in enumerate(self.lines)
                for at, value in [*enumerate(line), (0, float("nan"))]
            ]
            there = [None if isnan(y) else y for _, y in points]
            small = [stroke([x for x, _ in points], there, colour=palette.ink, width=1.5, xaxis="x2")]
        arm = ARM * size
        across, down = arm * len(self.columns) / self.width * MOST_WIDTH / end, arm / (size + BETWEEN)
        signs = [
            _signs(
                [square for square in self.squares if _ink(square, palette) == ink],
                across=across,
                down=down,
                width=size / THIN,
                ink=ink,
            )
            for ink in (palette.ink, palette.page)
        ]
        layout["shapes"] = [*rules(self.breaks, palette), *signs]
        return figure([squares, *([absent] if self.missing else []), *beside, *small], layout)


def _ink(square: Square, palette: Palette) -> str:
    return palette.page if abs(square.value) > STRONG else palette.ink


def _signs(
    squares: Sequence[Square], *, across: float, down: float, width: float, ink: str
) -> dict[str, Any]:
    """The signs of these squares as one path. As texts, or as marks, thousands would take the browser too long."""
    path = "".join(
        f"M{square.column + x0 * across:.3f},{square.row + y0 * down:.3f}"
        f"L{square.column + x1 * across:.3f},{square.row + y1 * down:.3f}"
        for square in squares
        for x0, y0, x1, y1 in STROKES[square.sign]
    )
    return {"type": "path", "path": path or "M0,0", "line": {"color": ink, "width": width}}


LEAST_FULL = 0.5
"""The fullest colour is that of the largest lead in the grid, but of no smaller one than this."""
SIGNS = {1: "+", 0: "=", -1: "−"}
ENDED = {1: "won", 0: "tied", -1: "lost"}
ORDERS: dict[str, tuple[str, Callable[[TaskHistory], tuple[object, ...]]]] = {
    "kind": ("Kind", lambda task: (task.tags, -(task.noise or 0), natural(task.title), natural(task.key))),
    "change": (
        "Last change",
        lambda task: (-(task.turned.at if task.turned else -1), -_last_flip(task), natural(task.key)),
    ),
    "noise": ("Noise", lambda task: (-(task.noise or 0), natural(task.key))),
    "worst": ("Worst", lambda task: (task.record[0] - task.record[2], natural(task.key))),
    "name": ("Name", lambda task: (natural(task.title), natural(task.key))),
}
STRETCHES = 40
"""Points of the small line beside a task."""
AT_FIRST = 60
"""Tasks of the grid at first: of more, the browser takes longer than a click may."""
_WHOLE_PAGE = "grid_of_whole_page"
"""In the session's state: whether the whole page is drawn just now, not the grid alone."""
CellLink = Callable[[TaskHistory, int], Link]
"""The address behind a task at the place of an iteration."""


def task_grid(history: History, link: CellLink, *, at: int) -> None:
    """The grid with its order and each task's rates before and since the iteration at this place; the others
    than the first on request."""
    st.session_state[_WHOLE_PAGE] = True
    _grid(history, link, at=at)
    _boxes(history, link)


# Another order draws the grid anew, and nothing else of the page.
@st.fragment
def _grid(history: History, link: CellLink, *, at: int) -> None:
    if st.session_state.pop(_WHOLE_PAGE, False):
        _show_grid(history, link, at=at)
        return
    # A rerun of the fragment alone does not pass through the page's own frame.
    with shell.guard():
        session.require_here(Act.SEE_RESULTS)
        if FOLLOWED in st.session_state:
            # The list behind a cell belongs to the page.
            st.rerun()
        _show_grid(history, link, at=at)


def _show_grid(history: History, link: CellLink, *, at: int) -> None:
    limit: int | None = AT_FIRST
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kinds = any(task.tags for task in history.tasks)
        orders = {name: words for name, (words, _) in ORDERS.items() if kinds or name != "kind"}
        order = one_of("rows", orders, "Rows by")
        if len(history.tasks) > AT_FIRST and st.toggle(
            f"All {len(history.tasks):d} tasks", key="grid_all", bind="query-params"
        ):
            limit = None
    show([grid_chart(history, link, order=order, since=at, most=limit)])


def grid_chart(history: History, link: CellLink, *, order: str, since: int, most: int | None = None) -> Chart:
    """A square for each task and iteration; a click follows the address behind it."""
    tasks = sorted(history.tasks, key=ORDERS[order][1])[:most]
    if order == "kind":
        kinds = kinds_of(history.tasks)
        tasks = sorted([*kinds, *tasks], key=lambda task: (task.tags, bool(task.task_id)))
    names = history.steps
    beside = [_rates(task, since, names) for task in tasks]
    leads = [abs(cell.lead) for task in tasks for cell in task.cells if cell and cell.lead is not None]
    full = max([LEAST_FULL, *leads])
    squares = [
        Square(
            row,
            column,
            _value(cell, full),
            SIGNS[cell.sign],
            f"{task.name}, {names[column]}: {_words(cell)}",
            began=task.state is TaskState.REGRESSED and task.turned is not None and task.turned.at == column,
        )
        for row, task in enumerate(tasks)
        for column, cell in enumerate(task.cells)
        if cell is not None
    ]
    own = sum(bool(task.task_id) for task in tasks)
    few = f"The first {own} of {len(history.tasks)} tasks. " if own < len(history.tasks) else ""
    return Chart(
        "grid",
        _title(history),
        [
            {
                "Task": task.name,
                **{name: cell and ENDED[cell.sign] for name, cell in zip(names, task.cells, strict=True)},
            }
            for task in tasks
        ],
        HeatMap(
            "Task",
            names,
            squares,
            break_marks.marks_of(history.breaks, names),
            missing=[
                (row, column, why != NO_VERDICT, f"{task.name}, {names[column]}: not counted, {why}")
                for row, task in enumerate(tasks)
                for column, why in task.missing.items()
            ],
            beside=beside if any(beside) else (),
            lines=[_sparkline(task) for task in tasks],
        ),
        cells=lambda at: link(tasks[squares[at].row], squares[at].column),
        note=f"{few}+ won by {history.one}, − by {history.two}, = tied; hatched: an unusable run; a dot: not counted."
        + (
            f" At the right: share won before → since {names[since]}, or the task's own turn."
            if since
            else ""
        )
        + " Improved, regressed (framed): a turn that chance does not explain."
        + (
            " Keeps changing: nearly as often as a coin, half the time, and more than most."
            if history.noisy
            else ""
        ),
        help=f"The stronger the colour, the larger the winner's lead, up to a mean of {full:.1f} points. Empty: not "
        "compared. Keeps changing: the winner changes at least a third of the time, two thirds as often as coin tosses "
        f"would, and clearly more often than in most tasks. {break_marks.sentence(history.breaks, names)}",
    )


def _title(history: History) -> str:
    """How many tasks turned from won to lost and stayed so, and how many improved or keep changing."""
    filled = {at for task in history.tasks for at, cell in enumerate(task.cells) if cell is not None}
    if len(filled) < 2:
        only = "".join(f"Only {history.iterations[at].name} has" for at in filled) or "No iteration has"
        return f"{only} counted pairs yet, so there is nothing to compare"
    starts = {history.iterations[task.turned.at].name for task in history.regressed if task.turned}
    since = f" since {min(starts)}" if len(starts) == 1 else ""
    improved = sum(task.state is TaskState.IMPROVED for task in history.tasks)
    turned = ((improved, "improved"), (len(history.regressed), f"regressed{since}"))
    turns = ", ".join(f"{counted(number, 'task')} {what}" for number, what in turned if number)
    noisy = f", {len(history.noisy)} keep{'s' * (len(history.noisy) == 1)} changing" if history.noisy else ""
    return f"{turns or 'No task improved or regressed'}{noisy}"


def _boxes(history: History, link: CellLink) -> None:
    """A cell by name, for whoever uses no mouse."""
    by_id = {task.task_id: task for task in history.tasks}
    places = range(len(history.iterations) - 1, -1, -1)
    for key, known in (("grid_task", by_id), ("grid_iteration", places)):
        # Chosen in another project, or before a filter.
        if st.session_state.get(key) not in known:
            st.session_state.pop(key, None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        task = st.selectbox(
            "Task",
            sorted(by_id, key=lambda id: natural(by_id[id].name)),
            format_func=lambda id: by_id[id].name,
            key="grid_task",
            width=320,
        )
        iteration = st.selectbox(
            "Iteration",
            places,
            format_func=lambda at: history.iterations[at].name,
            key="grid_iteration",
            width=160,
        )
        st.button(
            "List the pairs",
            key="grid_open",
            icon=":material/list:",
            on_click=_follow,
            args=(link(by_id[task], iteration),),
        )


def _follow(link: Link) -> None:
    st.session_state[FOLLOWED] = link


def _sparkline(task: TaskHistory) -> list[float]:
    """Its share of wins in so many stretches of iterations."""
    shares = [cell.share for cell in task.cells if cell is not None]
    size = max(1, -(-len(shares) // STRETCHES))
    return [fmean(shares[at : at + size]) for at in range(0, len(shares), size)]


def _rates(task: TaskHistory, since: int, names: Sequence[str]) -> str:
    """The share of wins before and since a turn of its own, else an iteration, and how often its winner changes."""
    words = []
    if at := task.turned.at if task.turned else since:
        own = f" since {safe.cut(names[at], 10)}" if task.turned else ""
        before, after = task.rates(at)
        rates = " → ".join("–" if rate is None else percent(rate) for rate in (before, after))
        if before is not None and after is not None:
            rates += f" ({round(100 * after) - round(100 * before):+d})"
        words.append(rates + own)
    if task.perhaps:
        words.append(f"perhaps regressed at {safe.cut(names[task.perhaps.at], 10)}")
    if task.state is TaskState.NOISY:
        words.append(f"changed {task.flips} of {task.chances} times")
    return ", ".join(words)


def _value(cell: Cell, full: float) -> float:
    """The winner's lead, on its side; the lightest shade where the scores name no winner, or the other."""
    if cell.lead is None:
        return cell.sign / 2
    return cell.sign * max(cell.sign * cell.lead / full, 1 / SHADES)


def _words(cell: Cell) -> str:
    lead = "" if cell.lead is None else f", lead {cell.lead:+z.1f}"
    many = cell.won + cell.tied + cell.lost
    more = f", {many} pairs" if many > 1 else ""
    return f"{ENDED[cell.sign]}{lead}{more}"


def _last_flip(task: TaskHistory) -> int:
    signs = [(at, cell.sign) for at, cell in enumerate(task.cells) if cell is not None and cell.sign]
    flips = [at for (_, before), (at, after) in pairwise(signs) if before != after]
    return flips[-1] if flips else -1
