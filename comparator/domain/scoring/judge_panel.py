"""Several judges of one pair read together: what each says by itself, the vote, and the medians of their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.panel import median_of
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import Verdict, settle


class Vote(StrEnum):
    """What one judge says, reconciled over its orders."""

    A = "A"
    B = "B"
    TIE = "TIE"
    INCONCLUSIVE = "inconclusive"
    """Its orders name different winners."""
    ABSTAINED = "abstained"
    """It assessed too little for a verdict."""
    FAILED = "failed"
    """It gave no usable answer in one of the orders."""


COUNTED = (Vote.A, Vote.B, Vote.TIE)
"""Votes that count towards the quorum."""


class Settled(StrEnum):
    """What the panel comes to."""

    DECIDED = "decided"
    TIE = "tie"
    INCONCLUSIVE = "inconclusive"
    """As many votes for the one as for the other, and the medians do not tell them apart."""
    NO_QUORUM = "no quorum"


class PanelOpinion(Frozen):
    """The votes, and what follows; `medians` is None where fewer judges than the quorum have a verdict."""

    votes: dict[str, Vote]
    settled: Settled
    winner: Winner | None
    """None unless it is decided or a tie."""
    medians: Verdict | None
    """By the medians of the criteria alone, of the judges whose votes count."""


def vote_of(judgment: MergedJudgment | None) -> Vote:
    """What one judge says over both of its orders; None stands for one that failed."""
    if judgment is None:
        return Vote.FAILED
    if judgment.verdict is None:
        return Vote.ABSTAINED
    return Vote(judgment.verdict.winner.value) if judgment.orders_agree else Vote.INCONCLUSIVE


def opinion(rubric: Rubric, said: Mapping[str, MergedJudgment | None], *, quorum: int) -> PanelOpinion:
    """The panel's opinion of judges that went by this rubric.

    Most votes win. Where A and B have equally many, the criteria's medians decide; where those are equal as well, or
    the tie of votes is not between A and B, it is a tie if most say so, else inconclusive.
    """
    votes = {name: vote_of(judgment) for name, judgment in said.items()}
    counted = Counter(vote for vote in votes.values() if vote in COUNTED)
    if counted.total() < max(quorum, 1):
        return PanelOpinion(votes=votes, settled=Settled.NO_QUORUM, winner=None, medians=None)
    verdicts = [
        judgment.verdict
        for name, judgment in said.items()
        if judgment is not None and judgment.verdict is not None and votes[name] in COUNTED
    ]
    medians = settle(rubric, median_of(rubric, verdicts))
    winner = _most(counted)
    if winner is None and medians is not None and medians.winner is not Winner.TIE:
        winner = medians.winner
    if winner is None:
        return PanelOpinion(votes=votes, settled=Settled.INCONCLUSIVE, winner=None, medians=medians)
    settled = Settled.TIE if winner is Winner.TIE else Settled.DECIDED
    return PanelOpinion(votes=votes, settled=settled, winner=winner, medians=medians)


def _most(counted: Counter[Vote]) -> Winner | None:
    first, *others = counted.most_common()
    if others and others[0][1] == first[1]:
        return None
    return Winner(first[0].value)
