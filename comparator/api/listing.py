"""Comparisons as rows: what the history lists, as a data frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from comparator.api.opened import opened, project_named
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, history
from comparator.settings import Settings
from comparator.store.core.database import Database
from comparator.workflow.people.people import local_person

if TYPE_CHECKING:
    import pandas as pd

AT_ONCE = 500
COLUMNS = (
    "id", "project", "task", "title", "status", "winner", "a", "b", "form", "verdict_source", "judge",
    "candidate_a", "candidate_b", "winner_name", "created",
)  # fmt: skip
"""What a row says. `a` and `b` are overall scores, 2.0 to 10.0; `form` is what the offline check found."""


def results(project: str = "", *, settings: Settings | None = None) -> pd.DataFrame:
    """All comparisons of a project, the newest first, one a row with the columns `COLUMNS`.

    `project` may be left out where there is one. Candidates are named once they are revealed, and None before. What you
    have yet to score blind has neither winner nor scores. Raises InputError for an unknown project.
    """
    # pandas takes half a second to import, and only this needs it.
    import pandas as pd

    with opened(settings) as services:
        wanted = HistoryFilter(
            project_id=project_named(services.database, project), reader=local_person(services).id
        )
        rows = [row_of(each) for each in _all(services.database, wanted)]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["created"] = pd.to_datetime(frame["created"], utc=True)
    return frame.astype({"a": float, "b": float})


def row_of(row: HistoryRow) -> dict[str, Any]:
    """One comparison as a row; values that are hidden or not there are None."""
    line, named = row.line, row.made_by
    winner = None if row.covered or line.winner is None else line.winner.value
    return {
        "id": line.id,
        "project": line.project_name,
        "task": line.task_key,
        "title": line.title,
        "status": line.status.value,
        "winner": winner,
        "a": None if row.covered or line.overall_a is None else float(line.overall_a),
        "b": None if row.covered or line.overall_b is None else float(line.overall_b),
        "form": None if row.covered else line.form,
        "verdict_source": line.verdict_source.value if line.verdict_source else None,
        "judge": line.judge_model,
        "candidate_a": None if named is None else named.A,
        "candidate_b": None if named is None else named.B,
        "winner_name": None if named is None else {"A": named.A, "B": named.B}.get(winner or ""),
        "created": line.created_at.isoformat(),
    }


def _all(database: Database, wanted: HistoryFilter) -> Iterator[HistoryRow]:
    offset = 0
    while rows := history(database, wanted, limit=AT_ONCE, offset=offset).rows:
        yield from rows
        offset += len(rows)
