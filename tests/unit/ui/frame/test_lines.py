"""Levels of a trend are named at their own lines, clear of what is drawn."""

import math

import pytest

from comparator.ui.frame.charts import Lines, Row
from comparator.ui.frame.charts.theme import ColourTheme

SHARES = [0.55, 0.57, 0.45, 0.43, 0.45, 0.56, 0.61, 0.39, 0.5, 0.46] + [0.66, 0.61, 0.79, 0.73, 0.75] * 2
STEPS = [str(at + 1) for at in range(len(SHARES))]


@pytest.mark.parametrize("width", [440, 700])
def test_each_level_is_named_beside_its_own_line_and_covers_no_other(width: int) -> None:
    rows: list[Row] = [
        {"Iteration": step, "Win rate": value} for step, value in zip(STEPS, SHARES, strict=True)
    ]
    levels = [(0, 10, 0.5, "50%"), (10, 20, 0.71, "71%")]
    chart = Lines("Iteration", "Win rate", STEPS, even=0.5, levels=levels)

    figure = chart.figure(rows, ColourTheme.LIGHT)

    low, high = figure.layout.yaxis.range
    pixel = (high - low) / (figure.layout.height - figure.layout.margin.t - figure.layout.margin.b)
    step = (width - figure.layout.margin.l - figure.layout.margin.r) / len(STEPS)
    for first, end, value, words in levels:
        (label,) = (each for each in figure.layout.annotations if each.text == words)
        assert math.isclose(abs(label.y - value), 18 * pixel)
        assert first <= label.x < end
        assert low < label.y < high
        for at, there in enumerate(SHARES):
            beside = abs(at - label.x) * step < 15
            assert not beside or abs(there - label.y) > 9 * pixel, (words, at)
        assert abs(label.y - 0.5) > 9 * pixel
