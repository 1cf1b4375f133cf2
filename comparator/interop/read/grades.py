"""What a grader made of one output: how many of the expectations it took for met."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from comparator.interop.read.promptfoo.gradings import claims_in
from comparator.interop.read.skill_creator.files import claims_of
from comparator.interop.read.text import count_in, number_in


class Grade(NamedTuple):
    """A grader's result: `rate` is the share that passed, 0 to 1, of `total` where that is told."""

    author: str
    rate: Fraction
    passed: int | None
    total: int | None


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
    marks = [claim.passed for claim in (*claims_in(grading), *claims_of(grading)) if claim.passed is not None]
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
