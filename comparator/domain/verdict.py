"""The settled answer: scores and expectations of both outputs, the winner, and which rule decided."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from comparator.domain.labels import Frozen, Label, PerOutput, Winner
from comparator.domain.rubric import Rubric
from comparator.domain.scoring import Totals, pass_rate, totals


class DecidedBy(StrEnum):
    """The rule that settled the winner, in order of priority."""

    REVIEWER = "reviewer"
    RUBRIC = "rubric"
    EXPECTATIONS = "expectations"
    BOTH_ORDERS = "both_orders"
    TIE = "tie"

    @property
    def told(self) -> str:
        """How the winner was decided, in words.

        >>> DecidedBy.TIE.told
        'nothing separates them'
        """
        return {
            DecidedBy.REVIEWER: "set by the reviewer",
            DecidedBy.RUBRIC: "decided by rubric",
            DecidedBy.EXPECTATIONS: "equal scores, decided by expectations",
            DecidedBy.BOTH_ORDERS: "equal scores, decided by the judge's preference in both orders",
            DecidedBy.TIE: "nothing separates them",
        }[self]


class VerdictSource(StrEnum):
    """Whose values a verdict rests on."""

    ADJUDICATION = "adjudication"
    PANEL = "panel"
    REVIEW = "review"
    JUDGE = "judge"
    BASELINE = "baseline"

    @property
    def by_people(self) -> bool:
        """Whether a person settled it: by review, in a panel, or by a ruling."""
        return self in (VerdictSource.ADJUDICATION, VerdictSource.PANEL, VerdictSource.REVIEW)


class Assessment(Frozen):
    """What is said of one output: criterion scores by path, and for each expectation whether it is met."""

    scores: dict[str, Decimal]
    expectations: tuple[bool, ...] = ()


class Verdict(Frozen):
    """Totals, pass rates and the winner of a comparison."""

    winner: Winner
    decided_by: DecidedBy
    assessments: PerOutput[Assessment]
    totals: PerOutput[Totals]
    pass_rates: PerOutput[Decimal] | None


def settle(
    rubric: Rubric,
    assessments: PerOutput[Assessment],
    *,
    preferred_in_both_orders: Winner | None = None,
    set_by_reviewer: Winner | None = None,
) -> Verdict:
    """The verdict on two complete assessments.

    `preferred_in_both_orders` is the judge's preference if both orders named the same output; pass None once a
    reviewer has changed a total. `set_by_reviewer` is a winner that a reviewer set outright.
    """
    both = assessments.map(lambda assessment: totals(rubric, assessment.scores))
    rates = (
        assessments.map(lambda assessment: pass_rate(assessment.expectations))
        if assessments.A.expectations
        else None
    )
    winner, decided_by = _decide(both, rates, preferred_in_both_orders, set_by_reviewer)
    return Verdict(
        winner=winner, decided_by=decided_by, assessments=assessments, totals=both, pass_rates=rates
    )


def _decide(
    both: PerOutput[Totals],
    rates: PerOutput[Decimal] | None,
    preferred: Winner | None,
    set_by_reviewer: Winner | None,
) -> tuple[Winner, DecidedBy]:
    if set_by_reviewer is not None:
        return set_by_reviewer, DecidedBy.REVIEWER
    if both.A.overall_score != both.B.overall_score:
        return _higher(both.map(lambda t: t.overall_score)), DecidedBy.RUBRIC
    if rates is not None and rates.A != rates.B:
        return _higher(rates), DecidedBy.EXPECTATIONS
    if preferred in (Winner.A, Winner.B):
        return preferred, DecidedBy.BOTH_ORDERS
    return Winner.TIE, DecidedBy.TIE


def _higher(values: PerOutput[Decimal]) -> Winner:
    return Winner.A if values[Label.A] > values[Label.B] else Winner.B
