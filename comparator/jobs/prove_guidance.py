"""Tests guidance on the held-out pairs: both judges read them as any batch is read, and are compared."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.guidance import FEWEST
from comparator.domain.labels import Frozen, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, first_passes, merge
from comparator.jobs.batches.estimate_batches import estimate_of
from comparator.jobs.batches.start_batches import BatchRequest, judge_of, start
from comparator.reporting.trust.readings import readings_by
from comparator.settings import JudgeKind
from comparator.stats.raters.proof import JudgedTwice, figures
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState, JudgeChoice
from comparator.store.core.database import Connection
from comparator.store.judging import guidance
from comparator.store.judging.guidance import Arm, Arms, Proof, ProofResult, StoredSplit, Version
from comparator.workflow.judging.project_judge import identity_by
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

ENDED = (BatchState.DONE, BatchState.CANCELLED)


class ProofRequest(Frozen):
    """Which version is tested, with which judge, for how much at most (of each of both judges)."""

    project_id: str
    number: int
    kind: JudgeKind | None = None
    model: str | None = None
    money: Decimal | None = None
    tokens: int | None = None


class ProofEstimate(Frozen):
    """What a proof takes about; the cost is None where no price is known. What is read already is not paid again."""

    pairs: int
    requests: int
    cost: Decimal | None
    weak: bool


class _Plan(NamedTuple):
    version: Version
    split: StoredSplit
    baseline: int | None
    before: JudgeChoice
    after: JudgeChoice


def estimate(services: Services, request: ProofRequest) -> ProofEstimate:
    """Requests and cost of both judges on all held-out pairs. Raises what `prove` refuses but for the rights."""
    plan = _plan(services, request)
    about = [
        estimate_of(services, _batch(plan, request, choice, left))
        for choice, left in _both(services, plan)
        if left
    ]
    costs = [each.cost for each in about]
    return ProofEstimate(
        pairs=len(plan.split.content.held_out),
        requests=sum(each.calls for each in about),
        cost=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
        weak=plan.split.content.weak,
    )


def prove(services: Services, request: ProofRequest, *, person_id: str | None) -> Proof:
    """Have the held-out pairs read without the guidance and with it; workers begin at once.

    Raises RightsError, NotFound, InputError below 10 held-out pairs, SettingsError, JudgeNotAllowed.
    """
    plan = _plan(services, request)
    started = [
        start(services, _batch(plan, request, choice, left), person_id=person_id).id if left else None
        for choice, left in _both(services, plan)
    ]
    arms = [_arm(services, plan, choice) for choice in (plan.before, plan.after)]
    with services.write() as unit:
        proof = guidance.add_proof(
            unit,
            plan.version,
            Arms(before=arms[0], after=arms[1]),
            baseline=plan.baseline,
            batches=(started[0], started[1]),
            person_id=person_id,
        )
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_tested",
            person_id=person_id,
            project_id=plan.version.project_id,
            subject_id=plan.version.id,
            detail={"number": plan.version.number, "split": plan.split.digest},
        )
    return proof


def keep_result(services: Services, proof: Proof, *, person_id: str | None) -> Proof:
    """The proof with its result, which is kept once both of its batches have ended; as it is while one has not."""
    if proof.result is not None:
        return proof
    with services.database.read() as connection:
        if not _ended(connection, proof):
            return proof
        result = _result(connection, proof)
    with services.write() as unit:
        guidance.close_proof(unit.connection, proof.id, result)
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_test_ended",
            person_id=person_id,
            project_id=proof.project_id,
            subject_id=proof.guidance_id,
            detail={"passes": result.passes},
        )
        return guidance.get_proof(unit.connection, proof.id)


def ended(services: Services, proof_id: str) -> bool:
    """Whether both judges are through with the held-out pairs."""
    with services.database.read() as connection:
        return _ended(connection, guidance.get_proof(connection, proof_id))


def _ended(connection: Connection, proof: Proof) -> bool:
    asked_batches = [id for id in (proof.before_batch, proof.after_batch) if id is not None]
    states = batches.states(connection, asked_batches)
    return all(states[id] in ENDED for id in asked_batches)


def _plan(services: Services, request: ProofRequest) -> _Plan:
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
    choice = judge_of(
        services, BatchRequest(project_id=request.project_id, kind=request.kind, model=request.model)
    )
    # Agreement is told by first readings: pairs that are read again are the close ones.
    choice = choice.model_copy(update={"repetitions": 1})
    if choice.kind == "offline":
        raise InputError("The offline check goes by no guidance. Choose a model to test it with.")
    return _Plan(
        version=version,
        split=split,
        baseline=adopted.number if adopted else None,
        before=choice.model_copy(update={"guidance": adopted.number if adopted else None}),
        after=choice.model_copy(update={"guidance": version.number}),
    )


def _both(services: Services, plan: _Plan) -> tuple[tuple[JudgeChoice, tuple[str, ...]], ...]:
    """Each judge with the held-out pairs that it has not read in both orders yet."""
    found = []
    for choice in (plan.before, plan.after):
        arm = _arm(services, plan, choice)
        with services.database.read() as connection:
            read = readings_by(connection, [pair.comparison_id for pair in plan.split.content.held_out], arm)
        held_out = plan.split.content.held_out
        found.append((choice, tuple(p.comparison_id for p in held_out if p.comparison_id not in read)))
    return tuple(found)


def _batch(plan: _Plan, request: ProofRequest, choice: JudgeChoice, ids: tuple[str, ...]) -> BatchRequest:
    which = "no guidance" if choice.guidance is None else f"guidance {choice.guidance}"
    return BatchRequest(
        project_id=plan.version.project_id,
        name=f"Test of guidance {plan.version.number}: {which}",
        comparison_ids=ids,
        judge=choice,
        trial=True,
        money=request.money,
        tokens=request.tokens,
    )


def _arm(services: Services, plan: _Plan, choice: JudgeChoice) -> Arm:
    identity = identity_by(services, choice, project_id=plan.version.project_id)
    return Arm(kind=identity.kind, model=identity.model, digest=identity.digest)


def _result(connection: Connection, proof: Proof) -> ProofResult:
    version = guidance.get(connection, proof.guidance_id)
    held_out = guidance.get_split(connection, version.split_id).content.held_out
    ids = [pair.comparison_id for pair in held_out]
    before = readings_by(connection, ids, proof.judges.before)
    after = readings_by(connection, ids, proof.judges.after)
    tested = [
        JudgedTwice(
            task=pair.task_id,
            people=pair.winner,
            before=_winner(before.get(pair.comparison_id)),
            after=_winner(after.get(pair.comparison_id)),
        )
        for pair in held_out
    ]
    drafts = guidance.tested(connection, version.split_id, until=proof.created_at)
    costs = [
        batches.cost(connection, batches.get(connection, id))
        for id in (proof.before_batch, proof.after_batch)
        if id is not None
    ]
    return ProofResult(
        figures=figures(tested, proofs=max(drafts, 1)),
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
