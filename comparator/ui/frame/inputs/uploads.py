"""Uploads: a whole folder, and what was uploaded, from where the server has put it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from comparator.domain.errors import InputError
from comparator.outputs.snapshot import Given, OnDisk, Upload
from comparator.ui.frame import safe, session
from comparator.web.files import folder_of


def folder_uploader(label: str, *, key: str) -> Sequence[Any]:
    """The uploaded files, whose names say where in the folder each lies; none while nothing is uploaded."""
    files: Sequence[Any] = st.file_uploader(
        safe.text(label),
        accept_multiple_files="directory",
        key=key,
        help="Press Upload and choose the folder. A dropped folder loses its subfolders.",
    )
    return files


def given(file: Any) -> Given:
    """The file that Streamlit's uploader returned. Raises InputError where it is not kept any more.

    Behind our server Streamlit holds an empty file of the name; without it (`streamlit run`) it holds the bytes.
    """
    settings, context = session.services().settings, get_script_run_ctx()
    place = folder_of(settings) / (context.session_id if context else "") / file.file_id
    if place.is_file():
        # Read again now: it is kept for longer.
        os.utime(place)
        return OnDisk(file.name, place, place.stat().st_size)
    if not file.size:
        raise InputError(
            f"{file.name} is empty, or was uploaded more than {settings.upload_minutes} minutes ago and is not kept "
            "any more. Upload it again."
        )
    return Upload(file.name, file.getvalue())
