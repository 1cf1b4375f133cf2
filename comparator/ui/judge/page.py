"""The page Judge: a tab is one module with `show(scope)`, and only the chosen one runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import address, safe, session
from comparator.ui.judge import confidence, guidance, judges, record
from comparator.ui.judge.scope import Scope

TABS: Mapping[str, tuple[str, Callable[[Scope], None]]] = MappingProxyType(
    {
        "record": ("Record", record.show),
        "confidence": ("Confidence", confidence.show),
        "guidance": ("Guidance", guidance.show),
        "judges": ("Judges", judges.show),
    }
)
"""By the name in the address."""
FIRST = "record"
ADDRESS = "tab"


def judge() -> None:
    """Show the chosen tab for the project that is looked at, or for all of them."""
    readable = tuple(each.id for each in session.projects(Act.SEE_RESULTS))
    project_id = session.project_id() or (readable[0] if len(readable) == 1 else None)
    project_ids = (project_id,) if project_id else readable
    _, show = TABS[_chosen()]
    show(Scope(project_ids=project_ids, readable=readable, project_id=project_id))


def _chosen() -> str:
    """The tab that is asked for, by the address when the page opens; kept in the address."""
    asked = st.query_params.get(ADDRESS, FIRST)
    if st.session_state.get("judge_tab") not in TABS or address.moved(ADDRESS):
        st.session_state["judge_tab"] = asked if asked in TABS else FIRST
    given = st.segmented_control(
        "Part",
        list(TABS),
        format_func=lambda each: safe.inked(TABS[each][0]),
        key="judge_tab",
        label_visibility="collapsed",
        required=True,
    )
    chosen = given or FIRST
    address.put(ADDRESS, chosen, usual=FIRST, key="judge_tab")
    return chosen
