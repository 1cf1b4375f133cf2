"""The history's picture: its caption says what is drawn, and a box across it filters the list."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from comparator.reporting.history.picture import Axis, ChartLine, Dot, Metric, MetricPicture
from comparator.reporting.results.breaks import Break
from comparator.stats.figures import Interval
from comparator.ui.frame.charts.lines import MOST_BANDS, MOST_NOISE
from comparator.ui.history.filters import ITERATION, SINCE, UNTIL
from comparator.ui.history.picture import _asks_whose, _caption, _rows, _scale


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
    told = {lines: _caption(picture(lines), banded=lines - 1) for lines in range(1, 6)}

    assert all("The band is the 95% interval; " in told[n] for n in (1, 2, 3, 4))
    assert all("Grey: where 95 of 100" in each for each in told.values())
    # Of several lines one has the noise, of many also the interval, and the caption names it.
    assert "from one step to the next (v0 ±0.50, v1 ±0.50)." in told[2]
    assert "from one step to the next (v2 ±0.50)." in told[3]
    assert "interval of v4 (of more than 4 lines, the chosen one alone has it); " in told[5]
    assert "from one step to the next (v4 ±0.50)." in told[5]


def test_it_asks_whose_noise_or_interval_is_drawn_only_where_there_is_a_choice() -> None:
    quiet = [each.model_copy(update={"noise": None}) for each in picture(MOST_BANDS).lines]

    assert not _asks_whose(picture(MOST_NOISE).lines)
    assert _asks_whose(picture(MOST_NOISE + 1).lines)
    assert not _asks_whose(quiet)
    assert _asks_whose([*quiet, quiet[0]])


def test_the_scale_of_scores_leaves_the_bands_room_and_cuts_none() -> None:
    for value, low, high, ends in ((6.4, 6.1, 6.8, (6, 7)), (6.0, 5.0, 7.2, (5, 8)), (10, 10, 10, (9, 10))):
        dot = Dot(value=value, interval=Interval(low=low, high=high), n=30, tasks=30)
        line = ChartLine(id="1", name="v1", dots=(dot, dot, dot), noise=0.5)

        scale = _scale(picture(1).model_copy(update={"lines": (line,)}))

        assert (round(scale.low + 0.1, 6), round(scale.high - 0.1, 6)) == ends


def test_a_band_that_breaks_leave_no_room_for_is_not_spoken_of() -> None:
    parted = _caption(picture(1, Break(at=1, tasks=2), Break(at=2, rubrics=1)))

    assert "Intervals are in the numbers below" in parted
    assert "The band is" not in parted
    assert "Grey:" not in parted
    assert "(2: 2 tasks new, removed or reworded; 3: another rubric for 1 task)" in parted


def test_the_table_counts_reviews_where_a_share_is_one_of_reviews() -> None:
    score = picture(1)
    agreement = score.model_copy(update={"metric": Metric.AGREEMENT})

    assert [each["Pairs"] for each in _rows(score)] == [30, 30, 30]
    assert [each["Reviews"] for each in _rows(agreement)] == [30, 30, 30]
    assert not any("Pairs" in each for each in _rows(agreement))


def brushed() -> None:
    """A page on which a box was drawn, or a dot clicked, across days that are not all in a row."""
    import streamlit as st

    from comparator.reporting.history.picture import Axis
    from comparator.ui.history.picture import _filter_by
    from tests.unit.ui.test_history_picture import Chosen, picture

    found = picture(1).model_copy(
        update={
            "axis": Axis.DAYS,
            "steps": ("2026-02-27", "2026-03-01", "2026-03-02", "2026-03-09"),
        }
    )
    _filter_by(found, Chosen(st.session_state["box"], st.session_state["points"]))


class Chosen(NamedTuple):
    """What Streamlit tells of a selection."""

    box: list[dict[str, list[float]]]
    points: list[dict[str, float]]


@pytest.mark.parametrize(
    ("box", "points", "days"),
    [
        # Drawn from either side, and from the middle between two days.
        ([{"x": [0.6, 2.4]}], [], ("2026-03-01", "2026-03-02")),
        ([{"x": [3.2, 0.9]}], [], ("2026-03-01", "2026-03-09")),
        ([{"x": [-0.5, 0.4]}], [], ("2026-02-27", "2026-02-27")),
        # Between two days there is none.
        ([{"x": [1.2, 1.8]}], [], None),
        ([], [{"x": 3}], ("2026-03-09", "2026-03-09")),
    ],
)
def test_a_box_across_days_asks_for_the_pairs_from_its_first_day_until_its_last(
    box: list[dict[str, list[float]]], points: list[dict[str, float]], days: tuple[str, str] | None
) -> None:
    app = AppTest.from_function(brushed)
    app.session_state["box"], app.session_state["points"] = box, points
    app.run()

    assert not app.exception
    assert ITERATION not in app.session_state
    if days is None:
        assert SINCE not in app.session_state
        assert UNTIL not in app.session_state
    else:
        chosen = (app.session_state[SINCE], app.session_state[UNTIL])
        assert chosen == tuple(map(date.fromisoformat, days))
