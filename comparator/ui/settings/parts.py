"""Parts of the settings page: judge and storage as the environment sets them, and what this app is."""

from __future__ import annotations

import asyncio
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

import comparator
from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.domain.scoring.repetitions import rule_in_words
from comparator.judges.prices import price_list
from comparator.settings import without_secrets
from comparator.ui.frame import safe, session, words
from comparator.workflow.doctor import check_up


def judge_of_installation() -> str:
    """Which judge reads unless somebody says otherwise, or why none can."""
    try:
        identity = session.services().judge_identity()
    except ComparatorError as error:
        return str(error)
    offline = identity.kind == "offline"
    return "the offline check, which cannot tell right from wrong" if offline else identity.model


def judge_part() -> None:
    """Which judge reads first; for whoever runs the server also a check of it, which names its places."""
    settings = session.services().settings
    _fact("Judge", judge_of_installation(), "COMPARATOR_JUDGE, COMPARATOR_MODEL")
    _fact("Provider", settings.provider or "api", "COMPARATOR_PROVIDER")
    known = price_list().values()
    _fact(
        "Price table",
        f"{words.counted(len(known), 'model')}, newest of {max(p.date for p in known):%d %B %Y}",
    )
    _fact("Concurrent requests", words.counted(settings.slots, "request"), "COMPARATOR_SLOTS")
    _fact("Tools", settings.tools.value, "COMPARATOR_TOOLS")
    _fact("Limits of a reading with tools", str(settings.tool_limits), "COMPARATOR_TOOL_LIMITS")
    _fact("Readings in each order", rule_in_words(settings.repetitions), "COMPARATOR_REPETITIONS")
    _fact("Budget", f"{settings.budget} USD" if settings.budget else "no limit", "COMPARATOR_BUDGET")
    if not session.may(Act.OPERATE, project_id=None):
        return
    if st.button("Check the set-up", key="settings_check", icon=":material/stethoscope:"):
        with st.spinner("Checking database, storage and judge", show_time=True):
            found = asyncio.run(check_up(settings, environment=session.services().environment))
        for one in found:
            line = f"{safe.text(one.name.capitalize())}: {safe.text(one.text)}"
            if one.ok:
                st.success(line, icon=":material/check:")
            else:
                st.error(line, icon=":material/error:")


def storage_part() -> None:
    """Where things are kept, and how large they are."""
    settings = session.services().settings
    _fact("Home folder", str(settings.home), "COMPARATOR_HOME")
    for label, url, name in (
        ("Database", settings.database, "COMPARATOR_DATABASE_URL"),
        ("Files", settings.blobs, "COMPARATOR_BLOB_URL"),
    ):
        path = local_path(url)
        where = str(path) if path else without_secrets(url)
        _fact(label, f"{where}, {words.size(_size(str(path)))}" if path else where, name)
    st.caption("Back up while the app runs, database and files in one archive:")
    st.code("comparator db backup comparator-backup.tar", language=None)


def about_part() -> None:
    """Version and licence."""
    _fact("Version", comparator.__version__)
    _fact("Licence", _licence())
    _fact("You are", session.me().name)


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


def _licence() -> str:
    try:
        return metadata("blind-comparator")["License-Expression"]
    except (PackageNotFoundError, KeyError):
        return "Apache-2.0"


def _fact(label: str, value: str, variable: str = "") -> None:
    left, middle, right = st.columns([2, 5, 3], gap="small")
    left.caption(safe.text(label))
    middle.text(value)
    if variable:
        right.caption(safe.text(variable))
