"""Bars: every count can be read, however narrow its part of the bar is."""

from __future__ import annotations

import pytest

from comparator.ui.frame.charts import Segment
from comparator.ui.frame.charts.bars import record, stacked
from comparator.ui.frame.charts.parts import Figure, sides
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme

SHOWN = PALETTES[ColourTheme.DARK]


def segments(*counts: int) -> list[Segment]:
    return [Segment(f"part {at}", "#123456", "#ffffff", (count,)) for at, count in enumerate(counts)]


def above(figure: Figure) -> list[tuple[float, str]]:
    return [(each.x, each.text) for each in figure.layout.annotations]


@pytest.mark.parametrize(
    ("counts", "inside", "over"),
    [
        ((685, 33, 559), ["685", "", "559"], [(701.5, "33")]),
        ((0, 0, 12), ["", "", "12"], []),
        # Side by side they are told together, since one would lie on the other.
        ((500, 3, 4, 500), ["500", "", "", "500"], [(503.5, "3, 4")]),
        ((3, 0, 1_000), ["", "", "1,000"], [(1.5, "3")]),
        ((1_000, 2), ["1,000", ""], [(1001, "2")]),
    ],
)
def test_a_count_that_does_not_fit_into_its_part_stands_above_it(
    counts: tuple[int, ...], inside: list[str], over: list[tuple[float, str]]
) -> None:
    figure = stacked(["Pairs"], segments(*counts), palette=SHOWN)

    assert [bar.text[0] for bar in figure.data] == inside
    assert above(figure) == over


def test_the_large_bar_names_a_narrow_count_in_the_legend() -> None:
    figure = record(*segments(685, 33, 559), palette=SHOWN)

    assert [bar.name for bar in figure.data] == ["part 0", "33 part 1", "part 2"]
    assert [bar.text[0] for bar in figure.data] == ["685 part 0", "", "559 part 2"]
    assert not above(figure)


def test_both_sides_are_named_at_one_height_where_the_names_are_short() -> None:
    short = sides(low="old better", high="new better", palette=SHOWN)
    long = sides(low="a much longer name better", high="another long name better", palette=SHOWN)

    assert short[0]["yshift"] == short[1]["yshift"]
    assert long[0]["yshift"] > long[1]["yshift"]
