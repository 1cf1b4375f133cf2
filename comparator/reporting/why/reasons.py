"""Why reviewers changed scores: the kinds of reasons, for each candidate's output."""

from __future__ import annotations

import pandas as pd

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.frames import Frame, read_json
from comparator.reporting.scope import ResultFilter
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
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
    known = read_json(pairs.reasons)
    lines: Frame = pd.DataFrame(
        [
            (code, *(numbers if pairs.side[id] > 0 else reversed(numbers)))
            for id, own in known.items()
            for code, numbers in own.items()
        ],
        columns=["code", "one", "two"],
    )
    kinds = [
        Reason(code=code, one=int(own.one.sum()), two=int(own.two.sum()), pairs=len(own))
        for code, own in lines.groupby("code")
    ]
    return Reasons(kinds=tuple(sorted(kinds, key=lambda each: (-each.pairs, each.code))), pairs=len(known))
