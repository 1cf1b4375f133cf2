"""A project's notes to its judge, and which tasks they are tried on."""

from __future__ import annotations

import hashlib

from pydantic import Field

from comparator.domain.labels import Frozen

FEWEST = 10
"""Below so many corrections nothing is drafted, and below so many held-out pairs nothing is tried."""
LONGEST = 6000
"""Characters of the notes: they go into every request."""


class Guidance(Frozen):
    """One version of a project's notes, as a judge gets it; `number` counts from 1 within the project."""

    number: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=LONGEST)


def is_held_out(task_id: str) -> bool:
    """Whether guidance is tried on the task's pairs; the other half of the tasks is what it is drafted from.

    It follows from the random id, so it is fixed before anybody reviews or drafts, and nobody can draw again.
    """
    return hashlib.sha256(task_id.encode()).digest()[0] % 2 == 0
