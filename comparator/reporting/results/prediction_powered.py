"""The win rate that people would give on all pairs: the judge on all of them, people on the audit sample."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter, Runs, VerdictKind, Verdicts
from comparator.stats.figures import TooFew
from comparator.stats.prediction_powered import Powered, powered_rate
from comparator.store.core.database import Database

UNTOLD = (VerdictKind.BLIND, VerdictKind.REVEALING)
"""What stands for people: no verdict of those who set the pair up, or knew which output was whose."""


class AllPairs(Frozen):
    """What people would say of all pairs that a model judged; `reviewed` of the `sample` are done, by people who were
    told nothing of the candidates."""

    pairs: int
    sample: int
    reviewed: int
    powered: Powered | TooFew | None
    """None where there is no sample, or nobody reviewed any of it."""

    @property
    def finished(self) -> bool:
        """Whether all of the sample is reviewed: only then may it stand for all pairs."""
        return self.sample > 0 and self.reviewed == self.sample


def all_pairs(database: Database, asked: ResultFilter) -> AllPairs:
    """The estimate for the two candidates. Raises BlindnessError while nothing of the two is revealed."""
    # Pairs that only the judge has spoken on belong to it as much as reviewed ones.
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked.model_copy(update={"verdicts": Verdicts.EITHER}))
        every = facts.revealed(asked)
    if asked.runs is Runs.VALID:
        every = every[every.valid]
    # They wait for a ruling: their reviewers disagree.
    contested = (every.audited & every.judge_points.notna() & every.points.isna()).sum()
    pairs = pairs[pairs.judge_points.notna()]
    done = pairs.audited & pairs.kind.isin(UNTOLD)
    people = pairs.points.astype(float).where(done)
    return AllPairs(
        pairs=len(pairs),
        sample=int(pairs.audited.sum()) + int(contested),
        reviewed=int(done.sum()),
        powered=powered_rate(pairs.task_id, people, pairs.judge_points.astype(float)) if done.any() else None,
    )
