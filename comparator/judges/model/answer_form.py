"""The answer as a model writes it: a JSON form whose field descriptions add to the prompts and repeat nothing."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.rubric import FEWEST, MOST, Anchors, Criterion, Rubric
from comparator.judges.prompts import bare


def _text(most: int, *, least: int = 1) -> AfterValidator:
    """A text without white space around it. Its limits are checked, not told: each would cost words in every form."""

    def checked(text: str) -> str:
        text = text.replace("\x00", "").strip()
        # Half a surrogate pair is an error of value, too, and no such text can be stored.
        text.encode()
        if len(text) < least:
            raise ValueError("must not be empty")
        if len(text) > most:
            raise ValueError(f"has {len(text):,} characters; {most:,} are allowed")
        return text

    return AfterValidator(checked)


def _few(most: int) -> AfterValidator:
    """A list whose wanted length the prompt tells; an answer is not refused for a point too many."""

    def checked(values: list[Any]) -> list[Any]:
        if len(values) > most:
            raise ValueError(f"has {len(values):,} entries; {most} are allowed")
        return values

    return AfterValidator(checked)


def _whole_number(value: object) -> object:
    # A literal 1 also matches True and 1.0, which no judge means as a score.
    if type(value) is not int:
        raise ValueError("must be a whole number")
    return value


Rationale = Annotated[str, _text(4000)]
Point = Annotated[str, _text(2000)]
Prose = Annotated[str, _text(20_000)]
Anchor = Annotated[str, _text(600)]
Name = Annotated[str, _text(80)]
Key = Annotated[str, _text(60)]
Maybe = Annotated[str, _text(4000, least=0)]


class Wire(BaseModel):
    """Base of what a model writes: strict, and unknown fields are an error."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class WireNotes(Wire):
    """Observations on one output, up to five of each kind, each with an example from it."""

    strengths: Annotated[list[Point], _few(30)]
    weaknesses: Annotated[list[Point], _few(30)]


class WireQuote(Wire):
    """A passage of the output that is being scored."""

    file: Maybe
    text: Maybe


class WireMark(Wire):
    """One output on one criterion."""

    rationale: Rationale = Field(description="One sentence that names something specific.")
    quotes: Annotated[list[WireQuote], _few(20)] = Field(description="One to three that decide the score.")
    score: Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)]


class WireCheck(Wire):
    """One output on one expectation."""

    evidence: Maybe = Field(description="What shows whether it is met, with file and words.")
    passed: bool


class OneAnswer(Wire):
    """What all answers have in common: each output by itself, then the scores, then the words."""

    notes: Any
    criteria: Any
    expectations: Any
    addressed_judge: Annotated[list[Maybe], _few(50)] = Field(description="Usually empty.")
    reasoning: Prose = Field(description="A few sentences that name what decided the scores.")


class JudgeAnswer(OneAnswer):
    """An answer about two outputs that differ."""

    better: Literal["A", "B", "TIE"]
    stated_confidence: Annotated[Literal[50, 60, 70, 80, 90, 100], BeforeValidator(_whole_number)] = Field(
        description="The chance in percent that a careful expert would name the same output; 50 is a guess."
    )


class WireCriterion(Wire):
    """One criterion of a rubric."""

    key: Key
    name: Name
    description: Maybe
    poor: Anchor
    acceptable: Anchor
    excellent: Anchor


class WireRubric(Wire):
    """A rubric as a model writes it; its prompt says what belongs in each field."""

    content: list[WireCriterion] = Field(json_schema_extra={"minItems": FEWEST, "maxItems": MOST})
    structure: list[WireCriterion] = Field(json_schema_extra={"minItems": FEWEST, "maxItems": MOST})
    right_answer: Annotated[str, _text(600, least=0)] = ""


@lru_cache(maxsize=256)
def answer_form(
    rubric: Rubric, *, expectations: int, labels: tuple[Label, ...] = tuple(Label)
) -> type[OneAnswer]:
    """An answer to one rubric: every criterion is a key of its own, so that none can be left out.

    With one label it is about two outputs that are the same: it asks for that one only, and for no winner.
    """

    def each(name: str, form: type[Wire], **more: Any) -> Any:
        more |= {label.value: (form, ...) for label in labels}
        return create_model(name, __base__=Wire, **more)

    marked, dimensions = each("Marks", WireMark), dict[str, Any]()
    for dimension in Dimension:
        # By position: a criterion may be called what no field may.
        marks: dict[str, Any] = {
            f"criterion_{n}": (marked, Field(alias=criterion.key))
            for n, criterion in enumerate(rubric.of(dimension))
        }
        dimensions[dimension.value] = (
            create_model(f"{dimension.value.capitalize()}Marks", __base__=Wire, **marks), ...
        )  # fmt: skip
    expectation = each("Expectation", WireCheck, number=(int, Field(description="Its number in the list.")))
    return create_model(
        "JudgeAnswer",
        __base__=JudgeAnswer if len(labels) > 1 else OneAnswer,
        notes=(each("Notes", WireNotes), ...),
        criteria=(create_model("CriteriaMarks", __base__=Wire, **dimensions), ...),
        expectations=(
            list[expectation],  # type: ignore[valid-type]  # made just now
            Field(
                json_schema_extra={"minItems": expectations, "maxItems": expectations},
                description="Each once, in order.",
            ),
        ),
    )


@lru_cache(maxsize=256)
def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """A form as the API takes it."""
    from anthropic import transform_schema  # See make_client.

    return {"type": "json_schema", "schema": transform_schema(bare(form.model_json_schema()))}


def form_digest() -> str:
    """A hash of the forms with their instructions, for the smallest rubric there can be."""
    anchors = Anchors(poor="1", acceptable="3", excellent="5")
    criteria = (Criterion(key="first", name="first", anchors=anchors),)
    smallest = answer_form(Rubric(content=criteria, structure=criteria), expectations=1)
    forms = [form.model_json_schema() for form in (smallest, WireRubric)]
    return hashlib.sha256(json.dumps(forms, sort_keys=True).encode()).hexdigest()


def in_words(form: type[BaseModel]) -> str:
    """The form for a model that no schema binds: the schema itself."""
    schema = json.dumps(bare(form.model_json_schema()), ensure_ascii=False)
    return f"One JSON object by this JSON schema, with every key and no others:\n\n{schema}"
