"""What a rate decides, what guidance proves, the judge on all pairs with people on a sample, and calibration."""

import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import ppi_py
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from comparator.domain.labels import Winner
from comparator.stats.accuracy import LEVELS, NEEDED, Calibration, ConfidenceCount, calibrate, platt
from comparator.stats.intervals import DecisionOutcome, Estimate, Interval, TooFew, decide, wilson
from comparator.stats.paired import Powered, Sums, powered_rate, win_rate
from comparator.stats.proof import JudgedTwice, ProofFigures, figures, paired_interval, sign_p


def rate(won: int, n: int) -> Estimate:
    share = win_rate(Sums.of([[2]] * won + [[0]] * (n - won)))
    assert isinstance(share, Estimate)
    return share


@pytest.mark.parametrize(
    ("won", "outcome"),
    [(43, DecisionOutcome.ADOPT), (20, DecisionOutcome.KEEP), (35, DecisionOutcome.CANNOT_TELL)],
)
def test_the_whole_interval_must_lie_beyond_what_matters(won: int, outcome: DecisionOutcome) -> None:
    assert decide(rate(won, 60), tasks=60, smallest_difference=0.05).outcome is outcome


def test_the_pairs_that_are_missing_would_settle_a_rate_unless_it_lies_on_the_threshold() -> None:
    decision = decide(rate(39, 60), tasks=60, smallest_difference=0.05)

    assert decision.outcome is DecisionOutcome.CANNOT_TELL
    assert decision.more is not None

    def at(n: int) -> DecisionOutcome:
        estimate = Estimate(value=0.65, interval=wilson(0.65 * n, n), n=n)
        return decide(estimate, tasks=n, smallest_difference=0.05).outcome

    assert at(60 + round(decision.more * 1.1) + 3) is DecisionOutcome.ADOPT
    assert at(60 + round(decision.more * 0.8)) is DecisionOutcome.CANNOT_TELL
    # A rate on the threshold is settled by no number, and too few say how many are missing.
    assert decide(rate(33, 60), tasks=60, smallest_difference=0.05).more is None
    assert decide(TooFew(n=3), tasks=3, smallest_difference=0.05).more == 17
    # However clear it looks: a rate of fewer than 20 tasks is shown, and decides nothing.
    clear = decide(rate(12, 12), tasks=12, smallest_difference=0.05)
    assert (clear.outcome, clear.more) == (DecisionOutcome.CANNOT_TELL, 8)


A, B, TIE = Winner.A, Winner.B, Winner.TIE


def pairs(n: int, *, before: float, after: float, seed: int, of_task: int = 1) -> list[JudgedTwice]:
    """Held-out pairs that each judge has right with its chance, one independent of the other."""
    chance = random.Random(seed)

    def said(truth: Winner, right: float) -> Winner:
        return truth if chance.random() < right else (B if truth is A else A)

    truths = [chance.choice((A, B)) for _ in range(n)]
    return [
        JudgedTwice(f"t{at // of_task}", truth, said(truth, before), said(truth, after))
        for at, truth in enumerate(truths)
    ]


def proven(value: object) -> ProofFigures:
    assert isinstance(value, ProofFigures)
    return value


def passing(runs: int, n: int, *, before: float, after: float, of_task: int = 1) -> float:
    """The share of that many drawn sets of pairs that prove the guidance."""
    drawn = (pairs(n, before=before, after=after, seed=seed, of_task=of_task) for seed in range(runs))
    return sum(proven(figures(said)).passes for said in drawn) / runs


SIX = [JudgedTwice(f"a{n}", A, A, A) for n in range(6)]
EIGHT_BETTER = [JudgedTwice(f"b{n}", A, B, A) for n in range(8)]
ONE_WORSE = [JudgedTwice("c", B, B, A)]


def test_the_figures_are_those_of_a_table_by_hand() -> None:
    others = [*(JudgedTwice(f"d{n}", B, TIE, A) for n in range(3)), JudgedTwice("e", A, None, A)]

    proof = proven(figures([*SIX, *EIGHT_BETTER, *ONE_WORSE, *others]))

    assert (proof.n, proof.before, proof.after, proof.constant) == (18, 7, 14, 14)
    assert (proof.better, proof.worse) == (8, 1)
    assert proof.p == pytest.approx(sign_p(8, 1)) == pytest.approx(0.0390625)
    assert proof.passes
    assert figures(pairs(9, before=0, after=1, seed=1)) == TooFew(n=9, needed=10)


def test_what_passes_alone_does_not_pass_as_the_second_draft_on_the_same_pairs() -> None:
    alone, second = (proven(figures([*EIGHT_BETTER, *ONE_WORSE, *SIX], proofs=proofs)) for proofs in (1, 2))

    assert alone.p == second.p == pytest.approx(0.0390625)
    assert (alone.passes, second.passes) == (True, False)
    assert second.difference.low < alone.difference.low


def test_newcombes_interval_is_that_of_his_paper() -> None:
    # Newcombe 1998, table III, method 10: e = 36, f = 12, g = 2, h = 0 of 50 gives 0.0569 to 0.3404.
    interval = paired_interval(36, lost=2, gained=12, n=50)

    assert [interval.low, interval.high] == pytest.approx([0.0569, 0.3404], abs=1e-4)
    assert paired_interval(0, lost=0, gained=0, n=20).low < 0
    assert isinstance(interval, Interval)


@pytest.mark.slow
def test_what_people_say_at_random_does_not_let_guidance_pass_nor_do_pairs_of_one_task() -> None:
    # Corrections that were shuffled teach nothing: both judges are right by chance.
    assert passing(400, 40, before=0.5, after=0.5) <= 0.05
    assert passing(400, 40, before=0.7, after=0.7) <= 0.05
    assert passing(300, 60, before=0.5, after=0.5, of_task=6) <= 0.05


@pytest.mark.slow
def test_the_best_of_many_drafts_has_to_clear_a_higher_bar() -> None:
    def best_passes(seed: int) -> bool:
        drafts = (pairs(40, before=0.5, after=0.5, seed=seed * 100 + draft) for draft in range(5))
        return any(proven(figures(said, proofs=proofs)).passes for proofs, said in enumerate(drafts, 1))

    assert sum(map(best_passes, range(150))) / 150 <= 0.08


def test_real_progress_passes() -> None:
    assert passing(200, 50, before=0.55, after=0.9) >= 0.9


def test_a_judge_that_is_no_better_than_the_constant_guess_does_not_pass() -> None:
    said = [JudgedTwice(f"t{n}", A, B, A) for n in range(12)]
    said += [JudgedTwice(f"u{n}", A, B, B) for n in range(20)]

    proof = proven(figures(said))

    assert proof.p < 0.01
    assert not proof.passes


Columns = tuple[list[int], list[float], list[int]]


def one_pair_a_task(people: list[int], judge: list[int], others: list[int]) -> Columns:
    said = [*map(float, people), *(float("nan") for _ in others)]
    return list(range(len(said))), said, [*judge, *others]


def powered(value: object) -> Powered:
    assert isinstance(value, Powered)
    return value


def history(seed: int, labelled: int, others: int) -> tuple[list[int], list[int], list[int]]:
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 3, labelled + others)
    judge = np.where(rng.random(labelled + others) < 0.75, people, rng.integers(0, 3, labelled + others))
    return people[:labelled].tolist(), judge[:labelled].tolist(), judge[labelled:].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_estimate_and_interval_are_those_of_the_authors_package(seed: int) -> None:
    people, judge, others = history(seed, labelled=400, others=1600)

    combined = powered(powered_rate(*one_pair_a_task(people, judge, others)))

    h, j, u = (np.array(values, dtype=float) for values in (people, judge, others))
    expected = float(ppi_py.ppi_mean_pointestimate(h, j, u)[0])
    low, high = (float(end[0]) for end in ppi_py.ppi_mean_ci(h, j, u, alpha=0.05))
    assert combined.rate.value * 2 == pytest.approx(expected, abs=0.002)
    interval = combined.rate.interval
    assert (interval.low * 2, interval.high * 2) == pytest.approx((low, high), abs=0.004)
    given = float(ppi_py.ppi_mean_pointestimate(h, j, u, lam=combined.trust)[0])
    assert combined.rate.value * 2 == pytest.approx(given)


def test_pairs_that_repeat_their_task_add_no_certainty() -> None:
    people, judge, others = history(3, labelled=100, others=400)
    once = powered(powered_rate(*one_pair_a_task(people, judge, others)))
    four_times = powered(powered_rate(*(column * 4 for column in one_pair_a_task(people, judge, others))))

    assert four_times.rate.value == pytest.approx(once.rate.value)
    assert four_times.rate.interval.low == pytest.approx(once.rate.interval.low, abs=1e-9)


def test_without_other_pairs_the_plain_figure_stands_and_few_tasks_give_none() -> None:
    combined = powered(powered_rate(*one_pair_a_task([2] * 12 + [0] * 12, [2] * 24, [])))

    assert (combined.trust, combined.rate, combined.reviews_saved) == (0.0, combined.plain, 0)
    assert powered_rate(*one_pair_a_task([2] * 19, [2] * 19, [1] * 99)) == TooFew(n=19)


SURE = {50: 0.5, 60: 0.52, 70: 0.56, 80: 0.6, 90: 0.68, 100: 0.8}
"""How often an overconfident judge is right."""
shares = st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
counts = st.fixed_dictionaries(dict.fromkeys(LEVELS, shares)).filter(
    lambda given: sum(n for _, n in given.values()) >= NEEDED
)
GIVEN = {50: (9, 20), 60: (4, 12), 70: (11, 18), 80: (20, 29), 90: (8, 15), 100: (19, 21)}


def drawn(n: int, *, seed: int) -> list[ConfidenceCount]:
    chance = random.Random(seed)
    levels = [chance.choice(LEVELS) for _ in range(n)]
    return [ConfidenceCount(level, int(chance.random() < SURE[level]), 1) for level in levels]


def test_below_fifty_blind_reviews_nothing_is_called_a_probability() -> None:
    assert calibrate(drawn(NEEDED - 1, seed=1)) == TooFew(n=NEEDED - 1, needed=NEEDED)
    assert isinstance(calibrate(drawn(NEEDED, seed=1)), Calibration)


@given(counts)
def test_more_confidence_never_means_less(given: dict[int, tuple[int, int]]) -> None:
    fitted = [platt(given)[level] for level in LEVELS]

    assert all(low <= high + 1e-9 for low, high in pairwise(fitted))
    assert all(0 <= probability <= 1 for probability in fitted)


def test_platts_scaling_is_a_logistic_regression_on_his_targets() -> None:
    right, wrong = sum(r for r, _ in GIVEN.values()), sum(n - r for r, n in GIVEN.values())
    high, low = (right + 1) / (right + 2), 1 / (wrong + 2)
    rows, labels, weights = [], [], []
    for level, (r, n) in GIVEN.items():
        for target, times in ((high, r), (low, n - r)):
            rows += [[level / 100]] * 2
            labels += [1, 0]
            weights += [times * target, times * (1 - target)]
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(rows, labels, sample_weight=weights)

    expected = theirs.predict_proba([[level / 100] for level in LEVELS])[:, 1]
    assert [platt(GIVEN)[level] for level in LEVELS] == pytest.approx(expected, abs=1e-4)


def test_a_fit_waits_for_no_other_thread() -> None:
    # Threads of BLAS that wait for each other take seconds for these six numbers where a machine is busy.
    code = f"""
from time import process_time, thread_time
from comparator.stats.accuracy import platt
platt({GIVEN})
before = process_time() - thread_time()
for _ in range(50):
    platt({GIVEN})
print(process_time() - thread_time() - before)
"""
    here = Path(__file__).parents[3]
    measured = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=here)

    assert float(measured) < 0.002


def test_an_overconfident_judge_is_brought_near_the_truth() -> None:
    def off(fitted: dict[int, float]) -> float:
        return sum(abs(fitted[level] - SURE[level]) for level in LEVELS) / len(LEVELS)

    runs = [calibrate(drawn(200, seed=seed)) for seed in range(60)]

    known = [run for run in runs if isinstance(run, Calibration)]
    after = sum(off({level: run.probability(level) for level in LEVELS}) for run in known) / len(known)
    before = off({level: level / 100 for level in LEVELS})
    assert before == pytest.approx(0.14, abs=0.005)
    assert after < 0.06
