"""What the page Judge is about: the project that is looked at, or all that this person may see results of."""

from __future__ import annotations

from typing import NamedTuple


class Scope(NamedTuple):
    """The projects whose figures are added up; `project_id` is the one that is looked at, None for all.

    `readable` are all projects whose results this person may see: a judge is measured in any of them.
    """

    project_ids: tuple[str, ...]
    readable: tuple[str, ...]
    project_id: str | None

    @property
    def one(self) -> str | None:
        """The project that is looked at, or the only one that there is."""
        return self.project_id or (self.project_ids[0] if len(self.project_ids) == 1 else None)
