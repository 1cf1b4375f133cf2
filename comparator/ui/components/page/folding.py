"""Folds the navigation away where a window is narrow."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st


def fold_where_narrow(*, wide: bool, key: str) -> None:
    """Fold the navigation once for each page load in a window as narrow as a tablet's; a person may unfold it.

    In other windows it comes back after a page that is `wide`, which Streamlit has folded it for.
    """
    _component()(key=key, data={"wide": wide})


@cache
def _component() -> Any:
    script = files(__package__).joinpath("folding.js").read_text(encoding="utf-8")
    return st.components.v2.component("comparator_folding", js=script)
