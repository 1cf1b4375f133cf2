"""Components with their own JavaScript, one folder each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

TOKENS = "tokens.css"
"""The colours and sizes that components share."""


@cache
def component(name: str, script: str, *styles: str, isolated: bool = True) -> Any:
    """What puts the component of this name on the page. The paths of its script and styles are relative to this folder.

    The styles of one that is not isolated hold for the whole page.
    """
    folder = files(__package__)
    texts = [folder.joinpath(path).read_text(encoding="utf-8") for path in (script, *styles)]
    return st.components.v2.component(
        f"comparator_{name}", js=texts[0], css="\n".join(texts[1:]) or None, isolate_styles=isolated
    )
