"""What the projects' checks found in the comparisons of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from comparator.domain.labels import PerOutput
from comparator.reporting.history.listing import HistoryRow
from comparator.store.core.database import Database
from comparator.store.pairs import checks


class CheckFindings(NamedTuple):
    """How often a check found what it looks for in both outputs; None where it took too long or they cannot be read."""

    name: str
    found: PerOutput[int | None]


def check_results(database: Database, rows: Sequence[HistoryRow]) -> dict[str, tuple[CheckFindings, ...]]:
    """The results by comparison, checks by name; without those that have not looked at it yet."""
    with database.read() as connection:
        counts = checks.of_comparisons(connection, [row.line.id for row in rows])
        projects = sorted({row.line.project_id for row in rows})
        every = [check for id in projects for check in checks.of_project(connection, id)]
    return {
        id: tuple(
            CheckFindings(check.name, PerOutput[int | None](A=own[check.id][0], B=own[check.id][1]))
            for check in every
            if check.id in own
        )
        for id, own in counts.items()
    }
