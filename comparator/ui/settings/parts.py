"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.metadata import metadata

import streamlit as st

import comparator
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
        "prices": "Prices of other models",
    },
    STORAGE: {"home": "Folder", "database_url": "Database", "blob_url": "Outputs"},
}
"""The settings of the installation that are shown, and what they are called."""
EXAMPLES = {
    "model": "claude-opus-5-5",
    "provider": "bedrock",
    "budget": "20",
    "prices": "my-model=3/15",
}
"""What could be written where nothing is set."""
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
    file = f"the file {settings.home / '.env'}" if operates else "the file .env of the home folder"
    for group, labels in GROUPS.items():
        if operates or group != STORAGE:
            with st.expander(safe.text(group), key=f"settings_{group.lower()}", type="compact"):
                safe.caption(
                    f"To change one, write its line into {file} or set it in the environment, then restart the app."
                )
                _group(settings, labels)
    safe.caption(
        f"Keys are never shown or stored. Blind Comparator {comparator.__version__}, {licence}. "
        f"You are {session.me().name}."
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
    """For each of these settings what it is, and beside it the line that sets it as it is, or as it could be."""
    kept = {
        "database_url": without_secrets(settings.database),
        "blob_url": without_secrets(settings.blobs),
        "prices": ",".join(f"{model}={a}/{b}" for model, (a, b) in settings.prices.items()),
    }
    for name, label in labels.items():
        value = kept.get(name, getattr(settings, name))
        about = " ".join((Settings.model_fields[name].description or "").replace("`", "").split())
        left, right = st.columns([3, 2], vertical_alignment="center")
        with left:
            unset = "" if value not in (None, "") else " Not set. For example:"
            safe.write(safe.Markdown(f"**{safe.text(label)}.** {safe.text(about)}{unset}"))
        with right:
            shown = EXAMPLES[name] if unset else value
            st.code(f"{PREFIX}{name.upper()}={shown}", language=None, wrap_lines=True)


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
            "More": [_in_words(entry.event.detail)[:500] for entry in found],
        },
        key="settings_audit",
    )


def _in_words(detail: Mapping[str, object]) -> str:
    """What an entry says beside who did what; of two states only what differs."""
    before, after = detail.get("before"), detail.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        detail = {key: f"{before.get(key)} → {new}" for key, new in after.items() if new != before.get(key)}
    return ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in detail.items())
