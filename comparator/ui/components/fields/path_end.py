"""Keeps the end of a long path in view."""

from __future__ import annotations

from comparator.ui.components import component


def show_end(path: str, *, key: str) -> None:
    """Have the page's path boxes show the end of what stands in them; `path` is what stands in this one."""
    component("path_end", "components/fields/path_end.js")(data=path, key=key)
