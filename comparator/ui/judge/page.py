"""The page Judge: a tab is one module with `show(scope)`, and only the chosen one runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session
from comparator.ui.judge import guidance, judges, record
from comparator.ui.judge.scope import Scope

TABS: Mapping[str, Callable[[Scope], None]] = MappingProxyType(
    {
        "Record": record.show,
        "Guidance": guidance.show,
        "Judges": judges.show,
    }
)
"""By the name in the address."""


def judge() -> None:
    """Show the chosen tab for the project that is looked at, or for all of them."""
    readable = tuple(each.id for each in session.projects(Act.SEE_RESULTS))
    project_id = session.project_id() or (readable[0] if len(readable) == 1 else None)
    project_ids = (project_id,) if project_id else readable
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
    TABS[chosen](Scope(project_ids=project_ids, readable=readable, project_id=project_id))
