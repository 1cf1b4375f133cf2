"""Stores what the score sheet sends, and tells each change that is not stored why."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from comparator.domain.errors import Conflict, ReviewError
from comparator.domain.scoring.review import Change
from comparator.web.saving.events import Refusal, SentChange
from comparator.workflow.review.review import record
from comparator.workflow.review.review_state import ReviewState
from comparator.workflow.services import Services


def store(
    services: Services,
    comparison_id: str,
    sent: Iterable[SentChange],
    *,
    person_id: str,
    began: datetime | None,
    seen: int | None = None,
) -> Stored:
    """Store what fits in one transaction, however much there is; what does not fit is told one by one.

    `began` is when the person opened the pair, `seen` how often its files had been turned into pages then.
    Raises RightsError, NotFound.
    """
    # `record` sets the time under which they are stored.
    at = services.now()
    changes = [Change(**each.model_dump(), author=person_id, at=at) for each in sent]
    if not changes:
        return Stored()
    unfit: dict[str, str] = {}
    try:
        state = record(
            services, comparison_id, changes, person_id=person_id, began=began, seen=seen, unfit=unfit
        )
    except (ReviewError, Conflict) as error:
        return Stored(refused=tuple(Refusal(id=c.id, why=unfit.get(c.id, str(error))) for c in changes))
    return Stored(tuple(Refusal(id=id, why=why) for id, why in unfit.items()), state)


class Stored(NamedTuple):
    """What was not stored, and how the review stands; None where that is to be read anew."""

    refused: tuple[Refusal, ...] = ()
    state: ReviewState | None = None
