"""How far the assignment of findings to themes is: the one that counts, what is left of a newer one, and its age."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.store.core.database import Database
from comparator.store.people import projects
from comparator.store.themes import inquiries
from comparator.store.themes.inquiries import Inquiry


class AssignmentStatus(Frozen):
    """The assignment that counts, and a newer one that is not done."""

    assignment: Inquiry
    unfinished: Inquiry | None
    """The newest assignment where it is not done: it failed, was interrupted, or is under way."""
    waiting: int
    """Its findings that are not assigned yet."""
    outdated: bool
    """Whether a model drafted themes after the assignment that counts."""


def assignment_status(database: Database, project_id: str) -> AssignmentStatus | None:
    """The status of the project's assignment; None before there is one."""
    with database.read() as connection:
        assignment = inquiries.assignment(connection, project_id)
        if assignment is None:
            return None
        book = projects.codebook(connection, project_id)
        unfinished = inquiries.unfinished(connection, project_id)
        return AssignmentStatus(
            assignment=assignment,
            unfinished=unfinished,
            waiting=inquiries.number(connection, unfinished.id, waiting=True) if unfinished else 0,
            outdated=any(
                theme not in assignment.request.themes for theme in book.themes if theme.id not in book.kept
            ),
        )
