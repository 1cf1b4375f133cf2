"""The rubric of a task, the arithmetic of its scores in decimals, and the two rows of the offline check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property

from pydantic import Field, field_validator, model_validator

from comparator.domain.labels import Dimension, Frozen, sparse_field

KEY = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
FEWEST, MOST = 1, 5


class Anchors(Frozen):
    """What the scores 1, 3 and 5 mean for one criterion."""

    poor: str = Field(min_length=1, max_length=600)
    acceptable: str = Field(min_length=1, max_length=600)
    excellent: str = Field(min_length=1, max_length=600)


class Criterion(Frozen):
    """One line of a rubric. `key` is snake_case and stands in comparison.json."""

    key: str = Field(max_length=60)
    name: str = Field(min_length=1, max_length=80)
    description: str = Field(default="", max_length=600)
    anchors: Anchors

    @field_validator("key")
    @classmethod
    def _snake_case(cls, key: str) -> str:
        if not KEY.match(key):
            raise ValueError(f"criterion key {key!r} is not snake_case; write it like 'field_alignment'")
        return key


class Rubric(Frozen):
    """Content and structure criteria, one to five each; the same for both outputs."""

    content: tuple[Criterion, ...]
    structure: tuple[Criterion, ...]
    right_answer: str = sparse_field("", max_length=600)
    """One sentence: what a right answer must contain, written before any output was seen; empty where none is right."""

    @model_validator(mode="after")
    def _counts_and_keys(self) -> Rubric:
        for dimension in Dimension:
            criteria = self.of(dimension)
            if not FEWEST <= len(criteria) <= MOST:
                raise ValueError(f"{dimension} has {len(criteria)} criteria; {FEWEST} to {MOST} are allowed")
            keys = [criterion.key for criterion in criteria]
            if len(set(keys)) != len(keys):
                raise ValueError(f"{dimension} has the same criterion key twice: {', '.join(sorted(keys))}")
        return self

    def of(self, dimension: Dimension) -> tuple[Criterion, ...]:
        """The criteria of one dimension, in order."""
        return self.content if dimension is Dimension.CONTENT else self.structure

    def lines(self) -> Iterator[tuple[str, Criterion]]:
        """Each criterion with its path, such as `content.correctness`, content first."""
        for dimension in Dimension:
            for criterion in self.of(dimension):
                yield path_of(dimension, criterion.key), criterion

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The paths of all criteria, content first."""
        return tuple(path for path, _ in self.lines())


_CRITERIA = tuple(
    Criterion(
        key=name.lower(), name=name, anchors=Anchors(poor=poor, acceptable=acceptable, excellent=excellent)
    )
    for name, poor, acceptable, excellent in (
        ("Correctness", "Major errors", "Minor errors", "Fully correct"),
        ("Completeness", "Missing key elements", "Mostly complete", "All elements present"),
        ("Accuracy", "Significant inaccuracies", "Minor inaccuracies", "Accurate throughout"),
        ("Organization", "Disorganized", "Reasonably organized", "Clear, logical structure"),
        ("Formatting", "Inconsistent or broken", "Mostly consistent", "Professional, polished"),
        ("Usability", "Difficult to use", "Usable with effort", "Easy to use"),
    )
)
USUAL = Rubric(content=_CRITERIA[:3], structure=_CRITERIA[3:])
"""The specification's criteria, for a pair without its own rubric."""


def path_of(dimension: Dimension, key: str) -> str:
    """The address of a criterion within its rubric.

    >>> path_of(Dimension.CONTENT, "data_types")
    'content.data_types'
    """
    return f"{dimension}.{key}"


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


OPENING = "Offline check, not a judgment."
NO_DIFFERENCE = "no difference"
"""What is said of a pair of which neither output is broken; otherwise which one is, such as "B does not open"."""
FILES_PRESENT, FILES_OPEN = "content.files_present", "structure.files_open"
FORM = Rubric(
    content=(
        Criterion(
            key="files_present",
            name="Files present",
            description="Is there an output, with the files that the task names?",
            anchors=Anchors(poor="Something is missing", acceptable="-", excellent="Nothing is missing"),
        ),
    ),
    structure=(
        Criterion(
            key="files_open",
            name="Files open",
            description="Does every file open and parse?",
            anchors=Anchors(poor="One does not", acceptable="-", excellent="All do"),
        ),
    ),
)
"""What is measured. No reviewer and no model scores by it."""


def form_in_words(form: str) -> str:
    """The finding where it stands by itself.

    >>> form_in_words(NO_DIFFERENCE), form_in_words("B does not open")
    ('no difference in form', 'B does not open')
    """
    return f"{form} in form" if form == NO_DIFFERENCE else form
