"""The decision plan: fixed before the reveal, with its time; afterwards it stands as it is."""

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
    candidates: tuple[str, str] | None = None,
) -> DecisionPlan:
    """Fix the project's plan, to decide between two `candidates` (their ids) or any two.

    Raises BlindnessError once something of the project is revealed, InputError where the two never met, RightsError.
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
        if reveals.any_of(unit.connection, project_id):
            raise BlindnessError(
                "A part of this project is revealed already. A plan that is made after looking is none."
            )
        if candidates is not None and not reveals.between(unit.connection, project_id, *candidates):
            raise InputError("These two candidates have no comparison in this project. Choose two that met.")
        settings = projects.lock_open(unit.connection, project_id).settings
        projects.save_settings(
            unit, project_id, settings.model_copy(update={"plan": plan}), person_id=person_id
        )
    return plan
