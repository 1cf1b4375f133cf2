"""What a lead does with a codebook."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.domain.themes import Codebook, CodebookRow
from comparator.store.people import projects
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services


def codebook_of(services: Services, project_id: str) -> Codebook:
    """The codebook of the project; an empty one before the first draft."""
    with services.database.read() as connection:
        return projects.codebook(connection, project_id)


def save_codebook(
    services: Services,
    project_id: str,
    rows: Sequence[CodebookRow],
    *,
    before: Codebook,
) -> Codebook:
    """Keep what a lead made of the codebook `before`; the themes of pairs follow.

    Raises RightsError, and InputError where the rows are none of a codebook or somebody else changed it meanwhile.
    """
    with services.write() as unit:
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "codebook_edited",
            project_id=project_id,
            detail={"themes": [row.name for row in rows]},
        )
        if projects.codebook_to_change(unit.connection, project_id) != before:
            raise InputError("The codebook was changed meanwhile. Reload the page and edit it again.")
        book = before.edited(rows)
        projects.replace_codebook(unit.connection, project_id, book)
        return book
