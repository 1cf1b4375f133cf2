"""What a plan of reviews buys."""

from __future__ import annotations

import pytest

from comparator.stats.figures import Estimate
from comparator.stats.paired import Sums, win_rate
from comparator.stats.raters.panel_plan import expected_width, expected_width_shared


def test_one_review_a_pair_buys_the_interval_that_the_win_rate_will_have() -> None:
    found = win_rate(Sums.of([(2,)] * 50 + [(0,)] * 50))
    assert isinstance(found, Estimate)

    assert expected_width(100, reviews=1) == pytest.approx(found.interval.high - found.interval.low)


def test_more_reviews_narrow_it_the_less_the_more_alike_they_are() -> None:
    widths = [expected_width(100, reviews=k) for k in (1, 2, 3, 5)]
    assert widths == sorted(widths, key=lambda w: -(w or 0))
    assert len(set(widths)) == 4
    assert expected_width(100, reviews=5, likeness=1) == expected_width(100, reviews=1)
    assert expected_width(100, reviews=4, likeness=0) == pytest.approx(expected_width(400, reviews=1))


def test_a_share_for_all_lies_between_none_and_everything() -> None:
    none, some, every = (
        expected_width_shared(100, share=share, reviews=1, reviewers=3) or 0.0 for share in (0, 0.2, 1)
    )
    assert none == expected_width(100, reviews=1)
    assert every == expected_width(100, reviews=3)
    assert every < some < none


def test_below_twenty_pairs_no_interval_is_told() -> None:
    assert expected_width(19, reviews=3) is None
