"""promptfoo's assertions as expectations: one sentence each, or the reason why one is not taken over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

JUDGED = ("llm-rubric", "g-eval", "model-graded-closedqa", "model-graded-factuality", "factuality")
"""Their value says in words what a model was to check."""
_QUOTED = {
    "equals": ("equals {}", "does not equal {}"),
    "contains": ("contains {}", "does not contain {}"),
    "icontains": ("contains {}, in capitals or not", "does not contain {}, in capitals or not"),
    "starts-with": ("starts with {}", "does not start with {}"),
    "regex": ("matches the regular expression {}", "does not match the regular expression {}"),
}
_SEVERAL = {
    "contains-all": ("contains all of {}", "does not contain all of {}"),
    "contains-any": ("contains at least one of {}", "contains none of {}"),
    "icontains-all": ("contains all of {}, in capitals or not", "does not contain all of {}"),
    "icontains-any": ("contains at least one of {}, in capitals or not", "contains none of {}"),
}
_PLAIN = {
    "is-json": ("is valid JSON", "is not valid JSON"),
    "contains-json": ("contains valid JSON", "contains no valid JSON"),
    "is-sql": ("is valid SQL", "is not valid SQL"),
    "contains-sql": ("contains valid SQL", "contains no valid SQL"),
    "is-xml": ("is valid XML", "is not valid XML"),
    "contains-xml": ("contains valid XML", "contains no valid XML"),
    "is-html": ("is valid HTML", "is not valid HTML"),
    "contains-html": ("contains HTML", "contains no HTML"),
    "is-refusal": ("is a refusal", "is no refusal"),
    "is-valid-function-call": ("is a valid function call", "is no valid function call"),
    "is-valid-openai-function-call": ("is a valid function call", "is no valid function call"),
    "is-valid-openai-tools-call": ("is a valid tool call", "is no valid tool call"),
}
_LIKE = {
    "levenshtein": ("is at most {0} edits away from {1}", "is more than {0} edits away from {1}", 5),
    "rouge-n": (
        "has a ROUGE-N score of at least {0} against {1}",
        "has a ROUGE-N score below {0} against {1}",
        0.75,
    ),
    "bleu": ("has a BLEU score of at least {0} against {1}", "has a BLEU score below {0} against {1}", 0.5),
    "gleu": ("has a GLEU score of at least {0} against {1}", "has a GLEU score below {0} against {1}", 0.5),
    "meteor": (
        "has a METEOR score of at least {0} against {1}",
        "has a METEOR score below {0} against {1}",
        0.5,
    ),
}
_LONGEST = 2_000
_VARIABLE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")


class Assertion(NamedTuple):
    """One assertion: its type, and its sentence; empty where it is not taken over."""

    kind: str
    sentence: str


def assertions_in(test: Any, variables: Mapping[str, Any]) -> Iterator[Assertion]:
    """All assertions of a test with its variables put in, those of sets among them; a person's mark is none."""
    listed = test.get("assert") if isinstance(test, dict) else None
    for each in listed if isinstance(listed, list) else ():
        if not isinstance(each, dict):
            yield Assertion("that is no object", "")
            continue
        kind = str(each.get("type", ""))
        if kind == "assert-set":
            yield from assertions_in(each, variables)
        elif kind != "human":
            yield Assertion(kind or "no type", sentence_of(each, variables))


def sentence_of(assertion: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    """What an output must be, in one sentence; empty where the text alone does not tell whether it is."""
    kind, value = str(assertion.get("type", "")), _filled(assertion.get("value"), variables)
    if kind.removeprefix("not-") in JUDGED:
        text = value.strip() if isinstance(value, str) else ""
        if "factuality" in kind and text:
            text = f"The facts agree with “{text}”"
        return f"This does not hold: {text}" if text and kind.startswith("not-") else text
    predicate = _predicate(kind.removeprefix("not-"), value, assertion, negated=kind.startswith("not-"))
    return f"The output {predicate}"[:_LONGEST] if predicate else ""


def _predicate(kind: str, value: Any, assertion: Mapping[str, Any], *, negated: bool) -> str:
    index = 1 if negated else 0
    if kind in _QUOTED and isinstance(value, (str, int, float, bool, dict, list)):
        return _QUOTED[kind][index].format(_quoted(value))
    if kind in _SEVERAL and (words := _words(value)):
        return _SEVERAL[kind][index].format(", ".join(map(_quoted, words)))
    if kind in _PLAIN:
        schema = kind.endswith("json") and isinstance(value, dict) and not negated
        return _PLAIN[kind][index] + (f" that follows the schema {_quoted(value)}" if schema else "")
    if kind in _LIKE and isinstance(value, (str, int, float)):
        limit = assertion.get("threshold")
        limit = limit if isinstance(limit, (int, float)) else _LIKE[kind][2]
        return str(_LIKE[kind][index]).format(limit, _quoted(value))
    if kind == "word-count":
        return _word_count(value, negated=negated)
    return ""


def _word_count(value: Any, *, negated: bool) -> str:
    has = "does not have" if negated else "has"
    if isinstance(value, dict):
        bounds = [
            f"{word} {value[key]}" for key, word in (("min", "at least"), ("max", "at most")) if key in value
        ]
        return f"{has} {' and '.join(bounds)} words" if bounds else ""
    return f"{has} {value} words" if isinstance(value, (int, str)) and str(value).strip() else ""


def _words(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return [each for each in value if isinstance(each, (str, int, float))] if isinstance(value, list) else []


def _quoted(value: Any) -> str:
    return f"“{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}”"


def _filled(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with the test's variables in place of their names; other templates stay as they are."""
    match value:
        case str():
            return _VARIABLE.sub(lambda found: _variable(found, variables), value)
        case list():
            return [_filled(each, variables) for each in value]
        case _:
            return value


def _variable(found: re.Match[str], variables: Mapping[str, Any]) -> str:
    value = variables.get(found[1])
    return (
        found[0]
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )
