"""A worker of another machine that has a pair in hand."""

from datetime import timedelta

from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.store.bulk import leases
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.workflow.judging.asking import order
from comparator.workflow.services import Services

ELSEWHERE = "elsewhere:1:x"


def asked(services: Services, comparison_id: str, *, old: timedelta = timedelta(0)) -> str:
    """Somebody has asked for the pair this long ago, and nobody has begun; the id of its batch."""
    with services.database.write() as connection:
        choice = JudgeChoice(kind="offline", model=services.judge("offline").identity.model, repetitions=1)
        unit = Unit(connection, at=services.now() - old, new_id=services.new_id)
        (batch,) = order(unit, comparison_id, SeveralJudges(id="asked", members=(choice,)))
        return batch.id


def judge_elsewhere(
    services: Services, comparison_id: str, *, old: timedelta = timedelta(0), worker: str = ELSEWHERE
) -> str:
    """A worker has the pair that somebody asked for, with its last sign of life this long ago; the batch's id."""
    batch_id = asked(services, comparison_id, old=old)
    at = services.now() - old
    with services.write(at=at) as unit:
        leases.join(unit, worker)
        assert leases.take(unit, LeaseKind.PAIR, (comparison_id,), worker=worker)
        fact.refresh(unit, comparison_id)
    return batch_id
