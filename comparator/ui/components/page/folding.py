"""Folds the navigation away where a window is narrow."""

from __future__ import annotations

from comparator.ui.components import component


def fold_where_narrow(*, wide: bool, key: str) -> None:
    """Fold the navigation once for each page load in a window as narrow as a tablet's; a person may unfold it.

    Streamlit has folded it already on a page that is `wide`.
    """
    component("folding", "components/page/folding.js")(key=key, data={"wide": wide})
