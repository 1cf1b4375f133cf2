"""Fifty reviewers for five minutes on two processes and PostgreSQL: nothing lost, nothing doubled."""

import os
import statistics

import pytest

from bench.reviewers import VALID_CPU, run


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_fifty_reviewers_for_five_minutes_lose_and_double_nothing() -> None:
    found = run(reviewers=50, seconds=300)
    alone = statistics.median(found.alone)
    told = (
        f"{len(found.together)} changes; one alone {alone * 1000:.0f} ms, 95th percentile {found.p95 * 1000:.0f} ms, "
        f"generator {found.cpu:.0%} of a core"
    )

    assert found.wrong == 0, told
    assert found.cpu <= VALID_CPU, told
    # Other tests beside this one, as in a part, would slow down the fifty or the one.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        assert found.p95 < 5 * alone, told
