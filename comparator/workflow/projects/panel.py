"""Running a panel: the brief, the warm-up pairs, how many reviews each pair gets, and who is to do which."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.store.pairs import comparisons
from comparator.store.people import people
from comparator.store.reviewing import claims, queue
from comparator.workflow.people.people import authorise, require
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services

WARM_UPS = range(3, 6)
LONGEST_BRIEF = 4000


def write_brief(services: Services, project_id: str, text: str, *, person_id: str | None) -> None:
    """Show reviewers this brief. Raises InputError where it is too long, RightsError."""
    text = text.strip()
    if len(text) > LONGEST_BRIEF:
        raise InputError(f"The brief has {len(text)} characters. Make it shorter than {LONGEST_BRIEF}.")
    change_settings(services, project_id, brief=text, person_id=person_id)


def choose_warm_ups(
    services: Services, project_id: str, chosen: Sequence[str], *, person_id: str | None
) -> None:
    """Have everybody begin with these pairs, in this order; they are left out of the results by default.

    Raises InputError unless they are three to five pairs of the project, or none at all; RightsError.
    """
    chosen = tuple(dict.fromkeys(chosen))
    if chosen and len(chosen) not in WARM_UPS:
        raise InputError(f"{len(chosen)} warm-up pairs are chosen. Choose three to five, or none.")
    with services.database.read() as connection:
        for comparison_id in chosen:
            if comparisons.get(connection, comparison_id).project_id != project_id:
                raise InputError("A warm-up pair belongs to another project. Choose pairs of this one.")
    change_settings(services, project_id, warm_up=chosen, person_id=person_id)


def set_plan(
    services: Services, project_id: str, *, reviews_needed: int, share_to_all: float, person_id: str | None
) -> None:
    """Say how many reviews each pair needs, and which share of the pairs (0 to 1) every reviewer is given.

    Raises InputError for a value out of its range, RightsError.
    """
    change_settings(
        services,
        project_id,
        reviews_needed=reviews_needed,
        share_to_all=share_to_all,
        person_id=person_id,
    )


def assign(
    services: Services, project_id: str, *, to: str, count: int, person_id: str | None
) -> tuple[str, ...]:
    """Give the next `count` pairs that still need a review to this person; the ids of those that there were.

    Raises InputError where the person may not review here, RightsError.
    """
    with services.write() as unit:
        require(unit.connection, person_id, Act.RUN_PANEL, project_id=project_id)
        if not people.grants(unit.connection, to, project_id=project_id).allows(Act.REVIEW):
            raise InputError("This person may not review here. Give them the role of a reviewer first.")
        # Somebody else may have been given one of them since it was found; the pair is locked from here on.
        found = tuple(
            comparison_id
            for comparison_id in queue.assignable(unit, project_id, person_id=to, limit=count)
            if queue.is_free(unit, comparison_id, person_id=to)
        )
        for comparison_id in found:
            claims.assign(unit, comparison_id, person_id=to, by=person_id)
        if found:
            authorise(
                unit,
                Act.RUN_PANEL,
                "assigned",
                person_id=person_id,
                project_id=project_id,
                subject_id=to,
                detail={"comparisons": list(found)},
            )
    return found


def take_back(services: Services, project_id: str, *, of: str, person_id: str | None) -> int:
    """End what this person holds in the project, assigned or claimed; how many pairs. Drafts stay theirs."""
    with services.write() as unit:
        claimed = claims.in_force(unit, project_id, person_id=of)
        for each in claimed:
            claims.release(unit, each.comparison_id, person_id=of)
        authorise(
            unit,
            Act.RUN_PANEL,
            "taken_back",
            person_id=person_id,
            project_id=project_id,
            subject_id=of,
            detail={"comparisons": [each.comparison_id for each in claimed]},
        )
    return len(claimed)
