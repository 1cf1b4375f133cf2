"""The time line of one task as it is drawn."""

from __future__ import annotations

from decimal import Decimal
from itertools import groupby

from comparator.reporting.history.timeline import Moment, Timeline
from comparator.reporting.results.breaks import Break
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.history.timeline import figure_of


def test_no_line_of_a_task_goes_through_a_break() -> None:
    found = Timeline(
        moments=tuple(
            Moment(iteration=str(n), candidate="new", version=1, overall=Decimal(n + 2), n=1, reviewed=0)
            for n in range(1, 6)
        ),
        iterations=("1", "2", "3", "4", "5"),
        breaks=(Break(at=2, guidance=("none", "version 1")), Break(at=4, judge=("one", "two"))),
        blind=0,
    )

    figure = figure_of(found, theme=ColourTheme.LIGHT)

    line, heads = figure.data
    runs = [
        [*run]
        for missing, run in groupby(zip(line.x, line.y, strict=True), key=lambda spot: spot[0] is None)
        if not missing
    ]
    assert runs == [[(0, 3.0), (1, 4.0)], [(2, 5.0), (3, 6.0)], [(4, 7.0)]]
    assert [*heads.customdata] == [
        "At 3: other guidance, version 1 after none",
        "At 5: another judge, two after one",
    ]
    assert not heads.showlegend
    assert [shape.x0 for shape in figure.layout.shapes] == [1.5, 3.5]
    assert [each.text for each in figure.layout.annotations] == ["guidance", "judge"]
