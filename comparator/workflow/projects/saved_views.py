"""Saving views of the history under a name, for everyone who may see the project's results."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.store.saved import saved_views
from comparator.store.saved.saved_views import SavedView
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

LONGEST_NAME = 80
LONGEST_ADDRESS = 4_000


def views_of(services: Services, project_id: str) -> tuple[SavedView, ...]:
    """The project's saved views by name."""
    with services.database.read() as connection:
        return saved_views.of_project(connection, project_id)


def save_view(services: Services, project_id: str, *, name: str, address: str, person_id: str | None) -> None:
    """Save a view under a name, in place of one that had it. Raises InputError, RightsError."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"The name has {len(name)} characters. Use 1 to {LONGEST_NAME}.")
    if len(address) > LONGEST_ADDRESS:
        raise InputError("So many filters do not fit into an address. Clear some of them.")
    with services.write() as unit:
        authorise(
            unit,
            Act.SEE_RESULTS,
            "view_saved",
            person_id=person_id,
            project_id=project_id,
            detail={"name": name},
        )
        saved_views.save(unit, project_id, name=name, address=address, person_id=person_id)


def remove_view(services: Services, project_id: str, *, name: str, person_id: str | None) -> None:
    """Forget a saved view. Raises RightsError."""
    with services.write() as unit:
        authorise(
            unit,
            Act.SEE_RESULTS,
            "view_removed",
            person_id=person_id,
            project_id=project_id,
            detail={"name": name},
        )
        saved_views.remove(unit.connection, project_id, name)
