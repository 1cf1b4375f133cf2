"""Charts of many iterations: the grid's squares lead to their own pairs, and no chart of all candidates is empty."""

from __future__ import annotations

import base64
from itertools import groupby
from math import isnan
from urllib.parse import unquote

import numpy as np
import plotly.graph_objects as go
import pytest

from comparator.domain.themes import Theme
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import (
    Cell,
    History,
)
from comparator.reporting.results.ranking import Field, Ranking
from comparator.reporting.results.series import Over, SeriesStep, Trend
from comparator.reporting.scope import ResultFilter
from comparator.reporting.themes.picture import ThemeTrend
from comparator.stats.figures import TooFew
from comparator.stats.ranking import HeadToHead
from comparator.ui.dashboards.cards import line_words, sparkline
from comparator.ui.dashboards.tabs.over_time import cell_link
from comparator.ui.dashboards.tabs.ranking import MOST_IN_TREND, field_boxes
from comparator.ui.dashboards.why.theme_charts import small_trends
from comparator.ui.frame.charts.box import PAIRS, Box
from comparator.ui.frame.charts.break_marks import NOT_CHECKED
from comparator.ui.frame.charts.task_grid import grid_box
from comparator.ui.frame.charts.theme import ColourTheme
from tests.worlds.histories.over_time import over_time, task

MANY = 13
FEW = TooFew(n=1, needed=20)


def asked() -> ResultFilter:
    return ResultFilter(project_id="p", one="new-1", two="old-1")


@pytest.fixture
def history() -> History:
    """Two tasks in thirteen iterations: one with small leads and a gap, one with large ones."""
    leads = {"weak": 0.2, "strong": 2.5}
    tasks = (
        task(
            key,
            *(
                None if key == "weak" and at == 4 else Cell(won=1, tied=0, lost=0, lead=lead)
                for at in range(MANY)
            ),
        )
        for key, lead in leads.items()
    )
    return over_time(*tasks, won=2)


def test_each_square_of_the_grid_leads_to_the_pairs_that_its_words_name(history: History) -> None:
    box = grid_box(history, cell_link(asked(), history), theme=ColourTheme.LIGHT, order="name")

    assert box.figure is not None
    seen = []
    for trace, marks in zip(box.figure.data, box.marks, strict=True):
        assert len(trace.customdata) == len(marks)
        for words, link in zip(trace.customdata, marks, strict=True):
            key, name = words.split(":")[0].split(",")[0].split()[0], words.split(":")[0].split()[-1]
            address = unquote(unquote(str(link)))
            assert f"new-{name}|old-{name}|" in address
            assert f"task:task-{key}" in address
            seen.append((key, name))
    assert len(set(seen)) == len(seen) == 2 * MANY - 1


def test_no_line_of_a_card_or_a_theme_goes_through_a_break(history: History) -> None:
    broken = history.model_copy(update={"breaks": (Break(at=3, tasks=1), Break(at=4, rubrics=2))})

    line = sparkline(broken)

    assert [at for at, value in enumerate(line) if isnan(value)] == [3, 5]
    assert [value for value in line if not isnan(value)] == sparkline(history)
    assert len(sparkline(history)) == MANY

    assert line_words(line, broken).endswith("with a gap where judge, guidance, rubric or tasks changed.")
    unknown = history.model_copy(update={"breaks": None})
    told = line_words(sparkline(unknown), unknown)
    assert told == f"The line shows the win rate over {MANY} iterations. {NOT_CHECKED}"

    leads = tuple(at / MANY for at in range(MANY))
    trend = ThemeTrend(theme=Theme(id="t", name="Logs", test="It is about logs."), leads=leads)
    figure = small_trends(
        [trend], [iteration.name for iteration in history.iterations], theme=ColourTheme.LIGHT, cuts=[3, 4]
    )

    drawn = figure.data[0]
    assert [at for at, value in enumerate(drawn.y) if value is None] == [3, 5]
    assert [value for value in drawn.y if value is not None] == list(leads)
    assert not drawn.connectgaps
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5, 3.5]


def test_all_candidates_of_many_iterations_are_drawn_in_order_and_who_met_only_one_is_in_no_matrix() -> None:
    called = {f"{side}-{n}": f"{side} ({n})" for n in range(1, MANY + 1) for side in ("new", "old")}
    # In no order, as ids are.
    met = tuple(HeadToHead(f"new-{n}", f"old-{n}", won=3, lost=1, tied=0) for n in range(MANY, 0, -1))
    steps = tuple(
        SeriesStep(name=str(n), won=3, tied=0, lost=1, rate=FEW, one=f"new-{n}", two=f"old-{n}")
        for n in range(1, MANY + 1)
    )
    found = Field(
        ranking=Ranking(
            order=(),
            apart=tuple((f"old-{n}", f"new-{n}") for n in range(MANY, 0, -1)),
            met=met,
            called=called,
        ),
        trends=(Trend(over=Over.ITERATIONS, one="new", two="old", steps=steps),),
    )

    trend, order, matrix = field_boxes(found, asked=asked(), theme=ColourTheme.LIGHT)

    assert trend.figure is not None
    assert len(values(trend.figure, "x")) == len(trend.marks[0]) == MANY
    assert [row["Candidates"] for row in order.rows] == [f"new ({n}), old ({n})" for n in range(1, MANY + 1)]
    assert matrix.figure is None
    assert [row["One"] for row in matrix.rows] == [f"new ({n})" for n in range(1, MANY + 1)]
    assert all(PAIRS in row for row in matrix.rows)


@pytest.mark.parametrize("steps", [MOST_IN_TREND, MOST_IN_TREND + 1])
def test_no_line_of_a_trend_among_all_candidates_goes_through_a_break(steps: int) -> None:
    def drawn(breaks: tuple[Break, ...] | None) -> Box:
        each = tuple(
            SeriesStep(name=str(n), won=3, tied=0, lost=1, rate=FEW, one=f"new-{n}", two=f"old-{n}")
            for n in range(1, steps + 1)
        )
        trend = Trend(over=Over.ITERATIONS, one="new", two="old", steps=each, breaks=breaks)
        (box,) = field_boxes(Field(ranking=None, trends=(trend,)), asked=asked(), theme=ColourTheme.LIGHT)
        return box

    broken, unknown, whole = drawn((Break(at=3, tasks=2),)), drawn(None), drawn(())

    assert broken.figure is not None
    (line,) = (trace for trace in broken.figure.data if trace.mode == "lines")
    runs = [list(run) for missing, run in groupby(line.x, key=lambda at: at is None) if not missing]
    assert runs == [list(range(3)), list(range(3, steps))]
    assert 2.5 in [shape.x0 for shape in broken.figure.layout.shapes]
    assert "tasks" in [each.text for each in broken.figure.layout.annotations]
    assert len(values(broken.figure, "x")) == len(broken.marks[0]) == steps
    told = "A dashed line separates what cannot be compared (4: 2 tasks new, removed or reworded)."
    assert broken.counts.endswith(told)
    assert [row["Not comparable with the iteration before"] for row in broken.rows[2:4]] == [
        "",
        "2 tasks new, removed or reworded",
    ]
    assert unknown.counts.endswith(NOT_CHECKED)
    assert whole.counts.endswith("too few for an interval.")


def values(figure: go.Figure, axis: str) -> list[float]:
    """The numbers of the first trace along this axis."""
    held = figure.data[0][axis]
    if isinstance(held, dict):
        return list(np.frombuffer(base64.b64decode(held["bdata"]), dtype=held["dtype"]))
    return list(held)
