"""Changing how a project is judged and reviewed."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.store import projects
from comparator.store.projects import ProjectSettings, ReasonRule
from comparator.workflow.services import Services
from comparator.workflow.sheet import Reasons


class ReviewRules(Frozen):
    """The settings of a project that a person changes in the app."""

    reasons: Reasons = Reasons.OPTIONAL
    """Whether a changed value needs a reason."""
    show_reference: bool = True
    """Whether judge and reviewer see the reference answer."""
    redact_names: bool = True
    """Whether names that tell are redacted unless a person decides otherwise."""


def review_rules(services: Services, project_id: str) -> ReviewRules:
    """The rules of a project. Raises NotFound."""
    with services.database.read() as connection:
        return _rules(projects.get(connection, project_id).settings)


def change_rules(services: Services, project_id: str, rules: ReviewRules, *, person_id: str | None) -> None:
    """Put these rules in force; the other settings stay, and the event log keeps what was before. Raises NotFound."""
    with services.database.write() as connection:
        settings = projects.get(connection, project_id).settings
        if _rules(settings) == rules:
            return
        projects.save_settings(
            connection,
            project_id,
            settings.model_copy(
                update={
                    "reasons": ReasonRule(rules.reasons.value),
                    "show_reference": rules.show_reference,
                    "redact_names": rules.redact_names,
                }
            ),
            person_id=person_id,
            new_id=services.new_id,
            at=services.now(),
        )


def _rules(settings: ProjectSettings) -> ReviewRules:
    return ReviewRules(
        reasons=Reasons(settings.reasons.value),
        show_reference=settings.show_reference,
        redact_names=settings.redact_names,
    )
