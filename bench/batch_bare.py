"""The bare loop: as many calls of AsyncAnthropic at a time as there are slots, and nothing else."""

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

    async def one(number: int) -> None:
        async with room:
            await client.messages.create(**bodies[number % len(bodies)])

    began = time.process_time()
    await asyncio.gather(*(one(number) for number in range(calls)))
    took = time.process_time() - began
    await client.close()
    return took


def main() -> None:
    """Print one JSON object: CPU in seconds, peak memory in MB."""
    bodies = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    cpu = asyncio.run(ask(bodies, calls=int(sys.argv[2]), slots=int(sys.argv[3])))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "memory": peak}))


if __name__ == "__main__":
    main()
