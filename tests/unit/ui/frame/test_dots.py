"""Charts of dots: the line that a figure is compared with."""

from comparator.ui.frame.charts.drawing import GUESSING, HIGH, LOW, Dots, Row
from comparator.ui.frame.charts.theme import ColourTheme


def test_what_guessing_gets_is_marked_and_named_only_in_rows_where_it_means_something() -> None:
    rows: list[Row] = [
        {"What": "Right", "Share": 0.4, LOW: 0.3, HIGH: 0.5, GUESSING: 1 / 3},
        {"What": "Same in both orders", "Share": 0.5, LOW: 0.45, HIGH: 0.6, GUESSING: None},
    ]

    found = Dots("What", "Share").figure(rows, ColourTheme.LIGHT)

    assert [(line.x0, line.y0, line.y1) for line in found.layout.shapes] == [(1 / 3, -0.5, 0.5)]
    assert "what guessing gets" in found.layout.annotations[0].text


def test_without_it_one_line_goes_through_the_whole_chart() -> None:
    rows: list[Row] = [{"What": "First", "Share": 0.4}, {"What": "Second", "Share": 0.6}]

    found = Dots("What", "Share").figure(rows, ColourTheme.LIGHT)

    assert [(line.x0, line.yref) for line in found.layout.shapes] == [(0.5, "paper")]
    assert not found.layout.annotations
