"""Which criterion favoured whom, and why reviewers changed scores."""

from __future__ import annotations

import numpy as np
import pandas as pd

from comparator.domain.labels import Frozen
from comparator.reporting.facts import ended, facts_of, sums
from comparator.reporting.frames import Frame, read_json
from comparator.reporting.results.result import HALF, Difference, difference_of
from comparator.reporting.scope import ResultFilter, WonTiedLost
from comparator.store.core.database import Database


class CriterionDifference(WonTiedLost):
    """The pairs in which a criterion favours candidate one, neither, and candidate two; the difference is in points."""

    path: str
    """Its dimension and key; criteria of several rubrics with one path are the same."""
    name: str
    difference: Difference
    decided: int
    """The pairs that it favours somebody in and that somebody won; in `with_winner` of them both are the same."""
    with_winner: int


def by_criterion(database: Database, asked: ResultFilter) -> tuple[CriterionDifference, ...]:
    """The differences, in the order of their paths. Raises BlindnessError."""
    with facts_of(database, asked.project_id) as facts:
        lines = criteria_of(facts.counted(asked))
        names = {path: facts.criterion(path) for path in lines.path.unique()}
    found = []
    for path, own in lines.groupby("path"):
        lead = (own.points - 1) * own.value
        found.append(
            CriterionDifference(
                path=path,
                name=names[path],
                difference=difference_of(sums(own.value, own.task_id), unit=HALF),
                **ended(1 + np.sign(own.value)),
                decided=int((lead != 0).sum()),
                with_winner=int((lead > 0).sum()),
            )
        )
    return tuple(found)


def criteria_of(pairs: Frame) -> Frame:
    """A line for each criterion of each pair: its path, and candidate one's lead by it in half points."""
    known = read_json(pairs.criteria)
    lines = pd.DataFrame(
        [(id, path, value) for id, own in known.items() for path, value in own.items()],
        columns=["comparison_id", "path", "value"],
    ).join(pairs[["task_id", "both", "points", "side"]], on="comparison_id")
    return lines.assign(value=lines.value * lines.side)


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
