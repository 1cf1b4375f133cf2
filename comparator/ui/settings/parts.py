"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import metadata

import streamlit as st

import comparator
from comparator.domain.rights import Act
from comparator.settings import Settings, without_secrets
from comparator.ui.frame import safe, session
from comparator.workflow.doctor import check_up
from comparator.workflow.people.people import audit_log

JUDGING = ("judge", "model", "provider", "slots", "tools", "tool_limits", "repetitions", "budget")
"""Settings that say how the judge reads."""
SHOWN = 200
"""Entries of the audit log on the page."""


def installation_part() -> None:
    """Version and judge; for whoever runs the server also where things are kept, and a check of it all."""
    services = session.services()
    settings = services.settings
    judge = session.usual_judge()
    if settings.judge == "auto" and judge.startswith("none"):
        st.warning(
            safe.text(
                "No model judges: ANTHROPIC_API_KEY is not set. Write this line into the file .env of the folder "
                f"{settings.home}, and start again:"
            ),
            icon=":material/key_off:",
        )
        st.code("ANTHROPIC_API_KEY=sk-ant-…", language=None)
    else:
        st.success(safe.text(f"Judge: {judge}."), icon=":material/gavel:")
    licence = metadata("blind-comparator")["License-Expression"]
    values: dict[str, object] = {name: getattr(settings, name) for name in JUDGING}
    operates = session.may(Act.OPERATE, project_id=None)
    if operates:
        values["home"] = settings.home
        values["database_url"], values["blob_url"] = map(without_secrets, (settings.database, settings.blobs))
    rows = [
        (
            f"COMPARATOR_{name.upper()}",
            "–" if value in (None, "") else str(value).replace(",", ", "),
            Settings.model_fields[name],
        )
        for name, value in values.items()
    ]
    safe.table(
        {
            "Setting": [safe.code(name) for name, _, _ in rows],
            "Value": [safe.text(value) for _, value, _ in rows],
            "What it does": [safe.text(" ".join((field.description or "").split())) for *_, field in rows],
        },
    )
    st.caption(
        safe.text(
            f"Set by environment or .env before the start; keys are never shown or stored. Blind Comparator "
            f"{comparator.__version__}, {licence}. You are {session.me().name}."
        )
    )
    if not operates:
        return
    st.caption("Back up while the app runs, database and files in one archive:")
    st.code("comparator db backup comparator-backup.tar", language=None, wrap_lines=True)
    if st.button("Check the set-up", key="settings_check", icon=":material/stethoscope:"):
        with st.spinner("Checking database, storage and judge", show_time=True):
            checks = asyncio.run(check_up(settings, environment=services.environment))
        for one in checks:
            said = f"{safe.text(one.name.capitalize())}: {safe.text(one.text)}"
            if one.ok:
                st.success(said, icon=":material/check:")
            else:
                st.error(said, icon=":material/error:")


def audit_part() -> None:
    """The newest entries of the project that is looked at, or of all."""
    found = audit_log(session.as_me(), project_id=session.project_id(), limit=SHOWN)
    if not found:
        st.caption("No actions have been recorded yet.")
        return
    st.caption(f"The newest {len(found)} entries. The command “comparator audit” prints them all.")
    st.dataframe(
        {
            "When (UTC)": [entry.event.at for entry in found],
            "Who": [entry.person for entry in found],
            "What": [entry.event.kind.replace("_", " ") for entry in found],
            "Project": [entry.project for entry in found],
            "Which": [entry.event.subject_id or "" for entry in found],
            "More": [json.dumps(entry.event.detail, ensure_ascii=False)[:500] for entry in found],
        },
        key="settings_audit",
    )
