"""Limits of a minute pass evenly, and are divided among the workers that live."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from comparator.store.bulk.leases import WorkerProcess
from comparator.workflow.judging.gate import Pace, Share
from comparator.workflow.judging.registry import share_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WHOLE = Share(slots=8, requests_a_minute=60, tokens_a_minute=90_000)


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def worker(name: str, *, joined: float = 0, beat: float = 60) -> WorkerProcess:
    at = NOON + timedelta(seconds=joined)
    return WorkerProcess(id=name, joined_at=at, beat_at=NOON + timedelta(seconds=beat))


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


def test_the_living_share_equally_and_no_place_is_lost_or_given_twice() -> None:
    alive = [worker("a"), worker("b"), worker("c")]
    shares = [share_of(each.id, alive, whole=WHOLE) for each in alive]

    assert [share.slots for share in shares] == [3, 3, 2]
    assert sum(share.requests_a_minute or 0 for share in shares) == pytest.approx(60)
    assert sum(share.tokens_a_minute or 0 for share in shares) == pytest.approx(90_000)


def test_one_that_has_just_come_has_a_single_place_until_the_others_know_of_it() -> None:
    old, new = worker("a", beat=9), worker("b", joined=10, beat=11)
    assert share_of("b", [old, new], whole=WHOLE).slots == 1

    knows = worker("a", beat=12)
    assert share_of("b", [knows, new], whole=WHOLE).slots == 4
