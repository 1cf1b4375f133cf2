"""Several judges of one pair: which of them a project asks, and how each of them reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.several_judges import MemberJudge, SeveralJudges, default_quorum
from comparator.store.bulk.batches import JudgeChoice
from comparator.store.people import projects
from comparator.workflow.judging.named_judges import reached
from comparator.workflow.judging.project_judge import identity_by, manner_for
from comparator.workflow.services import Services


class JudgeNames(NamedTuple):
    """Judges by name, and how many of them need a verdict."""

    judges: tuple[str, ...]
    quorum: int


class AskedJudges(NamedTuple):
    """The judges that are asked; `members` is empty where it is one."""

    choices: tuple[JudgeChoice, ...]
    members: tuple[MemberJudge, ...] = ()
    quorum: int = 1

    def together(self, id: str) -> SeveralJudges | None:
        """These judges as asked together; None where it is one."""
        return SeveralJudges(id=id, members=self.members, quorum=self.quorum) if self.members else None


def of_project(services: Services, project_id: str) -> JudgeNames | None:
    """The judges that the project asks together; None where it asks one. Raises NotFound."""
    with services.database.read() as connection:
        says = projects.get(connection, project_id).settings
    return names_of(says.judges, says.quorum)


def names_of(judges: Sequence[str], quorum: int | None) -> JudgeNames | None:
    """These judges and their quorum; None for fewer than two judges. The default quorum is a majority."""
    names = tuple(dict.fromkeys(judges))
    return (
        None if len(names) < 2 else JudgeNames(names, min(quorum or default_quorum(len(names)), len(names)))
    )


def asked_here(
    services: Services,
    project_id: str | None,
    names: Sequence[str],
    *,
    quorum: int | None = None,
    tools: Tools | None = None,
) -> AskedJudges | None:
    """The judges of these names, or without any the several that the project asks; None where it asks one.

    A project that is still to be made (None) asks one. Raises SettingsError, NotFound.
    """
    if len(set(names)) == 1:
        return AskedJudges((choice_by_name(services, project_id, names[0], tools=tools),))
    found = names_of(names, quorum)
    if found is None and project_id is not None:
        found = of_project(services, project_id)
    return None if found is None else asked_by(services, project_id, found, tools=tools)


def asked_by(
    services: Services, project_id: str | None, names: JudgeNames, *, tools: Tools | None = None
) -> AskedJudges:
    """How each of these reads in the project; `tools` goes before what they say. Raises SettingsError, NotFound."""
    choices = tuple(choice_by_name(services, project_id, name, tools=tools) for name in names.judges)
    identities = [identity_by(services, choice, project_id=project_id) for choice in choices]
    members = tuple(
        MemberJudge(name=name, kind=each.kind, model=each.model, digest=each.digest)
        for name, each in zip(names.judges, identities, strict=True)
    )
    return AskedJudges(choices, members, names.quorum)


def choice_by_name(
    services: Services, project_id: str | None, name: str, *, tools: Tools | None = None
) -> JudgeChoice:
    """How the judge of this name reads in the project. Raises SettingsError or NotFound."""
    with services.database.read() as connection:
        says = manner_for(services, connection, project_id)
    one = services.named_judge(name)
    identity = services.judge_identity(named=one)
    return JudgeChoice(
        kind=identity.kind,
        model=identity.model,
        repetitions=one.repetitions or services.settings.repetitions,
        tools=tools or one.tools or says.tools,
        guidance=says.guidance_of(identity),
        named=name,
        reached=reached(one),
    )
