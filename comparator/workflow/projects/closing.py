"""Closing a project: review ends, and everything in it is revealed, in one act."""

from __future__ import annotations

from comparator.domain.counted import counted
from comparator.domain.errors import BlindnessError, Conflict
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.store.pairs import comparison_list, comparisons, reveals
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.people import people, projects
from comparator.store.reviewing import claims, finalisations
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


class OpenReview(Frozen):
    """A review that stands in the way of closing."""

    comparison_id: str
    title: str
    person: str


class Closed(Frozen):
    """What closing did."""

    comparisons: int
    closed_out: int
    """Open reviews that were ended without a verdict."""


def open_reviews(services: Services, project_id: str, *, person_id: str | None) -> tuple[OpenReview, ...]:
    """Whose reviews are open in the project. Raises RightsError."""
    with services.database.read() as connection:
        require(connection, person_id, Act.RUN_PANEL, project_id=project_id)
        return tuple(
            OpenReview(
                comparison_id=each.comparison_id,
                title=comparisons.get(connection, each.comparison_id).title,
                person=people.get(connection, each.person_id).name,
            )
            for each in finalisations.open_ones(connection, project_id)
        )


def close_project(
    services: Services, project_id: str, *, person_id: str | None, reason: str = "", close_out: bool = False
) -> Closed:
    """End review in the project and reveal all its comparisons, in one transaction.

    Raises BlindnessError while a review is open, unless told to `close_out` those: they end without a verdict, and
    what was said in them stays known. Raises Conflict where the project is closed, RightsError.
    """
    with services.write() as unit:
        project = projects.lock_open(unit.connection, project_id)
        if project.closed_at is not None:
            raise Conflict("This project is closed already.")
        unfinished = finalisations.open_ones(unit.connection, project_id)
        if unfinished and not close_out:
            raise BlindnessError(
                f"Still open: {counted(len(unfinished), 'review')}. Have them finalised, or close them out: they end "
                "without a verdict then."
            )
        at = unit.at
        for each in unfinished:
            finalisations.close_out(unit, each.id, person_id=person_id)
        whole = comparison_list.ids(unit.connection, ListFilter(project_id))
        claims.release_all(unit, project_id)
        projects.set_closed(unit.connection, project_id, at)
        if whole:
            reveals.add(
                unit,
                whole,
                project_id=project_id,
                person_id=person_id,
                reason=reason.strip(),
                plans=project.settings.plans,
            )
        for doing, kind in ((Act.RUN_PANEL, "project_closed"), (Act.REVEAL, "revealed")):
            authorise(
                unit,
                doing,
                kind,
                person_id=person_id,
                project_id=project_id,
                subject_id=project_id,
                detail={"comparisons": len(whole), "closed_out": len(unfinished)},
            )
    return Closed(comparisons=len(whole), closed_out=len(unfinished))


def open_again(services: Services, project_id: str, *, person_id: str | None) -> None:
    """Let the project be reviewed again, reviews that were closed out among them; what is revealed stays so, and
    reviews of it count as not blind. Raises RightsError."""
    with services.write() as unit:
        require(unit.connection, person_id, Act.RUN_PANEL, project_id=project_id)
        projects.set_closed(unit.connection, project_id, None)
        for each in finalisations.closed_out(unit.connection, project_id):
            finalisations.reopen(unit, each.id, person_id=person_id or each.person_id, unblinded=True)
        authorise(
            unit,
            Act.RUN_PANEL,
            "project_opened_again",
            person_id=person_id,
            project_id=project_id,
            subject_id=project_id,
        )
