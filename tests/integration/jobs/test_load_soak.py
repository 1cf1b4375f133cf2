"""Fifty reviewers for five minutes on two processes and PostgreSQL: nothing lost, nothing doubled."""

from __future__ import annotations

import os

import pytest

from bench.made.load import run


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_fifty_reviewers_for_five_minutes_lose_and_double_nothing() -> None:
    found = run(reviewers=50, seconds=300, pace=2.0)
    told = (
        f"{found.sent} changes, {found.sent / found.seconds:.1f} a second; one alone {found.single * 1000:.0f} ms, "
        f"95th percentile {found.p95 * 1000:.0f} ms, generator {found.generator_cpu:.0%} of a core"
    )

    assert (found.lost, found.doubled, found.altered) == (0, 0, 0), told
    assert found.valid, told
    # Other tests beside this one, as in a part, would slow down the fifty or the one.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        assert found.p95 < 5 * found.single, told
