"""Both orders are read at once; one that fails stops nothing, and nothing is read twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from comparator.domain.errors import JudgeError, JudgeUnavailable
from comparator.domain.labels import Order
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import Judge, PassReply
from comparator.judges.two_orders import judge_pair, missing_passes
from tests.loopback.pairs import pair, rubric

PAIR = pair({"a.md": "# One\n\nText."}, {"b.md": "Text."})
Done = dict[tuple[Order, int], PassReply | JudgeError]


class Gated(OfflineJudge):
    """Waits until as many readings as expected are under way, and fails in one order if told so."""

    def __init__(self, *, together: int, failing: Order | None = None) -> None:
        self.asked: list[tuple[Order, int]] = []
        self._together, self._failing = together, failing
        self._all_there = asyncio.Event()

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, **asked: Any) -> PassReply:
        order, repetition = asked["order"], asked["repetition"]
        self.asked.append((order, repetition))
        if len(self.asked) == self._together:
            self._all_there.set()
        asked["on_behalf_of"].began()
        if order is self._failing:
            raise JudgeUnavailable("down")
        await asyncio.wait_for(self._all_there.wait(), 5)
        return await super().read_pair(pair, rubric)


async def run(judge: Judge, *, have: tuple[Pass, ...] = (), repetitions: int = 1) -> Done:
    done: Done = {}

    async def on_done(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
        done[order, repetition] = outcome

    await judge_pair(judge, PAIR, rubric(), have=have, repetitions=repetitions, on_done=on_done)
    return done


async def test_all_passes_run_together_once_the_first_has_begun() -> None:
    judge = Gated(together=4)
    done = await run(judge, repetitions=2)
    assert set(done) == {(order, repetition) for order in Order for repetition in (0, 1)}


async def test_a_failing_order_does_not_stop_the_other() -> None:
    done = await run(Gated(together=2, failing=Order.A_FIRST))
    assert isinstance(done[Order.A_FIRST, 0], JudgeUnavailable)
    assert isinstance(done[Order.B_FIRST, 0], PassReply)


async def test_what_is_there_is_not_read_again() -> None:
    first = await run(OfflineJudge())
    reply = first[Order.A_FIRST, 0]
    assert isinstance(reply, PassReply)
    judge = Gated(together=1)
    await run(judge, have=(Pass(order=Order.A_FIRST, answer=reply.answer),))
    assert judge.asked == [(Order.B_FIRST, 0)]


async def test_nothing_is_asked_when_all_is_there() -> None:
    reply = (await run(OfflineJudge()))[Order.A_FIRST, 0]
    assert isinstance(reply, PassReply)
    have = tuple(Pass(order=order, answer=reply.answer) for order in Order)
    assert missing_passes(have, repetitions=1) == ()
    assert await run(Gated(together=1), have=have) == {}


async def test_a_fault_in_storing_is_raised_after_the_other_has_been_stored() -> None:
    stored: list[Order] = []

    async def on_done(order: Order, _repetition: int, _outcome: PassReply | JudgeError) -> None:
        if order is Order.A_FIRST:
            raise OSError("disk full")
        stored.append(order)

    with pytest.raises(OSError, match="disk full"):
        await judge_pair(OfflineJudge(), PAIR, rubric(), have=(), repetitions=1, on_done=on_done)
    assert stored == [Order.B_FIRST]
