"""What a reviewer says of a pair, in a line."""

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.store.core.sql import new_id
from comparator.workflow.people.people import local_person
from comparator.workflow.review.review import finalise, record
from comparator.workflow.services import Services


def say(
    services: Services,
    comparison_id: str,
    person: str,
    *said: tuple[str, object],
    reason: str = "",
    code: str = "",
) -> None:
    """Set these values, each at its address, in the person's review."""
    changes = [
        Change(
            id=new_id(),
            target=Target.parse(address),
            kind=ChangeKind.SET,
            value=value,
            reason=reason,
            code=code,
            author=person,
            at=services.now(),
        )
        for address, value in said
    ]
    record(services.by(person), comparison_id, changes)


def review_winner(
    services: Services, comparison_id: str, winner: Winner, *, why: str = "It is right."
) -> None:
    """Finalise the local person's review of a pair with this winner and this sentence, and no score."""
    me = local_person(services).id
    say(services, comparison_id, me, ("winner", winner.value), reason=why)
    say(services, comparison_id, me, ("reasoning", why))
    finalise(services.by(me), comparison_id)
