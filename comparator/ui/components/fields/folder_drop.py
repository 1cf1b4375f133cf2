"""Has a dropped folder keep its folders."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


def keep_folders(*, key: str) -> None:
    """Have a folder that is dropped on the page's uploaders of folders arrive as one that is chosen does."""
    _component()(key=key)


@cache
def _component() -> Any:
    script = files(__package__).joinpath("folder_drop.js").read_text(encoding="utf-8")
    return st.components.v2.component("comparator_folder_drop", js=script)
