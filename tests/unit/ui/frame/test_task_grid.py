"""The heat map of tasks by iteration: colours that mean the same in every grid, signs, gaps, and the order of rows."""

from __future__ import annotations

import re
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.task_history import Cell, TaskHistory, TaskState
from comparator.ui.frame.charts import Chart, Link
from comparator.ui.frame.charts.task_grid import grid_chart
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, ColourTheme, shades
from tests.worlds.histories.over_time import over_time, task

WON, TIED, LOST = Cell(1, 0, 0, 1.0), Cell(0, 1, 0, 0.0), Cell(0, 0, 1, -1.0)


def grid(*tasks: TaskHistory, order: str = "name", theme: ColourTheme = ColourTheme.LIGHT) -> go.Figure:
    """What is drawn of these tasks."""
    figure = box(*tasks, order=order).figure(theme)
    assert figure is not None
    return figure


def box(
    *tasks: TaskHistory,
    order: str = "name",
    breaks: tuple[Break, ...] = (),
) -> Chart:
    history = over_time(*tasks, breaks=breaks)
    return grid_chart(history, lambda each, at: Link(f"/?task={each.key}&at={at}"), order=order)


def squares(drawn: go.Figure) -> dict[tuple[str, int], tuple[str, float]]:
    """The sign and the value of each square, by the label of its row and its column."""
    rows = drawn.layout.yaxis.ticktext
    read = signs(drawn)
    return {
        (str(rows[int(y)]), int(x)): (read[int(x), int(y)], float(value))
        for trace in drawn.data
        if trace.marker.color is not None
        for x, y, value in zip(trace.x, trace.y, trace.marker.color, strict=True)
    }


def signs(drawn: go.Figure) -> dict[tuple[int, int], str]:
    """What the lines on each square make, by its column and row."""
    lines: dict[tuple[int, int], list[str]] = {}
    for shape in drawn.layout.shapes:
        for line in re.findall(r"M(.+?),(.+?)L(.+?),([^M]+)", shape.path or ""):
            x0, y0, x1, y1 = map(float, line)
            kind = "across" if y0 == y1 else "down"
            lines.setdefault((round((x0 + x1) / 2), round((y0 + y1) / 2)), []).append(kind)
    made = {("across",): "−", ("across", "across"): "=", ("across", "down"): "+"}
    return {place: made[tuple(sorted(each))] for place, each in lines.items()}


def rows(*tasks: TaskHistory, order: str) -> list[str]:
    return list(grid(*tasks, order=order).layout.yaxis.ticktext)


@pytest.mark.parametrize("theme", list(ColourTheme))
def test_the_largest_lead_has_the_fullest_colour_and_the_scale_ends_with_the_candidates_colours(
    theme: ColourTheme,
) -> None:
    small = grid(task("a", Cell(1, 0, 0, 0.125), Cell(0, 0, 1, -0.125)), theme=theme)
    large = grid(task("a", Cell(1, 0, 0, 2.0), Cell(0, 0, 1, -8.0), Cell(1, 0, 0, 4.0)), theme=theme)

    # No lead of a few hundredths is drawn as if it were large.
    assert squares(small)["a", 0] == squares(large)["a", 0] == ("+", 0.25)
    assert squares(large)["a", 1] == ("−", -1.0)
    assert squares(large)["a", 2] == ("+", 0.5)
    one, two = CANDIDATES[theme]
    for drawn in (small, large):
        for trace in (each for each in drawn.data if each.marker.color is not None):
            assert (trace.marker.cmin, trace.marker.cmax) == (-1, 1)
            scale = [tuple(each) for each in trace.marker.colorscale]
            assert (scale[0], scale[-1]) == ((0, two), (1, one))
            assert scale[len(scale) // 2] == (0.5, PALETTES[theme].line)


@pytest.mark.parametrize("theme", list(ColourTheme))
def test_where_a_task_was_not_compared_there_is_the_page_and_never_the_colour_of_a_tie(
    theme: ColourTheme,
) -> None:
    drawn = grid(task("a", WON, None, TIED), task("b", None, LOST, None), theme=theme)

    assert squares(drawn).keys() == {("a", 0), ("a", 2), ("b", 1)}
    middle = shades(theme)[len(shades(theme)) // 2]
    assert drawn.layout.plot_bgcolor == PALETTES[theme].page != middle


def test_the_sign_says_who_won_whatever_the_colour() -> None:
    cells = {
        "+": Cell(2, 0, 1, -0.4),
        "−": Cell(0, 1, 1, 0.4),
        "=": Cell(1, 0, 1, 2.9),
    }
    drawn = grid(task("a", *cells.values(), Cell(1, 0, 0, None), Cell(0, 0, 1, None)))

    found = squares(drawn)
    assert [found["a", at][0] for at in range(5)] == [*cells, "+", "−"]
    # Where no scores are known, the winner gives the colour.
    assert (found["a", 3][1], found["a", 4][1]) == (0.5, -0.5)
    # On a strong colour it has the colour of the page.
    inks = [shape.line.color for shape in drawn.layout.shapes]
    assert inks == [PALETTES[ColourTheme.LIGHT].ink, PALETTES[ColourTheme.LIGHT].page]


def test_rows_stand_by_last_change_by_the_worst_or_by_name() -> None:
    early = task("eval-2", WON, LOST, LOST, WON, LOST, turned=1, title="Zebra")
    late = task("eval-10", WON, WON, WON, LOST, LOST, turned=3, title="Apple")
    flipped = task("eval-3", LOST, WON, WON, WON, WON, title="Mango 10")
    steady = task("eval-1", WON, WON, WON, WON, WON, title="Mango 9")
    tasks = (steady, flipped, early, late)

    assert rows(*tasks, order="change") == [
        "Apple",
        "Zebra",
        "Mango 10",
        "Mango 9",
    ]
    assert rows(*tasks, order="worst") == [
        "Zebra",
        "Apple",
        "Mango 10",
        "Mango 9",
    ]
    assert rows(*tasks, order="name") == [
        "Apple",
        "Mango 9",
        "Mango 10",
        "Zebra",
    ]


def test_a_break_is_a_dashed_line_before_its_column() -> None:
    tasks = (task("a", WON, LOST, TIED), task("b", None, LOST, WON))
    broken = box(*tasks, breaks=(Break(at=1, rubrics=2), Break(at=2, judge=("one", "two"))))

    drawn, whole = broken.figure(ColourTheme.LIGHT), grid(*tasks)
    assert drawn is not None
    dashed = [shape for shape in drawn.layout.shapes if shape.line.dash == "dash"]
    assert [(line.x0, line.x1) for line in dashed] == [(0.5, 0.5), (1.5, 1.5)]
    assert len(whole.layout.shapes) == len(drawn.layout.shapes) - 2
    assert broken.help.endswith(
        "A dashed line separates what cannot be compared (2: another rubric for 2 tasks; "
        "3: another judge, two after one)."
    )


def test_above_the_grid_stands_which_tasks_turned_from_won_to_lost_and_where() -> None:
    def became(state: TaskState, key: str, title: str, *cells: Cell, at: int) -> TaskHistory:
        return replace(task(key, *cells, turned=at, title=title), state=state)

    steady = task("eval-1", WON, WON, WON, WON)
    early = became(TaskState.FELL, "eval-7", "Network 7", WON, LOST, LOST, LOST, at=1)
    late = became(TaskState.FELL, "eval-16", "Billing 6", WON, WON, WON, LOST, at=3)
    with_it = became(TaskState.FELL, "eval-9", "eval-9", WON, WON, WON, LOST, at=3)
    better = became(TaskState.ROSE, "eval-4", "Storage 4", LOST, LOST, WON, WON, at=2)

    assert box(steady).title == "No lasting change of winner"
    assert box(steady, better).title == "1 task improved, none regressed"
    assert box(steady, late).title == "Regressed since 4: Billing 6"
    # The newest comes first.
    assert box(early, steady, late, with_it, better).title == (
        "Regressed since 4: Billing 6, eval-9; since 2: Network 7. 1 task improved"
    )


def test_above_the_grid_stands_which_tasks_are_only_noisy() -> None:
    def noisy(key: str) -> TaskHistory:
        return replace(task(key, WON, LOST, WON, LOST), state=TaskState.NOISY)

    steady = task("eval-1", WON, WON, WON, WON)

    assert box(steady, noisy("eval-8")).title == "No lasting change of winner. Only noisy: eval-8"
    many = box(steady, *(noisy(f"eval-{number}") for number in range(10, 17))).title
    assert many.endswith("Only noisy: eval-10, eval-11, eval-12, eval-13, eval-14 and 2 more")


def test_a_regression_is_framed_where_it_began_and_a_cell_that_does_not_count_is_hatched() -> None:
    fell = task("a", WON, WON, LOST, LOST, turned=2)
    void = replace(task("b", WON, None, WON, WON), missing={1: "a run is void"})

    drawn = box(fell, void).figure(ColourTheme.LIGHT)

    assert drawn is not None
    marks, hatched = drawn.data[:2]
    assert [
        (x, y) for x, y, width in zip(marks.x, marks.y, marks.marker.line.width, strict=True) if width
    ] == [(2, 0)]
    assert list(zip(hatched.x, hatched.y, strict=True)) == [(1, 1)]
    assert "a run is void" in hatched.customdata[0]


def test_beside_each_task_stand_its_rates_before_and_since_an_iteration() -> None:
    found = grid_chart(
        over_time(task("a", WON, WON, LOST, LOST)), lambda each, at: Link("/"), order="name", since=2
    )

    drawn = found.figure(ColourTheme.LIGHT)

    assert drawn is not None
    assert [each.strip() for each in drawn.layout.yaxis2.ticktext] == ["100% → 0%"]
