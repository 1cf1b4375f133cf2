"""Who goes onto the wire next, how many at a time, and who no more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from comparator.domain.usage import Call, Usage
from comparator.judges.model.sender import ModelMessage, Request, Sent
from comparator.judges.protocol import Owner
from comparator.workflow.judging.gate import GatedSender, Halted, RequestGate, Share

ASKED: dict[str, Any] = {"system": (), "messages": [{"content": "x" * 4_000}], "max_tokens": 1_000}


class Station:
    """A gate, and who has gone through it in which order."""

    def __init__(self, *, slots: int, **limits: float | None) -> None:
        self.gate = RequestGate(clock=lambda: asyncio.get_running_loop().time())
        share = Share(slots, limits.get("requests"), limits.get("tokens"))
        self.gate.set_share(share)
        self.order: list[str] = []
        self.most = 0
        self.let_go = asyncio.Event()

    async def go(self, name: str, owner: Owner, *, paid: bool = False) -> None:
        await GatedSender(self.gate, Wire(self, name)).send(Request(ASKED, paid=paid), owner)
        self.gate.saved(owner)


class Wire:
    """Answers once the station lets go; notes who was on the wire."""

    def __init__(self, station: Station, name: str) -> None:
        self.station, self.name = station, name

    async def send(self, request: Request, on_behalf_of: Owner | None) -> Sent:
        station = self.station
        station.order.append(self.name)
        station.most = max(station.most, station.gate.on_wire)
        await station.let_go.wait()
        usage = Usage(input_tokens=1_000, output_tokens=1_000)
        return Sent(Call(model="m", raw="{}", usage=usage), ModelMessage("{}", "end_turn"))


def owner(*, priority: int = 0, position: int = 0, reads: bool = False, batch: str = "b") -> Owner:
    return Owner(batch_id=batch, priority=priority, position=position, writes_rubric=not reads)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_the_urgent_batch_goes_first_then_rubrics_then_the_earlier_pair() -> None:
    async def work() -> None:
        station = Station(slots=1)
        waiting = [
            ("holds the place", owner()),
            ("reading of pair 5", owner(position=5, reads=True)),
            ("reading of pair 2", owner(position=2, reads=True)),
            ("rubric of pair 9", owner(position=9)),
            ("reading of the urgent batch", owner(priority=1, position=70, reads=True)),
        ]
        tasks = []
        for name, who in waiting:
            tasks.append(asyncio.create_task(station.go(name, who)))
            await asyncio.sleep(0)
        station.let_go.set()
        await asyncio.gather(*tasks)
        assert station.order == [
            "holds the place",
            "reading of the urgent batch",
            "rubric of pair 9",
            "reading of pair 2",
            "reading of pair 5",
        ]

    run(work())


def test_a_repair_goes_before_what_was_never_asked() -> None:
    async def work() -> None:
        station = Station(slots=1)
        first = asyncio.create_task(station.go("holds the place", owner()))
        await asyncio.sleep(0)
        tasks = [
            asyncio.create_task(station.go("new", owner(position=1))),
            asyncio.create_task(station.go("repair", owner(position=8, reads=True), paid=True)),
        ]
        await asyncio.sleep(0)
        station.let_go.set()
        await asyncio.gather(first, *tasks)
        assert station.order[1:] == ["repair", "new"]

    run(work())


def test_never_more_than_the_places_are_on_the_wire_also_when_they_become_fewer() -> None:
    async def work() -> None:
        station = Station(slots=4)
        tasks = [asyncio.create_task(station.go(str(n), owner(position=n))) for n in range(12)]
        await asyncio.sleep(0.01)
        assert station.gate.on_wire == 4
        station.gate.set_share(Share(2, None, None))
        station.most = 0
        station.let_go.set()
        await asyncio.gather(*tasks)
        assert station.most <= 4
        assert len(station.order) == 12

    run(work())


@pytest.mark.parametrize(("limits", "least"), [({"requests": 600.0}, 0.4), ({"tokens": 1_200_000.0}, 0.4)])
def test_limits_of_a_minute_hold_requests_back(limits: dict[str, float], least: float) -> None:
    async def work() -> None:
        station = Station(slots=50, **limits)
        station.let_go.set()
        began = asyncio.get_running_loop().time()
        # A second's worth, ten requests of 2,000 tokens, passes at once; the other five take half a second.
        await asyncio.gather(*(station.go(str(n), owner(position=n)) for n in range(15)))
        assert least <= asyncio.get_running_loop().time() - began < 5

    run(work())


def test_a_server_that_asks_for_patience_stops_everybody() -> None:
    async def work() -> None:
        station = Station(slots=4)
        station.let_go.set()
        station.gate.wait_for(0.2)
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*(station.go(str(n), owner(position=n)) for n in range(3)))
        assert asyncio.get_running_loop().time() - began >= 0.19

    run(work())


def test_a_halted_batch_sends_nothing_more_but_what_was_paid_for_is_repaired() -> None:
    async def work() -> None:
        station = Station(slots=1)
        first = asyncio.create_task(station.go("on the wire", owner()))
        await asyncio.sleep(0)
        halted = asyncio.create_task(station.go("waits", owner(position=1)))
        other = asyncio.create_task(station.go("of another batch", owner(position=2, batch="other")))
        repair = asyncio.create_task(station.go("repair", owner(position=3), paid=True))
        await asyncio.sleep(0)
        station.gate.halt("b")
        station.let_go.set()
        await asyncio.gather(first, other, repair)
        with pytest.raises(Halted):
            await halted
        with pytest.raises(Halted):
            await station.go("too late", owner(position=4))
        station.gate.open("b")
        await station.go("after it goes on", owner(position=5))
        assert station.order == ["on the wire", "repair", "of another batch", "after it goes on"]

    run(work())


def test_answers_that_are_not_stored_yet_hold_new_requests_back() -> None:
    async def work() -> None:
        station = Station(slots=1)
        station.let_go.set()
        stored = asyncio.Event()

        async def unsaved(name: str) -> None:
            mine = owner()
            await GatedSender(station.gate, Wire(station, name)).send(Request(ASKED), mine)
            await stored.wait()
            station.gate.saved(mine)

        tasks = [asyncio.create_task(unsaved(str(n))) for n in range(4)]
        await asyncio.sleep(0.05)
        assert len(station.order) == 1, "what has arrived is stored before anything else is asked"
        stored.set()
        await asyncio.gather(*tasks)
        assert len(station.order) == 4

    run(work())
