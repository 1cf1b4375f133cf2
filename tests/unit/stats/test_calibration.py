"""Stated confidence becomes a probability once enough blind reviews say what it is worth."""

import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from comparator.stats.accuracy import LEVELS, NEEDED, Calibration, ConfidenceCount, calibrate, platt
from comparator.stats.intervals import TooFew

SURE = {50: 0.5, 60: 0.52, 70: 0.56, 80: 0.6, 90: 0.68, 100: 0.8}
"""How often an overconfident judge is right."""
ROOT = Path(__file__).parents[3]
FITS = """
from time import process_time, thread_time
from comparator.stats.accuracy import platt
counts = {50: (9, 20), 60: (4, 12), 70: (11, 18), 80: (20, 29), 90: (8, 15), 100: (19, 21)}
platt(counts)
before = process_time() - thread_time()
for _ in range(50):
    platt(counts)
print(process_time() - thread_time() - before)
"""
"""Prints the seconds of processor time that other threads took for fifty fits."""
counts = st.fixed_dictionaries(
    {
        level: st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
        for level in LEVELS
    }
).filter(lambda each: sum(n for _, n in each.values()) >= NEEDED)


def drawn(n: int, *, seed: int) -> list[ConfidenceCount]:
    chance = random.Random(seed)
    levels = [chance.choice(LEVELS) for _ in range(n)]
    return [ConfidenceCount(level, int(chance.random() < SURE[level]), 1) for level in levels]


def test_below_fifty_blind_reviews_nothing_is_called_a_probability() -> None:
    assert calibrate(drawn(NEEDED - 1, seed=1)) == TooFew(n=NEEDED - 1, needed=NEEDED)
    assert isinstance(calibrate(drawn(NEEDED, seed=1)), Calibration)


@given(counts)
def test_more_confidence_never_means_less(given: dict[int, tuple[int, int]]) -> None:
    found = [platt(given)[level] for level in LEVELS]

    assert all(low <= high + 1e-9 for low, high in pairwise(found))
    assert all(0 <= each <= 1 for each in found)


def test_platts_scaling_is_a_logistic_regression_on_his_targets() -> None:
    given = {50: (9, 20), 60: (4, 12), 70: (11, 18), 80: (20, 29), 90: (8, 15), 100: (19, 21)}
    right, wrong = sum(r for r, _ in given.values()), sum(n - r for r, n in given.values())
    high, low = (right + 1) / (right + 2), 1 / (wrong + 2)
    rows, labels, weights = [], [], []
    for level, (r, n) in given.items():
        for target, times in ((high, r), (low, n - r)):
            rows += [[level / 100]] * 2
            labels += [1, 0]
            weights += [times * target, times * (1 - target)]
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(rows, labels, sample_weight=weights)

    expected = theirs.predict_proba([[level / 100] for level in LEVELS])[:, 1]
    assert [platt(given)[level] for level in LEVELS] == pytest.approx(expected, abs=1e-4)


def test_a_fit_waits_for_no_other_thread() -> None:
    # Threads of BLAS that wait for each other take seconds for these six numbers where a machine is busy.
    measured = subprocess.run(
        [sys.executable, "-c", FITS], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert float(measured.stdout) < 0.002


def test_an_overconfident_judge_is_brought_near_the_truth() -> None:
    def off(found: dict[int, float]) -> float:
        return sum(abs(found[level] - SURE[level]) for level in LEVELS) / len(LEVELS)

    runs = [calibrate(drawn(200, seed=seed)) for seed in range(60)]

    known = [each for each in runs if isinstance(each, Calibration)]
    after = sum(off({level: each.probability(level) for level in LEVELS}) for each in known) / len(known)
    before = off({level: level / 100 for level in LEVELS})
    assert before == pytest.approx(0.14, abs=0.005)
    assert after < 0.06
