"""The lead's plan: how many reviews each pair gets, the brief, and the warm-up pairs."""

from __future__ import annotations

import streamlit as st

from comparator.domain.project import LONGEST_BRIEF
from comparator.reporting.trust.panel import options
from comparator.ui.frame import safe, session, shell
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


def warm_ups(project_id: str) -> None:
    """The pairs with which everybody begins."""
    services = session.as_me()
    before = project_settings(services, project_id).warm_up
    text = st.text_input(
        "Find pairs for the warm-up",
        key=f"panel_warm_text_{project_id}",
        placeholder="Words of the title",
        width=320,
    )
    chosen: list[str] = st.session_state.setdefault(f"panel_warm_{project_id}", list(before))
    found = {
        each.comparison_id: each.title
        for each in options(services.database, project_id, text=text, also=(*before, *chosen))
    }
    for number, id in enumerate(chosen, start=1):
        left, right = st.columns([6, 1], vertical_alignment="center")
        with left:
            safe.write(safe.text(f"{number}. {safe.beginning(found.get(id, 'Deleted pair'), 70)}"))
        right.button("Remove", key=f"panel_warm_out_{id}", on_click=chosen.remove, args=(id,))
    more = st.selectbox(
        "Three to five warm-up pairs, in their order: add one",
        [id for id in found if id not in chosen],
        index=None,
        format_func=lambda id: safe.beginning(found[id], 70),
        # A new one for each that was added, so that it is empty again.
        key=f"panel_warm_add_{project_id}_{len(chosen)}",
        help="Everybody reviews these first. They are left out of the results unless the dashboards take in all runs.",
        width=640,
    )
    if more is not None:
        chosen.append(more)
        st.rerun()
    if st.button("Save the warm-ups", key="panel_save_warm"):
        with shell.guard():
            change_settings(services, project_id, warm_up=tuple(chosen))
            st.success("Saved.")
