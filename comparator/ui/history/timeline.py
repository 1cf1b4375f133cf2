"""The time line of one task: how its outputs scored iteration by iteration, broken where scores stop to compare."""

from __future__ import annotations

import streamlit as st

from comparator.domain.errors import NotFound
from comparator.domain.rights import Act
from comparator.reporting.history.timeline import project_of, timeline
from comparator.reporting.results.candidates import natural
from comparator.reporting.scope import Runs
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.charts import Chart, Lines, break_marks, show
from comparator.ui.frame.lists.filters import RUNS

EVERY_RUN = "Also pairs with an unusable, cut-off or superseded output, and warm-up pairs"


def task_timeline(task_id: str) -> None:
    """Show how the task's outputs scored by iteration; a sentence where nothing is revealed yet.

    Its id stands in the address: of a task of another project, nothing is told to who may not see that one's results.
    """
    if not _may_see(task_id):
        return
    every = st.toggle("Timeline: all runs", key="timeline_runs", help=EVERY_RUN, bind="query-params")
    runs = Runs.ALL if every else Runs.VALID
    found = timeline(session.services().database, task_id, runs=runs)
    left = f" {words.counted(found.blind, 'comparison')} left out until the reveal." if found.blind else ""
    if not found.moments:
        st.caption(
            safe.text(
                "The timeline of this task appears once reviewers or a model have judged its comparisons "
                f"and they are revealed. The offline check does not count.{left}"
            )
        )
        return
    verdicts = sum(each.n for each in found.moments)
    what = {found.iterations[each.at]: break_marks.what(each) for each in found.breaks}
    # A line does not lead across a change of the task.
    versions = {each.candidate: each.version for each in reversed(found.moments)}
    show(
        [
            Chart(
                "timeline",
                "Overall score of this task's outputs by iteration",
                [
                    {
                        "Iteration": each.iteration,
                        "Candidate": safe.visible(each.candidate)
                        + ("" if each.version == versions[each.candidate] else f" (version {each.version})"),
                        "Mean overall": float(each.overall),
                        "Outputs": each.n,
                        "Reviewed": each.reviewed,
                        "Task version": each.version,
                        "Not comparable with the iteration before": what.get(each.iteration, ""),
                    }
                    for each in sorted(found.moments, key=lambda each: natural(each.candidate))
                ],
                Lines(
                    "Iteration",
                    "Mean overall",
                    found.iterations,
                    by="Candidate",
                    n="Outputs",
                    form=".1f",
                    breaks=[
                        break_marks.mark_of(each, step=found.iterations[each.at], at=each.at)
                        for each in found.breaks
                    ],
                ),
                note=f"Mean overall score, 2.0 to 10.0, of {verdicts} outputs. {RUNS[runs]}.{left}",
                help=break_marks.sentence(found.breaks, found.iterations),
            )
        ]
    )


def _may_see(task_id: str) -> bool:
    try:
        project_id = project_of(session.services().database, task_id)
    except NotFound:
        return False
    return session.may(Act.SEE_RESULTS, project_id=project_id)
