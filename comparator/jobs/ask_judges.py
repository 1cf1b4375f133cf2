"""Second opinions: named judges read pairs whose better output is known, beside the pair's own judge."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.guidance import HeldOutPair
from comparator.domain.labels import Frozen, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, named_by_position
from comparator.domain.scoring.several_judges import JointOpinion, Vote
from comparator.jobs.batches.estimate_batches import BatchEstimate, estimate_of
from comparator.jobs.batches.start_batches import BatchRequest, judge_of, start_all
from comparator.reporting.history.conditions import still_covered
from comparator.reporting.trust.labelled import labelled
from comparator.stats.figures import TooFew
from comparator.stats.raters.several_judges import JointWorth, LabelledPair, worth
from comparator.store.bulk.batches import Batch
from comparator.store.core.database import Connection
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons
from comparator.workflow.judging.judge_readings import Arm, opinion_of, readings_by
from comparator.workflow.judging.project_judge import identity_by
from comparator.workflow.people.people import require
from comparator.workflow.services import Services

MOST = 1000
"""Pairs that are looked at together."""


class AskedJudge(Frozen):
    """What one judge did on the labelled pairs that it read or tried; the cost is None where a price is not known."""

    name: str
    model: str
    read: int
    right: int
    flipped: int
    first: int
    """First readings that named the output shown first; `second` the other one."""
    second: int
    votes: dict[Vote, int]
    cost: Decimal | None


class PairOpinions(Frozen):
    """One labelled pair: who is better, and what the judges say."""

    comparison_id: str
    truth: Winner
    panel: JointOpinion


class SecondOpinions(Frozen):
    """All judges beside each other, and what their joint judgment is worth."""

    judges: tuple[AskedJudge, ...]
    n: int
    """Labelled pairs that at least one of them read."""
    panel_right: int
    pairs: tuple[PairOpinions, ...]
    worth: JointWorth | TooFew


class _Read(NamedTuple):
    name: str
    model: str
    by_pair: dict[str, MergedJudgment]
    cost: Decimal | None


def _labelled(connection: Connection, project_id: str) -> tuple[HeldOutPair, ...]:
    """The project's pairs of which somebody said who wins; a thousand at most."""
    found = labelled(connection, project_id)[:MOST]
    known = comparisons.by_id(connection, [each.comparison_id for each in found])
    return tuple(
        HeldOutPair(
            comparison_id=each.comparison_id,
            task_id=known[each.comparison_id].task_version_id,
            winner=each.winner,
        )
        for each in found
        if each.comparison_id in known
    )


def estimate(services: Services, project_id: str, names: Sequence[str]) -> tuple[BatchEstimate, ...]:
    """What asking each of the judges takes, in their order. Raises what `ask` refuses but for the rights."""
    return tuple(estimate_of(services, request) for request in _requests(services, project_id, names))


def ask(
    services: Services,
    project_id: str,
    names: Sequence[str],
    *,
    money: Decimal | None = None,
    tokens: int | None = None,
    person_id: str | None,
) -> tuple[Batch, ...]:
    """Have each judge read all labelled pairs; what it says stands beside the pair's own judgment.

    `money` or `tokens` is the most that each of them may cost. Raises RightsError, SettingsError, JudgeNotAllowed, and
    InputError without a labelled pair; then none of them is asked.
    """
    requests = [
        request.model_copy(update={"money": money, "tokens": tokens})
        for request in _requests(services, project_id, names)
    ]
    return start_all(services, requests, person_id=person_id)


def opinions(
    services: Services, project_id: str, names: Sequence[str], *, quorum: int, person_id: str
) -> SecondOpinions:
    """What the judges say of the labelled pairs, each over its orders, and together.

    Pairs that this person has yet to score before seeing what a judge says count, but are not listed. Raises
    RightsError, SettingsError.
    """
    arms = {name: _arm(services, project_id, name) for name in names}
    with services.database.read() as connection:
        require(connection, person_id, Act.SEE_LABELS, project_id=project_id)
        pairs = _labelled(connection, project_id)
        ids = [pair.comparison_id for pair in pairs]
        read = [
            _Read(
                name,
                arm.model,
                readings_by(connection, ids, arm),
                judgments.cost_of_judge(connection, ids, arm.digest),
            )
            for name, arm in arms.items()
        ]
        hidden = still_covered(connection, ids, person_id)
    by_judge = {each.name: each.by_pair for each in read}
    seen = [
        (pair, joint)
        for pair in pairs
        if (joint := opinion_of(by_judge, pair.comparison_id, quorum=quorum)) is not None
    ]
    found = [
        PairOpinions(comparison_id=pair.comparison_id, truth=pair.winner, panel=joint) for pair, joint in seen
    ]
    return SecondOpinions(
        judges=tuple(_one(each, found) for each in read),
        n=len(found),
        panel_right=sum(each.panel.winner is each.truth for each in found),
        pairs=tuple(each for each in found if each.comparison_id not in hidden),
        worth=worth(
            [
                LabelledPair(
                    task=pair.task_id,
                    truth=pair.winner,
                    judges=joint.winners,
                    together=joint.winner,
                )
                for pair, joint in seen
            ]
        ),
    )


def _one(read: _Read, pairs: Sequence[PairOpinions]) -> AskedJudge:
    votes = {vote: sum(each.panel.votes[read.name] is vote for each in pairs) for vote in Vote}
    leans = [named_by_position(judgment) for judgment in read.by_pair.values()]
    return AskedJudge(
        name=read.name,
        model=read.model,
        read=len(read.by_pair),
        right=sum(each.panel.votes[read.name].value == each.truth.value for each in pairs),
        flipped=sum(not judgment.position_consistent for judgment in read.by_pair.values()),
        first=sum(each.first for each in leans),
        second=sum(each.second for each in leans),
        votes=votes,
        cost=read.cost,
    )


def _requests(services: Services, project_id: str, names: Sequence[str]) -> list[BatchRequest]:
    with services.database.read() as connection:
        ids = tuple(pair.comparison_id for pair in _labelled(connection, project_id))
    if not ids:
        raise InputError(
            "No pair of this project has a label or a blind review to hold judges against. Import labels, or have "
            "pairs reviewed blind first."
        )
    requests = []
    for name in dict.fromkeys(names):
        choice = judge_of(services, BatchRequest(project_id=project_id, named=name))
        requests.append(
            BatchRequest(
                project_id=project_id,
                name=f"Second opinion: {name}",
                comparison_ids=ids,
                judge=choice,
                trial=True,
            )
        )
    return requests


def _arm(services: Services, project_id: str, name: str) -> Arm:
    choice = judge_of(services, BatchRequest(project_id=project_id, named=name))
    identity = identity_by(services, choice, project_id=project_id)
    return Arm(kind=identity.kind, model=identity.model, digest=identity.digest)
