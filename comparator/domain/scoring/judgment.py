"""What a judge says of one pair: an answer per pass, and the merged judgment of all passes."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from comparator.domain.labels import Frozen, Label, Order, PerOutput, Winner, sparse_field
from comparator.domain.scoring.rubric import Rubric, half_step_mean
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, settle

StatedConfidence = Literal[50, 60, 70, 80, 90, 100]
CAP = 60
FINE = Decimal("0.000001")
"""To how many places means of more than two readings are kept: six, far below what a dimension score shows."""


class JudgeState(StrEnum):
    """Where the judge stands with a comparison."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Tools(StrEnum):
    """Whether a judge may open files with tools beyond what a request holds of them."""

    AUTO = "auto"
    """Where something of the pair does not fit into the request, or is more than anybody compares by eye."""
    ALWAYS = "always"
    NEVER = "never"


class Identity(Frozen):
    """Which judge it is. `digest` changes whenever an answer could; an author of labels has none."""

    kind: str
    model: str
    digest: str = ""


class JudgeIdentity(Identity):
    """A judge that can be asked: its digest is of model, server, prompts, guidance and answer format."""

    kind: Literal["anthropic", "offline"]
    tools: Tools = Tools.NEVER
    """Whether it opens files with tools."""
    guidance: int | None = None
    """The version of the project's guidance that it goes by."""


class Quote(Frozen):
    """Words that a judge cites; `found` says whether they stand in the view, at `start` to `end` of the file's text.

    What stands in a part of the file that the view has no room for has a `place` instead, such as "line 3,212".
    """

    file: str
    text: str
    found: bool = False
    start: int | None = None
    end: int | None = None
    place: str = sparse_field("")


class Mark(Frozen):
    """A judge's score of one output on one criterion, with why; None where it did not assess it."""

    score: Literal[1, 2, 3, 4, 5] | None
    rationale: str
    quotes: tuple[Quote, ...] = ()


class ExpectationMark(Frozen):
    """Whether one output meets one expectation, with the evidence; None where that was not assessed."""

    passed: bool | None
    evidence: str = ""


class Examined(Frozen, extra="ignore"):
    """How one reading used tools; a stored one may say more."""

    calls: int
    stopped: str = ""
    """The limit at which it had to come to its verdict; empty where it came to it by itself."""


class Answer(Frozen):
    """A judge's validated answer to one pair in one order."""

    criteria: dict[str, PerOutput[Mark]]
    expectations: tuple[PerOutput[ExpectationMark], ...] = ()
    strengths: PerOutput[tuple[str, ...]]
    weaknesses: PerOutput[tuple[str, ...]]
    better: Winner
    first_verdict: Winner | None = sparse_field(None)
    """What the reading named before it was asked once more, where it then named another winner."""
    reasoning: str = Field(min_length=1)
    stated_confidence: StatedConfidence
    addressed_judge: tuple[str, ...] = ()
    """Passages of the outputs that address the judge, as the judge flagged them."""
    surplus: tuple[str, ...] = sparse_field(())
    """Keys of the answer that nobody asked for, and that were left out."""
    examined: Examined | None = sparse_field(None)
    """None where it was read in one request."""
    form: str = sparse_field("")
    """What the offline check found, such as "B does not open"; empty for everybody else."""

    def with_quotes(self, find_quote: Callable[[Label, Quote], Quote]) -> Answer:
        """The same answer with each quote looked up in its output."""

        def mark(label: Label, given: Mark) -> Mark:
            return given.copy_with(quotes=tuple(find_quote(label, quote) for quote in given.quotes))

        criteria = {
            path: PerOutput[Mark](A=mark(Label.A, both.A), B=mark(Label.B, both.B))
            for path, both in self.criteria.items()
        }
        return self.copy_with(criteria=criteria)


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


class Contradiction(Frozen):
    """A reading that named one winner first while the scores that it ended with give another."""

    order: Order
    named: Winner
    by_scores: Winner | None


class MergedJudgment(Frozen):
    """All passes read as one judgment."""

    rubric: Rubric
    passes: tuple[Pass, ...]
    assessments: PerOutput[Assessment]
    """What all passes say together, values that only one output has among it."""
    verdict: Verdict | None
    """None where a dimension has no criterion that was assessed."""
    prose: Prose
    preferred_in_both_orders: Winner | None
    first_winners: dict[Order, Winner | None]
    """By the first pass of each order alone."""
    position_consistent: bool
    """Whether the first pass of each order gives the same winner. Like the next two, it looks at first passes only:
    a pair that was read again because it was close would be counted with other chances."""
    contradictions: tuple[Contradiction, ...] = ()
    """The first passes that name another winner than their scores give, or gave up the one that they named first."""
    stated_confidence: int
    """The lowest of the first passes; capped where they disagree, or most of their quotes are not in the outputs."""
    quotes_found: int
    """Of all passes, as `quotes_total`."""
    quotes_total: int
    expectations_agree: tuple[PerOutput[bool], ...] = ()

    @property
    def self_consistent(self) -> bool:
        """Whether no first pass contradicts itself."""
        return not self.contradictions

    @property
    def orders_agree(self) -> bool:
        """Whether all passes of each order together give the same winner."""
        if len(self.passes) == len(Order):
            return self.position_consistent
        by_order = (
            verdict_of(self.rubric, [p.answer for p in self.passes if p.order is order]) for order in Order
        )
        return len({verdict and verdict.winner for verdict in by_order}) == 1

    @property
    def examined(self) -> Examined | None:
        """How all readings together used tools; None where none did."""
        used = [p.answer.examined for p in self.passes if p.answer.examined is not None]
        if not used:
            return None
        return Examined(
            calls=sum(usage.calls for usage in used),
            stopped="; ".join(dict.fromkeys(usage.stopped for usage in used if usage.stopped)),
        )

    @model_validator(mode="after")
    def _has_both_orders(self) -> MergedJudgment:
        if {p.order for p in self.passes} != set(Order):
            raise ValueError("a judgment needs at least one pass in each order")
        return self


def verdict_of(rubric: Rubric, answers: list[Answer]) -> Verdict | None:
    """The verdict that these answers' scores give, their shared preference as the last tie-break; None where none is.

    One answer, or all of one order.
    """
    assessed = _balanced(rubric, [answers])
    return settle(rubric, assessed, preferred_in_both_orders=_shared_preference(answers))


def verdict_of_all(rubric: Rubric, passes: tuple[Pass, ...]) -> Verdict | None:
    """The verdict that passes in both orders give together, as in `merge`. Raises ValueError as `merge` does."""
    preferred = _shared_preference([p.answer for p in passes])
    return settle(rubric, assess(rubric, passes), preferred_in_both_orders=preferred)


def contradicts(verdict: Verdict | None, answer: Answer) -> bool:
    """Whether the verdict that the answer's scores give has another winner than the answer names.

    Equal scores contradict nothing: then the preference may break the tie.
    """
    return (
        verdict is not None and verdict.decided_by is DecidedBy.RUBRIC and verdict.winner is not answer.better
    )


class ByPosition(NamedTuple):
    """How many first readings named the output that was shown first, and how many the other one."""

    first: int
    second: int


def named_by_position(judgment: MergedJudgment) -> ByPosition:
    """How the judge's first readings lean: a judge without position bias names both positions equally often."""
    named_first = [
        winner is (Winner.A if order is Order.A_FIRST else Winner.B)
        for order, winner in judgment.first_winners.items()
        if winner is not None and winner is not Winner.TIE
    ]
    return ByPosition(first=named_first.count(True), second=named_first.count(False))


def merge(rubric: Rubric, passes: tuple[Pass, ...]) -> MergedJudgment:
    """The judgment of all passes: mean scores, expectations met only if every pass says so.

    Scores are averaged within each order first, so that a repetition in one order does not outweigh the other.
    The prose is that of the first pass, in stored order, that argues for the merged winner.
    Raises ValueError unless each order has at least one pass.
    """
    answers = [p.answer for p in passes]
    preferred = _shared_preference(answers)
    assessments = assess(rubric, passes)
    verdict = settle(rubric, assessments, preferred_in_both_orders=preferred)
    firsts = first_passes(passes)
    by_order = {one.order: verdict_of(rubric, [one.answer]) for one in firsts}
    winners = {order: own.winner if own else None for order, own in by_order.items()}
    consistent = len(set(winners.values())) == 1
    contradictions = tuple(
        Contradiction(
            order=one.order, named=one.answer.first_verdict or one.answer.better, by_scores=winners[one.order]
        )
        for one in firsts
        if one.answer.first_verdict is not None or contradicts(by_order[one.order], one.answer)
    )
    chosen = next((a for a in answers if verdict and a.better is verdict.winner), answers[0])
    quotes = _quotes(answers)
    return MergedJudgment(
        rubric=rubric,
        passes=passes,
        assessments=assessments,
        verdict=verdict,
        prose=Prose(
            reasoning=chosen.reasoning,
            strengths=chosen.strengths,
            weaknesses=chosen.weaknesses,
            argues_for=chosen.better,
        ),
        preferred_in_both_orders=preferred,
        first_winners=winners,
        position_consistent=consistent,
        contradictions=contradictions,
        stated_confidence=_confidence(
            [one.answer for one in firsts], consistent=consistent and not contradictions
        ),
        quotes_found=sum(quote.found for quote in quotes),
        quotes_total=len(quotes),
        expectations_agree=_agreement(answers),
    )


def first_passes(passes: tuple[Pass, ...]) -> tuple[Pass, ...]:
    """The first pass of each order, in stored order."""
    firsts = {order: min((p.repetition for p in passes if p.order is order), default=0) for order in Order}
    return tuple(p for p in passes if p.repetition == firsts[p.order])


def _shared_preference(answers: list[Answer]) -> Winner | None:
    preferences = {answer.better for answer in answers}
    return preferences.pop() if len(preferences) == 1 else None


def _confidence(answers: list[Answer], *, consistent: bool) -> int:
    """The lowest that was stated, capped where the answers disagree or fewer than half of their quotes were found."""
    lowest = min(answer.stated_confidence for answer in answers)
    quotes = _quotes(answers)
    doubtful = not consistent or 2 * sum(quote.found for quote in quotes) < len(quotes)
    return min(lowest, CAP) if doubtful else lowest


def _quotes(answers: list[Answer]) -> list[Quote]:
    return [
        quote
        for answer in answers
        for marks in answer.criteria.values()
        for _, mark in marks.items()
        for quote in mark.quotes
    ]


def _agreement(answers: list[Answer]) -> tuple[PerOutput[bool], ...]:
    def agree(marks: tuple[PerOutput[ExpectationMark], ...]) -> PerOutput[bool]:
        return PerOutput.of(lambda label: len({mark[label].passed for mark in marks}) == 1)

    return tuple(map(agree, zip(*(answer.expectations for answer in answers), strict=True)))


def assess(rubric: Rubric, passes: tuple[Pass, ...]) -> PerOutput[Assessment]:
    """What all passes say together, values that only one output has among it.

    Raises ValueError unless each order has at least one pass.
    """
    by_order = [[p.answer for p in passes if p.order is order] for order in Order]
    for order, given in zip(Order, by_order, strict=True):
        if not given:
            raise ValueError(f"no pass in order {order}: the judgment is incomplete")
    return _balanced(rubric, by_order)


def _balanced(rubric: Rubric, groups: list[list[Answer]]) -> PerOutput[Assessment]:
    """The mean of the groups' means by criterion; an expectation is met if every answer says so.

    The mean of one or two answers ends on a half step; that of more stays as it is until the dimension score.
    A criterion counts as assessed if every group has a score for it, an expectation if every answer has.
    """
    answers = [answer for group in groups for answer in group]

    def score(label: Label, path: str) -> Decimal | None:
        given = [[answer.criteria[path][label].score for answer in group] for group in groups]
        known = [[score for score in scores if score is not None] for scores in given]
        if not all(known):
            return None
        means = [Decimal(sum(scores)) / len(scores) for scores in known]
        if len(answers) > 2:
            return (sum(means, Decimal(0)) / len(means)).quantize(FINE)
        return half_step_mean(means)

    def met(label: Label, index: int) -> bool | None:
        passed = {answer.expectations[index][label].passed for answer in answers}
        return None if None in passed else False not in passed

    def of(label: Label) -> Assessment:
        scores = {path: score(label, path) for path in rubric.paths}
        return Assessment(
            scores={path: value for path, value in scores.items() if value is not None},
            expectations=tuple(met(label, index) for index in range(len(answers[0].expectations))),
        )

    return PerOutput.of(of)
