"""Has a dropped folder keep its folders."""

from __future__ import annotations

from comparator.ui.components import component


def keep_folders(*, uploader: str, key: str) -> None:
    """Have a folder that is dropped on the uploader of this key arrive as one that is chosen does."""
    component("folder_drop", "components/fields/folder_drop.js")(data=uploader, key=key)
