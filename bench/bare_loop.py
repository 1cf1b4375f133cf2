"""The bare loop: as many calls of AsyncAnthropic at a time as there are slots, and nothing else.

`python -m bench.bare_loop BODIES CALLS SLOTS`; a call that goes on from the answer to another one waits for it.
"""

import asyncio
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import anthropic


async def ask(bodies: list[dict[str, Any]], calls: int, slots: int) -> None:
    """So many calls, each with the next of the bodies."""
    room = asyncio.Semaphore(slots)
    conversations: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for number in range(calls):
        body = bodies[number % len(bodies)]
        # Readings without tools have one call each, however often the same one is made.
        conversations[json.dumps(body["messages"][0]) if body.get("tools") else str(number)].append(body)

    async with anthropic.AsyncAnthropic(max_retries=0) as client:

        async def hold(conversation: list[dict[str, Any]]) -> None:
            for body in sorted(conversation, key=lambda body: len(body["messages"])):
                async with room:
                    await client.messages.create(**body)

        await asyncio.gather(*map(hold, conversations.values()))


if __name__ == "__main__":
    file, calls, slots = sys.argv[1:]
    asyncio.run(ask(json.loads(Path(file).read_text("utf-8")), int(calls), int(slots)))
