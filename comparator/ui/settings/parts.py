"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

import comparator
from comparator.domain.rights import Act
from comparator.settings import Settings, without_secrets
from comparator.ui.frame import safe, session, words
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
        for name, url in (("database_url", settings.database), ("blob_url", settings.blobs)):
            path = local_path(url)
            values[name] = f"{path}, {words.size(_size(str(path)))}" if path else without_secrets(url)
    rows = [
        (
            f"COMPARATOR_{name.upper()}",
            "–" if value in (None, "") else str(value),
            Settings.model_fields[name],
        )
        for name, value in values.items()
    ]
    st.table(
        {
            "Setting": [safe.code(name) for name, _, _ in rows],
            "Value": [safe.text(value) for _, value, _ in rows],
            "What it does": [safe.text(" ".join((field.description or "").split())) for *_, field in rows],
        },
        border="horizontal",
        hide_index=True,
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


def local_path(url: str) -> Path | None:
    """The path of a SQLite file or a folder; None for what is elsewhere.

    >>> local_path("sqlite:////data/comparator.db"), local_path("s3://bucket/blobs")
    (PosixPath('/data/comparator.db'), None)
    """
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///").partition("?")[0])
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme in ("", "file") else None


@st.cache_data(ttl=60, max_entries=8, show_spinner="Adding up sizes")
def _size(path: str) -> int:
    place = Path(path)
    if place.is_dir():
        return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    # SQLite keeps what is not written back yet in files beside its own.
    return sum(file.stat().st_size for file in place.parent.glob(f"{place.name}*") if file.is_file())


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
        hide_index=True,
        key="settings_audit",
    )
