"""Closing a project with its reveal, and opening it again."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs.choices import result_button
from comparator.workflow.projects.reveal import close_project, open_again, open_reviews

SHOWN = 12


def closing(project_id: str, *, disputed: int) -> None:
    """One act that ends review and reveals everything; `disputed` pairs are still to be settled."""
    services = session.as_me()
    project = next(each for each in session.projects() if each.id == project_id)
    if project.closed_at is not None:
        st.success(
            safe.text(f"Closed and revealed on {project.closed_at:%d %B %Y, %H:%M} UTC."),
            icon=":material/lock_open:",
        )
        st.caption(
            "If you reopen it, new pairs can be reviewed. Reviews of revealed pairs count as not blind."
        )
        with st.container(horizontal=True):
            if session.may(Act.SEE_RESULTS, project_id=project_id):
                result_button(project_id, key="panel_result")
            again = st.button("Open for review again", key="panel_open_again")
        if again:
            open_again(services, project_id)
            st.rerun()
        return
    st.caption(
        "Closing ends reviewing in this project and reveals all its pairs. Until then no "
        "reviewer sees results; afterwards all do."
    )
    open_now = open_reviews(services, project_id)
    if disputed:
        st.warning(
            safe.text(
                f"{words.counted(disputed, 'pair')} still to settle; otherwise they count in no result."
            ),
            icon=":material/balance:",
        )
    if open_now:
        st.warning(
            safe.text(
                f"{words.counted(len(open_now), 'review')} still open: "
                + "; ".join(f"{each.person}, {safe.beginning(each.title, 40)}" for each in open_now[:SHOWN])
            ),
            icon=":material/edit_note:",
        )
    reason = st.text_input("Note for the audit log", key="panel_close_reason", max_chars=400, width=640)
    end_them = bool(open_now) and st.checkbox("End the open reviews without a verdict", key="panel_close_out")
    sure = st.checkbox("Reveal who made which, of every pair in this project", key="panel_close_sure")
    if st.button(
        "Close and reveal", key="panel_close", type="primary", disabled=not sure, icon=":material/visibility:"
    ):
        with shell.guard():
            close_project(services, project_id, reason=reason, close_out=end_them)
            st.rerun()
