"""Stores what the score sheet sends, and tells each change that is not stored why."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from comparator.domain.errors import Conflict, ReviewError
from comparator.domain.review import Change
from comparator.ui.components.sheet.events import Refusal, SentChange
from comparator.workflow.review import record
from comparator.workflow.services import Services
from comparator.workflow.standing import Standing


def store(
    services: Services,
    comparison_id: str,
    sent: Iterable[SentChange],
    *,
    person_id: str,
    began: datetime | None,
) -> Stored:
    """Store all at once; where one does not fit, each by itself, so that the others are kept.

    `began` is when the person opened the pair. Raises RightsError, NotFound.
    """
    at = services.now()
    changes = [Change(**each.model_dump(), author=person_id, at=at) for each in sent]
    if not changes:
        return Stored()
    try:
        return Stored(standing=record(services, comparison_id, changes, person_id=person_id, began=began))
    except (ReviewError, Conflict):
        each_alone = [_store_one(services, comparison_id, change, began=began) for change in changes]
        return Stored(refused=tuple(refusal for refusal in each_alone if refusal is not None))


class Stored(NamedTuple):
    """What was not stored, and how the review stands; None where that is to be read anew."""

    refused: tuple[Refusal, ...] = ()
    standing: Standing | None = None


def _store_one(
    services: Services, comparison_id: str, change: Change, *, began: datetime | None
) -> Refusal | None:
    try:
        record(services, comparison_id, [change], person_id=change.author, began=began)
    except (ReviewError, Conflict) as error:
        return Refusal(id=change.id, why=str(error))
    return None
