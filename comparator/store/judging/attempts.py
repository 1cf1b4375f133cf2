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


def try_columns(
    *,
    problem: Problem | None,
    calls: tuple[Call, ...],
    prompts: Mapping[str, str],
    cost: Decimal | None,
    at: datetime,
) -> dict[str, Any]:
    """The columns that a try at a rubric and a try at a judgment share; costs are in US dollars."""
    usage = sum((call.usage for call in calls), Usage())
    return {
        "at": at,
        "error_kind": problem.kind if problem else None,
        "message": problem.message if problem else None,
        "calls": calls,
        "prompts": dict(prompts),
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "cache_written_tokens": usage.cache_written_tokens,
        "seconds": usage.seconds,
        "cost": None if cost is None else cost.quantize(Decimal(1).scaleb(-MONEY_PLACES)),
        "currency": "USD",
    }
