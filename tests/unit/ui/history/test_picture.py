"""The caption of the history's picture says what is drawn."""

from __future__ import annotations

from comparator.reporting.history.picture import Axis, ChartLine, Dot, Metric, MetricPicture
from comparator.reporting.results.breaks import Break
from comparator.stats.figures import Interval
from comparator.ui.history.picture import _caption, _rows


def picture(lines: int, *breaks: Break) -> MetricPicture:
    dot = Dot(value=6.0, interval=Interval(low=5.0, high=7.0), n=30, tasks=30)
    return MetricPicture(
        metric=Metric.SCORE,
        axis=Axis.ITERATIONS,
        steps=("1", "2", "3"),
        lines=tuple(
            ChartLine(id=str(n), name=f"v{n}", dots=(dot, dot, dot), noise=0.5) for n in range(lines)
        ),
        breaks=breaks,
        offered=(),
        reference=None,
        pairs=90,
    )


def test_the_caption_speaks_of_bands_only_where_they_are_drawn() -> None:
    told = {lines: _caption(picture(lines)) for lines in range(1, 5)}

    assert all("The band is the 95% interval; " in told[n] for n in (1, 2, 3))
    assert ["Grey: where 95 of 100" in told[n] for n in told] == [True, True, False, True]
    assert "95 of 100 marks lie within v0 ±0.50, v1 ±0.50, v2 ±0.50 (not drawn)" in told[3]
    # Of many lines one has the bands, and the caption names it.
    chosen = _caption(picture(4), banded=2)
    assert "The band is the 95% interval of v2; " in chosen
    assert "if nothing changes from one step to the next (v2 ±0.50)." in chosen


def test_a_band_that_breaks_leave_no_room_for_is_not_spoken_of() -> None:
    parted = _caption(picture(1, Break(at=1, tasks=2), Break(at=2, rubrics=1)))

    assert "Intervals are in the numbers below" in parted
    assert "The band is" not in parted
    assert "Gray:" not in parted
    assert "(2: 2 tasks new, removed or reworded; 3: another rubric for 1 task)" in parted


def test_the_table_counts_reviews_where_a_share_is_one_of_reviews() -> None:
    score = picture(1)
    agreement = score.model_copy(update={"metric": Metric.AGREEMENT})

    assert [each["Pairs"] for each in _rows(score)] == [30, 30, 30]
    assert [each["Reviews"] for each in _rows(agreement)] == [30, 30, 30]
    assert not any("Pairs" in each for each in _rows(agreement))
