"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from importlib.metadata import metadata

import streamlit as st

import comparator
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.rights import Act
from comparator.settings import PREFIX, Settings, without_secrets
from comparator.ui.frame import safe, session
from comparator.workflow.doctor import check_up
from comparator.workflow.people.people import audit_log

STORAGE = "Storage"
GROUPS = {
    "Judge": {"judge": "Judge", "model": "Model", "provider": "Provider", "repetitions": "Readings"},
    "Limits": {
        "budget": "Budget",
        "slots": "Requests at once",
        "tools": "Tools",
        "tool_limits": "A reading with tools",
    },
    STORAGE: {"home": "Folder", "database_url": "Database", "blob_url": "Outputs"},
}
"""The settings of the installation that are shown, and what they are called."""
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
    operates = session.may(Act.OPERATE, project_id=None)
    for group, labels in GROUPS.items():
        if operates or group != STORAGE:
            with st.expander(safe.text(group), key=f"settings_{group.lower()}", type="compact"):
                _group(settings, labels)
    st.caption(
        safe.text(
            "To change a setting, put its name and value in the .env file of the home folder, or in the environment, "
            f"and restart. Keys are never shown or stored. Blind Comparator {comparator.__version__}, {licence}. "
            f"You are {session.me().name}."
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


def _group(settings: Settings, labels: Mapping[str, str]) -> None:
    """A row for each of these settings: what it is, its value, and the name by which it is changed."""
    kept = {"database_url": without_secrets(settings.database), "blob_url": without_secrets(settings.blobs)}
    about = {name: Settings.model_fields[name].description or "" for name in labels}
    safe.table(
        {
            "What it is": [
                safe.Markdown(
                    f"**{safe.text(label)}.** {safe.text(' '.join(about[name].replace('`', '').split()))}"
                )
                for name, label in labels.items()
            ],
            "Value": [safe.text(_in_words(kept.get(name, getattr(settings, name)))) for name in labels],
            "Set with": [safe.code(f"{PREFIX}{name.upper()}") for name in labels],
        }
    )


def _in_words(value: object) -> str:
    if isinstance(value, ToolLimits):
        limits = value.model_dump(exclude_none=True)
        return ", ".join(f"{limit:,} {'USD' if name == 'money' else name}" for name, limit in limits.items())
    return "not set" if value in (None, "") else str(value)


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
