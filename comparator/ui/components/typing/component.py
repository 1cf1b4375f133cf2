"""The Python side: put on a page, it has nothing to show and nothing to tell."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


def keep_typing(*, key: str) -> None:
    """Have the page's fields hand over what is typed at each pause, paths left out, so that a reload loses no more."""
    _component()(key=key)


@cache
def _component() -> Any:
    script = files(__package__).joinpath("typing.js").read_text(encoding="utf-8")
    return st.components.v2.component("comparator_typing", js=script)
