"""Every task in every iteration, between the picture and the list; a square filters the list by its pairs."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.grid import tasks_by_iteration
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.over_iterations import History, TaskHistory
from comparator.reporting.results.series import Over
from comparator.reporting.scope import Verdicts
from comparator.ui.frame import session
from comparator.ui.frame.charts.chart import FOLLOWED, Link, take_marks_back
from comparator.ui.frame.charts.task_grid import task_grid
from comparator.ui.frame.lists.filters import asked_in_address
from comparator.ui.frame.lists.kept_filters import leave_other_project
from comparator.ui.frame.lists.result_reads import reads
from comparator.ui.history.filters import CANDIDATE, ITERATION, TASK
from comparator.ui.history.picture import Pictured

AT_FIRST = 12
"""Tasks that are shown before all of them are asked for, so that the list stays near."""


def history_grid(asked: HistoryFilter, of: Pictured) -> None:
    """The grid of the two candidates in the address, else of those that the dashboards open with.

    Nothing where they met in one iteration only, or while the picture is not drawn.
    """
    if not of.drawn:
        return
    project_id, database = of.project_id, session.services().database
    meetings = project_state(database, project_id).revealed_meetings
    if not meetings:
        return
    leave_other_project()
    two = asked_in_address(meetings, project_id=project_id, reads=reads(project_id)).asked
    # As the picture above it counts.
    found = tasks_by_iteration(database, asked, two.model_copy(update={"verdicts": Verdicts.EITHER}))
    if found is not None and not found.counted_by_task:
        st.info(
            "Too many pairs to show tasks by iteration. Filter them first, by tag for example.",
            icon=":material/info:",
        )
    elif found is not None and found.tasks:
        task_grid(found, lambda task, at: _link(project_id, found, task, at), most=AT_FIRST)


def cell_followed() -> None:
    """Filter by the cell that was clicked just now; before the filters are drawn."""
    followed = st.session_state.pop(FOLLOWED, None)
    if followed is None:
        return
    take_marks_back()
    cell = parse_qs(urlsplit(followed).query)
    st.session_state[TASK] = cell[TASK][0]
    st.session_state[ITERATION] = cell.get(ITERATION, [])
    st.session_state[CANDIDATE] = cell.get(CANDIDATE, [None])[0]


def _link(project_id: str, found: History, task: TaskHistory, at: int) -> Link:
    """The history's address with the pairs of a task in an iteration; of a version, with those of its candidate."""
    iteration = found.iterations[at]
    if found.over is Over.ITERATIONS:
        cell = {ITERATION: iteration.name}
    else:
        cell = {
            CANDIDATE: iteration.one if len({each.one for each in found.iterations}) > 1 else iteration.two
        }
    return Link(f"/history?{urlencode({'project': project_id, TASK: task.task_id, **cell})}")
