"""The audit log on the settings page, for admins."""

from __future__ import annotations

import json

import streamlit as st

from comparator.ui.frame import session
from comparator.workflow.people.people import audit_log

SHOWN = 200


def audit_part() -> None:
    """The newest entries of the project that is looked at, or of all."""
    found = audit_log(session.as_me(), project_id=session.project_id(), limit=SHOWN)
    if not found:
        st.caption("No actions have been recorded yet.")
        return
    st.caption(f"The newest {len(found)} entries. `comparator audit` prints them all.")
    st.dataframe(
        {
            "When (UTC)": [entry.event.at for entry in found],
            "Who": [entry.person for entry in found],
            "What": [entry.event.kind.replace("_", " ") for entry in found],
            "Project": [entry.project for entry in found],
            "Which": [entry.event.subject_id or "" for entry in found],
            "More": [json.dumps(entry.event.detail, ensure_ascii=False)[:500] for entry in found],
        },
        hide_index=True,
        key="settings_audit",
    )
