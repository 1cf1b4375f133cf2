"""The Python side: put on a page, it has nothing to show and nothing to tell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


def keep_typing(*, key: str, draft: str, begun: bool, kept: Mapping[str, str], person: str) -> str | None:
    """Keep what is typed in the page's fields, paths left out, whatever way the page is left.

    `kept` is what the draft holds by the widgets' keys. Returns the id of the draft that this person left in this
    browser, where the one on the page is not begun.
    """
    data = {"draft": draft, "begun": begun, "kept": dict(kept), "person": person}
    result = _component()(key=key, data=data, on_before_change=lambda: None)
    before = getattr(result, "before", None)
    return before if isinstance(before, str) else None


@cache
def _component() -> Any:
    script = files(__package__).joinpath("typing.js").read_text(encoding="utf-8")
    return st.components.v2.component("comparator_typing", js=script)
