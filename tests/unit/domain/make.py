"""Small complete domain values for tests."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.judgment import Answer, ExpectationMark, Mark, Pass, Quote
from comparator.domain.labels import Order, PerOutput, Winner
from comparator.domain.rubric import Anchors, Criterion, Rubric
from comparator.domain.verdict import Assessment

ANCHORS = Anchors(poor="Major errors", acceptable="Minor errors", excellent="Fully correct")
CONTENT = ("correctness", "completeness", "accuracy")
STRUCTURE = ("organization", "formatting", "usability")


def rubric(content: tuple[str, ...] = CONTENT, structure: tuple[str, ...] = STRUCTURE) -> Rubric:
    """A rubric with these criterion keys."""

    def lines(keys: tuple[str, ...]) -> tuple[Criterion, ...]:
        return tuple(Criterion(key=k, name=k.replace("_", " ").title(), anchors=ANCHORS) for k in keys)

    return Rubric(content=lines(content), structure=lines(structure))


def assessment(scores: tuple[int | str, ...], expectations: tuple[bool, ...] = ()) -> Assessment:
    """An assessment with the six scores in the order of the specification's rubric."""
    return Assessment(
        scores=dict(zip(rubric().paths, map(Decimal, scores), strict=True)), expectations=expectations
    )


def answer(
    a: tuple[int, ...],
    b: tuple[int, ...],
    *,
    better: Winner = Winner.A,
    expectations: tuple[tuple[bool, bool], ...] = (),
    confidence: int = 80,
    found: tuple[bool, ...] = (),
    reasoning: str = "Because.",
) -> Answer:
    """A judge's answer with these six scores for A and B."""
    quotes = tuple(Quote(file="report.md", text=f"words {i}", found=f) for i, f in enumerate(found))
    criteria = {
        path: PerOutput[Mark](
            A=Mark.model_validate({"score": x, "rationale": "why A", "quotes": quotes if i == 0 else ()}),
            B=Mark.model_validate({"score": y, "rationale": "why B"}),
        )
        for i, (path, x, y) in enumerate(zip(rubric().paths, a, b, strict=True))
    }
    return Answer.model_validate(
        {
            "criteria": criteria,
            "expectations": tuple(
                PerOutput[ExpectationMark](A=ExpectationMark(passed=x), B=ExpectationMark(passed=y))
                for x, y in expectations
            ),
            "strengths": PerOutput[tuple[str, ...]](A=("Complete",), B=("Short",)),
            "weaknesses": PerOutput[tuple[str, ...]](A=(), B=("Missing date",)),
            "better": better,
            "reasoning": reasoning,
            "stated_confidence": confidence,
        }
    )


def both_orders(first: Answer, second: Answer) -> tuple[Pass, ...]:
    """One pass in each order."""
    return (Pass(order=Order.A_FIRST, answer=first), Pass(order=Order.B_FIRST, answer=second))
