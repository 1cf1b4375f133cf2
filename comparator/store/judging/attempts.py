"""What is kept of each try at judging: requests with their raw answers, what they used, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from comparator.domain.labels import Frozen
from comparator.domain.usage import Call, Usage
from comparator.store.tables.base import MONEY_PLACES


class Problem(Frozen):
    """Why a try failed: the kind of error (its class name), and what to tell a person."""

    kind: str
    message: str


class TryRecord(Frozen):
    """What one try took: its requests, the digests of their prompts, the cost in US dollars, and what went wrong."""

    calls: tuple[Call, ...]
    prompts: Mapping[str, str]
    cost: Decimal | None
    problem: Problem | None = None

    def columns(self, at: datetime) -> dict[str, Any]:
        """The columns that tables of tries share."""
        usage, problem = sum((call.usage for call in self.calls), Usage()), self.problem
        return {
            "at": at,
            "error_kind": problem.kind if problem else None,
            "message": problem.message if problem else None,
            "calls": self.calls,
            "prompts": dict(self.prompts),
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "cache_written_tokens": usage.cache_written_tokens,
            "seconds": usage.seconds,
            "cost": None if self.cost is None else self.cost.quantize(Decimal(1).scaleb(-MONEY_PLACES)),
            "currency": "USD",
        }
