"""The answer as a model writes it: a JSON form whose field descriptions are the instructions."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from comparator.domain.labels import Dimension
from comparator.domain.scoring.rubric import FEWEST, MOST, Anchors, Criterion, Rubric


def _trimmed(text: str) -> str:
    return text.replace("\x00", "").strip()


def _meaningful(text: str) -> str:
    if not (text := _trimmed(text)):
        raise ValueError("must not be empty")
    return text


def _whole_number(value: object) -> object:
    # A literal 1 also matches True and 1.0, which no judge means as a score.
    if type(value) is not int:
        raise ValueError("must be a whole number")
    return value


def _counts(*, least: int = 0, most: int) -> Any:
    """What the schema asks for; an answer is not refused for a point too many."""
    return {"minItems": least, "maxItems": most} if least else {"maxItems": most}


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


class JudgeAnswer(Wire):
    """What all answers have in common; scores come first, so that the verdict is written after the evidence."""

    criteria: Any
    expectations: list[WireExpectation]
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


@lru_cache(maxsize=256)
def answer_form(rubric: Rubric, *, expectations: int) -> type[JudgeAnswer]:
    """An answer to one rubric: every criterion is a key of its own, so that none can be left out."""
    dimensions: dict[str, Any] = {}
    for dimension in Dimension:
        # By position: a criterion may be called what no field may.
        marks: dict[str, Any] = {
            f"criterion_{n}": (WireMarks, Field(alias=criterion.key))
            for n, criterion in enumerate(rubric.of(dimension))
        }
        form = create_model(f"{dimension.value.capitalize()}Marks", __base__=Wire, **marks)
        what = (
            "What the output contains." if dimension is Dimension.CONTENT else "How the output is organised."
        )
        dimensions[dimension.value] = (form, Field(description=what))
    return create_model(
        "JudgeAnswer",
        __base__=JudgeAnswer,
        criteria=(
            create_model("CriteriaMarks", __base__=Wire, **dimensions),
            Field(description="Every criterion of the rubric."),
        ),
        expectations=(
            list[WireExpectation],
            Field(
                json_schema_extra=_counts(least=expectations, most=expectations),
                description="Every expectation once, in order; an empty list if there are none.",
            ),
        ),
    )


@lru_cache(maxsize=256)
def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """A form as the API takes it."""
    from anthropic import transform_schema  # See make_client.

    return {"type": "json_schema", "schema": transform_schema(form.model_json_schema())}


def form_digest() -> str:
    """A hash of the forms with their instructions, for the smallest rubric there can be."""
    anchors = Anchors(poor="1", acceptable="3", excellent="5")
    criteria = (Criterion(key="first", name="first", anchors=anchors),)
    smallest = answer_form(Rubric(content=criteria, structure=criteria), expectations=1)
    forms = [form.model_json_schema() for form in (smallest, WireRubric)]
    return hashlib.sha256(json.dumps(forms, sort_keys=True).encode()).hexdigest()


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
