"""Fifty reviewers for five minutes on two processes and PostgreSQL: nothing lost, nothing doubled."""

import os

import pytest

from bench.measured.load import together


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_fifty_reviewers_for_five_minutes_lose_and_double_nothing() -> None:
    alone, late, wrong, cpu = together(50, seconds=300)

    assert wrong.holds, wrong
    assert cpu.holds, cpu
    # Other tests beside this one, as in a part, would slow down the fifty or the one.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        assert late.holds, (alone, late)
