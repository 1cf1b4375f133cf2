"""The lead's plan: how many reviews each pair gets, and the brief."""

from __future__ import annotations

import streamlit as st

from comparator.domain.project import LONGEST_BRIEF
from comparator.ui.frame import session
from comparator.workflow.projects.settings import change_settings, project_settings


def plan(project_id: str) -> None:
    """How many reviews each pair needs, and which share goes to all."""
    services = session.as_me()
    before = project_settings(services, project_id)
    with st.form("panel_plan_form", border=True, width=640):
        needed = st.number_input(
            "Final reviews that each pair needs",
            min_value=1,
            max_value=50,
            value=before.reviews_needed,
            key=f"panel_needed_{project_id}",
            width=260,
        )
        share = st.number_input(
            "Share of pairs (%) that every reviewer gets",
            min_value=0,
            max_value=100,
            step=5,
            value=round(before.share_to_all * 100),
            key=f"panel_share_{project_id}",
            width=260,
            help="Measures how far all reviewers agree. The pairs are chosen at random.",
        )
        if st.form_submit_button("Save the plan", key="panel_save_plan"):
            change_settings(
                services,
                project_id,
                reviews_needed=int(needed),
                share_to_all=share / 100,
            )
            st.rerun()


def brief(project_id: str) -> None:
    """What reviewers are told, on the queue and beside each pair."""
    services = session.as_me()
    text = st.text_area(
        "Brief for the reviewers",
        value=project_settings(services, project_id).brief,
        max_chars=LONGEST_BRIEF,
        height=160,
        key=f"panel_brief_{project_id}",
        help="Shown on the queue and on every review page of this project.",
    )
    if st.button("Save the brief", key="panel_save_brief"):
        change_settings(services, project_id, brief=text)
        st.success("Saved. Reviewers see it from now on.")
