"""What is said of a share, a coefficient or a difference."""

from __future__ import annotations

from comparator.stats.figures import Estimate, Interval
from comparator.ui.frame import estimates


def test_a_difference_of_nothing_has_no_sign() -> None:
    nothing = Estimate(value=-0.0049, interval=Interval(low=-0.1, high=0.1), n=40)
    assert estimates.points(nothing).startswith("+0.00 ")
