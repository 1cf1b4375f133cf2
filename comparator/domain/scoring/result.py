"""comparison.json: the exported result, exactly in the specification's format."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import Field, PlainSerializer, ValidationError, WithJsonSchema, model_validator

from comparator.domain.errors import InvalidResult, first_problem
from comparator.domain.labels import Dimension, Frozen, Label, PerOutput, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.review import ReviewEntry
from comparator.domain.scoring.rubric import (
    MOST,
    Anchors,
    Criterion,
    Rubric,
    ScoreMap,
    half_step_mean,
    path_of,
    totals,
)
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict


def _number(**limits: float) -> WithJsonSchema:
    """A number within limits, in the schema; what is written is a plain number, which has none of its own."""
    return WithJsonSchema({"type": "number", **limits}, mode="serialization")


CriterionScore = Annotated[
    Decimal,
    Field(ge=1, le=5, multiple_of=Decimal("0.5")),
    PlainSerializer(lambda d: int(d) if d == d.to_integral_value() else float(d), return_type=int | float),
    _number(minimum=1, maximum=5, multipleOf=0.5),
]
DimensionScore = Annotated[
    Decimal, Field(ge=1, le=5), PlainSerializer(float, return_type=float), _number(minimum=1, maximum=5)
]
OverallScore = Annotated[
    Decimal, Field(ge=2, le=10), PlainSerializer(float, return_type=float), _number(minimum=2, maximum=10)
]
CriterionScores = Annotated[dict[str, CriterionScore], Field(min_length=1, max_length=MOST)]
Rate = Annotated[
    Decimal, Field(ge=0, le=1), PlainSerializer(float, return_type=float), _number(minimum=0, maximum=1)
]

_RATE_LINE = re.compile(r'^(\s*"pass_rate": \d\.\d)(?=,?$)', re.MULTILINE)


WholeScore = Annotated[int, Field(ge=1, le=5)]


class RubricScores(Frozen):
    """The scores of one output."""

    content: CriterionScores
    structure: CriterionScores
    content_score: DimensionScore
    structure_score: DimensionScore
    overall_score: OverallScore


class OutputQuality(Frozen):
    """The quality score of one output (2 to 10) and what speaks for and against it."""

    score: Annotated[int, Field(ge=2, le=10)]
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]


class ExpectationDetail(Frozen):
    """Whether one expectation is met."""

    text: str
    passed: bool


class ExpectationResults(Frozen):
    """How many expectations one output meets; the rate is 0.0 to 1.0 with two decimals."""

    passed: Annotated[int, Field(ge=0)]
    total: Annotated[int, Field(ge=1)]
    pass_rate: Rate
    details: Annotated[tuple[ExpectationDetail, ...], Field(min_length=1)]


class OverallScores(Frozen):
    """Four whole numbers from 1 to 5, for a pair that somebody decided without scores."""

    content: PerOutput[WholeScore]
    structure: PerOutput[WholeScore]


class ComparisonResult(Frozen):
    """The content of comparison.json; `expectation_results` is left out where no expectation counts."""

    winner: Winner
    reasoning: str
    rubric: PerOutput[RubricScores]
    output_quality: PerOutput[OutputQuality]
    expectation_results: PerOutput[ExpectationResults] | None = None

    @model_validator(mode="after")
    def _same_criteria_for_both(self) -> Self:
        for dimension in Dimension:
            a, b = (getattr(self.rubric[label], dimension) for label in Label)
            if list(a) != list(b):
                raise ValueError(f"rubric.A.{dimension} and rubric.B.{dimension} name different criteria")
        return self

    def to_json(self) -> str:
        """The file's text: two spaces of indentation, whole scores as integers, rates with two decimals."""
        data = self.model_dump(mode="json", exclude_none=True)
        text = json.dumps(data, ensure_ascii=False, indent=2)
        return _RATE_LINE.sub(r"\g<1>0", text) + "\n"

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON Schema (2020-12) of comparison.json."""
        schema = cls.model_json_schema(mode="serialization")
        results = schema["properties"]["expectation_results"]
        schema["properties"]["expectation_results"] = next(o for o in results["anyOf"] if "$ref" in o)
        schema["required"] = [name for name in schema["required"] if name != "expectation_results"]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **schema,
            "title": "comparison.json",
        }

    @classmethod
    def from_json(cls, text: str) -> ComparisonResult:
        """Read a comparison.json back. Raises InvalidResult with the place of the first problem."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            place, reason = first_problem(error)
            raise InvalidResult(
                f"comparison.json: {place or 'the file'}: {reason}. Correct it and try again."
            ) from error


_ANCHORS = Anchors(poor="Poor", acceptable="Acceptable", excellent="Excellent")
OVERALL = Rubric(
    content=(Criterion(key="content_overall", name="Content overall", anchors=_ANCHORS),),
    structure=(Criterion(key="structure_overall", name="Structure overall", anchors=_ANCHORS),),
)
"""What four whole numbers score."""


def with_overall_scores(verdict: Verdict, scores: OverallScores) -> Verdict:
    """The same verdict with these scores, by the rubric OVERALL; the winner stays."""

    def of(label: Label) -> Assessment:
        values = {"content.content_overall": scores.content, "structure.structure_overall": scores.structure}
        return verdict.assessments[label].copy_with(
            scores={path: Decimal(both[label]) for path, both in values.items()}
        )

    both = PerOutput.of(of)
    a, b = (totals(OVERALL, both[label].scores) for label in Label)
    assert a is not None
    assert b is not None
    return verdict.copy_with(assessments=both, totals=PerOutput(A=a, B=b))


def compose(
    rubric: Rubric, verdict: Verdict, prose: Prose, *, expectations: tuple[str, ...]
) -> ComparisonResult:
    """The exported result of a verdict with its words; `expectations` are the texts in the task's order.

    Criteria and expectations that do not count are left out. Raises ValueError for a verdict without scores: the
    format has no place for a winner alone.
    """
    if (both := verdict.totals) is None:
        raise ValueError("the verdict has no scores")
    rates = verdict.pass_rates

    def scores(label: Label) -> RubricScores:
        values, total = verdict.assessments[label].scores, both[label]
        return RubricScores(
            content=_of(rubric, Dimension.CONTENT, values),
            structure=_of(rubric, Dimension.STRUCTURE, values),
            content_score=total.content_score,
            structure_score=total.structure_score,
            overall_score=total.overall_score,
        )

    def quality(label: Label) -> OutputQuality:
        return OutputQuality(
            score=both[label].quality_score,
            strengths=prose.strengths[label],
            weaknesses=prose.weaknesses[label],
        )

    def results(label: Label) -> ExpectationResults:
        assert rates is not None
        met = zip(expectations, verdict.assessments[label].expectations, strict=True)
        details = tuple(
            ExpectationDetail(text=text, passed=passed) for text, passed in met if passed is not None
        )
        return ExpectationResults(
            passed=sum(detail.passed for detail in details),
            total=len(details),
            pass_rate=rates[label],
            details=details,
        )

    return ComparisonResult(
        winner=verdict.winner,
        reasoning=prose.reasoning,
        rubric=PerOutput.of(scores),
        output_quality=PerOutput.of(quality),
        expectation_results=None if rates is None else PerOutput.of(results),
    )


def _of(rubric: Rubric, dimension: Dimension, scores: ScoreMap) -> dict[str, Decimal]:
    paths = {criterion.key: path_of(dimension, criterion.key) for criterion in rubric.of(dimension)}
    # The format knows half steps; means of repeated readings lie between them.
    return {key: half_step_mean([scores[path]]) for key, path in paths.items() if path in scores}


def sentence_of(entry: ReviewEntry | None) -> str:
    """Why a reviewer chose the winner, in their words and by the kind of reason; empty where they did not say."""
    return "" if entry is None else "; ".join(part for part in (entry.code, entry.reason.strip()) if part)


def decision_of(verdict: Verdict) -> str:
    """Who is better and by which rule, as a sentence.

    A winner that a reviewer set needs no rule; a tie has none.
    """
    if verdict.winner is Winner.TIE:
        return "Both outputs do the task equally well."
    rule = "" if verdict.decided_by is DecidedBy.REVIEWER else f" ({verdict.decided_by.in_words})"
    return f"Output {verdict.winner} is better{rule}."


def with_the_judges(lead: str, *, judges: str, argues_for: Winner) -> str:
    """The reviewer's sentence or the decision, and after it what the judge wrote for another winner, as the judge's."""
    held = "called it a tie" if argues_for is Winner.TIE else f"preferred output {argues_for.value}"
    return f"{lead}\n\nThe judge {held}: {judges}"
