"""What the page Judge is about: the project that is looked at, or all that this person may see results of."""

from __future__ import annotations

from typing import NamedTuple

from comparator.ui.frame.charts.theme import Theme


class Scope(NamedTuple):
    """The projects whose figures are added up; `project_id` is the one that is looked at, None for all."""

    project_ids: tuple[str, ...]
    project_id: str | None
    theme: Theme
