"""What promptfoo's assertions and its users said of outputs: claims, marks, and choices among a test's outputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from comparator.interop.imported import FoundLabel, FoundRun, GraderClaim, LabelSource, Side
from comparator.interop.read.promptfoo.assertions import sentence_of
from comparator.interop.read.rows import PairsOfRows

CHOICES = ("select-best", "max-score")
"""Assertions that choose one output of a test, which is a verdict on pairs and no expectation."""


def _components(grading: Any) -> Iterator[dict[str, Any]]:
    listed = grading.get("componentResults") if isinstance(grading, dict) else None
    yield from (each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict))


def claims_in(grading: Any) -> Iterator[GraderClaim]:
    """What the assertions of a result say in words, and whether the output met them."""
    for each in _components(grading):
        assertion = each.get("assertion")
        if isinstance(assertion, dict) and assertion.get("type") in CHOICES:
            continue
        value = sentence_of(assertion, {}) or assertion.get("value") if isinstance(assertion, dict) else None
        passed, reason = each.get("pass"), each.get("reason")
        if isinstance(value, str) and value.strip():
            yield GraderClaim(
                text=value.strip(),
                passed=passed if isinstance(passed, bool) else None,
                evidence=reason if isinstance(reason, str) else "",
            )


def _mark(run: FoundRun, kind: str) -> bool | None:
    """The mark of an assertion of this type on one output; None where there is none."""
    for each in _components(run.grading):
        assertion = each.get("assertion")
        if (
            isinstance(assertion, dict)
            and assertion.get("type") == kind
            and isinstance(each.get("pass"), bool)
        ):
            return bool(each["pass"])
    return None


def label_pairs(by_test: dict[int, list[FoundRun]], labels: PairsOfRows) -> None:
    """A person's marks, which are not blind since promptfoo shows who is who, and choices among a test's outputs."""
    for runs in by_test.values():
        for first, second in itertools.combinations(runs, 2):
            for kind in ("human", *CHOICES):
                marks = (_mark(first, kind), _mark(second, kind))
                chosen = kind in CHOICES
                if None in marks or (chosen and marks[0] == marks[1]):
                    continue
                labels.label(
                    FoundLabel(
                        first=first.address,
                        second=second.address,
                        winner=Side.TIE if marks[0] == marks[1] else Side.FIRST if marks[0] else Side.SECOND,
                        kind=LabelSource.GRADER if chosen else LabelSource.HUMAN,
                        author=f"promptfoo {kind}" if chosen else "promptfoo user",
                        value=None
                        if chosen
                        else {"both_passed": marks == (True, True), "one_passed": marks[0] != marks[1]},
                        blind=None if chosen else False,
                    )
                )
