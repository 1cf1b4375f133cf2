"""The decision plan of two candidates: fixed before the reveal, with its time; afterwards it stands as it is."""

from __future__ import annotations

from comparator.domain.errors import BlindnessError, InputError
from comparator.domain.project import DecisionPlan
from comparator.domain.rights import Act
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.workflow.people.people import require
from comparator.workflow.services import Services


def fix_plan(
    services: Services,
    project_id: str,
    *,
    smallest_difference: float,
    reviews: int,
    stop_rule: str,
    person_id: str | None,
    candidates: tuple[str, str],
) -> DecisionPlan:
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
        require(unit.connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        if not reveals.between(unit.connection, project_id, *candidates):
            raise InputError("These two candidates have no comparison in this project. Choose two that met.")
        if reveals.any_between(unit.connection, project_id, *candidates):
            raise BlindnessError(
                "Pairs of these two candidates are already revealed. A plan must be fixed before the reveal."
            )
        settings = projects.lock_open(unit.connection, project_id).settings
        projects.save_settings(unit, project_id, settings.with_plan(plan), person_id=person_id)
    return plan
