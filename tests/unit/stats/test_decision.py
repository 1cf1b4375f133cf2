"""What a plan makes of a rate, and what two runs of one candidate show."""

from comparator.stats.intervals import DecisionOutcome, Estimate, TooFew, decide, wilson
from comparator.stats.paired import Sums, win_rate


def rate(won: int, n: int) -> Estimate:
    found = win_rate(Sums.of([[2]] * won + [[0]] * (n - won)))
    assert isinstance(found, Estimate)
    return found


def test_the_whole_interval_must_lie_beyond_the_smallest_difference_that_matters() -> None:
    assert decide(rate(43, 60), tasks=60, smallest_difference=0.05).outcome is DecisionOutcome.ADOPT
    assert decide(rate(20, 60), tasks=60, smallest_difference=0.05).outcome is DecisionOutcome.KEEP
    assert decide(rate(35, 60), tasks=60, smallest_difference=0.05).outcome is DecisionOutcome.CANNOT_TELL


def test_the_pairs_that_are_missing_would_settle_it_at_the_same_rate() -> None:
    found = decide(rate(39, 60), tasks=60, smallest_difference=0.05)

    assert found.outcome is DecisionOutcome.CANNOT_TELL
    assert found.more is not None

    def at(n: int) -> DecisionOutcome:
        estimate = Estimate(value=0.65, interval=wilson(0.65 * n, n), n=n)
        return decide(estimate, tasks=n, smallest_difference=0.05).outcome

    assert at(60 + round(found.more * 1.1) + 3) is DecisionOutcome.ADOPT
    assert at(60 + round(found.more * 0.8)) is DecisionOutcome.CANNOT_TELL


def test_a_rate_on_the_threshold_is_settled_by_no_number_and_too_few_say_how_many_are_missing() -> None:
    assert decide(rate(33, 60), tasks=60, smallest_difference=0.05).more is None
    assert decide(TooFew(n=3), tasks=3, smallest_difference=0.05).more == 17
    # However clear it looks: a rate of fewer than 20 tasks is shown, and decides nothing.
    clear = decide(rate(12, 12), tasks=12, smallest_difference=0.05)
    assert (clear.outcome, clear.more) == (DecisionOutcome.CANNOT_TELL, 8)


def test_wilson_with_students_quantile_is_wider_below_sixty_only() -> None:
    assert wilson(16, 24, units=24).low < wilson(16, 24).low
    assert wilson(40, 60, units=60) == wilson(40, 60)
