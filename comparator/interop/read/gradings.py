"""What a grader says of an output: promptfoo's assertions in sentences, the claims of any grading, and its result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from comparator.interop.imported import GraderClaim
from comparator.interop.read.text import count_in, kind_of, number_in

CHOICES = ("select-best", "max-score")
"""promptfoo's assertions that choose one output of a test, which is a verdict on pairs and no expectation."""
_JUDGED = ("llm-rubric", "g-eval", "model-graded-closedqa", "model-graded-factuality", "factuality")
"""Their value says in words what a model was to check."""
_PREDICATES: dict[str, tuple[str, str]] = {
    "equals": ("equals {}", "does not equal {}"),
    "contains": ("contains {}", "does not contain {}"),
    "icontains": ("contains {}, ignoring case", "does not contain {}, ignoring case"),
    "starts-with": ("starts with {}", "does not start with {}"),
    "regex": ("matches the regular expression {}", "does not match the regular expression {}"),
    "contains-all": ("contains all of {}", "does not contain all of {}"),
    "contains-any": ("contains at least one of {}", "contains none of {}"),
    "icontains-all": ("contains all of {}, ignoring case", "does not contain all of {}, ignoring case"),
    "icontains-any": ("contains at least one of {}, ignoring case", "contains none of {}, ignoring case"),
    "is-json": ("is valid JSON", "is not valid JSON"),
    "contains-json": ("contains valid JSON", "contains no valid JSON"),
    "is-refusal": ("is a refusal", "is not a refusal"),
    "is-valid-function-call": ("is a valid function call", "is not a valid function call"),
    "is-valid-openai-function-call": ("is a valid function call", "is not a valid function call"),
    "is-valid-openai-tools-call": ("is a valid tool call", "is not a valid tool call"),
    "levenshtein": ("is at most {limit} edits away from {}", "is more than {limit} edits away from {}"),
    "is-sql": ("is valid SQL", "is not valid SQL"),
    "contains-sql": ("contains valid SQL", "contains no valid SQL"),
    "is-xml": ("is valid XML", "is not valid XML"),
    "contains-xml": ("contains valid XML", "contains no valid XML"),
    "is-html": ("is valid HTML", "is not valid HTML"),
    "contains-html": ("contains HTML", "contains no HTML"),
    **{
        name.lower(): (f"has a {name} score of at least {score}", f"has a {name} score below {score}")
        for name, score in ((name, "{limit} against {}") for name in ("ROUGE-N", "BLEU", "GLEU", "METEOR"))
    },
}
"""What each kind of assertion, and its opposite, says of an output."""
_LIMITS = {"levenshtein": 5, "rouge-n": 0.75}
_OTHER_LIMIT = 0.5
_LONGEST = 2_000
_VARIABLE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")

_MARKS = ("passed", "met", "pass", "satisfied", "result", "success", "status", "verdict", "grade", "outcome")
_MET = frozenset({"true", "yes", "pass", "passed", "met", "1", "ok", "satisfied", "✅", "✓", "✔", "✔️"})
_NOT_MET = frozenset(
    {"false", "no", "fail", "failed", "not met", "unmet", "0", "not satisfied", "❌", "✗", "✘", "✖"}
)
_ALSO_LISTS = ("results", "criteria", "checks", "evaluations", "grades")
_LISTS = ("expectations", "assertions", "assertion_results")
_TEXTS = ("text", "expectation", "assertion", "description", "name", "check", "criterion")


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
    listed = test.get("assert") if isinstance(test, dict) else None
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, dict):
            yield Assertion("unknown", "")
        elif each.get("type") == "assert-set":
            yield from assertions_in(each, variables)
        elif each.get("type") != "human":
            yield Assertion(str(each.get("type", "")) or "unknown", _sentence(each, variables))


def _sentence(assertion: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    kind, value = str(assertion.get("type", "")), _filled(assertion.get("value"), variables)
    negated, kind = kind.startswith("not-"), kind.removeprefix("not-")
    if kind in _JUDGED:
        text = value.strip() if isinstance(value, str) else ""
        if "factuality" in kind and text:
            text = f"The facts agree with “{text}”"
        return f"This does not hold: {text}" if text and negated else text
    predicate = _predicate(kind, value, assertion.get("threshold"), negated=negated)
    return f"The output {predicate}"[:_LONGEST] if predicate else ""


def _predicate(kind: str, value: Any, limit: Any, *, negated: bool) -> str:
    if kind == "word-count":
        has = "does not have" if negated else "has"
        words = {"min": "at least", "max": "at most"}
        bounds = (
            [f"{word} {value[key]}" for key, word in words.items() if key in value]
            if isinstance(value, dict)
            else [str(value)] * (isinstance(value, (int, str)) and bool(str(value).strip()))
        )
        return f"{has} {' and '.join(bounds)} words" if bounds else ""
    if kind not in _PREDICATES:
        return ""
    predicate = _PREDICATES[kind][negated]
    if "{}" not in predicate:
        schema = kind.endswith("json") and isinstance(value, dict) and not negated
        return predicate + (f" that follows the schema {_quoted(value)}" if schema else "")
    if kind.endswith(("-all", "-any")):
        if isinstance(value, str):
            value = [word.strip() for word in value.split(",") if word.strip()]
        if not isinstance(value, list) or not value:
            return ""
        return predicate.format(", ".join(map(_quoted, value)))
    if value is None:
        return ""
    limit = limit if isinstance(limit, (int, float)) else _LIMITS.get(kind, _OTHER_LIMIT)
    return predicate.format(_quoted(value), limit=limit)


def _quoted(value: Any) -> str:
    return f"“{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}”"


def _filled(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with the test's variables in place of their names; other templates stay as they are."""

    def variable(match: re.Match[str]) -> str:
        known = variables.get(match[1])
        return (
            match[0]
            if known is None
            else known
            if isinstance(known, str)
            else json.dumps(known, ensure_ascii=False)
        )

    if isinstance(value, list):
        return [_filled(each, variables) for each in value]
    return _VARIABLE.sub(variable, value) if isinstance(value, str) else value


# ---- claims


def components_of(grading: Any) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """The results of promptfoo's assertions: type, what was found, and the assertion."""
    listed = grading.get("componentResults") if isinstance(grading, dict) else None
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict):
            assertion = each.get("assertion")
            yield str(assertion.get("type", "")) if isinstance(assertion, dict) else "", each, assertion


def claims_in(grading: Any) -> tuple[GraderClaim, ...]:
    """What a grading, of any format, says of each expectation; metadata and evals say what is expected alone."""
    if not isinstance(grading, dict):
        return ()
    claims = [
        GraderClaim(
            text=text.strip(),
            passed=each["pass"] if isinstance(each.get("pass"), bool) else None,
            evidence=_text(each.get("reason")),
        )
        for kind, each, assertion in components_of(grading)
        if kind not in CHOICES and isinstance(assertion, dict)
        if isinstance(text := _sentence(assertion, {}) or assertion.get("value"), str) and text.strip()
    ]
    for name in _LISTS:
        if claims:
            break
        claims = [claim for entry in _entries(grading.get(name)) if (claim := _claim(entry)) is not None]
    return tuple(claims)


def texts_of(document: dict[str, Any]) -> tuple[str, ...]:
    """The wording of all expectations in metadata, evals or a grading, each once."""
    return tuple(dict.fromkeys(claim.text for claim in claims_in(document)))


def as_grading(document: Any) -> Any:
    """The content of a grading file with its expectations under that key. The file may hold only a list of them, only
    an object of values by their text, or either of these below the name of one eval.
    """
    if isinstance(document, list) and document and all(map(_claim, document)):
        return {"expectations": document}
    if not isinstance(document, dict) or any(name in document for name in _LISTS):
        return document
    if len(document) == 1 and isinstance(inner := next(iter(document.values())), (dict, list)):
        within = as_grading(inner)
        if isinstance(within, dict) and any(name in within for name in _LISTS):
            return within
    for name in _ALSO_LISTS:
        listed = _entries(document.get(name))
        if listed and all(_claim(entry) and _has_mark(entry) for entry in listed):
            return {**document, "expectations": listed}
    marks = [entry for entry in document.values() if isinstance(entry, (bool, dict))]
    if (
        document
        and len(marks) == len(document)
        and not set(document) & {*_MARKS, "summary"}
        and _entries(document)
    ):
        return {"expectations": _entries(document)}
    return document


def _has_mark(entry: Any) -> bool:
    return isinstance(entry, dict) and any(entry.get(name) is not None for name in _MARKS)


def _entries(value: Any) -> list[Any]:
    """The expectations of a list, or of an object that names each by its text."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return []
    marked = {text: entry if isinstance(entry, dict) else {"passed": entry} for text, entry in value.items()}
    if not all(any(mark_of(entry.get(name)) is not None for name in _MARKS) for entry in marked.values()):
        return []
    return [{**entry, "text": text} for text, entry in marked.items()]


def mark_of(value: Any) -> bool | None:
    """Whether a mark says that something is met; None for what does not say plainly.

    >>> mark_of("True"), mark_of("fail"), mark_of(1), mark_of("perhaps")
    (True, False, True, None)
    """
    word = str(value).strip().lower()
    return True if word in _MET else False if word in _NOT_MET else None


def unread(document: dict[str, Any]) -> Iterable[str]:
    """Why expectations or a prompt in metadata, evals or a grading are not read."""
    for name in _LISTS:
        value = document.get(name)
        value = _entries(value) or value
        if isinstance(value, list):
            if lost := sum(_claim(entry) is None for entry in value):
                yield f"{lost:,} of its {len(value):,} {name} cannot be read: no text"
            if strange := [mark for entry in value if (mark := _strange_mark(entry)) is not None]:
                how_many = f"{len(strange):,} of its {len(value):,} {name}"
                yield f"{how_many} say neither passed nor failed, such as {strange[0][:40]!r}; write true or false"
        elif value is not None:
            yield f"its {name} are {kind_of(value)}, not a list"
    if (prompt := document.get("prompt")) is not None and not isinstance(prompt, str):
        yield f"its prompt is {kind_of(prompt)}, not text"


def _strange_mark(entry: Any) -> str | None:
    """What is written where a mark belongs, if that says neither that it is met nor that it is not."""
    given = [entry[name] for name in _MARKS if entry.get(name) is not None] if isinstance(entry, dict) else []
    return str(given[0]) if given and all(mark_of(mark) is None for mark in given) else None


def _claim(entry: Any) -> GraderClaim | None:
    entry = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, dict):
        return None
    text = next((found for name in _TEXTS if (found := _text(entry.get(name)))), "")
    passed = next((mark for name in _MARKS if (mark := mark_of(entry.get(name))) is not None), None)
    evidence = _text(entry.get("evidence")) or _text(entry.get("reason"))
    return GraderClaim(text=text, passed=passed, evidence=evidence) if text else None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


# ---- the result


def grade_of(grading: Any) -> Grade | None:
    """The result in a grading.json, a run of a benchmark.json, or promptfoo's; None where it tells of none."""
    if not isinstance(grading, dict):
        return None
    promptfoo = "componentResults" in grading
    author = "promptfoo" if promptfoo else "benchmark.json" if "configuration" in grading else "grading.json"
    for source in (grading.get("summary"), grading.get("result"), grading):
        grade = _grade_in(source, author) if isinstance(source, dict) else None
        if grade is not None:
            return grade
    marks = [claim.passed for claim in claims_in(grading) if claim.passed is not None]
    return Grade(author, Fraction(sum(marks), len(marks)), sum(marks), len(marks)) if marks else None


def _grade_in(source: dict[str, Any], author: str) -> Grade | None:
    passed, total, rate = (
        count_in(source, "passed"),
        count_in(source, "total"),
        number_in(source, "pass_rate"),
    )
    if total is None and passed is not None and (failed := count_in(source, "failed")) is not None:
        total = passed + failed
    if passed is not None and total and passed <= total:
        return Grade(author, Fraction(passed, total), passed, total)
    return Grade(author, Fraction(str(rate)), None, None) if rate is not None and 0 <= rate <= 1 else None
