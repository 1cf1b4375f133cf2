"""Several opinions on one pair: reviews, rulings and judges read together, by votes and by medians."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from statistics import median

from pydantic import ConfigDict, Field

from comparator.domain.labels import Frozen, Label, PerOutput, Winner, most_named_winner
from comparator.domain.scoring.judgment import CAP, JudgeIdentity, MergedJudgment
from comparator.domain.scoring.repetitions import Repetitions
from comparator.domain.scoring.rubric import Rubric, half_step_mean
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, settle


def default_quorum(judges: int) -> int:
    """A majority of this many judges.

    >>> default_quorum(3), default_quorum(4)
    (2, 3)
    """
    return judges // 2 + 1


class JudgeChoice(JudgeIdentity):
    """Which judge reads, as it was when it was asked, and how often in each order."""

    model_config = ConfigDict(populate_by_name=True)

    repetitions: Repetitions = 1
    named: str | None = Field(default=None, validation_alias="name")
    """The judge of COMPARATOR_JUDGES that it is; None for the one of kind and model."""

    @property
    def name(self) -> str:
        """What it is called among the judges of a pair."""
        return self.named or self.model


class SeveralJudges(Frozen):
    """The judges that are asked about the same pairs; where there are several, their verdict is one."""

    id: str
    members: tuple[JudgeChoice, ...]
    quorum: int = 1
    """How many of them must reach a verdict of their own before they have a joint one."""

    @property
    def panel(self) -> SeveralJudges | None:
        """These judges, if there are several."""
        return self if len(self.members) > 1 else None

    @property
    def digest(self) -> str:
        """Of all members and the quorum: another one is another judge."""
        parts = [str(self.quorum), *(f"{member.name}\n{member.digest}" for member in self.members)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def set_digest(self) -> str:
        """Of this asking: what a review that rests on it is kept with."""
        return hashlib.sha256(f"panel\n{self.id}".encode()).hexdigest()

    @property
    def called(self) -> str:
        """Its name in lists: those of its members.

        >>> SeveralJudges(id="1", members=(), quorum=2).called
        'judge panel: '
        """
        return f"judge panel: {', '.join(member.name for member in self.members)}"[:200]


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


class JointOutcome(StrEnum):
    """What several judges come to."""

    DECIDED = "decided"
    TIE = "tie"
    INCONCLUSIVE = "inconclusive"
    """As many votes for the one as for the other, and the medians do not tell them apart."""
    NO_QUORUM = "no quorum"


class JointOpinion(Frozen):
    """The votes, and what follows; `medians` is None where fewer judges than the quorum have a verdict."""

    votes: dict[str, Vote]
    settled: JointOutcome
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
    return Vote(judgment.verdict.winner) if judgment.orders_agree else Vote.INCONCLUSIVE


def opinion(rubric: Rubric, judgments: Mapping[str, MergedJudgment | None], *, quorum: int) -> JointOpinion:
    """The joint opinion of judges that went by this rubric.

    Most votes win. Where A and B have equally many, the criteria's medians decide; where those are equal as well, or
    the tie of votes is not between A and B, it is a tie if most say so, else inconclusive.
    """
    votes = {name: vote_of(judgment) for name, judgment in judgments.items()}
    if sum(vote in COUNTED for vote in votes.values()) < max(quorum, 1):
        return JointOpinion(votes=votes, settled=JointOutcome.NO_QUORUM, winner=None, medians=None)
    verdicts = [
        judgment.verdict
        for name, judgment in judgments.items()
        if judgment is not None and judgment.verdict is not None and votes[name] in COUNTED
    ]
    medians = settle(rubric, median_of(rubric, verdicts))
    winner = _most_votes(votes.values())
    if winner is None and medians is not None and medians.winner is not Winner.TIE:
        winner = medians.winner
    if winner is None:
        return JointOpinion(votes=votes, settled=JointOutcome.INCONCLUSIVE, winner=None, medians=medians)
    settled = JointOutcome.TIE if winner is Winner.TIE else JointOutcome.DECIDED
    return JointOpinion(votes=votes, settled=settled, winner=winner, medians=medians)


def joint_judgment(
    judgments: Mapping[str, MergedJudgment | None], joint_opinion: JointOpinion
) -> MergedJudgment | None:
    """The joint judgment of these judges; None where all of them failed.

    Scores are the medians, the winner is that of the joint opinion. The words are those of the first judge that named
    this winner.
    Without a winner there is no verdict. The confidence is the lowest of the judges, capped where they disagree.
    """
    given = {name: judgment for name, judgment in judgments.items() if judgment is not None}
    if not given:
        return None
    winner = joint_opinion.winner
    for_it = [name for name in given if winner is not None and joint_opinion.votes[name].value == winner]
    speaks = given[next(iter(for_it), next(iter(given)))]
    agree = judges_agree(joint_opinion)
    voted = [given[name] for name in given if joint_opinion.votes[name] in COUNTED] or list(given.values())
    lowest = min(judgment.stated_confidence for judgment in voted)
    expectations = zip(*(judgment.expectations_agree for judgment in voted), strict=True)
    return speaks.copy_with(
        assessments=joint_opinion.medians.assessments if joint_opinion.medians else speaks.assessments,
        verdict=_verdict(joint_opinion),
        preferred_in_both_orders=None,
        position_consistent=all(judgment.position_consistent for judgment in given.values()),
        contradictions=tuple(one for judgment in given.values() for one in judgment.contradictions),
        stated_confidence=lowest if agree else min(lowest, CAP),
        quotes_found=sum(judgment.quotes_found for judgment in given.values()),
        quotes_total=sum(judgment.quotes_total for judgment in given.values()),
        expectations_agree=tuple(
            PerOutput(A=all(both.A for both in one), B=all(both.B for both in one)) for one in expectations
        ),
    )


def judges_agree(joint_opinion: JointOpinion) -> bool:
    """Whether every judge has a verdict of its own and all name the same winner."""
    votes = set(joint_opinion.votes.values())
    return len(votes) == 1 and votes <= set(COUNTED)


def _verdict(joint_opinion: JointOpinion) -> Verdict | None:
    if joint_opinion.winner is None or joint_opinion.medians is None:
        return None
    if _most_votes(joint_opinion.votes.values()) is None:
        # The votes were split evenly: the medians decided.
        return joint_opinion.medians
    return joint_opinion.medians.copy_with(winner=joint_opinion.winner, decided_by=DecidedBy.VOTES)


def _most_votes(votes: Iterable[Vote]) -> Winner | None:
    return most_named_winner(Winner(vote) for vote in votes if vote in COUNTED)


def settle_reviews(rubric: Rubric, verdicts: Sequence[Verdict]) -> Verdict | None:
    """The verdict of at least one final review; None where they disagree on the winner, which needs adjudication.

    One review stands as it is. Of several, each criterion's median counts (half steps kept, a quarter rounded up), an
    expectation is met if more than half say so, and the winner rules decide; a winner that all reviewers set outright
    stays. A review without a value does not vote on it.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    if len({verdict.winner for verdict in verdicts}) != 1:
        return None
    outright = all(verdict.decided_by is DecidedBy.REVIEWER for verdict in verdicts)
    return settle(
        rubric, median_of(rubric, verdicts), set_by_reviewer=verdicts[0].winner if outright else None
    )


def median_of(rubric: Rubric, verdicts: Sequence[Verdict]) -> PerOutput[Assessment]:
    """The median of each criterion and the majority on each expectation of at least one verdict by this rubric."""

    def of(label: Label) -> Assessment:
        assessments = [verdict.assessments[label] for verdict in verdicts]
        return Assessment(
            scores={
                path: half_step_mean([Decimal(median(votes))])
                for path in rubric.paths
                if (votes := [s.scores[path] for s in assessments if path in s.scores])
            },
            expectations=tuple(
                _majority(votes) for votes in zip(*(s.expectations for s in assessments), strict=True)
            ),
        )

    return PerOutput.of(of)


def _majority(votes: Sequence[bool | None]) -> bool | None:
    given = [vote for vote in votes if vote is not None]
    return sum(given) * 2 > len(given) if given else None
