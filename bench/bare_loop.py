"""The bare loop: as many calls of AsyncAnthropic at a time as there are slots, and nothing else.

`python -m bench.bare_loop BODIES CALLS SLOTS`; a call that goes on from the answer to another one waits for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import anthropic


async def ask(bodies: list[dict[str, Any]], *, calls: int, slots: int) -> None:
    """So many calls, each with the next of the bodies."""
    client = anthropic.AsyncAnthropic(
        base_url=os.environ["ANTHROPIC_BASE_URL"], api_key="any-key", max_retries=0
    )
    room = asyncio.Semaphore(slots)

    async def each(chain: list[dict[str, Any]]) -> None:
        for body in chain:
            async with room:
                await client.messages.create(**body)

    conversations: dict[str, list[dict[str, Any]]] = {}
    for number in range(calls):
        body = bodies[number % len(bodies)]
        # Readings without tools have one call each, however often the same one is made.
        own = json.dumps(body["messages"][0]) if body.get("tools") else str(number)
        conversations.setdefault(own, []).append(body)
    await asyncio.gather(
        *(each(sorted(chain, key=lambda body: len(body["messages"]))) for chain in conversations.values())
    )
    await client.close()


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    asyncio.run(ask(given, calls=int(sys.argv[2]), slots=int(sys.argv[3])))
