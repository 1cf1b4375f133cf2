"""The dashboards of a project in which something is still blind, or in which nothing has happened yet."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.results.candidates import Meeting, ProjectState
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import Page
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import reveal_sets

MOST_LISTED = 30


def progress_figures(state: ProjectState) -> None:
    """A row of figures: how far the project is."""
    with st.container(horizontal=True):
        st.metric("Comparisons", safe.number(state.comparisons))
        st.metric("Judged", safe.number(state.judged))
        st.metric("Reviewed", safe.number(state.reviewed))
        st.metric("Reviews open", safe.number(state.open_reviews))
        st.metric("Revealed", safe.number(state.comparisons - state.unrevealed))


def nothing_yet() -> None:
    """What will stand here, and the one next step."""
    with st.container(border=True, width=720):
        st.subheader("No comparisons in this project yet", anchor=False)
        st.caption(
            "Here will stand which of two candidates wins, by how much and how sure that is, the pairs behind each "
            "number, how far the judge agrees with reviewers, and what it cost."
        )
        if st.button("New comparison", key="dashboards_new", type="primary", icon=":material/add_circle:"):
            st.switch_page(Page.NEW)


def still_blind(state: ProjectState, *, project_id: str) -> None:
    """What may be known before the reveal, what is missing for the rest, and what will stand here."""
    with st.container(border=True):
        st.subheader("Results are hidden until the reveal", anchor=False)
        st.caption(safe.text(_missing(state)))
        st.caption(
            "After the reveal you see here: who wins with its interval, the mean difference in overall, content and "
            "structure, expectations met, the strongest and weakest tasks with their pairs, and the judge by "
            "criterion, order, quotes and stated confidence. Until then nobody who reviews is told who leads."
        )
        meetings(state, project_id=project_id)
        if st.button("Open the queue", key="dashboards_queue", icon=":material/inbox:"):
            st.switch_page(Page.QUEUE)


def others_blind(state: ProjectState, *, project_id: str) -> None:
    """The candidates of which something is not revealed, beside those of which a result is shown."""
    if not state.unrevealed:
        return
    with st.expander(
        safe.text(f"{state.unrevealed} of {counted(state.comparisons, 'comparison')} not revealed yet"),
        key="dashboards_blind",
        icon=":material/visibility_off:",
    ):
        st.caption("They count in no result. Pairs that came after a reveal are revealed with the same act.")
        meetings(state, project_id=project_id)


def meetings(state: ProjectState, *, project_id: str) -> None:
    """Each two candidates that are not wholly revealed, with the act that reveals their pairs."""
    blind = [met for met in (*state.meetings, *state.repeated) if met.unrevealed]
    for met in blind[:MOST_LISTED]:
        _meeting(met, project_id)
    if len(blind) > MOST_LISTED:
        st.caption(safe.text(f"And {len(blind) - MOST_LISTED} more."))


def _meeting(met: Meeting, project_id: str) -> None:
    """Two candidates' pairs, and the one act that tells who made which of them."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"meeting_{met.one}_{met.two}"):
        st.caption(
            safe.text(
                f"{_who(met)}: {counted(met.pairs, 'pair')}, {met.judged} judged, "
                f"{met.reviewed} reviewed, {met.pairs - met.unrevealed} revealed."
            ),
            width="stretch",
        )
        if met.open_reviews or not (met.judged or met.reviewed):
            return
        if not session.may(Act.REVEAL, project_id=project_id):
            return
        with st.popover("Reveal", icon=":material/visibility:", key=f"reveal_{met.one}_{met.two}"):
            left = met.pairs - met.reviewed
            if not met.reviewed:
                unreviewed = " Nobody has reviewed any of them: only the judge has spoken. "
            elif left:
                unreviewed = f" {left} of them nobody has reviewed. "
            else:
                unreviewed = " "
            if left:
                unreviewed += "They cannot be reviewed blind any more. "
            safe.write(
                safe.text(
                    f"Tells everybody who made which of {counted(met.pairs, 'pair')}, for good.{unreviewed}Reviews "
                    "changed afterwards are marked and left out of blind statistics."
                )
            )
            if st.button("Reveal all of them", key=f"reveal_now_{met.one}_{met.two}", type="primary"):
                reveal_sets(
                    session.services(),
                    project_id,
                    [(met.one, met.two)],
                    person_id=session.me().id,
                )
                st.rerun()


def _who(met: Meeting) -> str:
    if met.one == met.two:
        return f"Two runs of {met.one_name}"
    return f"{met.one_name.capitalize()} and {met.two_name}"


def _missing(state: ProjectState) -> str:
    left = f"{state.unrevealed} of {counted(state.comparisons, 'comparison')} not revealed yet."
    drafts = f" {counted(state.open_reviews, 'review')} to finalise first." if state.open_reviews else ""
    return (
        f"{left}{drafts} The pairs of two candidates are revealed together, by a lead of the project, once no review "
        "of them is open."
    )
