"""Limits that all workers share: how many places each has, and how fast it may send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from comparator.judges.protocol import Owner
from comparator.store.bulk.workers import WorkerProcess


class Share(NamedTuple):
    """What one process may use; None means no limit."""

    slots: int
    requests_a_minute: float | None
    tokens_a_minute: float | None


class SendingGate(Protocol):
    """Lets a process's requests onto the wire, as many as its share allows."""

    def set_share(self, share: Share) -> None:
        """What the process may use from now on."""
        ...

    def saved(self, owner: Owner) -> None:
        """What came of this owner's requests is stored: its place is free."""
        ...


class NoGate:
    """For a judge whose requests wait for nobody."""

    def set_share(self, share: Share) -> None:
        """Nothing is shared."""

    def saved(self, owner: Owner) -> None:
        """No place was kept."""


def share_of(worker: str, alive: Sequence[WorkerProcess], *, whole: Share) -> Share:
    """An equal part for each living worker, whole places to those that stand first in `alive`.

    A new worker gets one slot until all others have seen it and lowered theirs. With fewer slots than workers it
    gets none until then.

    >>> share_of("a", [], whole=Share(8, 60, None))
    Share(slots=8, requests_a_minute=60, tokens_a_minute=None)
    """
    ids = [each.id for each in alive]
    if worker not in ids or len(ids) == 1:
        return whole
    place, number = ids.index(worker), len(ids)
    me = alive[place]
    slots = whole.slots // number + (1 if place < whole.slots % number else 0)
    if any(each.beat_at <= me.joined_at for each in alive if each.id != worker):
        slots = min(slots, 1 if whole.slots >= number else 0)

    def part(limit: float | None) -> float | None:
        return None if limit is None else limit / number

    # With more workers than places, the last ones wait.
    return Share(slots, part(whole.requests_a_minute), part(whole.tokens_a_minute))
