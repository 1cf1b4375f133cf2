"""Which judges read a project's pairs, and how: by its settings, guidance, names, and what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from comparator.domain.errors import SettingsError
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.several_judges import MemberJudge, SeveralJudges, default_quorum
from comparator.judges.choose import NamedJudge, Through
from comparator.judges.model.options import Provider
from comparator.judges.protocol import Judge
from comparator.settings import JudgeKind
from comparator.store.bulk.batches import JudgeChoice, Reached
from comparator.store.judging import guidance
from comparator.store.people import projects
from comparator.workflow.services import Services


def reached(judge: NamedJudge) -> Reached:
    """What a batch keeps of how the judge is reached."""
    return Reached(provider=judge.provider.value, server=judge.server, key=judge.key)


def as_at_start(services: Services, choice: JudgeChoice) -> NamedJudge | None:
    """The named judge as it was when the batch was started, whatever its name says now; None for one without a name.

    Raises SettingsError where its key may be sent no longer.
    """
    if choice.named is None:
        return None
    if choice.reached is None:
        return services.named_judge(choice.named)
    key = choice.reached.key
    # A stored batch alone must not send a variable of this machine: the file has to allow it.
    if key is not None and key not in {each.key for each in services.named_judges().values()}:
        raise SettingsError(
            f"The judge {choice.named!r} took its key from {key} when the batch was started, and no judge "
            "does now. Cancel the batch and start it again."
        )
    return NamedJudge(
        name=choice.named,
        model=choice.model,
        server=choice.reached.server,
        key=key,
        provider=Provider(choice.reached.provider),
    )


class AskedJudges(NamedTuple):
    """The judges that are asked; `members` is empty where it is one."""

    choices: tuple[JudgeChoice, ...]
    members: tuple[MemberJudge, ...] = ()
    quorum: int = 1

    def together(self, id: str) -> SeveralJudges | None:
        """These judges as asked together; None where it is one."""
        return SeveralJudges(id=id, members=self.members, quorum=self.quorum) if self.members else None


def asked_judges(
    services: Services,
    project_id: str | None,
    *,
    kind: JudgeKind | None = None,
    model: str | None = None,
    names: Sequence[str] = (),
    quorum: int | None = None,
    tools: Tools | None = None,
) -> AskedJudges:
    """The judges of these names or this kind and model; without any those that the project asks, else by the settings.

    None stands for a project that is still to be made. `tools` goes before what the project says, and so many judges as
    `quorum` need a verdict (a majority by default). Raises SettingsError, NotFound.
    """
    if project_id is not None and not (names or kind or model):
        with services.database.read() as connection:
            says = projects.get(connection, project_id).settings
        names, quorum = (says.judges, says.quorum) if len(set(says.judges)) > 1 else ((), None)
    names = tuple(dict.fromkeys(names))
    if not names:
        return AskedJudges((judge_choice(services, project_id, kind=kind, model=model, tools=tools),))
    choices = tuple(judge_choice(services, project_id, named=name, tools=tools) for name in names)
    if len(choices) == 1:
        return AskedJudges(choices)
    identities = [judge_by(services, choice, project_id=project_id).identity for choice in choices]
    members = tuple(
        MemberJudge(name=name, kind=each.kind, model=each.model, digest=each.digest)
        for name, each in zip(names, identities, strict=True)
    )
    return AskedJudges(choices, members, min(quorum or default_quorum(len(names)), len(names)))


def judge_choice(
    services: Services,
    project_id: str | None,
    *,
    kind: JudgeKind | None = None,
    model: str | None = None,
    named: str | None = None,
    tools: Tools | None = None,
) -> JudgeChoice:
    """How one judge reads in the project: the one of this name, else of this kind and model, else of the settings.

    Raises SettingsError, NotFound.
    """
    adopted, of_project = None, None
    if project_id is not None:
        with services.database.read() as connection:
            adopted = guidance.adopted(connection, project_id)
            of_project = projects.get(connection, project_id).settings.tools
    one = None if named is None else services.named_judge(named)
    identity = services.judge(kind, model, named=one).identity
    return JudgeChoice(
        kind=identity.kind,
        model=identity.model,
        repetitions=(one and one.repetitions) or services.settings.repetitions,
        tools=tools or (one and one.tools) or of_project or services.settings.tools,
        # The offline check has no use for any.
        guidance=adopted.guidance.number if adopted and identity.kind != "offline" else None,
        named=named,
        reached=None if one is None else reached(one),
    )


def known_project(services: Services, project: str) -> str | None:
    """The id of the project of this name, or id; None where it is still to be made."""
    wanted = " ".join(project.split())
    with services.database.read() as connection:
        return next((p.id for p in projects.all_projects(connection) if wanted in (p.name, p.id)), None)


def judge_of_project(
    services: Services, project: str, kind: JudgeKind | None = None, model: str | None = None
) -> Judge:
    """A judge as the project of this name, or id, wants it; by the settings alone where it is still to be made.

    Raises SettingsError or JudgeError.
    """
    project_id = known_project(services, project)
    choice = judge_choice(services, project_id, kind=kind, model=model)
    return judge_by(services, choice, project_id=project_id)


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
    notes = None
    if choice.guidance is not None and project_id is not None:
        with services.database.read() as connection:
            notes = guidance.numbered(connection, project_id, choice.guidance).guidance
    return services.judge(
        choice.kind,
        choice.model,
        through=through,
        tools=choice.tools,
        guidance=notes,
        named=as_at_start(services, choice),
    )
