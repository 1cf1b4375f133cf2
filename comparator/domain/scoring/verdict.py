"""The settled answer: scores and expectations of both outputs, the winner, and which rule decided."""

from decimal import Decimal
from enum import StrEnum
from typing import Self

from comparator.domain.counted import counted
from comparator.domain.labels import Frozen, Label, PerOutput, Winner
from comparator.domain.scoring.rubric import Rubric, Totals, pass_rate, totals


class DecidedBy(StrEnum):
    """The rule that settled the winner, in order of priority."""

    in_words: str
    """How the winner was decided, in words."""
    short: str
    """The same where there is little room, as in a column."""

    def __new__(cls, value: str, in_words: str, short: str = "") -> Self:
        """The rule, with its words beside it.

        >>> DecidedBy.TIE.in_words, DecidedBy.BOTH_ORDERS.short
        ('no difference', "judge's preference")
        """
        rule = str.__new__(cls, value)
        rule._value_, rule.in_words, rule.short = value, in_words, short or in_words
        return rule

    REVIEWER = "reviewer", "set by the reviewer", "overridden"
    RUBRIC = "rubric", "decided by the scores", "scores"
    EXPECTATIONS = "expectations", "equal scores, decided by expectations", "expectations"
    BOTH_ORDERS = (
        "both_orders",
        "equal scores, decided by the judge's preference in both orders",
        "judge's preference",
    )
    TIE = "tie", "no difference"
    VOTES = "votes", "decided by the votes of several judges", "votes of several judges"
    """Of several judges that were asked about the same pair."""


class VerdictSource(StrEnum):
    """Whose values a verdict rests on."""

    ADJUDICATION = "adjudication"
    PANEL = "panel"
    REVIEW = "review"
    JUDGE = "judge"
    OFFLINE = "offline_check"

    @property
    def whose(self) -> str:
        """Whose verdict it is, in a word or two.

        >>> VerdictSource.PANEL.whose
        'reviewers'
        """
        return {
            VerdictSource.ADJUDICATION: "adjudicated",
            VerdictSource.PANEL: "reviewers",
            VerdictSource.REVIEW: "reviewer",
            VerdictSource.JUDGE: "judge",
            VerdictSource.OFFLINE: "offline check",
        }[self]

    @property
    def by_people(self) -> bool:
        """Whether a person settled it: by review, in a panel, or by a ruling."""
        return self in (VerdictSource.ADJUDICATION, VerdictSource.PANEL, VerdictSource.REVIEW)


class Assessment(Frozen):
    """What is said of one output: criterion scores by path, and for each expectation whether it is met.

    A criterion that nobody assessed is not in `scores`; an expectation that nobody assessed is None.
    """

    scores: dict[str, Decimal]
    expectations: tuple[bool | None, ...] = ()


class Verdict(Frozen):
    """Totals, pass rates and the winner of a comparison.

    `assessments` hold what counts: values that both outputs have. `left_out` names the rows that do not count, such as
    `content.accuracy` and `expectation.2` (from 0).
    """

    winner: Winner
    decided_by: DecidedBy
    assessments: PerOutput[Assessment]
    totals: PerOutput[Totals] | None
    """None where a reviewer set the winner and a dimension has no criterion with a score for both outputs."""
    pass_rates: PerOutput[Decimal] | None
    left_out: tuple[str, ...] = ()

    @property
    def overall(self) -> PerOutput[Decimal] | None:
        """Both overall scores, 2.0 to 10.0; None where there are none."""
        return self.totals.map(lambda total: total.overall_score) if self.totals else None

    @property
    def in_words(self) -> str:
        """How the winner was decided, and how much was left out, in words."""
        return decided_in_words(self.decided_by, len(self.left_out))


def decided_in_words(decided_by: DecidedBy, left_out: int | None) -> str:
    """How a winner was decided, and how much was left out, in words.

    >>> decided_in_words(DecidedBy.RUBRIC, 2)
    'decided by the scores, 2 rows not assessed'
    """
    left = f", {counted(left_out, 'row')} not assessed" if left_out else ""
    return f"{decided_by.in_words}{left}"


def settle(
    rubric: Rubric,
    assessments: PerOutput[Assessment],
    *,
    preferred_in_both_orders: Winner | None = None,
    set_by_reviewer: Winner | None = None,
) -> Verdict | None:
    """The verdict on two assessments; None where nobody set a winner and a dimension has no score for both outputs.

    A criterion or expectation without a value for either output does not count. `preferred_in_both_orders` is the
    judge's preference if both orders named the same output; pass None once a reviewer has changed a total.
    `set_by_reviewer` is a winner that a reviewer set outright.
    """
    counting = what_counts(rubric, assessments)
    a, b = (totals(rubric, counting[label].scores) for label in Label)
    both = None if a is None or b is None else PerOutput(A=a, B=b)
    rates = _rates(counting)
    if set_by_reviewer is not None:
        winner, decided_by = set_by_reviewer, DecidedBy.REVIEWER
    elif both is not None:
        winner, decided_by = _decide(both, rates, preferred_in_both_orders)
    else:
        return None
    return Verdict(
        winner=winner,
        decided_by=decided_by,
        assessments=counting,
        totals=both,
        pass_rates=rates,
        left_out=(
            *(path for path in rubric.paths if path not in counting.A.scores),
            *(f"expectation.{n}" for n, met in enumerate(counting.A.expectations) if met is None),
        ),
    )


def what_counts(rubric: Rubric, assessments: PerOutput[Assessment]) -> PerOutput[Assessment]:
    """The values that both outputs have, the criteria in the rubric's order."""
    a, b = assessments.A, assessments.B
    paths = [path for path in rubric.paths if path in a.scores and path in b.scores]
    pairs = tuple(zip(a.expectations, b.expectations, strict=True))

    def of(label: Label) -> Assessment:
        return Assessment(
            scores={path: assessments[label].scores[path] for path in paths},
            expectations=tuple(
                None if None in pair else pair[0 if label is Label.A else 1] for pair in pairs
            ),
        )

    return PerOutput.of(of)


def _rates(assessments: PerOutput[Assessment]) -> PerOutput[Decimal] | None:
    a, b = ([met for met in assessments[label].expectations if met is not None] for label in Label)
    return PerOutput(A=pass_rate(a), B=pass_rate(b)) if a and b else None


def _decide(
    both: PerOutput[Totals], rates: PerOutput[Decimal] | None, preferred: Winner | None
) -> tuple[Winner, DecidedBy]:
    if both.A.overall_score != both.B.overall_score:
        return _higher(both.map(lambda t: t.overall_score)), DecidedBy.RUBRIC
    if rates is not None and rates.A != rates.B:
        return _higher(rates), DecidedBy.EXPECTATIONS
    if preferred in (Winner.A, Winner.B):
        return preferred, DecidedBy.BOTH_ORDERS
    return Winner.TIE, DecidedBy.TIE


def _higher(values: PerOutput[Decimal]) -> Winner:
    return Winner.A if values[Label.A] > values[Label.B] else Winner.B
