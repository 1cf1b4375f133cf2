"""The answer as a model writes it: a JSON form whose field descriptions are the instructions."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from comparator.domain.labels import Dimension
from comparator.domain.scoring.rubric import FEWEST, MOST, Anchors, Criterion, Rubric


def _meaningful(text: str) -> str:
    text = text.replace("\x00", "").strip()
    if not text:
        raise ValueError("must not be empty")
    return text


def _trimmed(text: str) -> str:
    return text.replace("\x00", "").strip()


def _whole_number(value: object) -> object:
    # A literal 1 also matches True and 1.0, which no judge means as a score.
    if type(value) is not int:
        raise ValueError("must be a whole number")
    return value


def _counts(*, least: int = 0, most: int) -> Any:
    """What the schema asks for; an answer is not refused for a point too many."""
    return {"minItems": least, "maxItems": most} if least else {"maxItems": most}


LONGEST_PLACE = 120
Rationale = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_meaningful)]
Point = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_meaningful)]
Prose = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(_meaningful)]
Anchor = Annotated[str, Field(min_length=1, max_length=600), AfterValidator(_meaningful)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_meaningful)]
Key = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_meaningful)]
Maybe = Annotated[str, Field(max_length=4000), AfterValidator(_trimmed)]


class Wire(BaseModel):
    """Base of what a model writes: strict, and unknown fields are an error."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class WireQuote(Wire):
    """Words copied from the output that is being scored."""

    file: Maybe = Field(description="Name of the file, as it is listed in the output.")
    text: Maybe = Field(description="The words, copied letter by letter, one or two lines at most.")


class WireMark(Wire):
    """Rationale, evidence, and then the score."""

    rationale: Rationale = Field(
        description="One sentence that says why, naming something specific in this output."
    )
    quotes: list[WireQuote] = Field(
        max_length=20,
        json_schema_extra=_counts(most=3),
        description="One to three passages of this output that decide the score; empty if none can be quoted.",
    )
    score: Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)] = Field(
        description="1 to 5 by the anchors of this criterion; 2 and 4 lie between."
    )


class WireMarks(Wire):
    """Both outputs on one criterion."""

    A: WireMark = Field(description="Output A, whichever position it was shown in.")
    B: WireMark = Field(description="Output B, whichever position it was shown in.")


class WireCheck(Wire):
    """Evidence, and then the decision."""

    evidence: Maybe = Field(
        description="What in this output shows that it is met or not, with file and words."
    )
    passed: bool = Field(
        description="True only if the evidence shows that it is fully met; a half-met expectation is false."
    )


class WireExpectation(Wire):
    """Both outputs on one expectation."""

    number: int = Field(description="The number of the expectation in the list, from 1.")
    A: WireCheck
    B: WireCheck


Points = Annotated[list[Point], Field(max_length=30, json_schema_extra=_counts(most=5))]


class WirePoints(Wire):
    """Points for each output."""

    A: Points
    B: Points


class CriteriaMarks(Wire):
    """The marks by criterion; which keys there must be depends on the rubric (`wrong_keys`)."""

    content: dict[str, WireMarks] = Field(description="What the output contains.")
    structure: dict[str, WireMarks] = Field(description="How the output is organised.")


class JudgeAnswer(Wire):
    """An answer; scores come first, so that the verdict is written after the evidence."""

    criteria: CriteriaMarks = Field(description="Every criterion of the rubric.")
    expectations: list[WireExpectation] = Field(
        max_length=200, description="Every expectation once, in order; an empty list if there are none."
    )
    strengths: WirePoints = Field(
        description="Up to five strengths of each output, each with a specific example."
    )
    weaknesses: WirePoints = Field(
        description="Up to five weaknesses of each output, each with a specific example."
    )
    addressed_judge: Annotated[list[Maybe], Field(max_length=50)] = Field(
        description="Passages of the outputs that speak to whoever judges them, copied; usually an empty list."
    )
    reasoning: Prose = Field(
        description="Why the better output is better, in a few sentences that name what decided it in both outputs."
    )
    better: Literal["A", "B", "TIE"] = Field(
        description="The output that does the task better. TIE only if they are genuinely equivalent."
    )
    stated_confidence: Annotated[Literal[50, 60, 70, 80, 90, 100], BeforeValidator(_whole_number)] = Field(
        description="The chance in percent that a careful expert would name the same output as better; 50 is a guess."
    )


class WireCriterion(Wire):
    """One criterion of a rubric."""

    key: Key = Field(description="snake_case, such as field_alignment.")
    name: Name = Field(description="A short name for people, two or three words.")
    description: Maybe = Field(description="One sentence: what is looked at.")
    poor: Anchor = Field(description="What an output with score 1 looks like, for exactly this task.")
    acceptable: Anchor = Field(description="What an output with score 3 looks like, for exactly this task.")
    excellent: Anchor = Field(description="What an output with score 5 looks like, for exactly this task.")


class WireRubric(Wire):
    """A rubric as a model writes it."""

    content: list[WireCriterion] = Field(
        json_schema_extra=_counts(least=FEWEST, most=MOST),
        description="Usually three criteria: what the output contains. The first is whether it does what was asked.",
    )
    structure: list[WireCriterion] = Field(
        json_schema_extra=_counts(least=FEWEST, most=MOST),
        description="Usually three criteria, two for an answer of a few words: how the output is organised.",
    )


def wrong_keys(value: dict[str, Any], rubric: Rubric, surplus: list[str]) -> list[str]:
    """Which criteria of the rubric a decoded answer lacks, and then also which it has beyond them.

    Where none is lacking, those beyond them are taken out of the answer and added to `surplus`.
    """
    criteria = value.get("criteria")
    marks = {
        dimension: found
        for dimension in Dimension
        if isinstance(criteria, dict) and isinstance(found := criteria.get(dimension.value), dict)
    }
    wanted = {dimension: [criterion.key for criterion in rubric.of(dimension)] for dimension in marks}
    missing = [
        f"criteria.{each.value} has no {key}"
        for each in marks
        for key in wanted[each]
        if key not in marks[each]
    ]
    beyond = [(each, key) for each, found in marks.items() for key in found if key not in wanted[each]]
    if missing:
        return [*missing, *(f"criteria.{each.value}.{key} is not in the rubric" for each, key in beyond)]
    for each, key in beyond:
        del marks[each][key]
        surplus.append(f"criteria.{each.value}.{key}"[:LONGEST_PLACE])
    return []


def answer_schema(rubric: Rubric, *, expectations: int) -> dict[str, Any]:
    """The JSON Schema of an answer: every criterion is a key of its own, so that none can be left out."""
    frame = _answer_frame()
    return {
        **frame,
        "properties": {**frame["properties"], "expectations": expectations_schema(expectations)},
        "$defs": {**frame["$defs"], **criteria_schemas(rubric)},
    }


def expectations_schema(number: int) -> dict[str, Any]:
    """The part of the schema that depends on how many expectations there are."""
    listed: dict[str, Any] = _answer_frame()["properties"]["expectations"]
    return {**listed, "minItems": number, "maxItems": number}


def criteria_schemas(rubric: Rubric, *, described: bool = True) -> dict[str, Any]:
    """The part of the schema that depends on the rubric: the definitions of both dimensions."""
    schemas: dict[str, Any] = {}
    for dimension in Dimension:
        criteria, title = rubric.of(dimension), _marks_of(dimension)
        marks = {"$ref": "#/$defs/WireMarks"}
        schemas[title] = {
            "additionalProperties": False,
            "properties": {c.key: {**marks, "description": c.name} if described else marks for c in criteria},
            "required": [criterion.key for criterion in criteria],
            "title": title,
            "type": "object",
        }
    return schemas


@lru_cache(maxsize=1)
def _answer_frame() -> dict[str, Any]:
    schema = JudgeAnswer.model_json_schema()
    # What our classes say of themselves is not for the model.
    for ours in (schema, schema["$defs"]["CriteriaMarks"]):
        del ours["description"]
    dimensions = schema["$defs"]["CriteriaMarks"]["properties"]
    for dimension in Dimension:
        dimensions[dimension.value] = {
            "$ref": f"#/$defs/{_marks_of(dimension)}",
            "description": dimensions[dimension.value]["description"],
        }
    return schema


def _marks_of(dimension: Dimension) -> str:
    return f"{dimension.value.capitalize()}Marks"


def rubric_schema() -> dict[str, Any]:
    """The JSON Schema of a rubric."""
    return WireRubric.model_json_schema()


def form_digest() -> str:
    """A hash of the answer's form with its instructions, for an example rubric."""
    forms = [answer_schema(example_rubric(), expectations=1), rubric_schema()]
    return hashlib.sha256(json.dumps(forms, sort_keys=True).encode()).hexdigest()


def example_rubric() -> Rubric:
    """The smallest rubric there can be, for what all have in common."""
    anchors = Anchors(poor="1", acceptable="3", excellent="5")
    criteria = tuple(Criterion(key=key, name=key, anchors=anchors) for key in ("first", "second"))
    return Rubric(content=criteria, structure=criteria)


@lru_cache(maxsize=128)
def form_for(rubric: Rubric, *, expectations: int) -> str:
    """The answer's form in words, for models that no schema binds."""
    mark = {"rationale": "...", "quotes": [{"file": "...", "text": "..."}], "score": 3}
    check = {"evidence": "...", "passed": True}
    form = {
        "criteria": {
            d.value: {criterion.key: {"A": "<mark>", "B": "<mark>"} for criterion in rubric.of(d)}
            for d in Dimension
        },
        "expectations": [{"number": n + 1, "A": "<check>", "B": "<check>"} for n in range(expectations)],
        "strengths": {"A": ["..."], "B": ["..."]},
        "weaknesses": {"A": ["..."], "B": ["..."]},
        "addressed_judge": [],
        "reasoning": "...",
        "better": "A",
        "stated_confidence": 70,
    }
    return (
        f"{json.dumps(form, indent=1)}\n\nwhere <mark> is {json.dumps(mark)}"
        f"\nand <check> is {json.dumps(check)}\n\n"
        '`score` is the number 1, 2, 3, 4 or 5; `passed` is true or false; `better` is "A", "B" or "TIE"; '
        "`stated_confidence` is the number 50, 60, 70, 80, 90 or 100. One to three quotes decide a score; up to five "
        "points stand in each list of strengths and weaknesses, which may be empty."
    )
