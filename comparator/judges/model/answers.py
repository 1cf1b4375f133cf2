"""The form of an answer, and the strict way back from a model's raw text to the domain, quotes looked up."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from operator import getitem
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
)

from comparator.domain.labels import Dimension, Label, PerOutput, Winner
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import FEWEST, MOST, Anchors, Criterion, Rubric, path_of
from comparator.judges.prompts import bare
from comparator.judges.quotes import QuoteIndex


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


class Told(Wire):
    """Base of what is the same in all answers: a field's docstring is told to the model."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class WireNotes(Wire):
    """Observations on one output, up to five of each kind, each with an example from it."""

    strengths: Annotated[list[Point], _few(30)]
    weaknesses: Annotated[list[Point], _few(30)]


class WireQuote(Wire):
    """A passage of the output that is being scored."""

    file: Maybe
    text: Maybe


class WireMark(Told):
    """One output on one criterion."""

    rationale: Rationale
    """One sentence that names something specific."""
    quotes: Annotated[list[WireQuote], _few(20)]
    """One to three that decide the score."""
    score: Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)]


class WireCheck(Told):
    """One output on one expectation."""

    evidence: Maybe
    """What shows whether it is met, with file and words."""
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

    def model(name: str, form: type[Wire], **more: Any) -> Any:
        more |= {label.value: (form, ...) for label in labels}
        return create_model(name, __base__=Wire, **more)

    marked, dimensions = model("Marks", WireMark), dict[str, Any]()
    for dimension in Dimension:
        # By position: a criterion may be called what no field may.
        marks: dict[str, Any] = {
            f"criterion_{n}": (marked, Field(alias=criterion.key))
            for n, criterion in enumerate(rubric.of(dimension))
        }
        dimensions[dimension.value] = (
            create_model(f"{dimension.value.capitalize()}Marks", __base__=Wire, **marks), ...
        )  # fmt: skip
    expectation = model("Expectation", WireCheck, number=(int, Field(description="Its number in the list.")))
    return create_model(
        "JudgeAnswer",
        __base__=JudgeAnswer if len(labels) > 1 else OneAnswer,
        notes=(model("Notes", WireNotes), ...),
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


M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")

LONGEST_ANSWER = 600_000
"""Characters of a raw answer beyond which it is not even parsed."""
MOST_PROBLEMS = 12
_SAME = "The outputs are identical, byte for byte, so they tie; the judge did not compare them."
_MOST_STARTS = 40
_LONGEST_PROBLEM, _LONGEST_PLACE = 1000, 120


class Unusable(Exception):
    """An answer cannot be used; the message lists the problems, one per line, for the repair request."""


def read_answer(text: str, rubric: Rubric, pair: BlindedPair) -> Answer:
    """The validated answer, its quotes looked up in the views. Raises Unusable with everything that is wrong.

    Of identical outputs only one was read: both get its marks, and they tie.
    """
    surplus: list[str] = []
    count = len(pair.task.expectations)
    wire = validate(answer_form(rubric, expectations=count, labels=pair.shown_labels), text, surplus)
    numbers = sorted(expectation.number for expectation in wire.expectations)
    if numbers != list(range(1, count + 1)):
        raise Unusable(
            f"expectations: {count} are wanted, numbered 1 to {count}, each once; the answer has {numbers[:50]}"
            if count
            else f"expectations: there are none, so the list must be empty; the answer has {len(numbers)}"
        )
    indexes = pair.outputs.map(QuoteIndex)

    def both(item: Any, of: Callable[[Label, Any], V]) -> PerOutput[V]:
        return PerOutput.of(lambda label: of(label, getattr(item, label.value, item.A)))

    def mark(label: Label, given: WireMark) -> Mark:
        quotes = tuple(indexes[label].find(quote.file, quote.text) for quote in given.quotes if quote.text)
        return Mark(score=given.score, rationale=given.rationale, quotes=tuple(dict.fromkeys(quotes)))

    return Answer(
        criteria={
            path_of(dimension, criterion.key): both(
                getattr(getattr(wire.criteria, dimension), f"criterion_{n}"), mark
            )
            for dimension in Dimension
            for n, criterion in enumerate(rubric.of(dimension))
        },
        expectations=tuple(
            both(expectation, lambda _, check: ExpectationMark(passed=check.passed, evidence=check.evidence))
            for expectation in sorted(wire.expectations, key=lambda expectation: expectation.number)
        ),
        strengths=both(wire.notes, lambda _, notes: tuple(notes.strengths)),
        weaknesses=both(wire.notes, lambda _, notes: tuple(notes.weaknesses)),
        better=Winner(wire.better) if isinstance(wire, JudgeAnswer) else Winner.TIE,
        reasoning=wire.reasoning if isinstance(wire, JudgeAnswer) else f"{_SAME} {wire.reasoning}",
        stated_confidence=wire.stated_confidence if isinstance(wire, JudgeAnswer) else 100,
        addressed_judge=tuple(passage for passage in wire.addressed_judge if passage),
        surplus=tuple(surplus),
    )


def read_rubric(text: str) -> Rubric:
    """The validated rubric. Raises Unusable with all that is wrong."""
    wire = validate(WireRubric, text)
    try:
        return Rubric(
            content=tuple(map(_criterion, wire.content)),
            structure=tuple(map(_criterion, wire.structure)),
            right_answer=wire.right_answer,
        )
    except ValidationError as error:
        raise Unusable(_problems(error)) from error


def _criterion(wire: WireCriterion) -> Criterion:
    key = re.sub(r"[^a-z0-9]+", "_", wire.key.lower()).strip("_")
    return Criterion(
        key=key,
        name=wire.name,
        description=wire.description,
        anchors=Anchors(poor=wire.poor, acceptable=wire.acceptable, excellent=wire.excellent),
    )


def validate(form: type[M], text: str, surplus: list[str] | None = None) -> M:
    """The object in an answer's text in this form. Raises Unusable with all that is wrong.

    Keys that nobody asked for are left out, and named in `surplus`.
    """
    value = _object_in(text, marker=next(iter(form.model_fields)))
    try:
        return form.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        if any(problem["type"] != "extra_forbidden" for problem in problems):
            raise Unusable(_problems(error)) from error
    except RecursionError as error:
        raise Unusable("the JSON is nested too deeply") from error
    for problem in problems:
        *way, key = problem["loc"]
        reduce(getitem, way, value).pop(key)  # type: ignore[arg-type]  # dictionaries and lists all the way
        if surplus is not None:
            surplus.append(_place(problem["loc"])[:_LONGEST_PLACE])
    return form.model_validate(value)


def _problems(error: ValidationError) -> str:
    lines = []
    for problem in error.errors(include_url=False, include_context=False):
        match problem["type"], problem["loc"]:
            case ["missing", (*way, ("A" | "B") as label)]:
                lines.append(f"{_place(way)} has nothing for {label}")
            case ["missing", (*way, ("A" | "B") as label, key)]:
                lines.append(f"{_place(way)} has no {key} for {label}")
            case ["missing", (*way, key)]:
                lines.append(f"{_place(way)} has no {key}")
            case ["extra_forbidden", place]:
                lines.append(f"{_place(place)} is not part of the form")
            case [_, place]:
                lines.append(f"{_place(place)}: {problem['msg']} (it was {str(problem['input'])[:60]!r})")
    if (more := len(lines) - MOST_PROBLEMS) > 0:
        lines[MOST_PROBLEMS:] = [f"and {more} more"]
    return "\n".join(f"- {line[:_LONGEST_PROBLEM]}" for line in lines)


def _place(way: Iterable[object]) -> str:
    """Where something stands, as people say it: rows count from 1."""
    parts = "".join(f", row {part + 1}, " if isinstance(part, int) else f"{part}." for part in way)
    return re.sub(r"\.(?=,|$)", "", parts.removesuffix(", ")) or "the answer"


class _Ambiguous(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        double = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _Ambiguous(f"the key {double[:_LONGEST_PLACE]!r} stands twice in the same object")
    return seen


def _constant(name: str) -> Any:
    raise _Ambiguous(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
_UNCLOSED = re.compile(r'"(?:[^"\\]|\\.)*\\?\Z', re.DOTALL)
"""A string that goes on to the end of the text."""


def _object_in(text: str, *, marker: str) -> dict[str, Any]:
    """The JSON object of an answer: the first one with this key, amid whatever prose or fences."""
    if len(text) > LONGEST_ANSWER:
        raise Unusable(f"the answer has {len(text)} characters; at most {LONGEST_ANSWER} are read")
    if "{" not in text:
        raise Unusable("the answer contains no JSON object" if text.strip() else "the answer is empty")
    problem, start = "", -1
    for _ in range(_MOST_STARTS):
        if (start := text.find("{", start + 1)) < 0:
            break
        try:
            value, _end = _DECODER.raw_decode(text, start)
        except _Ambiguous as error:
            raise Unusable(str(error)) from error
        except RecursionError as error:
            raise Unusable("the JSON is nested too deeply") from error
        except ValueError as error:
            problem = problem or _syntax(error, text)
            continue
        if marker in value:
            answer: dict[str, Any] = value
            return answer
    raise Unusable(problem or f"the answer is no JSON object with {marker!r}")


def _syntax(error: ValueError, text: str) -> str:
    if isinstance(error, json.JSONDecodeError):
        if error.pos >= len(text.rstrip()) - 1 or _UNCLOSED.match(text, error.pos):
            return "the JSON is cut off: it ends in the middle"
        around = text[max(0, error.pos - 20) : error.pos + 20]
        return f"the JSON is broken at character {error.pos}: {error.msg}, near {around!r}"
    return f"the JSON cannot be read: {str(error)[:200]}"
