"""The button that saves a file, which is written when it is pressed."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable

import streamlit as st

from comparator.ui.frame import safe


def file_to_save(
    label: str,
    written: Callable[[], str | bytes],
    *,
    name: str,
    key: str,
    icon: str,
    note: str | None = None,
) -> None:
    """Show the button; what it saves is called `name`, whose ending says of what kind it is. A note is its tooltip."""
    st.download_button(
        safe.text(label),
        data=written,
        file_name=name,
        mime=mimetypes.guess_type(name)[0],
        key=key,
        icon=icon,
        on_click="ignore",
        help=safe.text(note) if note else None,
    )
