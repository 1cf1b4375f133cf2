"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from importlib.metadata import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

import comparator
from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.settings import without_secrets
from comparator.ui.frame import safe, session, words
from comparator.workflow.doctor import check_up
from comparator.workflow.people.people import audit_log

JUDGING = ("judge", "model", "provider", "slots", "tools", "tool_limits", "repetitions", "budget")
"""Settings that say how the judge reads."""
SHOWN = 200
"""Entries of the audit log on the page."""


def judge_of_installation() -> str:
    """Which judge reads unless somebody says otherwise, or why none can."""
    try:
        identity = session.services().judge().identity
    except ComparatorError as error:
        return str(error)
    offline = identity.kind == "offline"
    return "the offline check, which cannot tell right from wrong" if offline else identity.model


def judge_part() -> None:
    """Which judge reads first; for whoever runs the server also a check of it, which names its places."""
    services = session.services()
    found = {"": judge_of_installation()} | {name: getattr(services.settings, name) for name in JUDGING}
    _table(found, key="settings_judge")
    if not session.may(Act.OPERATE, project_id=None):
        return
    if st.button("Check the set-up", key="settings_check", icon=":material/stethoscope:"):
        with st.spinner("Checking database, storage and judge", show_time=True):
            checks = asyncio.run(check_up(services.settings, environment=services.environment))
        for one in checks:
            said = f"{safe.text(one.name.capitalize())}: {safe.text(one.text)}"
            if one.ok:
                st.success(said, icon=":material/check:")
            else:
                st.error(said, icon=":material/error:")


def storage_part() -> None:
    """Where things are kept, and how large they are."""
    settings = session.services().settings
    places = {"home": str(settings.home)}
    for name, url in (("database_url", settings.database), ("blob_url", settings.blobs)):
        path = local_path(url)
        places[name] = f"{path}, {words.size(_size(str(path)))}" if path else without_secrets(url)
    _table(places, key="settings_storage")
    st.caption("Back up while the app runs, database and files in one archive:")
    st.code("comparator db backup comparator-backup.tar", language=None, wrap_lines=True)


def about_part() -> None:
    """Version, licence and who looks."""
    licence = metadata("blind-comparator")["License-Expression"]
    st.text(f"Blind Comparator {comparator.__version__}, {licence}. You are {session.me().name}.")


def _table(values: Mapping[str, object], *, key: str) -> None:
    """Settings by name with their values, each under its environment variable."""
    names = [f"COMPARATOR_{name.upper()}" if name else "In use" for name in values]
    told = ["not set" if value in (None, "") else str(value) for value in values.values()]
    st.dataframe({"Setting": names, "Value": told}, hide_index=True, key=key)


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
