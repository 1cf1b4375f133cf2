"""What a grader says of an output: promptfoo's assertions in sentences, the claims of any grading, and its result."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from comparator.interop.imported import GraderClaim
from comparator.interop.text import at, count_in, kind_of, number_in, part

CHOICES = ("select-best", "max-score")
"""promptfoo's assertions that choose one output of a test, which is a verdict on pairs and no expectation."""
_JUDGED = ("llm-rubric", "g-eval", "model-graded-closedqa", "model-graded-factuality", "factuality")
"""Their value says in words what a model was to check."""
_PREDICATES = {
    "equals": ("equals", "does not equal"),
    "contains": ("contains", "does not contain"),
    "contains-all": ("contains all of", "does not contain all of"),
    "contains-any": ("contains at least one of", "contains none of"),
    "starts-with": ("starts with", "does not start with"),
    "regex": ("matches the regular expression", "does not match the regular expression"),
    "is-json": ("is valid JSON", "is not valid JSON"),
    "contains-json": ("contains valid JSON", "does not contain valid JSON"),
}
"""What each kind of assertion says of an output, and what it says negated."""
_LONGEST = 2_000
_VARIABLE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")

_MARKS = ("passed", "met", "pass", "satisfied", "result", "success", "status", "verdict", "grade", "outcome")
_MET = frozenset({"true", "yes", "pass", "passed", "met", "1", "ok", "satisfied", "✅", "✓", "✔", "✔️"})
_NOT_MET = frozenset(
    {"false", "no", "fail", "failed", "not met", "unmet", "0", "not satisfied", "❌", "✗", "✘", "✖"}
)
_LISTS = ("expectations", "assertions", "assertion_results")
_TEXTS = ("text", "expectation", "assertion", "description", "name")


class Assertion(NamedTuple):
    """One assertion: its type, and its sentence; empty where the text alone does not tell whether it holds."""

    kind: str
    sentence: str


class Grade(NamedTuple):
    """A grader's result: `rate` is the share that passed, 0 to 1, of `total` where that is told."""

    author: str
    rate: Fraction
    passed: int | None
    total: int | None


# ---- promptfoo's assertions


def assertions_in(test: Any, variables: Mapping[str, Any]) -> Iterator[Assertion]:
    """All assertions of a test with its variables put in, those of sets among them; a person's mark is none."""
    for assertion in part(test, "assert", list):
        if not isinstance(assertion, dict):
            yield Assertion("unknown", "")
        elif assertion.get("type") == "assert-set":
            yield from assertions_in(assertion, variables)
        elif assertion.get("type") != "human":
            yield Assertion(str(assertion.get("type", "")) or "unknown", _sentence(assertion, variables))


def _sentence(assertion: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    kind, value = str(assertion.get("type", "")), _fill(assertion.get("value"), variables)
    negated, kind = kind.startswith("not-"), kind.removeprefix("not-")
    if kind in _JUDGED:
        text = value.strip() if isinstance(value, str) else ""
        if "factuality" in kind and text:
            text = f"The facts agree with “{text}”"
        return f"This does not hold: {text}" if text and negated else text
    plain = re.sub("^icontains", "contains", kind)
    if (predicates := _PREDICATES.get(plain)) is None:
        return ""
    sentence = f"The output {predicates[negated]}"
    if plain.endswith("json"):
        sentence += (
            f" that follows the schema {_quote(value)}" if isinstance(value, dict) and not negated else ""
        )
    else:
        if plain.endswith(("-all", "-any")) and isinstance(value, str):
            value = [*filter(None, map(str.strip, value.split(",")))]
        words = value if isinstance(value, list) else [value]
        if not words or value is None:
            return ""
        sentence += f" {', '.join(map(_quote, words))}"
    return (sentence if plain == kind else f"{sentence}, ignoring case")[:_LONGEST]


def _quote(value: Any) -> str:
    return f"“{_as_text(value)}”"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _fill(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with the test's variables in place of their names; other templates stay as they are."""
    if isinstance(value, list):
        return [_fill(entry, variables) for entry in value]
    if not isinstance(value, str):
        return value
    return _VARIABLE.sub(
        lambda match: match[0] if variables.get(match[1]) is None else _as_text(variables[match[1]]), value
    )


# ---- claims


def components_of(grading: Any) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """The results of promptfoo's assertions: type, what was found, and the assertion."""
    for component in part(grading, "componentResults", list):
        if isinstance(component, dict):
            yield str(at(component, "assertion.type") or ""), component, component.get("assertion")


def claims_in(grading: Any) -> tuple[GraderClaim, ...]:
    """What a grading, of any format, says of each expectation; metadata and evals say what is expected alone."""
    if not isinstance(grading, dict):
        return ()
    claims = [
        GraderClaim(
            text=text,
            passed=component["pass"] if isinstance(component.get("pass"), bool) else None,
            evidence=word_in(component, "reason"),
        )
        for kind, component, assertion in components_of(grading)
        if kind not in CHOICES and isinstance(assertion, dict)
        if (text := _sentence(assertion, {}).strip() or word_in(assertion, "value"))
    ]
    lists = ([claim for entry in _entries(grading.get(name)) if (claim := _claim(entry))] for name in _LISTS)
    return tuple(claims or next(filter(None, lists), ()))


def texts_of(document: dict[str, Any]) -> tuple[str, ...]:
    """The wording of all expectations in metadata, evals or a grading, each once."""
    return tuple(dict.fromkeys(claim.text for claim in claims_in(document)))


def as_grading(document: Any) -> Any:
    """The content of a grading file with its expectations under that key.

    The file may hold only a list of them, only an object of values by their text, or either of these below the name of
    one eval.
    """
    if isinstance(document, list) and document and all(map(_claim, document)):
        return {"expectations": document}
    if not isinstance(document, dict) or not set(document).isdisjoint((*_LISTS, *_MARKS, "summary")):
        return document
    if len(document) == 1:
        (value,) = document.values()
        within = as_grading(value)
        if isinstance(within, dict) and not set(within).isdisjoint(_LISTS):
            return within
    return {"expectations": entries} if (entries := _entries(document)) else document


def _entries(value: Any) -> list[Any]:
    """The expectations of a list, or of an object that names each by its text."""
    if not isinstance(value, dict):
        return value if isinstance(value, list) else []
    marked = {text: entry if isinstance(entry, dict) else {"passed": entry} for text, entry in value.items()}
    plain = all(_mark_in(entry) is not None for entry in marked.values())
    return [{**entry, "text": text} for text, entry in marked.items()] if plain else []


def _mark_in(entry: Mapping[str, Any]) -> bool | None:
    """Whether an entry says that its expectation is met; None where nothing in it says so plainly."""
    words = [str(entry[name]).strip().lower() for name in _MARKS if entry.get(name) is not None]
    return next((word in _MET for word in words if word in _MET | _NOT_MET), None)


def unread(document: dict[str, Any]) -> Iterable[str]:
    """Why expectations or a prompt in metadata, evals or a grading are not read."""
    for name in _LISTS:
        value = document.get(name)
        value = _entries(value) or value
        if isinstance(value, list):
            how_many = f"of its {len(value):,} {name}"
            if lost := sum(_claim(entry) is None for entry in value):
                yield f"{lost:,} {how_many} cannot be read: no text"
            marked = [
                entry for entry in value if isinstance(entry, dict) and not set(_MARKS).isdisjoint(entry)
            ]
            if strange := [entry for entry in marked if _mark_in(entry) is None]:
                such = next(str(strange[0][name]) for name in _MARKS if name in strange[0])[:40]
                yield (
                    f"{len(strange):,} {how_many} say neither passed nor failed, such as {such!r}; write true or false"
                )
        elif value is not None:
            yield f"its {name} are {kind_of(value)}, not a list"
    if (prompt := document.get("prompt")) is not None and not isinstance(prompt, str):
        yield f"its prompt is {kind_of(prompt)}, not text"


def _claim(entry: Any) -> GraderClaim | None:
    entry = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, dict) or not (text := word_in(entry, *_TEXTS)):
        return None
    return GraderClaim(text=text, passed=_mark_in(entry), evidence=word_in(entry, "evidence", "reason"))


def word_in(source: Mapping[str, Any], *names: str) -> str:
    """The first of these values that is a text with something in it; empty where there is none."""
    texts = (value.strip() for name in names if isinstance(value := source.get(name), str))
    return next(filter(None, texts), "")


# ---- the result


def grade_of(grading: Any) -> Grade | None:
    """The result in a grading.json, or promptfoo's; None where it tells of none."""
    if not isinstance(grading, dict):
        return None
    author = "promptfoo" if "componentResults" in grading else "grading.json"
    for source in (grading.get("summary"), grading.get("result"), grading):
        if not isinstance(source, dict):
            continue
        passed, total = (count_in(source, name) for name in ("passed", "total"))
        if total is None and passed is not None and (failed := count_in(source, "failed")) is not None:
            total = passed + failed
        if passed is not None and total and passed <= total:
            return Grade(author, Fraction(passed, total), passed, total)
        if (rate := number_in(source, "pass_rate")) is not None and 0 <= rate <= 1:
            return Grade(author, Fraction(str(rate)), None, None)
    marks = [claim.passed for claim in claims_in(grading) if claim.passed is not None]
    return Grade(author, Fraction(sum(marks), len(marks)), sum(marks), len(marks)) if marks else None
