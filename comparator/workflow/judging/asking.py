"""Which judges read a project's pairs, and how; asking them for one pair by itself, and how far they are."""

from datetime import datetime
from decimal import Decimal

from comparator.domain.errors import NotFound, SettingsError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import JudgeState, Tools
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges, default_quorum
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.settings import JudgeKind
from comparator.store.bulk import batch_items, batches, leases
from comparator.store.bulk.batches import Batch, BatchState, ItemState, JudgesAsked, NewBatch
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts import fact
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.judging import budgets
from comparator.store.pairs import comparisons
from comparator.store.people import projects
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services

USUAL = JudgesAsked()
"""Whoever the project or the settings say."""


def asks_a_model(services: Services, project_id: str) -> bool:
    """Whether a model judges the pairs of the project, or would if its settings were right."""
    try:
        return any(choice.kind != OFFLINE_KIND for choice in asked_judges(services, project_id).members)
    except (NotFound, SettingsError):  # nothing waits in a project that is gone
        return True


def asked_judges(services: Services, project_id: str | None, request: JudgesAsked = USUAL) -> SeveralJudges:
    """The judges that are asked by name, or by kind and model; else those of the project, else by the settings.

    A project that is still to be made is None. `tools` goes before what the project says, and so many judges as
    `quorum` need a verdict (a majority by default). Raises SettingsError, NotFound.
    """
    names, quorum = request.named, request.quorum
    if project_id is not None and not (names or request.judge or request.model):
        with services.read() as connection:
            says = projects.get(connection, project_id).settings
        names, quorum = (says.judges, says.quorum) if len(set(says.judges)) > 1 else ((), None)
    choices = tuple(
        judge_choice(
            services, project_id, kind=request.judge, model=request.model, named=name, tools=request.tools
        )
        for name in dict.fromkeys(names) or (None,)
    )
    quorum = min(quorum or default_quorum(len(choices)), len(choices))
    return SeveralJudges(id=services.new_id(), members=choices, quorum=quorum)


def judge_choice(
    services: Services,
    project_id: str | None,
    *,
    kind: JudgeKind | None,
    model: str | None,
    named: str | None = None,
    tools: Tools | None = None,
) -> JudgeChoice:
    """How one judge reads in the project: the one of this name, else of this kind and model, else of the settings.

    Raises SettingsError, NotFound.
    """
    adopted, of_project = None, None
    if project_id is not None:
        with services.read() as connection:
            adopted = projects.adopted_guidance(connection, project_id)
            of_project = projects.get(connection, project_id).settings.tools
    one = None if named is None else services.named_judge(named)
    judge = services.judge(
        kind,
        model,
        tools=tools or (one and one.tools) or of_project,
        guidance=adopted and adopted.guidance,
        named=one,
    )
    repetitions = (one and one.repetitions) or services.settings.repetitions
    return JudgeChoice(**dict(judge.identity), repetitions=repetitions, named=named)


def known_project(services: Services, project: str) -> str | None:
    """The id of the project of this name, or id; None where it is still to be made."""
    with services.read() as connection:
        known = projects.named(connection, project)
    return None if known is None else known.id


def judge_of_project(
    services: Services, project: str, kind: JudgeKind | None = None, model: str | None = None
) -> Judge:
    """A judge as the project of this name, or id, wants it; by the settings alone where it is still to be made.

    Raises SettingsError or JudgeError.
    """
    project_id = known_project(services, project)
    choice = judge_choice(services, project_id, kind=kind, model=model)
    return judge_by(services, choice, project_id=project_id)


def judge_by(
    services: Services, choice: JudgeChoice, *, project_id: str | None, through: Through | None = None
) -> Judge:
    """The judge that a batch of the project asks. Raises SettingsError, JudgeError or NotFound."""
    notes = None
    if choice.guidance is not None and project_id is not None:
        with services.read() as connection:
            notes = projects.guidance_version(connection, project_id, choice.guidance).guidance
    return services.judge(
        choice.kind,
        choice.model,
        through=through,
        tools=choice.tools,
        guidance=notes,
        named=None if choice.named is None else services.named_judge(choice.named),
    )


def ask(
    services: Services, comparison_id: str, *, kind: JudgeKind | None = None, model: str | None = None
) -> None:
    """Have a worker read the comparison, and note who asked. Asking twice while it waits or runs changes nothing.

    Without `kind` and `model`, by the judges that were asked last time, as names, settings and project describe them
    now, else by those of the project. Raises RightsError, NotFound, SettingsError where the judge is not configured.
    """
    with services.read() as connection:
        last = batch_items.last_asked(connection, comparison_id) if kind is None and model is None else None
        project_id = comparisons.get(connection, comparison_id).project_id
        require(connection, Act.JUDGE, project_id)
    wanted = JudgesAsked(judge=kind, model=model)
    if last is not None and last.panel is not None:
        members = last.panel.members
        wanted = JudgesAsked(named=tuple(member.name for member in members), quorum=last.panel.quorum)
    elif last is not None and last.judge.named is not None:
        wanted = JudgesAsked(named=(last.judge.named,))
    elif last is not None:
        wanted = JudgesAsked(judge=last.judge.kind, model=last.judge.model)
    judges = asked_judges(services, project_id, wanted)
    with services.write() as unit:
        authorise(unit, Act.JUDGE, "judging_asked", project_id, comparison_id)
        before = batch_items.waiting_singles(unit, comparison_id)
        if BatchState.RUNNING not in before.values():
            order(unit, comparison_id, judges)


def order(
    unit: Unit, comparison_id: str, judges: SeveralJudges, *, budget: Decimal | None = None
) -> tuple[Batch, ...]:
    """A batch of this pair alone for each judge, in place of those that wait; each may spend `budget` US dollars.

    Raises NotFound.
    """
    for batch_id in batch_items.waiting_singles(unit, comparison_id):
        batches.move(unit, batch_id, BatchState.CANCELLED)
    project_id = comparisons.get(unit, comparison_id).project_id
    ordered = []
    for choice in judges.members:
        new = NewBatch(
            project_id=project_id,
            name="",
            judge=choice,
            budget_id=budgets.add(unit, project_id=project_id, ceiling=budget, created_by=None),
            created_by=unit.who,
            single=True,
            panel=judges.panel,
        )
        ordered.append(batches.add(unit, new, (comparison_id,)))
    fact.refresh(unit, comparison_id)
    return tuple(ordered)


def stop(services: Services, comparison_id: str) -> bool:
    """Send nothing more for a pair that was asked for by itself; False where nothing is under way.

    An answer that is on the wire is kept. Raises RightsError, NotFound.
    """
    with services.write() as unit:
        project_id = comparisons.get(unit, comparison_id).project_id
        authorise(unit, Act.JUDGE, "judging_stopped", project_id, comparison_id)
        waiting = batch_items.waiting_singles(unit, comparison_id)
        for batch_id in waiting:
            batches.move(unit, batch_id, BatchState.CANCELLED)
        if waiting:
            fact.refresh(unit, comparison_id)
    return bool(waiting)


QUEUED = "Waiting for a free place"
INTERRUPTED = "Judging was interrupted. Start it again; what is done is not paid for twice."


class Progress(Frozen):
    """Where the judge is; `asked_at` is when a pair that waits was asked for."""

    state: JudgeState
    step: str | None = None
    problem: str | None = None
    asked_at: datetime | None = None

    @property
    def in_progress(self) -> bool:
        """Whether something will come of it without anybody doing anything."""
        return self.state is JudgeState.RUNNING or self.step is not None


def progress_of(
    connection: Connection, comparison_id: str, *, now: datetime, batch: batch_items.LastBatch | None = None
) -> Progress:
    """Where the judge is at this time, whichever process has the comparison; `batch` is the last that it was in."""
    batch = batch or batch_items.last_asked(connection, comparison_id)
    lease = leases.of_pair(connection, comparison_id)
    if lease is not None and lease.beat_at is not None and leases.is_alive(lease.beat_at, at=now):
        return Progress(state=JudgeState.RUNNING, step=lease.step)
    if batch is None:
        return Progress(state=JudgeState.WAITING)
    match batch.state:
        case ItemState.DONE:
            return Progress(state=JudgeState.DONE)
        case ItemState.FAILED:
            return Progress(state=JudgeState.FAILED, problem=batch.problem)
        case ItemState.WAITING if batch.single and batch.batch_state is BatchState.PAUSED:
            return Progress(state=JudgeState.FAILED, problem=batch.batch_problem)
        case ItemState.WAITING if batch.single:
            return Progress(state=JudgeState.WAITING, step=QUEUED, asked_at=batch.touched_at)
        case _:
            return Progress(state=JudgeState.WAITING)
