"""Taking the next pair from the queue: it is reserved for whoever takes it, so that nobody reviews it needlessly."""

from __future__ import annotations

from comparator.domain.project import QueueOrder
from comparator.domain.rights import Act
from comparator.store.pairs import comparisons
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.reviewing import claims, queue
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

TRIES = 20
"""Others may take the same pair at the same moment."""


def take_next(
    services: Services,
    *,
    person_id: str,
    project_id: str | None = None,
    after: str | None = None,
    all_runs: bool = False,
) -> str | None:
    """The comparison that this person reviews next, by the order that the project sets, now reserved for them.

    None when nothing is left, or where the person may not review. `after` is the one just left. Pairs with an unusable
    output come with `all_runs` only.
    """
    for _ in range(TRIES):
        found = next_in_line(
            services, person_id=person_id, project_id=project_id, after=after, all_runs=all_runs
        )
        if found is None or _take(services, found, person_id=person_id):
            return found
    return None


def next_in_line(
    services: Services,
    *,
    person_id: str,
    project_id: str | None = None,
    after: str | None = None,
    all_runs: bool = False,
) -> str | None:
    """The id of the comparison that would be taken next, reserved for nobody; None when nothing is left."""
    with services.read() as unit:
        order = QueueOrder.AS_IMPORTED
        if project_id is not None:
            order = projects.get(unit.connection, project_id).settings.order
        return queue.next_to_review(
            unit, person_id=person_id, project_id=project_id, order=order, after=after, all_runs=all_runs
        )


def pair_in_line(
    services: Services, *, person_id: str, project_id: str | None = None, all_runs: bool = False
) -> Comparison | None:
    """That comparison itself."""
    following = next_in_line(services, person_id=person_id, project_id=project_id, all_runs=all_runs)
    if following is None:
        return None
    with services.database.read() as connection:
        return comparisons.get(connection, following)


def _take(services: Services, comparison_id: str, *, person_id: str) -> bool:
    with services.write() as unit:
        if not queue.is_free(unit, comparison_id, person_id=person_id):
            return False
        if claims.claim(unit, comparison_id, person_id=person_id):
            authorise(
                unit,
                Act.REVIEW,
                "claimed",
                person_id=person_id,
                project_id=comparisons.get(unit.connection, comparison_id).project_id,
                subject_id=comparison_id,
            )
    return True
