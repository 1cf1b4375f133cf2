"""An uploader of a whole folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from comparator.ui.components.fields.folder_drop import keep_folders
from comparator.ui.frame import safe


def folder_uploader(label: str, *, key: str) -> Sequence[Any]:
    """The uploaded files, whose names say where in the folder each lies; none while nothing is uploaded."""
    keep_folders(key=f"{key}_drop")
    files: Sequence[Any] = st.file_uploader(safe.text(label), accept_multiple_files="directory", key=key)
    return files
