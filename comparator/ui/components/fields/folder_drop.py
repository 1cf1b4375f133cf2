"""Has a dropped folder keep its folders."""

from __future__ import annotations

from comparator.ui.components import component


def keep_folders(*, key: str) -> None:
    """Have a folder that is dropped on the page's uploaders of folders arrive as one that is chosen does."""
    component("folder_drop", "components/fields/folder_drop.js")(key=key)
