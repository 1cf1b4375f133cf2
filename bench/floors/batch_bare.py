"""The bare loop: as many calls of AsyncAnthropic at a time as there are slots, and nothing else.

A call that goes on from the answer to another one waits for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import anthropic


async def ask(bodies: list[dict[str, Any]], *, calls: int, slots: int) -> float:
    """CPU seconds of so many calls."""
    client = anthropic.AsyncAnthropic(
        base_url=os.environ["ANTHROPIC_BASE_URL"], api_key="any-key", max_retries=0
    )
    room = asyncio.Semaphore(slots)

    async def each(chain: list[dict[str, Any]]) -> None:
        for body in chain:
            async with room:
                await client.messages.create(**body)

    began = time.process_time()
    given = [bodies[number % len(bodies)] for number in range(calls)]
    await asyncio.gather(*map(each, chains(given)))
    took = time.process_time() - began
    await client.close()
    return took


def chains(bodies: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The calls by conversation, each one's from its first to its last, in the order in which they begin."""
    found: dict[str, list[dict[str, Any]]] = {}
    for number, body in enumerate(bodies):
        # Readings without tools have one call each, however often the same one is made.
        own = json.dumps(body["messages"][0]) if body.get("tools") else str(number)
        found.setdefault(own, []).append(body)
    return [sorted(chain, key=lambda body: len(body["messages"])) for chain in found.values()]


def main() -> None:
    """Print one JSON object: CPU in seconds, peak memory in MB."""
    bodies = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    cpu = asyncio.run(ask(bodies, calls=int(sys.argv[2]), slots=int(sys.argv[3])))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "memory": peak}))


if __name__ == "__main__":
    main()
