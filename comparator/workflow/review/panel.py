"""Who reviews what: pairs that a lead assigns, and that people take from the queue."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.labels import PerOutput
from comparator.domain.project import QueueOrder
from comparator.domain.rights import Act
from comparator.outputs.view.pairing import pair_files
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.outputs import FileRow
from comparator.store.people import people, projects
from comparator.store.reviewing import claims, queue
from comparator.workflow.people.people import authorise, may, require
from comparator.workflow.services import Services

TRIES = 20
"""Others may take the same pair at the same moment."""
MOST_FILES = 300
"""Outputs of more files are not looked at: their list alone would take longer than what is gained."""


def assign(services: Services, project_id: str, *, to: str, count: int) -> tuple[str, ...]:
    """Give the next `count` pairs that still need a review to this person; the ids of those that there were.

    Raises InputError where the person may not review here, RightsError.
    """
    with services.write() as unit:
        require(unit, Act.RUN_PANEL, project_id=project_id)
        if not people.grants(unit.connection, to, project_id=project_id).allows(Act.REVIEW):
            raise InputError("This person may not review here. Give them the role of a reviewer first.")
        # Somebody else may have been given one of them since it was found; the pair is locked from here on.
        found = tuple(
            comparison_id
            for comparison_id in queue.assignable(unit, project_id, person_id=to, limit=count)
            if queue.is_free(unit, comparison_id, person_id=to)
        )
        for comparison_id in found:
            claims.assign(unit, comparison_id, person_id=to, by=services.who)
        if found:
            authorise(
                unit,
                Act.RUN_PANEL,
                "assigned",
                project_id=project_id,
                subject_id=to,
                detail={"comparisons": list(found)},
            )
    return found


def take_back(services: Services, project_id: str, *, of: str) -> int:
    """End what this person holds in the project, assigned or claimed; how many pairs. Drafts stay theirs."""
    with services.write() as unit:
        claimed = claims.in_force(unit, project_id, person_id=of)
        for each in claimed:
            claims.release(unit, each.comparison_id, person_id=of)
        authorise(
            unit,
            Act.RUN_PANEL,
            "taken_back",
            project_id=project_id,
            subject_id=of,
            detail={"comparisons": [each.comparison_id for each in claimed]},
        )
    return len(claimed)


def take_next(
    services: Services,
    *,
    project_id: str | None = None,
    after: str | None = None,
    all_runs: bool = False,
) -> str | None:
    """The comparison that this person reviews next, by the order that the project sets, now reserved for them.

    None when nothing is left, or where the person may not review. `after` is the one just left. Pairs with an unusable
    output come with `all_runs` only.
    """
    for _ in range(TRIES):
        found = next_in_line(services, project_id=project_id, after=after, all_runs=all_runs)
        if found is None:
            return None
        with services.write() as unit:
            if not queue.is_free(unit, found.id, person_id=services.person):
                continue
            if claims.claim(unit, found.id, person_id=services.person):
                authorise(
                    unit,
                    Act.REVIEW,
                    "claimed",
                    project_id=found.project_id,
                    subject_id=found.id,
                )
        return found.id
    return None


def next_in_line(
    services: Services,
    *,
    project_id: str | None = None,
    after: str | None = None,
    all_runs: bool = False,
) -> Comparison | None:
    """The comparison that would be taken next, reserved for nobody; None when nothing is left."""
    with services.read() as unit:
        order = QueueOrder.AS_IMPORTED
        if project_id is not None:
            order = projects.get(unit.connection, project_id).settings.order
        following = queue.next_to_review(
            unit,
            person_id=services.person,
            project_id=project_id,
            order=order,
            after=after,
            all_runs=all_runs,
        )
        return None if following is None else comparisons.get(unit.connection, following)


def first_files(
    services: Services,
    comparison_id: str,
    *,
    project_id: str | None,
    all_runs: bool = False,
) -> PerOutput[FileRow | None] | None:
    """The files that the pair after this one opens with; None where nothing is left that they may see."""
    following = next_in_line(services, project_id=project_id, after=comparison_id, all_runs=all_runs)
    # The project that a page is open on may be one that the person may not see any more.
    if following is None or not may(services, Act.READ, project_id=following.project_id):
        return None
    with services.database.read() as connection:
        a, b = (
            outputs.list_files(connection, view_id, most=MOST_FILES + 1)
            for view_id in (following.view_a, following.view_b)
        )
    if max(len(a), len(b)) > MOST_FILES:
        return None
    pairs = pair_files(a, b)
    first = next((pair for pair in pairs if not pair.identical), pairs[0] if pairs else None)
    return PerOutput[FileRow | None](A=first.a, B=first.b) if first else None
