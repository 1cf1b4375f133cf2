"""Keeps the end of a long path in view."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


def show_end(path: str, *, key: str) -> None:
    """Have the page's path boxes show the end of what stands in them; `path` is what stands in this one."""
    _component()(data=path, key=key)


@cache
def _component() -> Any:
    script = files(__package__).joinpath("path_end.js").read_text(encoding="utf-8")
    return st.components.v2.component("comparator_path_end", js=script)
