"""The strict way back from a model's raw text to the domain: finds the JSON, validates it, looks the quotes up."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from operator import getitem
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from comparator.domain.labels import Dimension, Label, PerOutput, Winner
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric, path_of
from comparator.judges.model.answer_form import (
    JudgeAnswer,
    WireCriterion,
    WireMark,
    WireRubric,
    answer_form,
)
from comparator.judges.quotes import QuoteIndex

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")

LONGEST_ANSWER = 600_000
"""Characters of a raw answer beyond which it is not even parsed."""
MOST_PROBLEMS = 12
_SAME = "The outputs are identical, byte for byte, so they tie; the judge did not compare them."
_MOST_STARTS = 40
_LONGEST_PROBLEM = 1000
_LONGEST_PLACE = 120


class Unusable(Exception):
    """An answer cannot be used; the message lists the problems, one per line, for the repair request."""


def read_answer(text: str, rubric: Rubric, pair: BlindedPair) -> Answer:
    """The validated answer, its quotes looked up in the views. Raises Unusable with everything that is wrong.

    Of identical outputs only one was read: both get its marks, and they tie.
    """
    surplus: list[str] = []
    wanted = len(pair.task.expectations)
    wire = validated(answer_form(rubric, expectations=wanted, labels=pair.shown), text, surplus)
    numbers = sorted(expectation.number for expectation in wire.expectations)
    if numbers != list(range(1, wanted + 1)):
        raise Unusable(
            f"expectations: {wanted} are wanted, numbered 1 to {wanted}, each once; the answer has {numbers[:50]}"
            if wanted
            else f"expectations: there are none, so the list must be empty; the answer has {len(numbers)}"
        )
    indexes = pair.outputs.map(QuoteIndex)

    def both(each: Any, of: Callable[[Label, Any], V]) -> PerOutput[V]:
        return PerOutput[V](A=of(Label.A, each.A), B=of(Label.B, getattr(each, "B", each.A)))

    def mark(label: Label, given: WireMark) -> Mark:
        quotes = tuple(indexes[label].find(quote.file, quote.text) for quote in given.quotes if quote.text)
        return Mark(score=given.score, rationale=given.rationale, quotes=tuple(dict.fromkeys(quotes)))

    return Answer(
        criteria={
            path_of(dimension, criterion.key): both(
                getattr(getattr(wire.criteria, dimension.value), f"criterion_{n}"), mark
            )
            for dimension in Dimension
            for n, criterion in enumerate(rubric.of(dimension))
        },
        expectations=tuple(
            both(each, lambda _, check: ExpectationMark(passed=check.passed, evidence=check.evidence))
            for each in sorted(wire.expectations, key=lambda each: each.number)
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
    wire = validated(WireRubric, text)
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


def validated(form: type[M], text: str, surplus: list[str] | None = None) -> M:
    """The object in an answer's text in this form. Raises Unusable with all that is wrong.

    Keys that nobody asked for are left out, and named in `surplus`.
    """
    first = next(iter(form.model_fields))
    value = _object_in(text, marker=first)
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
            case "missing", (*way, ("A" | "B") as label):
                lines.append(f"{_place(way)} has nothing for {label}")
            case "missing", (*way, ("A" | "B") as label, key):
                lines.append(f"{_place(way)} has no {key} for {label}")
            case "missing", (*way, key):
                lines.append(f"{_place(way)} has no {key}")
            case "extra_forbidden", place:
                lines.append(f"{_place(place)} is not part of the form")
            case _, place:
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
            found: dict[str, Any] = value
            return found
    raise Unusable(problem or f"the answer is no JSON object with {marker!r}")


def _syntax(error: ValueError, text: str) -> str:
    if isinstance(error, json.JSONDecodeError):
        if error.pos >= len(text.rstrip()) - 1 or _UNCLOSED.match(text, error.pos):
            return "the JSON is cut off: it ends in the middle"
        around = text[max(0, error.pos - 20) : error.pos + 20]
        return f"the JSON is broken at character {error.pos}: {error.msg}, near {around!r}"
    return f"the JSON cannot be read: {str(error)[:200]}"
