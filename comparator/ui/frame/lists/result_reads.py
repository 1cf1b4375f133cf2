"""What the filters of results ask of the database."""

from __future__ import annotations

from comparator.reporting.results.over_iterations import iterations_of, plain_names, pooled
from comparator.reporting.results.result import outcomes
from comparator.reporting.scope import ResultFilter
from comparator.store.core.database import Database
from comparator.ui.frame import session
from comparator.ui.frame.lists.filters import Reads
from comparator.workflow.projects.settings import project_settings


def reads(project_id: str) -> Reads:
    """What they ask of a project."""
    database = session.services().database
    plans = project_settings(session.services(), project_id).plans
    return Reads(
        iterations=lambda asked: _number_of_iterations(database, asked),
        pooled=lambda asked: pooled(database, asked),
        outcomes=lambda asked: outcomes(database, asked),
        plain=lambda asked: plain_names(database, asked),
        planned=tuple(plan.candidates for plan in plans if plan.candidates),
    )


def _number_of_iterations(database: Database, asked: ResultFilter) -> int:
    found = iterations_of(database, asked)
    return len(found[1]) if found else 1
