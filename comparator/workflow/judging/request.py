"""Asking for a judgment: who may, and the note of who did."""

from __future__ import annotations

from comparator.domain.rights import Act
from comparator.store.pairs import comparisons
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services


def ask(services: Services, comparison_id: str, *, person_id: str | None) -> None:
    """Note that the person has this comparison judged. Raises RightsError, NotFound."""
    with services.database.write() as connection:
        project_id = comparisons.get(connection, comparison_id).project_id
        authorise(
            services,
            connection,
            Act.JUDGE,
            "judging_asked",
            person_id=person_id,
            project_id=project_id,
            subject_id=comparison_id,
        )
