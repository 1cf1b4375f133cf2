"""Telling who made what: plans before it, a reveal for a whole set at once, and closing a project with one."""

from collections.abc import Collection
from typing import Any

from comparator.domain.blinding.scan import neutralise
from comparator.domain.counted import counted
from comparator.domain.errors import BlindnessError, Conflict, InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.project import DecisionPlan
from comparator.domain.rights import Act
from comparator.store.core.sql import Connection, Unit
from comparator.store.pairs import comparison_list, comparisons, keys, reveals, runs
from comparator.store.people import people, projects
from comparator.store.reviewing import queue, reviews
from comparator.workflow.people.people import authorise, require, require_for
from comparator.workflow.services import Services


def fix_plan(
    services: Services,
    project_id: str,
    *,
    smallest_difference: float,
    reviews: int,
    stop_rule: str,
    candidates: tuple[str, str],
) -> None:
    """Fix the plan to decide between two `candidates` (their ids).

    It takes the place of an earlier one of the same two; what is revealed already keeps the plan that stood then (with
    its reveal). Raises BlindnessError once something of the two is revealed; InputError where the two never met;
    RightsError.
    """
    with services.write() as unit:
        plan = DecisionPlan(
            smallest_difference=smallest_difference,
            reviews=reviews,
            stop_rule=stop_rule.strip(),
            fixed_at=unit.at,
            candidates=candidates,
        )
        require(unit, Act.CHANGE_SETTINGS, project_id)
        if reveals.known(unit, _pairs_of(unit, project_id, candidates)):
            raise BlindnessError(
                "Pairs of these two candidates are already revealed. A plan must be fixed before the reveal."
            )
        settings = projects.lock_open(unit, project_id).settings
        projects.save_settings(unit, project_id, settings.with_plan(plan))


def set_size(services: Services, comparison_id: str) -> int:
    """How many comparisons are revealed together with this one; 1 for a comparison made alone."""
    with services.read() as connection:
        return len(reveals.set_of(connection, comparison_id))


def reveal(services: Services, comparison_id: str) -> PerOutput[str]:
    """Reveal the comparison's set. Raises BlindnessError while a review in it is open or none is finalised."""
    with services.write() as unit:
        whole = reveals.set_of(unit, comparison_id)
        if comparison_list.line(unit, comparison_id).final_reviews == 0:
            raise BlindnessError("Finalise your review first; a verdict is worth most while it is blind.")
        project_id = comparisons.get(unit, comparison_id).project_id
        _reveal(unit, whole, project_id, comparison_id, reason="")
    return revealed_names(services, comparison_id)


def reveal_sets(
    services: Services, project_id: str, sets: Collection[tuple[str, str]], *, reason: str = ""
) -> int:
    """Reveal all comparisons of these pairs of candidates (their ids), reviewed or judged only, in one act; how many.

    It is the lead's act. Raises BlindnessError while a review of one of them is open, InputError where two never met,
    RightsError.
    """
    with services.write() as unit:
        everything = tuple(dict.fromkeys(id for two in sets for id in _pairs_of(unit, project_id, two)))
        _reveal(unit, everything, project_id, project_id, reason=reason)
    return len(everything)


def _pairs_of(unit: Unit, project_id: str, two: tuple[str, str]) -> tuple[str, ...]:
    """The comparisons of two candidates. Raises InputError where there are none."""
    if met := reveals.between(unit, project_id, *two):
        return met
    raise InputError("These two candidates have no comparison in this project. Choose two that met.")


def _reveal(unit: Unit, whole: tuple[str, ...], project_id: str, subject_id: str, *, reason: str) -> None:
    if unfinished := reveals.unfinished(unit, whole):
        raise BlindnessError(
            f"{len(unfinished)} of {len(whole)} comparisons of these two candidates have an open review. "
            "Finalise them first; then all are revealed at once."
        )
    plans = projects.get(unit, project_id).settings.plans
    reveals.add(unit, whole, project_id=project_id, reason=reason, plans=plans)
    authorise(unit, Act.REVEAL, "revealed", project_id, subject_id, comparisons=len(whole))


def revealed_names(services: Services, comparison_id: str) -> PerOutput[str]:
    """What the candidates that made A and B are called, each by a name that no other one of the project has.

    Raises BlindnessError before the reveal, RightsError for who may not see it.

    Without a person it is told to whoever has this program's shell.
    """
    with services.read() as unit:
        require_for(unit, Act.SEE_CANDIDATES, comparison_id=comparison_id)
        if reveals.of_comparison(unit, comparison_id) is None:
            raise BlindnessError("This comparison is not revealed yet.")
        called = reveals.names_within(unit, comparisons.get(unit, comparison_id).project_id)
        return keys.runs_of(unit, comparison_id).map(lambda run: called[run.candidate_id])


def key_names(connection: Connection, comparison_id: str) -> PerOutput[dict[str, Any]]:
    """The candidates behind A and B, for the provenance of a revealed comparison."""
    both = keys.runs_of(connection, comparison_id)
    named = {"name", "iteration", "model", "skill_hash"}
    return both.map(lambda run: runs.get_candidate(connection, run.candidate_id).model_dump(include=named))


def neutral_until_reveal(
    connection: Connection, project: projects.Project, *texts: str, revealed: bool
) -> tuple[str, ...]:
    """The project's name and the texts; until the reveal without the names of its candidates."""
    every = (project.name, *texts)
    if revealed:
        return every
    return neutralise(every, names=[candidate.name for candidate in runs.candidates(connection, project.id)])


class OpenReview(Frozen):
    """A review that stands in the way of closing."""

    comparison_id: str
    title: str
    person: str


def open_reviews(services: Services, project_id: str) -> tuple[OpenReview, ...]:
    """Whose reviews are open in the project. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.RUN_PANEL, project_id)
        return tuple(
            OpenReview(
                comparison_id=review.comparison_id,
                title=comparisons.get(unit, review.comparison_id).title,
                person=people.get(unit, review.person_id).name,
            )
            for review in reviews.open_ones(unit, project_id)
        )


def close_project(services: Services, project_id: str, *, reason: str = "", close_out: bool = False) -> None:
    """End review in the project and reveal all its comparisons, in one transaction.

    Raises BlindnessError while a review is open, unless told to `close_out` those: they end without a verdict, and
    what was said in them stays known. Raises Conflict where the project is closed, RightsError.
    """
    with services.write() as unit:
        project = projects.lock_open(unit, project_id)
        if project.closed_at is not None:
            raise Conflict("This project is closed already.")
        unfinished = reviews.open_ones(unit, project_id)
        if unfinished and not close_out:
            raise BlindnessError(
                f"Still open: {counted(len(unfinished), 'review')}. Have them finalised, or close them out: they end "
                "without a verdict then."
            )
        for review in unfinished:
            reviews.close_out(unit, review)
        whole = comparison_list.ids(unit, comparison_list.ListFilter(project_id))
        queue.release_all(unit, project_id)
        projects.set_closed(unit, project_id, unit.at)
        if whole:
            plans = project.settings.plans
            reveals.add(unit, whole, project_id=project_id, reason=reason.strip(), plans=plans)
        details = {"comparisons": len(whole), "closed_out": len(unfinished)}
        for doing, kind in ((Act.RUN_PANEL, "project_closed"), (Act.REVEAL, "revealed")):
            authorise(unit, doing, kind, project_id, project_id, **details)


def open_again(services: Services, project_id: str) -> None:
    """Let the project be reviewed again, reviews that were closed out among them; what is revealed stays so, and
    reviews of it count as not blind. Raises RightsError."""
    with services.write() as unit:
        require(unit, Act.RUN_PANEL, project_id)
        projects.set_closed(unit, project_id, None)
        for review in reviews.closed_out(unit, project_id):
            reviews.reopen(unit.by(services.who or review.person_id), review.id, unblinded=True)
        authorise(unit, Act.RUN_PANEL, "project_opened_again", project_id, project_id)
