"""All projects at a glance: a card each with the last verdict, the win rate over its iterations, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

import streamlit as st

from comparator.reporting.history.listing import QueueCounts, counts
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.over_iterations import History
from comparator.stats.figures import TooFew
from comparator.store.core.database import Database
from comparator.store.people.projects import Project
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import headline
from comparator.ui.dashboards.first_screen import BADGES, ICONS
from comparator.ui.dashboards.open import hidden_badge
from comparator.ui.frame import estimates, safe, session
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
    top = headline(database, first.asked, first.names, known=first.outcomes)
    outcome = top.advice.decision.outcome
    st.badge(safe.text(sentences.badge(top)), icon=ICONS[outcome], color=BADGES[outcome])  # type: ignore[arg-type]  # one of Streamlit's own names
    found = top.result
    if not found.n:
        st.caption("No verdicts yet.")
        return
    line = sparkline(top.history) if top.history else []
    iterations = sum(not isnan(value) for value in line)
    # Of so few tasks a share would say more than is known.
    few = isinstance(found.win_rate, TooFew)
    won = f"{found.won:,}" if few else estimates.percent(found.share or 0.0)
    st.metric(
        safe.text(f"{first.names.one} won, of {counted(found.n, 'pair')}"),
        safe.text(won),
        chart_data=line if iterations > 1 else None,
        chart_type="line",
        help=safe.text(line_words(line, top.history)) if iterations > 1 and top.history else None,
    )


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
