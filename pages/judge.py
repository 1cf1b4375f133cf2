"""Judge: whether each judge can be trusted and what it costs, and its guidance; a tab is a module."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session
from comparator.ui.judge import guidance, record

# By the name in the address; only the chosen one runs.
TABS = {"Record": record.show, "Guidance": guidance.show}

st.title("Judge", anchor=False)
chosen = st.segmented_control(
    "Part",
    list(TABS),
    format_func=safe.text,
    default="Record",
    key="tab",
    bind="query-params",
    label_visibility="collapsed",
    required=True,
)
TABS[chosen](session.project_id() or session.only_project(Act.SEE_RESULTS))
