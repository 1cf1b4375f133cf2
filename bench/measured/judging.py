"""What judging costs: milliseconds beyond the model's own time, and tokens and dollars a pair, on a loopback server."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, figure
from comparator.domain.errors import JudgeError
from comparator.domain.labels import Order
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import PassReply
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.judges.tools.missing_content import needs_tools
from comparator.judges.two_orders import judge_pair
from comparator.outputs.preview.child_process import Renderer
from tests.loopback.overhead import measure as overhead
from tests.loopback.overhead import server
from tests.loopback.pairs import rubric as plain_rubric
from tests.loopback.players import Verdict, good
from tests.loopback.server import LoopbackServer
from tests.worlds.files.examined import Bench
from tests.worlds.files.needles import hidden_sheet, late_page, sixtieth_file, table_row
from tests.worlds.files.outputs import World
from tests.worlds.judging.model_judge import judge_at

PAIRS = 30
LATENCY = 0.2
"""Seconds that each answer takes."""
# Two outputs of 200 KB are half a megabyte of JSON in each of two requests.
LIMITS = {2_000: 50.0, 20_000: 50.0, 200_000: 100.0}
TOKENS = 212_000
"""Two fifths of what was sent before the form left the prompt and the second order waited for the cache."""


class Read(NamedTuple):
    """A pair to be read, with the calls that a careful reader makes where it gets tools."""

    material: Material
    rubric: Rubric
    calls: tuple[tuple[str, dict[str, object]], ...] = ()


def measure() -> Sequence[Figure]:
    """Milliseconds beyond the model's time by size of output; then tokens sent and dollars a pair."""
    return (*_overheads(), *_costs())


def _overheads() -> Iterator[Figure]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with server(port=port, latency=LATENCY) as base_url:
        for size, limit in LIMITS.items():
            took = asyncio.run(overhead(base_url=base_url, pairs=PAIRS, latency=LATENCY, size=size))
            name = f"judging beyond the model's time, outputs of {size // 1000} KB"
            yield figure(name, took["median_ms"], "ms", limit=limit)


def _costs() -> Iterator[Figure]:
    """Of pairs that are read with tools, as what decides them is cut off."""
    renderer = Renderer(children=1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            reads = _needles(Bench(World(Path(folder)), renderer))
            calls = tuple(call for read in reads for call in asyncio.run(_calls(read)))
    finally:
        renderer.close()
    sent = sum(call.usage.prompt_tokens for call in calls)
    cached = sum(call.usage.cached_tokens for call in calls)
    n = len(reads)
    yield figure("tokens sent for a pair read with tools", sent / n, "tokens", limit=TOKENS)
    yield figure("of them from the cache", 100 * cached / sent, "%")
    yield figure("cost of a pair read with tools", float(cost_of_calls(calls) or 0) / n, "USD")


def _needles(bench: Bench) -> list[Read]:
    reads = []
    for number in (0, 1):
        for kind in (table_row, late_page, sixtieth_file, hidden_sheet):
            case = kind(number)
            material = bench.material(case.a, case.b, inputs=case.inputs, prompt=case.prompt)
            reads.append(Read(material, plain_rubric(), case.calls))
    return reads


async def _calls(read: Read) -> list[Call]:
    calls: list[Call] = []

    async def stored(_order: Order, _repetition: int, outcome: PassReply | JudgeError) -> None:
        calls.extend(outcome.calls)
        if isinstance(outcome, JudgeError):
            print(outcome)

    with LoopbackServer(latency=0.05, player=good(read.calls, lambda _: Verdict())) as server:
        judge = judge_at(server)
        tools = needs_tools(read.material.pair, Tools.AUTO)
        await judge_pair(
            judge,
            read.material.pair,
            read.rubric,
            have=(),
            repetitions=1,
            on_done=stored,
            tools_of=lambda *_: Examination(read.material, limits=ToolLimits()) if tools else None,
        )
        await judge.close()
    return calls
