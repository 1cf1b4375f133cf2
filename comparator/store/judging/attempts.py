"""What is kept of each try at judging: requests with their raw answers, what they used, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from comparator.domain.labels import Frozen
from comparator.domain.usage import Call, Usage
from comparator.store import tables
from comparator.store.core.sql import insert_one
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
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
        """Its columns in the table of tries."""
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


def keep(
    unit: Unit,
    tried: TryRecord,
    *,
    model: str,
    task_version_id: str | None = None,
    inquiry_id: str | None = None,
    counted: bool = False,
) -> None:
    """Keep a try at the rubric of a task version or at an inquiry; its cost counts, unless it is `counted` already."""
    insert_one(
        unit.connection,
        tables.attempt,
        id=unit.new_id(),
        task_version_id=task_version_id,
        inquiry_id=inquiry_id,
        model=model[:200],
        succeeded=tried.problem is None,
        **tried.columns(unit.at),
    )
    if not counted:
        budgets.spend(unit.connection, tried.cost)
