"""Subjects that findings mention, grouped by words without a model; never called reasons."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.themes.subjects import NAME, subjects
from comparator.ui.frame import session
from comparator.ui.frame.charts.chart import numbers
from comparator.workflow.themes import inquire


def subjects_box(project_id: str) -> None:
    """The button, and once it is pressed the table."""
    services = session.services()
    if inquire.collection_of(services, project_id) is None:
        return
    with st.expander(f"{NAME} (no model needed)", key="subjects", icon=":material/topic:"):
        st.caption(
            "Findings grouped by shared words. This shows what they talk about, not why one output is better. "
            "The same reason in other words is counted separately; different reasons that share a word are counted "
            "together."
        )
        if st.button("Group by words", key="subjects_group", icon=":material/bubble_chart:"):
            st.session_state["subjects_of"] = project_id
        if st.session_state.get("subjects_of") != project_id:
            return
        numbers(
            "subjects",
            [
                {
                    "Words": ", ".join(each.words),
                    "Pairs": each.pairs,
                    "Findings": each.findings,
                    "Shortest": each.example.words,
                }
                for each in subjects(services.database, project_id)
            ],
        )
