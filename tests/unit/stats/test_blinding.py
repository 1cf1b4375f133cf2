"""Bang's index against the example of its paper."""

from hypothesis import given
from hypothesis import strategies as st

from comparator.stats.accuracy import Guesses, bang_index
from comparator.stats.intervals import Estimate, TooFew


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate)
    return found


def test_the_papers_trial_gives_the_papers_indices() -> None:
    # Bang, Ni and Davis (2004), the CRISP trial: 0.21 (0.15 to 0.26) and 0.01 (-0.07 to 0.10), one-sided at 95%.
    treated = estimate(bang_index(Guesses(right=82, wrong=25, no_idea=170), level=0.9))
    placebo = estimate(bang_index(Guesses(right=29, wrong=27, no_idea=83), level=0.9))

    assert [round(v, 2) for v in (treated.value, treated.interval.low, treated.interval.high)] == [
        0.21,
        0.15,
        0.26,
    ]
    assert [round(v, 2) for v in (placebo.value, placebo.interval.low, placebo.interval.high)] == [
        0.01,
        -0.07,
        0.1,
    ]


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_exchanging_right_and_wrong_turns_its_sign(right: int, wrong: int, no_idea: int) -> None:
    found = bang_index(Guesses(right=right, wrong=wrong, no_idea=no_idea))
    turned = bang_index(Guesses(right=wrong, wrong=right, no_idea=no_idea))

    if right + wrong + no_idea < 20:
        assert found == TooFew(n=right + wrong + no_idea)
    else:
        assert estimate(found).value == -estimate(turned).value
        assert -1 <= estimate(found).interval.low <= estimate(found).interval.high <= 1
