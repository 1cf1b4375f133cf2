"""The heat map of tasks by iteration: colours that mean the same in every grid, signs, gaps, and the order of rows."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import pytest

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.task_history import Cell, TaskHistory
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
