"""Whoever tries to come in too often waits."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from comparator.workflow.people.sign_in import MOST, WITHIN, Tries
from tests.integration.workflow.people.test_sessions import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tries(clock: Clock) -> Tries:
    return Tries(lambda: clock.now)


def test_tries_at_the_same_moment_are_no_more(tries: Tries) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = pool.map(lambda _: tries.may_try("person mallory"), range(2 * MOST))
        assert sum(made) == MOST


def test_whoever_waited_may_try_again_and_refused_tries_do_not_prolong_it(clock: Clock, tries: Tries) -> None:
    assert all(tries.may_try("person mallory") for _ in range(MOST))
    clock.now += WITHIN - timedelta(seconds=1)
    assert not tries.may_try("person mallory")
    clock.now += timedelta(seconds=1)
    assert all(tries.may_try("person mallory") for _ in range(MOST))
    assert not tries.may_try("person mallory")
