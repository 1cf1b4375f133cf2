"""What judging a pair adds to the model's own time, against a server on loopback that answers after a fixed time."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from bench.figures import Figure, below
from tests.loopback.overhead import measure as overhead
from tests.loopback.overhead import server

PAIRS = 30
LATENCY = 0.2
"""Seconds that each answer takes."""
LIMIT = 50.0
SIZES = {"2 KB": 2_000, "20 KB": 20_000, "200 KB": 200_000}
# Two outputs of 200 KB are half a megabyte of JSON in each of two requests.
LARGE_LIMIT = 100.0


def measure() -> Sequence[Figure]:
    """Median milliseconds a comparison beyond the model's own time, both orders read at once, by size of output."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with server(port=port, latency=LATENCY) as base_url:
        return tuple(
            below(
                f"judging beyond the model's time, outputs of {name}",
                asyncio.run(overhead(base_url=base_url, pairs=PAIRS, latency=LATENCY, size=size))[
                    "median_ms"
                ],
                unit="ms",
                limit=LARGE_LIMIT if size > 100_000 else LIMIT,
                n=PAIRS,
            )
            for name, size in SIZES.items()
        )
