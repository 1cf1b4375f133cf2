"""Limits of a minute pass evenly, and are divided among the workers that live."""

from __future__ import annotations

import pytest

from comparator.settings import Settings
from comparator.workflow.judging.gate import Pace, Share
from comparator.workflow.judging.registry import share_of


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def passed(pace: Pace, clock: Clock, *, seconds: float, amount: float = 1) -> int:
    """How many of this amount pass within so many seconds, asked for all the time."""
    end, count = clock.now + seconds, 0
    while clock.now < end:
        if pace.wait(amount) <= 0:
            pace.take(amount)
            count += 1
        else:
            clock.now += 0.01
    return count


def test_no_more_than_the_limit_passes_in_a_minute() -> None:
    clock = Clock()
    pace = Pace(120, clock=clock)

    assert passed(pace, clock, seconds=60) <= 120 + 2
    assert passed(pace, clock, seconds=60) == pytest.approx(120, abs=1)


def test_the_living_share_equally_and_each_has_a_place() -> None:
    settings = Settings(slots=8, requests_a_minute=60, tokens_a_minute=90_000)
    assert share_of(settings, 1) == Share(8, 60, 90_000)
    assert share_of(settings, 3) == Share(2, 20, 30_000)
    assert share_of(settings, 20).slots == 1
