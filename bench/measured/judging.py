"""What judging a pair adds to the model's own time, against a server on loopback that answers after a fixed time."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from bench.figures import Figure, figure
from tests.loopback.overhead import measure as overhead
from tests.loopback.overhead import server

PAIRS = 30
LATENCY = 0.2
"""Seconds that each answer takes."""
# Two outputs of 200 KB are half a megabyte of JSON in each of two requests.
LIMITS = {2_000: 50.0, 20_000: 50.0, 200_000: 100.0}


def measure() -> Sequence[Figure]:
    """Median milliseconds a comparison beyond the model's own time, both orders read at once, by size of output."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with server(port=port, latency=LATENCY) as base_url:
        took = {
            size: asyncio.run(overhead(base_url=base_url, pairs=PAIRS, latency=LATENCY, size=size))
            for size in LIMITS
        }
    return tuple(
        figure(
            f"judging beyond the model's time, outputs of {size // 1000} KB",
            told["median_ms"],
            "ms",
            limit=LIMITS[size],
        )
        for size, told in took.items()
    )
