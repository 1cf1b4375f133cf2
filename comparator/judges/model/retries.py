"""Tries a request again where that can help, and waits for a server that takes none just now."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from comparator.domain.usage import Call
from comparator.judges.model.secrecy import server_of
from comparator.judges.model.sender import AnthropicOptions, Fault, ModelMessage, Request, Sender
from comparator.judges.protocol import WAITING, Owner

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_SAME_STORM = 300.0
"""Seconds without a refusal after which the next one begins a new time of waiting; tries are at most 60 s apart."""


@dataclass
class Patience:
    """The clocks and chances that a test replaces, and since when the server takes no requests."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random
    busy_since: float | None = None
    """When the first request was put off since the last one that was answered, by `now`."""
    refused_at: float = 0.0
    """When the last request was put off."""

    def refused(self) -> float:
        """Since when the server takes no requests, now that it has put off another one."""
        now = self.now()
        if self.busy_since is None or now - self.refused_at > _SAME_STORM:
            self.busy_since = now
        self.refused_at = now
        return self.busy_since


class Connection(NamedTuple):
    """One model, and the way to it."""

    options: AnthropicOptions
    sender: Sender
    patience: Patience

    async def send_patiently(
        self, parameters: Mapping[str, Any], owner: Owner, calls: list[Call]
    ) -> ModelMessage | Fault:
        """The answer, or what is wrong once a retry cannot help or has not helped; each try is added to `calls`.

        The SDK would retry by itself, but keeps neither the place free nor what each try cost: between two tries no
        place is taken. While the server limits the rate or is overloaded, requests wait, for `options.busy` seconds
        after the first of them; the owner is told. Raises the sender's JudgeError.
        """
        options, patience = self.options, self.patience
        failed = waits = 0
        while True:
            sent = await self.sender.send(Request(parameters, paid=bool(calls)), owner)
            calls.append(sent.call)
            fault = sent.outcome
            if isinstance(fault, ModelMessage):
                patience.busy_since = None
                if waits:
                    owner.tell("")
                return fault
            since = 0.0
            if fault.busy:
                waits += 1
                since = patience.refused()
                over = patience.refused_at - since > options.busy
            else:
                failed += 1
                over = failed > options.retries
            if over or not fault.retryable:
                return fault
            wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(failed + waits - 1, 16))
            wait = max(
                wait * (0.5 + patience.chance() / 2), min(fault.retry_after or 0.0, options.max_retry_after)
            )
            if fault.busy:
                owner.tell(
                    f"{waiting_since(options, since)}: {fault.problem}. The next try is in {wait:.0f} s."
                )
            await patience.sleep(wait)


def waiting_since(options: AnthropicOptions, at: float) -> str:
    """That a request waits for its server since then, as the beginning of a sentence."""
    clock = datetime.fromtimestamp(at).astimezone().strftime("%H:%M:%S")
    return f"{WAITING} {server_of(options)} since {clock}"
