"""How much one reading may examine, what it has used, and why it has to come to its verdict."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.labels import Frozen
from comparator.domain.tool_limits import ToolLimits

__all__ = ("ReadingUsage", "ToolLimits", "must_close")


class ReadingUsage(Frozen):
    """What a reading has used so far."""

    calls: int = 0
    bytes: int = 0
    tokens: int = 0
    seconds: float = 0.0
    money: Decimal = Decimal(0)

    def __add__(self, more: ReadingUsage) -> ReadingUsage:
        return ReadingUsage(
            calls=self.calls + more.calls,
            bytes=self.bytes + more.bytes,
            tokens=self.tokens + more.tokens,
            seconds=self.seconds + more.seconds,
            money=self.money + more.money,
        )


def must_close(
    limits: ToolLimits, used: ReadingUsage, *, request: ReadingUsage, verdict: ReadingUsage
) -> str:
    """Why no further request with tools may be made; empty where one may.

    `request` is what the next request takes at most, and `verdict` what the request for the verdict behind it does:
    that one is kept back, so that a reading at its limit still comes to its verdict.
    """
    if used.calls >= limits.calls:
        return f"{limits.calls:,} calls of tools are made"
    if used.bytes >= limits.bytes:
        return f"{limits.bytes:,} bytes are read"
    needed = used + request + verdict
    if needed.tokens > limits.tokens:
        return f"{limits.tokens:,} tokens would be exceeded"
    if needed.seconds > limits.seconds:
        return f"{limits.seconds:g} seconds would be exceeded"
    if limits.money is not None and needed.money > limits.money:
        return f"{limits.money} US dollars would be exceeded"
    return ""
