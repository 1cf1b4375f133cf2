"""Why reviewers changed scores: the kinds of reasons, for each candidate's output."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.store.core.database import Database


class Reason(Frozen):
    """One kind of reason: how many scores were changed for it, and in how many pairs."""

    code: str
    one: int
    """Scores of candidate one's output."""
    two: int
    pairs: int


class Reasons(Frozen):
    """The kinds of reasons, the most frequent first, and in how many counted pairs one was given."""

    kinds: tuple[Reason, ...]
    pairs: int


def by_reason(database: Database, asked: ResultFilter) -> Reasons:
    """The kinds of reasons given in the counted pairs. Raises BlindnessError."""
    c = counted(asked).c
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(sa.select(c.reasons, c.sign).where(c.reasons.is_not(None))).all()
    one, two, pairs = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        for code, (first, second) in row.reasons.items():
            if row.sign < 0:
                first, second = second, first
            one[code] += first
            two[code] += second
            pairs[code] += 1
    kinds = tuple(
        Reason(code=code, one=one[code], two=two[code], pairs=pairs[code])
        for code in sorted(pairs, key=lambda code: (-pairs[code], code))
    )
    return Reasons(kinds=kinds, pairs=len(rows))
