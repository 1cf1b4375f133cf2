"""Trying guidance: a judge reads the held-out pairs without it and with it, and both are compared with people."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.guidance import FEWEST
from comparator.domain.labels import Frozen, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, first_passes, merge
from comparator.jobs.batches.estimate_batches import estimate_of
from comparator.jobs.batches.start_batches import BatchRequest, start_all
from comparator.reporting.trust.readings import readings_by
from comparator.settings import JudgeKind
from comparator.stats.figures import TooFew
from comparator.stats.raters.proof import JudgedTwice, ProofFigures, figures
from comparator.store.bulk import batches
from comparator.store.bulk.batches import Batch, BatchState, GuidanceTest, JudgeChoice
from comparator.store.core.database import Connection
from comparator.store.judging import guidance
from comparator.store.judging.guidance import StoredSplit, Version
from comparator.store.judging.judgments import StoredIdentity
from comparator.store.people import projects
from comparator.workflow.judging.which_judges import identity_by, judge_choice
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services

ENDED = (BatchState.DONE, BatchState.CANCELLED)


class TrialRequest(Frozen):
    """Which version is tried, with which judge, for how much at most (of each of both judges)."""

    project_id: str
    number: int
    kind: JudgeKind | None = None
    model: str | None = None
    money: Decimal | None = None
    tokens: int | None = None


class TrialEstimate(Frozen):
    """What a trial takes about; the cost is None where no price is known. What is read already is not paid again."""

    pairs: int
    requests: int
    cost: Decimal | None
    weak: bool


class TrialResult(Frozen):
    """What came of a trial, and what it cost in US dollars; None where a price is not known."""

    figures: ProofFigures | TooFew
    flipped_before: int
    """Pairs whose two orders named different winners; `flipped_after` with the guidance."""
    flipped_after: int
    cost: Decimal | None

    @property
    def passes(self) -> bool:
        """Whether the guidance may be adopted."""
        return isinstance(self.figures, ProofFigures) and self.figures.passes


class Trial(Frozen):
    """One version on the held-out pairs; `result` is None while a judge reads: nobody stops at a lucky moment."""

    test: GuidanceTest
    result: TrialResult | None


class ProjectGuidance(Frozen):
    """All that a project has of guidance, the newest first."""

    split: StoredSplit | None
    versions: tuple[Version, ...]
    trials: tuple[Trial, ...]
    adopted: Version | None
    """The version in force."""

    def trials_of(self, version: Version) -> tuple[Trial, ...]:
        """The trials of one version."""
        return tuple(each for each in self.trials if each.test.number == version.number)

    def may_be_adopted(self, version: Version) -> bool:
        """Whether it passed a trial."""
        return any(each.result and each.result.passes for each in self.trials_of(version))


def guided(services: Services, project_id: str, *, person_id: str | None) -> ProjectGuidance:
    """What the project has of guidance. Raises RightsError: it tells what people said of pairs."""
    with services.database.read() as connection:
        require(connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        versions = guidance.versions(connection, project_id)
        return ProjectGuidance(
            split=guidance.newest_split(connection, project_id),
            versions=versions,
            trials=_trials(connection, project_id, versions),
            adopted=guidance.adopted(connection, project_id),
        )


def adopt(services: Services, project_id: str, number: int | None, *, person_id: str | None) -> None:
    """Have the project's judges go by this version from now on, or (None) by none.

    What is judged already stays as it is. Raises RightsError, NotFound, and InputError for a version that has passed no
    trial.
    """
    state = guided(services, project_id, person_id=person_id)
    with services.write() as unit:
        version = None if number is None else guidance.numbered(unit.connection, project_id, number)
        if version is not None and not state.may_be_adopted(version):
            raise InputError(
                f"Guidance version {number} has not passed a trial on held-out pairs. Try it first."
            )
        settings = projects.get(unit.connection, project_id).settings
        if settings.guidance == number:
            return
        settings = settings.model_copy(update={"guidance": number})
        projects.save_settings(unit, project_id, settings, person_id=person_id)
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_adopted",
            person_id=person_id,
            project_id=project_id,
            subject_id=version.id if version else None,
            detail={"number": number},
        )


def estimate(services: Services, request: TrialRequest) -> TrialEstimate:
    """Requests and cost of both judges on all held-out pairs. Raises what `begin` refuses but for the rights."""
    plan = _plan(services, request)
    about = [estimate_of(services, each) for each in _batches(services, plan, request)]
    costs = [each.cost for each in about]
    return TrialEstimate(
        pairs=len(plan.split.content.held_out),
        requests=sum(each.calls for each in about),
        cost=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
        weak=plan.split.content.weak,
    )


def begin(services: Services, request: TrialRequest, *, person_id: str | None) -> tuple[Batch, ...]:
    """Have the held-out pairs read without the guidance and with it; workers begin at once.

    Raises RightsError, NotFound, SettingsError, JudgeNotAllowed, and InputError below 10 held-out pairs and where all
    of them are read already.
    """
    plan = _plan(services, request)
    wanted = _batches(services, plan, request)
    if not wanted:
        raise InputError("Both judges have read all held-out pairs: the trial of this version has ended.")
    with services.database.read() as connection:
        require(connection, person_id, Act.CHANGE_SETTINGS, project_id=request.project_id)
    started = start_all(services, wanted, person_id=person_id)
    with services.write() as unit:
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_tried",
            person_id=person_id,
            project_id=request.project_id,
            subject_id=plan.version.id,
            detail={"number": request.number, "split": plan.split.digest},
        )
    return started


def is_under_way(services: Services, project_id: str) -> bool:
    """Whether a judge still reads pairs for a trial of this project's guidance."""
    with services.database.read() as connection:
        return any(each.state not in ENDED for each in batches.tests_of_guidance(connection, project_id))


class _Plan(NamedTuple):
    version: Version
    split: StoredSplit
    test: GuidanceTest
    before: JudgeChoice
    after: JudgeChoice


def _plan(services: Services, request: TrialRequest) -> _Plan:
    with services.database.read() as connection:
        version = guidance.numbered(connection, request.project_id, request.number)
        split = guidance.get_split(connection, version.split_id)
        adopted = guidance.adopted(connection, request.project_id)
    pairs = len(split.content.held_out)
    if pairs < FEWEST:
        raise InputError(
            f"Only {counted(pairs, 'pair')} of the held-out half {'has' if pairs == 1 else 'have'} "
            f"scores that people gave before they saw the judge's; "
            f"{FEWEST} are needed. Have more pairs reviewed blind first, then split the corrections again."
        )
    choice = judge_choice(services, request.project_id, kind=request.kind, model=request.model)
    if choice.kind == "offline":
        raise InputError("The offline check does not use guidance. Choose a model for the trial.")
    # Agreement is told by first readings: pairs that are read again are the close ones.
    choice = choice.model_copy(update={"repetitions": 1})
    baseline = adopted.number if adopted else None
    before, after = (choice.model_copy(update={"guidance": number}) for number in (baseline, version.number))
    judges = [
        StoredIdentity(kind=each.kind, model=each.model, digest=each.digest)
        for each in (identity_by(services, one, project_id=request.project_id) for one in (before, after))
    ]
    test = GuidanceTest(number=version.number, baseline=baseline, before=judges[0], after=judges[1])
    return _Plan(version=version, split=split, test=test, before=before, after=after)


def _batches(services: Services, plan: _Plan, request: TrialRequest) -> tuple[BatchRequest, ...]:
    """For each judge the held-out pairs that it has not read in both orders yet; none where there are none."""
    held_out = [pair.comparison_id for pair in plan.split.content.held_out]
    found = []
    for choice, judge in ((plan.before, plan.test.before), (plan.after, plan.test.after)):
        with services.database.read() as connection:
            read = readings_by(connection, held_out, judge)
        if left := tuple(id for id in held_out if id not in read):
            which = "no guidance" if choice.guidance is None else f"guidance {choice.guidance}"
            found.append(
                BatchRequest(
                    project_id=request.project_id,
                    name=f"Trial of guidance {plan.version.number}: {which}",
                    comparison_ids=left,
                    judge=choice,
                    trial=True,
                    tests=plan.test,
                    money=request.money,
                    tokens=request.tokens,
                )
            )
    return tuple(found)


def _trials(connection: Connection, project_id: str, versions: Sequence[Version]) -> tuple[Trial, ...]:
    known = {each.number: each for each in versions}
    by_test: dict[GuidanceTest, list[Batch]] = {}
    for batch in batches.tests_of_guidance(connection, project_id):
        assert batch.tests is not None
        by_test.setdefault(batch.tests, []).append(batch)
    found: list[Trial] = []
    drafts: dict[str, set[str]] = {}
    for test, own in by_test.items():
        version = known[test.number]
        # Each further draft on the same pairs has to clear a higher bar.
        tried = drafts.setdefault(version.split_id, set())
        tried.add(version.digest)
        ended = all(each.state in ENDED for each in own)
        result = _result(connection, version, test, own, drafts=len(tried)) if ended else None
        found.append(Trial(test=test, result=result))
    return tuple(reversed(found))


def _result(
    connection: Connection, version: Version, test: GuidanceTest, own: Sequence[Batch], *, drafts: int
) -> TrialResult:
    held_out = guidance.get_split(connection, version.split_id).content.held_out
    ids = [pair.comparison_id for pair in held_out]
    before, after = (readings_by(connection, ids, judge) for judge in (test.before, test.after))
    tested = [
        JudgedTwice(
            task=pair.task_id,
            people=pair.winner,
            before=_winner(before.get(pair.comparison_id)),
            after=_winner(after.get(pair.comparison_id)),
        )
        for pair in held_out
    ]
    costs = [batches.cost(connection, each) for each in own]
    return TrialResult(
        figures=figures(tested, proofs=drafts),
        flipped_before=sum(not each.position_consistent for each in before.values()),
        flipped_after=sum(not each.position_consistent for each in after.values()),
        cost=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
    )


def _winner(judgment: MergedJudgment | None) -> Winner | None:
    """By the first reading of each order: pairs that are read again are the close ones."""
    if judgment is None:
        return None
    verdict = merge(judgment.rubric, first_passes(judgment.passes)).verdict
    return verdict.winner if verdict is not None else None
