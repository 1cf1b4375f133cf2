"""What a judge says of one pair: one answer per pass, and the merged judgment of all passes."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from comparator.domain.labels import Frozen, Label, Order, PerOutput, Winner
from comparator.domain.rubric import Rubric
from comparator.domain.scoring import half_step_mean
from comparator.domain.verdict import Assessment, Verdict, settle

StatedConfidence = Literal[50, 60, 70, 80, 90, 100]
CAP = 60


class JudgeState(StrEnum):
    """Where the judge stands with a comparison."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class Quote(Frozen):
    """Words that a judge cites; `found` says whether they stand in the view, at `start` to `end` of the file's text."""

    file: str
    text: str
    found: bool = False
    start: int | None = None
    end: int | None = None


class Mark(Frozen):
    """A judge's score of one output on one criterion, with why. `measured` is False where a baseline could not tell."""

    score: Literal[1, 2, 3, 4, 5]
    rationale: str
    quotes: tuple[Quote, ...] = ()
    measured: bool = True


class ExpectationMark(Frozen):
    """Whether one output meets one expectation, with the evidence."""

    passed: bool
    evidence: str = ""
    measured: bool = True


class Answer(Frozen):
    """A judge's validated answer to one pair in one order."""

    criteria: dict[str, PerOutput[Mark]]
    expectations: tuple[PerOutput[ExpectationMark], ...] = ()
    strengths: PerOutput[tuple[str, ...]]
    weaknesses: PerOutput[tuple[str, ...]]
    better: Winner
    reasoning: str = Field(min_length=1)
    stated_confidence: StatedConfidence
    addressed_judge: tuple[str, ...] = ()
    """Passages of the outputs that address the judge, as the judge flagged them."""


class Pass(Frozen):
    """One reading of the pair."""

    order: Order
    repetition: int = Field(ge=0, default=0)
    answer: Answer


class Prose(Frozen):
    """The words of a verdict."""

    reasoning: str
    strengths: PerOutput[tuple[str, ...]]
    weaknesses: PerOutput[tuple[str, ...]]
    argues_for: Winner
    """The winner that the reasoning argues for."""


class MergedJudgment(Frozen):
    """All passes read as one judgment."""

    rubric: Rubric
    passes: tuple[Pass, ...]
    verdict: Verdict
    prose: Prose
    preferred_in_both_orders: Winner | None
    position_consistent: bool
    stated_confidence: int
    quotes_found: int
    quotes_total: int
    expectations_agree: tuple[PerOutput[bool], ...] = ()

    def checked(self, index: int, label: Label) -> bool:
        """Whether any pass could tell if that output meets the expectation of that number."""
        return any(each.answer.expectations[index][label].measured for each in self.passes)

    @model_validator(mode="after")
    def _has_both_orders(self) -> MergedJudgment:
        if {p.order for p in self.passes} != set(Order):
            raise ValueError("a judgment needs at least one pass in each order")
        return self


def winner_of_order(rubric: Rubric, answers: list[Answer]) -> Winner:
    """The winner that the scores of one order's passes give, their shared preference as the last tie-break."""
    return settle(
        rubric, _assess(rubric, answers), preferred_in_both_orders=_shared_preference(answers)
    ).winner


def merge(rubric: Rubric, passes: tuple[Pass, ...]) -> MergedJudgment:
    """The judgment of all passes: mean scores, expectations met only if every pass says so.

    Scores are averaged within each order first, so that a repetition in one order does not outweigh the other.
    The prose is that of the first pass, in stored order, that argues for the merged winner.
    Raises ValueError unless each order has at least one pass.
    """
    answers = [p.answer for p in passes]
    preferred = _shared_preference(answers)
    verdict = settle(rubric, _assess_orders(rubric, passes), preferred_in_both_orders=preferred)
    winners = {winner_of_order(rubric, [p.answer for p in passes if p.order is order]) for order in Order}
    consistent = len(winners) == 1
    chosen = next((a for a in answers if a.better is verdict.winner), answers[0])
    quotes = [
        q
        for answer in answers
        for marks in answer.criteria.values()
        for _, m in marks.items()
        for q in m.quotes
    ]
    found = sum(q.found for q in quotes)
    return MergedJudgment(
        rubric=rubric,
        passes=passes,
        verdict=verdict,
        prose=Prose(
            reasoning=chosen.reasoning,
            strengths=chosen.strengths,
            weaknesses=chosen.weaknesses,
            argues_for=chosen.better,
        ),
        preferred_in_both_orders=preferred,
        position_consistent=consistent,
        stated_confidence=_confidence(answers, consistent, found, len(quotes)),
        quotes_found=found,
        quotes_total=len(quotes),
        expectations_agree=_agreement(answers),
    )


def _shared_preference(answers: list[Answer]) -> Winner | None:
    preferences = {answer.better for answer in answers}
    return preferences.pop() if len(preferences) == 1 else None


def _confidence(answers: list[Answer], consistent: bool, found: int, total: int) -> int:
    lowest = min(answer.stated_confidence for answer in answers)
    doubtful = not consistent or (total > 0 and found * 2 < total)
    return min(lowest, CAP) if doubtful else lowest


def _agreement(answers: list[Answer]) -> tuple[PerOutput[bool], ...]:
    def agree(index: int, label: Label) -> bool:
        return len({answer.expectations[index][label].passed for answer in answers}) == 1

    return tuple(
        PerOutput[bool](A=agree(i, Label.A), B=agree(i, Label.B)) for i in range(len(answers[0].expectations))
    )


def _assess(rubric: Rubric, answers: list[Answer]) -> PerOutput[Assessment]:
    def of(label: Label) -> Assessment:
        return Assessment(
            scores={
                path: half_step_mean([Decimal(a.criteria[path][label].score) for a in answers])
                for path in rubric.paths
            },
            expectations=_met(answers, label),
        )

    return PerOutput[Assessment](A=of(Label.A), B=of(Label.B))


def _met(answers: list[Answer], label: Label) -> tuple[bool, ...]:
    """For each expectation, whether every answer says that the output meets it."""
    return tuple(
        all(answer.expectations[i][label].passed for answer in answers)
        for i in range(len(answers[0].expectations))
    )


def _assess_orders(rubric: Rubric, passes: tuple[Pass, ...]) -> PerOutput[Assessment]:
    answers, paths = [p.answer for p in passes], rubric.paths
    by_order = [[p.answer for p in passes if p.order is order] for order in Order]
    for order, given in zip(Order, by_order, strict=True):
        if not given:
            raise ValueError(f"no pass in order {order.value}: the judgment is incomplete")

    def balanced(label: Label, path: str) -> Decimal:
        scores = [[answer.criteria[path][label].score for answer in given] for given in by_order]
        return half_step_mean([Decimal(sum(each)) / len(each) for each in scores])

    def of(label: Label) -> Assessment:
        return Assessment(
            scores={path: balanced(label, path) for path in paths}, expectations=_met(answers, label)
        )

    return PerOutput[Assessment](A=of(Label.A), B=of(Label.B))
