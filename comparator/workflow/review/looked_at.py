"""What the judge of a pair, or each of several, looked at with its tools, reading by reading."""

from __future__ import annotations

from comparator.domain.labels import Frozen, Order
from comparator.domain.pair.examination import LookedAt
from comparator.store.judging import judgments
from comparator.store.rollup import verdicts
from comparator.workflow.services import Services


class ReadingWithTools(Frozen):
    """One try at a reading, with what was opened; `problem` says why it has no answer."""

    order: Order
    repetition: int
    looked_at: LookedAt
    problem: str | None
    requests: int
    tokens: int
    """Of all requests, sent and received, those from a cache among them."""
    cached_tokens: int


def readings_with_tools(services: Services, comparison_id: str) -> tuple[ReadingWithTools, ...]:
    """The readings of the judgment that counts which had tools, oldest first."""
    with services.database.read() as connection:
        now = verdicts.judged(connection, comparison_id)
        sets = () if now is None else now.by.sets.values() if now.by else (now.chosen,)
        digests = {each.digest for each in sets}
        tries = judgments.attempts(connection, comparison_id) if digests else ()
    return tuple(
        ReadingWithTools(
            order=each.order,
            repetition=each.repetition,
            looked_at=each.looked_at,
            problem=None if each.succeeded else each.message,
            requests=len(each.calls),
            tokens=each.input_tokens + each.cached_tokens + each.cache_written_tokens + each.output_tokens,
            cached_tokens=each.cached_tokens,
        )
        for each in tries
        if each.set_digest in digests and each.looked_at is not None
    )
