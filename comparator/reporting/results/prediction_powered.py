"""The win rate that people would give on all pairs: the judge on all of them, people on the audit sample."""

from __future__ import annotations

import pandas as pd

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter, Runs, VerdictKind, Verdicts
from comparator.stats.figures import TooFew
from comparator.stats.prediction_powered import Powered, PoweredSums, powered_rate
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
    person, judge = pairs.points.astype("int64"), pairs.judge_points.astype("int64")
    by_task = (
        pd.DataFrame(
            {
                "labelled": done.astype("int64"),
                "people": person.where(done, 0),
                "judge": judge.where(done, 0),
                "others": (~done).astype("int64"),
                "judge_others": judge.where(~done, 0),
            }
        )
        .groupby(pairs.task_id)
        .sum()
    )
    labelled, people, judged, others, judge_others = (int(each) for each in by_task.sum())
    products = by_task.T.to_numpy() @ by_task.to_numpy()
    summed = PoweredSums(
        tasks=int((by_task.labelled > 0).sum()),
        totals=(labelled, people, judged, others, judge_others),
        people_judge=int((person * judge)[done].sum()),
        judge_squares=int((judge * judge).sum()),
        products=tuple(int(products[i, k]) for i in range(5) for k in range(i, 5)),
    )
    return AllPairs(
        pairs=len(pairs),
        sample=int(pairs.audited.sum()) + int(contested),
        reviewed=int(done.sum()),
        powered=powered_rate(summed) if done.any() else None,
    )
