"""All projects at a glance: a card each with the last verdict, the win rate over its iterations, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

import streamlit as st

from comparator.reporting.findings import findings
from comparator.reporting.history.listing import QueueCounts, counts
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.spending import cost
from comparator.store.core.database import Database
from comparator.store.people.projects import Project
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.first_screen import BADGES, UNSURE, tiles
from comparator.ui.dashboards.open import hidden_badge
from comparator.ui.dashboards.tabs.cost import in_money
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.break_marks import NOT_CHECKED
from comparator.ui.frame.charts.plotting import parted
from comparator.ui.frame.lists.filters import first_asked
from comparator.ui.frame.lists.result_reads import reads
from comparator.ui.frame.state import SessionKey
from comparator.ui.frame.words import counted

MOST = 12
"""So many cards are shown at first, and so many more with each click: each of them reads a project's result."""
ABREAST = 3


def project_cards(database: Database, projects: Sequence[Project]) -> None:
    """The cards, three to a row where there is room."""
    number = st.session_state.get(SessionKey.CARDS, MOST)
    shown = projects[:number]
    for start in range(0, len(shown), ABREAST):
        for column, project in zip(st.columns(ABREAST), shown[start : start + ABREAST], strict=False):
            with column, st.container(border=True, height="stretch", key=f"card_{project.id}"):
                _card(database, project)
    if left := len(projects) - len(shown):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(safe.text(f"{counted(left, 'more project')}. You can also choose one by name above."))
            st.button(
                safe.text(f"Show {min(left, MOST)} more"),
                key="cards_more",
                icon=":material/expand_more:",
                on_click=_show_more,
                args=(number,),
            )


def _show_more(number: int) -> None:
    st.session_state[SessionKey.CARDS] = number + MOST


def _card(database: Database, project: Project) -> None:
    state = project_state(database, project.id)
    st.subheader(safe.text(project.name), anchor=False)
    if not state.comparisons:
        st.caption("No comparisons yet.")
    elif state.revealed_meetings:
        _verdict(database, project.id, state)
    elif state.unrevealed:
        hidden_badge()
    else:
        st.caption("No two candidates to compare.")
    st.caption(safe.text(_waits(counts(database, project_id=project.id), state)))
    st.button("Open", key=f"card_open_{project.id}", on_click=session.look_at, args=(project.id,))


def _verdict(database: Database, project_id: str, state: ProjectState) -> None:
    first = first_asked(state.revealed_meetings, project_id=project_id, reads=reads(project_id))
    found = findings(database, first.asked, first.names, known=first.outcomes)
    color, icon = BADGES.get(found.verdict, UNSURE)
    st.badge(safe.text(sentences.badge(found)), icon=icon, color=color)  # type: ignore[arg-type]  # one of Streamlit's own names
    if not found.result.n:
        st.caption("No verdicts yet.")
        return
    line = sparkline(found.history) if found.history else []
    iterations = sum(not isnan(value) for value in line)
    overall = tiles(found)[0]
    st.metric(
        safe.text(overall.label),
        safe.text(overall.value),
        chart_data=line if iterations > 1 else None,
        chart_type="line",
        help=safe.text(line_words(line, found.history)) if iterations > 1 and found.history else None,
    )
    judging = in_money(cost(database, project_id))
    told = [
        f"{overall.rests_on}.",
        *sentences.exceptions(found),
        *([f"Judging: {judging}."] if judging else ()),
    ]
    st.caption(safe.text(" ".join(told)))


def line_words(line: Sequence[float], found: History) -> str:
    """What a sparkline shows, in a sentence or two."""
    iterations = sum(not isnan(value) for value in line)
    gaps = ", with a gap where judge, guidance, rubric or tasks changed" if len(line) > iterations else ""
    unknown = f" {NOT_CHECKED}" if found.breaks is None else ""
    return f"The line shows the win rate over {counted(iterations, 'iteration')}{gaps}.{unknown}"


def sparkline(found: History) -> list[float]:
    """The win rate of each iteration that has one, in percent; not a number where a break parts two."""
    shares = {
        at: iteration.share for at, iteration in enumerate(found.iterations) if iteration.share is not None
    }
    places = parted([*shares], [each.at for each in found.breaks or ()])
    return [nan if at is None else round(shares[at] * 100, 1) for at in places]


def _waits(found: QueueCounts, state: ProjectState) -> str:
    waiting = [
        f"{number:,} {what}"
        for number, what in (
            (found.to_judge, "to judge"),
            (found.failed, "failed"),
            (found.to_review, "to review"),
            (found.drafts, "in draft"),
            (state.unrevealed, "to reveal"),
        )
        if number
    ]
    return ", ".join(waiting) if waiting else "Nothing is waiting."
