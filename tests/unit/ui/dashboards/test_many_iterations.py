"""Charts of many iterations: the grid's squares lead to their own pairs, and no chart of all candidates is empty."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from urllib.parse import unquote

import pytest

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import History, Stretch
from comparator.reporting.results.task_history import Cell, kinds_of
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards.cards import line_words, sparkline
from comparator.ui.dashboards.tabs.over_time import (
    OVERLAYS,
    cell_link,
    multiples_chart,
    overlay_chart,
    periods_chart,
)
from comparator.ui.frame.charts.break_marks import NOT_CHECKED
from comparator.ui.frame.charts.chart import behind, csv
from comparator.ui.frame.charts.task_grid import grid_chart
from comparator.ui.frame.charts.theme import ColourTheme
from tests.worlds.histories.over_time import FEW, over_time, task

MANY = 13


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
    chart = grid_chart(history, cell_link(asked(), history), order="name")

    figure = chart.figure(ColourTheme.LIGHT)
    assert figure is not None
    seen = []
    for at, words in enumerate(figure.data[0].customdata):
        key, name = words.split(":")[0].split(",")[0].split()[0], words.split(":")[0].split()[-1]
        address = unquote(str(behind(chart, curve=0, at=at)))
        assert f'"one":"new-{name}","two":"old-{name}"' in address.replace("+", "")
        assert f'"value":"task-{key}"' in address
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


def test_kinds_stand_as_rows_of_the_grid_as_lines_and_as_small_multiples(history: History) -> None:
    weak, strong = history.tasks
    lost = replace(
        weak, key="lost", task_id="task-lost", cells=(Cell(won=0, tied=0, lost=1, lead=-1.0),) * MANY
    )
    tagged = (*tuple(replace(each, tags=("easy",)) for each in (weak, lost)), replace(strong, tags=("hard",)))
    history = history.model_copy(update={"tasks": tagged})
    easy, hard = kinds_of(tagged)

    grid = grid_chart(history, cell_link(asked(), history), order="kind", since=4)
    lines = overlay_chart(asked(), history, "kinds")
    small = multiples_chart("kinds", history, (easy, hard))

    before, since = easy.rates(4)
    assert (before, since) == pytest.approx((0.5, 4 / 9))
    assert [row["Task"] for row in grid.rows] == ["easy: all 2", "weak", "weak", "hard: all 1", "strong"]
    assert '"by":"tag","value":"easy"' in unquote(str(behind(grid, curve=0, at=0)))
    figure = grid.figure(ColourTheme.LIGHT)
    assert figure is not None
    beside = figure.layout.yaxis2.ticktext
    line = list(figure.data[-1].y)
    assert line[-2] == pytest.approx(4 + 0.35 - 0.7)
    assert beside[4].endswith("100% → 100%")
    shares = {line: [row["Share"] for row in lines.rows if row["Line"] == line] for line in ("easy", "hard")}
    assert shares == {"easy": [0.5] * 4 + [0.0] + [0.5] * 8, "hard": [1.0] * MANY}
    assert [row[hard.name] for row in small.rows] == [0.5] * MANY
    for chart in (lines, small, *(overlay_chart(asked(), history, each) for each in OVERLAYS)):
        assert chart.is_drawn == (chart.figure(ColourTheme.LIGHT) is not None)


def test_the_csv_of_the_periods_has_the_p_value_of_each_change_and_none_of_the_first(
    history: History,
) -> None:
    before = Stretch(at=0, end=4, won=1, tied=0, lost=3, rate=FEW)
    after = Stretch(at=4, end=MANY, won=7, tied=2, lost=0, rate=FEW, p=0.00012345)

    chart = periods_chart(history.model_copy(update={"levels": (before, after)}))

    head, first, second = (line.split(",") for line in csv(chart.rows).splitlines())
    assert chart.title == "2 periods between changes of the win rate"
    assert dict(zip(head, first, strict=True))["p-value of the change"] == ""
    row = dict(zip(head, second, strict=True))
    assert [row[name] for name in ("From", "To", "Win rate", "p-value of the change", "Pairs")] == [
        *("5", "13", "0.889", "0.000123", "9")
    ]
