"""What a project says of its judge: whether it opens files with tools, and by which guidance it goes."""

from __future__ import annotations

from typing import NamedTuple

from comparator.domain.guidance import Guidance
from comparator.domain.scoring.judgment import Tools
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge, JudgeIdentity
from comparator.settings import JudgeKind
from comparator.store.bulk.batches import JudgeChoice
from comparator.store.core.database import Connection
from comparator.store.judging import guidance
from comparator.store.people import projects
from comparator.workflow.judging.named_judges import as_at_start
from comparator.workflow.services import Services


class ReadingManner(NamedTuple):
    """How a project's judge reads."""

    tools: Tools
    guidance: Guidance | None

    def guidance_of(self, judge: JudgeIdentity) -> int | None:
        """The version that this judge goes by; the offline check has no use for any."""
        return self.guidance.number if self.guidance and judge.kind != "offline" else None


def manner_for(services: Services, connection: Connection, project_id: str | None) -> ReadingManner:
    """By the project's own settings and the guidance that it adopted, else by COMPARATOR_TOOLS.

    None stands for a project that is still to be made. Raises NotFound.
    """
    if project_id is None:
        return ReadingManner(services.settings.tools, None)
    adopted = guidance.adopted(connection, project_id)
    return ReadingManner(
        tools=projects.get(connection, project_id).settings.tools or services.settings.tools,
        guidance=None if adopted is None else adopted.guidance,
    )


def known_project(services: Services, project: str) -> str | None:
    """The id of the project of this name, or id; None where it is still to be made."""
    wanted = " ".join(project.split())
    with services.database.read() as connection:
        return next((p.id for p in projects.all_projects(connection) if wanted in (p.name, p.id)), None)


def judge_of_project(
    services: Services,
    project: str,
    kind: JudgeKind | None = None,
    model: str | None = None,
    *,
    through: Through | None = None,
    tools: Tools | None = None,
) -> Judge:
    """A judge as the project of this name, or id, wants it; by the settings alone where it is still to be made.

    `tools` goes before what the project says. Raises SettingsError or JudgeError.
    """
    project_id = known_project(services, project)
    with services.database.read() as connection:
        says = manner_for(services, connection, project_id)
    return services.judge(kind, model, through=through, tools=tools or says.tools, guidance=says.guidance)


def choice_of(judge: Judge, services: Services) -> JudgeChoice:
    """What a batch keeps of a judge, to ask the same one wherever its pairs are read."""
    identity = judge.identity
    return JudgeChoice(
        kind=identity.kind,
        model=identity.model,
        repetitions=services.settings.repetitions,
        tools=identity.tools,
        guidance=identity.guidance,
    )


def judge_by(
    services: Services, choice: JudgeChoice, *, project_id: str | None, through: Through | None = None
) -> Judge:
    """The judge that a batch of the project asks. Raises SettingsError, JudgeError or NotFound."""
    return services.judge(
        choice.kind,
        choice.model,
        through=through,
        tools=choice.tools,
        guidance=_guidance_by(services, choice, project_id),
        named=as_at_start(services, choice),
    )


def identity_by(services: Services, choice: JudgeChoice, *, project_id: str | None) -> JudgeIdentity:
    """Which judge `judge_by` gives for these, without building it. Raises SettingsError or NotFound."""
    return services.judge_identity(
        choice.kind,
        choice.model,
        tools=choice.tools,
        guidance=_guidance_by(services, choice, project_id),
        named=as_at_start(services, choice),
    )


def _guidance_by(services: Services, choice: JudgeChoice, project_id: str | None) -> Guidance | None:
    if choice.guidance is None or project_id is None:
        return None
    with services.database.read() as connection:
        return guidance.numbered(connection, project_id, choice.guidance).guidance
