"""What a generated judge and reviewer say of a pair."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark, Quote, merge
from comparator.domain.scoring.judgment import Pass as JudgedPass
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.reporting.tally.facts import LastChange, Reviewed

PATHS = tuple(
    f"{dimension}.{key}" for dimension in ("content", "structure") for key in ("one", "two", "three")
)


class Judged(NamedTuple):
    """Both passes over a pair, and what they come to."""

    passes: tuple[JudgedPass, JudgedPass]
    answers: tuple[dict[str, Any], dict[str, Any]]
    """Of the passes, as they are stored."""
    assessments: PerOutput[Assessment]
    verdict: Verdict
    consistent: bool
    self_consistent: bool
    confidence: int
    quotes: tuple[int, int]


def judged_pair(rng: random.Random) -> Judged:
    """A judgment that is drawn; the one shown first is favoured a little."""
    lead = rng.gauss(0, 0.4)
    answers = _answer(rng, lead + 0.1), _answer(rng, lead - 0.1)
    passes = (
        JudgedPass(order=Order.A_FIRST, answer=answers[0]),
        JudgedPass(order=Order.B_FIRST, answer=answers[1]),
    )
    merged = merge(RUBRIC, passes)
    return Judged(
        passes=passes,
        answers=(answers[0].model_dump(mode="json"), answers[1].model_dump(mode="json")),
        assessments=merged.assessments,
        verdict=_present(merged.verdict),
        consistent=merged.position_consistent,
        self_consistent=merged.self_consistent,
        confidence=merged.stated_confidence,
        quotes=(merged.quotes_found, merged.quotes_total),
    )


def _present(verdict: Verdict | None) -> Verdict:
    assert verdict is not None
    return verdict


def _answer(rng: random.Random, lead: float) -> Answer:
    def mark(up: float) -> Mark:
        score = min(5, max(1, round(rng.gauss(3.3 + up, 0.9))))
        quote = Quote(file="answer.md", text="a line", found=rng.random() < 0.9, start=0, end=6)
        return Mark.model_validate({"score": score, "rationale": "As it stands.", "quotes": (quote,)})

    criteria = {path: PerOutput[Mark](A=mark(lead), B=mark(-lead)) for path in PATHS}
    sums = {label: sum(marks[label].score or 0 for marks in criteria.values()) for label in Label}
    better = (
        Winner.A
        if sums[Label.A] > sums[Label.B]
        else Winner.B
        if sums[Label.B] > sums[Label.A]
        else Winner.TIE
    )
    return Answer(
        criteria=criteria,
        expectations=(
            PerOutput[ExpectationMark](
                A=ExpectationMark(passed=rng.random() < 0.8), B=ExpectationMark(passed=rng.random() < 0.7)
            ),
        ),
        strengths=PerOutput[tuple[str, ...]](A=("clear",), B=()),
        weaknesses=PerOutput[tuple[str, ...]](A=(), B=("short",)),
        better=better,
        reasoning="The one is clearer than the other.",
        stated_confidence=rng.choice((50, 60, 70, 80, 90, 100)),
    )


def _criterion(key: str) -> Criterion:
    anchors = Anchors(poor="wrong", acceptable="mostly right", excellent="right")
    return Criterion(key=key, name=key.title(), anchors=anchors)


RUBRIC = Rubric(
    content=tuple(_criterion(key) for key in ("one", "two", "three")),
    structure=tuple(_criterion(key) for key in ("one", "two", "three")),
)


class Review(NamedTuple):
    """What a person settled, and what is counted of it."""

    verdict: Verdict
    fact: Reviewed


def review_of(judged: Judged, rng: random.Random, at: datetime) -> Review:
    """A person's review that keeps most of the judge's scores."""
    scores: dict[Label, dict[str, Decimal]] = {}
    said = []
    blind = rng.random() < 0.5
    for label in Label:
        own = judged.verdict.assessments[label].scores
        scores[label] = {}
        for path, score in own.items():
            changed = rng.random() < 0.25
            scores[label][path] = Decimal(rng.randint(1, 5)) if changed else score
            said.append(LastChange(f"score:{label.value}:{path}", "set" if changed else "confirm", "", blind))
    halves = PerOutput[Assessment](
        A=Assessment(scores=scores[Label.A], expectations=judged.verdict.assessments.A.expectations),
        B=Assessment(scores=scores[Label.B], expectations=judged.verdict.assessments.B.expectations),
    )
    verdict = _present(settle(RUBRIC, halves))
    times = tuple(at + timedelta(seconds=60 + 9 * step) for step in range(len(said) + 2))
    return Review(
        verdict,
        Reviewed(
            person_id="",
            mode="blind_first" if blind else "judge_first",
            knows=False,
            act="final",
            winner=verdict.winner.value,
            verdict=verdict,
            rubric=RUBRIC,
            changes=tuple(said),
            times=times,
        ),
    )
