"""What the database adds up over pairs: won, tied and lost, and the sums that a mean and its interval need."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.stats.paired import Sums


class WonTiedLost(Frozen):
    """How many pairs one side won, tied and lost."""

    won: int
    tied: int
    lost: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.won + self.tied + self.lost

    @property
    def share(self) -> float | None:
        """The share of pairs won, ties counted as half; None without any pair."""
        return (self.won + self.tied / 2) / self.n if self.n else None


def count(*conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """How many rows all of this holds for."""
    return sa.func.coalesce(sa.func.sum(sa.case((sa.and_(*conditions), 1), else_=0)), 0)


def sums_over_tasks(
    n: sa.ColumnElement[Any], s: sa.ColumnElement[Any], *, prefix: str = ""
) -> tuple[sa.Label[Any], ...]:
    """The columns of `Sums` over rows that each hold a task's number of observations `n` and their sum `s`."""
    return (
        count(n > 0).label(f"{prefix}tasks"),
        sa.func.sum(n).label(f"{prefix}n"),
        sa.func.sum(s).label(f"{prefix}total"),
        sa.func.sum(s * s).label(f"{prefix}squares"),
        sa.func.sum(s * n).label(f"{prefix}products"),
        sa.func.sum(n * n).label(f"{prefix}sizes"),
    )


def sums_in(row: Any, *, prefix: str = "") -> Sums:
    """The sums that such columns came to; zeros where there was no row to add up."""
    return Sums(*(int(getattr(row, f"{prefix}{name}") or 0) for name in Sums._fields))
