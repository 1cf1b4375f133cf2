"""The arithmetic of scores, in decimals: criterion, dimension, overall, pass rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from comparator.domain.labels import Dimension, Frozen
from comparator.domain.scoring.rubric import Rubric, path_of

LOWEST, HIGHEST = Decimal(1), Decimal(5)
TENTH = Decimal("0.1")
HUNDREDTH = Decimal("0.01")
_MOST_DIGITS = 4

ScoreMap = Mapping[str, Decimal]
"""Criterion path to score, 1 to 5 in steps of a half; what nobody assessed is not in it."""


class Totals(Frozen):
    """Dimension scores (1.0 to 5.0), overall (2.0 to 10.0) and the whole-number quality score (2 to 10)."""

    content_score: Decimal
    structure_score: Decimal
    overall_score: Decimal
    quality_score: int


def valid_score(score: Decimal) -> bool:
    """Whether a score lies in 1 to 5 on a half step."""
    # 3.000… with thousands of zeros is a score, too, and would be stored and written out as it stands.
    if not score.is_finite() or len(score.as_tuple().digits) > _MOST_DIGITS:
        return False
    return LOWEST <= score <= HIGHEST and (score * 2) % 1 == 0


def half_step_mean(scores: Sequence[Decimal]) -> Decimal:
    """The mean of several scores, rounded half up to a half step.

    >>> half_step_mean([Decimal(5), Decimal(4)])
    Decimal('4.5')
    """
    mean = sum(scores, Decimal(0)) / len(scores)
    return (mean * 2).quantize(Decimal(1), ROUND_HALF_UP) / 2


def dimension_score(scores: Sequence[Decimal]) -> Decimal:
    """The mean of a dimension's criteria, rounded half up to one decimal.

    >>> dimension_score([Decimal(3), Decimal(2), Decimal(3)])
    Decimal('2.7')
    """
    return (sum(scores, Decimal(0)) / len(scores)).quantize(TENTH, ROUND_HALF_UP)


def totals(rubric: Rubric, scores: ScoreMap) -> Totals | None:
    """Dimension, overall and quality scores of one output; None where a dimension has no score at all.

    A criterion without a score is left out of its dimension's mean. The overall score is the sum of the rounded
    dimension scores, which scales their average to 2.0 to 10.0.
    """
    by_dimension: dict[Dimension, Decimal] = {}
    for dimension in Dimension:
        paths = [path_of(dimension, criterion.key) for criterion in rubric.of(dimension)]
        given = [scores[path] for path in paths if path in scores]
        if not given:
            return None
        by_dimension[dimension] = dimension_score(given)
    overall = by_dimension[Dimension.CONTENT] + by_dimension[Dimension.STRUCTURE]
    return Totals(
        content_score=by_dimension[Dimension.CONTENT],
        structure_score=by_dimension[Dimension.STRUCTURE],
        overall_score=overall,
        quality_score=int(overall.quantize(Decimal(1), ROUND_HALF_UP)),
    )


def pass_rate(passed: Sequence[bool]) -> Decimal:
    """The share of met expectations with two decimals; at least one expectation is needed.

    >>> pass_rate([True, True, False])
    Decimal('0.67')
    """
    return (Decimal(sum(passed)) / len(passed)).quantize(HUNDREDTH, ROUND_HALF_UP)
