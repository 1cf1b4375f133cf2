"""Counts by day stand on an axis of dates."""

from comparator.ui.frame.charts import Days
from comparator.ui.frame.charts.theme import ColourTheme


def test_days_without_any_stay_empty_in_their_place() -> None:
    rows = [
        {"Day": day, "Comparisons": 3, "Reviews": 1} for day in ("2026-11-02", "2026-11-03", "2026-12-24")
    ]

    figure = Days("Day", ["Comparisons", "Reviews"]).figure(rows, ColourTheme.LIGHT)

    assert figure.layout.xaxis.type == "date"
    assert figure.layout.barmode == "group"
    assert [(bar.name, tuple(bar.y)) for bar in figure.data] == [
        ("Comparisons", (3, 3, 3)),
        ("Reviews", (1, 1, 1)),
    ]
