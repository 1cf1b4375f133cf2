"""The strict way back from a model's raw text to the domain: finds the JSON, validates it, looks the quotes up."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import getitem
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from comparator.domain.labels import Dimension, PerOutput, Winner
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric, path_of
from comparator.judges.model.answer_form import (
    LONGEST_PLACE,
    JudgeAnswer,
    WireCriterion,
    WireExpectation,
    WireMark,
    WireMarks,
    WirePoints,
    WireRubric,
    wrong_keys,
)
from comparator.judges.quotes import QuoteIndex

M = TypeVar("M", bound=BaseModel)

LONGEST_ANSWER = 600_000
"""Characters of a raw answer beyond which it is not even parsed."""
MOST_PROBLEMS = 12
_MOST_STARTS = 40
_LONGEST_PROBLEM = 1000


class Unusable(Exception):
    """An answer cannot be used; the message lists the problems, one per line, for the repair request."""


def read_answer(text: str, rubric: Rubric, pair: BlindedPair, *, clean: Callable[[str], str] = str) -> Answer:
    """The validated answer, its quotes looked up in the views. Raises Unusable with everything that is wrong.

    `clean` takes secrets out of every decoded string; in the raw text they can hide behind escapes.
    """
    surplus: list[str] = []
    wire = validated(
        JudgeAnswer,
        text,
        marker="criteria",
        clean=clean,
        more=lambda value: wrong_keys(value, rubric, surplus),
        surplus=surplus,
    )
    _check_numbers(wire.expectations, len(pair.task.expectations))
    indexes = pair.outputs.map(QuoteIndex)
    criteria: dict[str, PerOutput[Mark]] = {}
    for dimension in Dimension:
        marks: dict[str, WireMarks] = getattr(wire.criteria, dimension.value)
        for criterion in rubric.of(dimension):
            both = marks[criterion.key]
            criteria[path_of(dimension, criterion.key)] = PerOutput[Mark](
                A=_mark(both.A, indexes.A), B=_mark(both.B, indexes.B)
            )
    ordered = sorted(wire.expectations, key=lambda expectation: expectation.number)
    return Answer(
        criteria=criteria,
        expectations=tuple(
            PerOutput[ExpectationMark](
                A=ExpectationMark(passed=e.A.passed, evidence=e.A.evidence),
                B=ExpectationMark(passed=e.B.passed, evidence=e.B.evidence),
            )
            for e in ordered
        ),
        strengths=_points(wire.strengths),
        weaknesses=_points(wire.weaknesses),
        better=Winner(wire.better),
        reasoning=wire.reasoning,
        stated_confidence=wire.stated_confidence,
        addressed_judge=tuple(passage for passage in wire.addressed_judge if passage),
        surplus=tuple(surplus),
    )


def read_rubric(text: str, *, clean: Callable[[str], str] = str) -> Rubric:
    """The validated rubric, its strings cleaned. Raises Unusable with all that is wrong."""
    wire = validated(WireRubric, text, marker="content", clean=clean)
    try:
        return Rubric(
            content=tuple(map(_criterion, wire.content)), structure=tuple(map(_criterion, wire.structure))
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


def _mark(wire: WireMark, index: QuoteIndex) -> Mark:
    quotes = tuple(index.find(quote.file, quote.text) for quote in wire.quotes if quote.text)
    return Mark(score=wire.score, rationale=wire.rationale, quotes=tuple(dict.fromkeys(quotes)))


def _points(wire: WirePoints) -> PerOutput[tuple[str, ...]]:
    return PerOutput[tuple[str, ...]](A=tuple(wire.A), B=tuple(wire.B))


def _check_numbers(given: list[WireExpectation], wanted: int) -> None:
    numbers = sorted(expectation.number for expectation in given)
    if numbers != list(range(1, wanted + 1)):
        raise Unusable(
            f"expectations: {wanted} are wanted, numbered 1 to {wanted}, each once; the answer has {numbers[:50]}"
            if wanted
            else f"expectations: there are none, so the list must be empty; the answer has {len(numbers)}"
        )


def validated(
    model: type[M],
    text: str,
    *,
    marker: str,
    clean: Callable[[str], str],
    more: Callable[[dict[str, Any]], Iterable[str]] = lambda _: (),
    surplus: list[str] | None = None,
) -> M:
    """The object in an answer's text as this model, secrets taken out. Raises Unusable with all that is wrong.

    Keys that nobody asked for are left out, and named in `surplus`.
    """
    try:
        value = _object_in(text, marker=marker)
    except Unusable as unusable:
        # Cleaned before it is cut: half a key is no longer recognised.
        raise Unusable(clean(str(unusable))[:_LONGEST_PROBLEM]) from None
    problems: list[str] = []
    try:
        together = "\n".join(_strings(value, []))
        value = value if clean(together) == together else _cleaned(value, clean)
        problems.extend(more(value))
        found, left_out = _without_surplus(model, value)
        if surplus is not None:
            surplus.extend(left_out)
    except ValidationError as error:
        raise Unusable(_problems(error, before=problems)) from error
    except RecursionError as error:
        raise Unusable("the JSON is nested too deeply") from error
    if problems:
        raise Unusable(_listed(problems))
    return found


def _without_surplus(model: type[M], value: dict[str, Any]) -> tuple[M, list[str]]:
    """The value as this model, and the places of its keys that the model does not have. Raises ValidationError."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        if any(problem["type"] != "extra_forbidden" for problem in problems):
            raise
    for problem in problems:
        *way, key = problem["loc"]
        reduce(getitem, way, value).pop(key)  # type: ignore[arg-type]  # dictionaries and lists all the way
    return model.model_validate(value), [_place(problem["loc"])[:LONGEST_PLACE] for problem in problems]


def _strings(value: Any, found: list[str]) -> list[str]:
    """Adds every string of a decoded answer to those found, keys included."""
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, list):
        for item in value:
            _strings(item, found)
    elif isinstance(value, dict):
        found.extend(value)
        for item in value.values():
            _strings(item, found)
    return found


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item, clean) for item in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(item, clean) for key, item in value.items()}
    return value


def _problems(error: ValidationError, *, before: Iterable[str] = ()) -> str:
    lines = list(before)
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
    return _listed(lines)


def _place(way: Iterable[object]) -> str:
    """Where something stands, as people say it: rows count from 1."""
    parts = "".join(f", row {part + 1}, " if isinstance(part, int) else f"{part}." for part in way)
    return re.sub(r"\.(?=,|$)", "", parts.removesuffix(", ")) or "the answer"


def _listed(problems: list[str]) -> str:
    more = len(problems) - MOST_PROBLEMS
    shown = problems[:MOST_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
    return "\n".join(f"- {problem[:_LONGEST_PROBLEM]}" for problem in shown)


class _DuplicateKey(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        double = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _DuplicateKey(f"the key {double!r} stands twice in the same object")
    return seen


def _constant(name: str) -> Any:
    raise _DuplicateKey(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_UNCLOSED = re.compile(r'"(?:[^"\\]|\\.)*\\?\Z', re.DOTALL)
"""A string that goes on to the end of the text."""


def _object_in(text: str, *, marker: str) -> dict[str, Any]:
    """The JSON object of an answer: the whole text, a fenced part of it, or an object amid prose."""
    if len(text) > LONGEST_ANSWER:
        raise Unusable(f"the answer has {len(text)} characters; at most {LONGEST_ANSWER} are read")
    if "{" not in text:
        raise Unusable("the answer contains no JSON object" if text.strip() else "the answer is empty")
    first_problem = ""
    for candidate in _candidates(text):
        try:
            value, _ = _DECODER.raw_decode(candidate)
        except _DuplicateKey as error:
            raise Unusable(str(error)) from error
        except RecursionError as error:
            raise Unusable("the JSON is nested too deeply") from error
        except ValueError as error:
            first_problem = first_problem or _syntax(error, candidate)
            continue
        if isinstance(value, dict) and marker in value:
            return value
    raise Unusable(first_problem or f"the answer is no JSON object with {marker!r}")


def _candidates(text: str) -> Iterator[str]:
    stripped = text.strip()
    if stripped.startswith("{"):
        yield stripped
    for match in _FENCED.finditer(text):
        inner = match.group(1).strip()
        if inner.startswith("{"):
            yield inner
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        yield text[start:]
        start = text.find("{", start + 1)


def _syntax(error: ValueError, text: str) -> str:
    if isinstance(error, json.JSONDecodeError):
        if error.pos >= len(text.rstrip()) - 1 or _UNCLOSED.match(text, error.pos):
            return "the JSON is cut off: it ends in the middle"
        around = text[max(0, error.pos - 20) : error.pos + 20]
        return f"the JSON is broken at character {error.pos}: {error.msg}, near {around!r}"
    return f"the JSON cannot be read: {str(error)[:200]}"
