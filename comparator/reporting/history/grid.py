"""Tasks by iteration, of the pairs that fit the history's filters."""

from __future__ import annotations

from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.reporting.results.over_iterations import History, over_iterations
from comparator.reporting.scope import ResultFilter
from comparator.store.core.database import Database


def tasks_by_iteration(database: Database, asked: HistoryFilter, two: ResultFilter) -> History | None:
    """All iterations of the two candidates in the pairs that fit; None where there is only one.

    What chooses a cell (task, candidate, iterations, days) is not looked at, so that the other cells stay.
    Raises BlindnessError.
    """
    update = {"task_id": None, "candidate_id": None, "iterations": (), "since": None, "until": None}
    every = asked.model_copy(update={**update, "project_id": two.project_id})
    return over_iterations(database, two, fitting=lambda connection: fitting(connection, every))
