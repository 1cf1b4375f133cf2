"""Keeps the end of a long path in view."""

from __future__ import annotations

from comparator.ui.components import component


def show_end(path: str, *, box: str, key: str) -> None:
    """Have the text input of the key `box` show the end of `path`, which stands in it."""
    component("path_end", "components/fields/path_end.js")(data={"box": box, "path": path}, key=key)
