"""Small complete domain values for tests."""

from decimal import Decimal
from typing import TypeVar

from comparator.domain.labels import Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark, Pass, Quote
from comparator.domain.scoring.verdict import Assessment
from tests.loopback.pairs import rubric

T = TypeVar("T")


def present(value: T | None) -> T:
    """The value, which must be there."""
    assert value is not None
    return value


def assessment(scores: tuple[int | str | None, ...], met: tuple[bool | None, ...] = ()) -> Assessment:
    """An assessment with the six scores in the order of the specification's rubric; None is not assessed."""
    given = zip(rubric().paths, scores, strict=True)
    return Assessment(
        scores={path: Decimal(score) for path, score in given if score is not None}, expectations=met
    )


def answer(
    a: tuple[int | None, ...],
    b: tuple[int | None, ...],
    *,
    better: Winner = Winner.A,
    expectations: tuple[tuple[bool | None, bool | None], ...] = (),
    confidence: int = 80,
    exact: tuple[bool, ...] = (),
    reasoning: str = "Because.",
) -> Answer:
    """A judge's answer with these six scores for A and B."""
    quotes = tuple(Quote(file="report.md", text=f"words {i}", found=f) for i, f in enumerate(exact))
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
    return (Pass(order=Order.A_FIRST, answer=first), Pass(order=Order.B_FIRST, answer=second))
