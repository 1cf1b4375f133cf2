"""A final review that names a winner, says why in a sentence, and scores nothing."""

from __future__ import annotations

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.store.core.sql import new_id
from comparator.workflow.people.people import local_person
from comparator.workflow.review.review import finalise, record
from comparator.workflow.services import Services


def review_winner(
    services: Services, comparison_id: str, winner: Winner, *, why: str = "It is right."
) -> None:
    """Finalise the local person's review of a pair with this winner."""
    me = local_person(services).id
    change = Change(
        id=new_id(),
        target=Target.parse("winner"),
        kind=ChangeKind.SET,
        value=winner.value,
        reason=why,
        author=me,
        at=services.now(),
    )
    sentence = change.model_copy(
        update={"id": new_id(), "target": Target.parse("reasoning"), "value": why, "reason": ""}
    )
    record(services.by(me), comparison_id, (change, sentence))
    finalise(services.by(me), comparison_id)
