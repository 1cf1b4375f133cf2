"""Taking the next pair from the queue: it is reserved for whoever takes it, so that nobody reviews it needlessly."""

from __future__ import annotations

from comparator.domain.labels import PerOutput
from comparator.domain.project import QueueOrder
from comparator.domain.rights import Act
from comparator.outputs.view.pairing import pair_files
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.outputs import FileRow
from comparator.store.people import projects
from comparator.store.reviewing import claims, queue
from comparator.workflow.people.people import authorise, may_with
from comparator.workflow.services import Services

TRIES = 20
"""Others may take the same pair at the same moment."""
MOST_FILES = 300
"""Outputs of more files are not looked at: their list alone would take longer than what is gained."""


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


def first_files(
    services: Services,
    comparison_id: str,
    *,
    person_id: str,
    project_id: str | None,
    all_runs: bool = False,
) -> PerOutput[FileRow | None] | None:
    """The files that the pair after this one opens with; None where nothing is left that they may see."""
    following = next_in_line(
        services, person_id=person_id, project_id=project_id, after=comparison_id, all_runs=all_runs
    )
    # The project that a page is open on may be one that the person may not see any more.
    if following is None or not may_with(services, person_id, Act.READ, comparison_id=following):
        return None
    with services.database.read() as connection:
        comparison = comparisons.get(connection, following)
        a, b = (
            outputs.list_files(connection, view_id, most=MOST_FILES + 1)
            for view_id in (comparison.view_a, comparison.view_b)
        )
    if max(len(a), len(b)) > MOST_FILES:
        return None
    pairs = pair_files(a, b)
    first = next((pair for pair in pairs if not pair.identical), pairs[0] if pairs else None)
    return PerOutput[FileRow | None](A=first.a, B=first.b) if first else None


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
