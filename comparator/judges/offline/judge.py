"""The baseline as a judge: measures both outputs, writes each score with its signals."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from decimal import Decimal

from comparator.domain.judgment import Answer, ExpectationMark, Mark
from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.rubric import Rubric
from comparator.domain.task import TaskText
from comparator.domain.verdict import Assessment, Verdict, settle
from comparator.domain.view import BlindedPair, Family
from comparator.judges.injections import addressed_in, labelled
from comparator.judges.offline.expectations import check_expectation
from comparator.judges.offline.rubrics import measure_for, profile_of, rubric_for
from comparator.judges.offline.signals import (
    Reading,
    Signal,
    Subject,
    mark_of,
    measure_both,
    not_measured,
    surroundings_of,
    value_of,
)
from comparator.judges.offline.words import Haystack
from comparator.judges.protocol import JudgeIdentity, Owner, PassReply, RubricReply

VERSION = "1"
MODEL = f"offline-baseline-{VERSION}"
OPENING = "Offline baseline, not a judgment."
_CAVEAT = (
    "It cannot tell right from wrong: it counts and parses, and does not understand what it reads. "
    "A person has to check it."
)
_STRONG, _WEAK = 0.9, 0.6
_MOST_POINTS = 5


class OfflineJudge:
    """Scores what can be measured without a model; the same answer in both orders, at no cost."""

    identity = JudgeIdentity(
        kind="offline", model=MODEL, digest=hashlib.sha256(f"offline:{VERSION}".encode()).hexdigest()
    )

    @property
    def prompt_digests(self) -> dict[str, str]:
        """Empty: there are no prompts."""
        return {}

    async def write_rubric(
        self,
        task: TaskText,
        *,
        families: tuple[Family, ...],
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
    ) -> RubricReply:
        """The ready-made rubric of the kind of output that the task asks for."""
        return RubricReply(rubric=rubric_for(profile_of(task, families)))

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,  # noqa: ARG002  the protocol has it; the baseline reads both outputs alike
        repetition: int = 0,  # noqa: ARG002  the same
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
    ) -> PassReply:
        """The measured answer. Neither the order nor the repetition changes it."""
        return PassReply(answer=await asyncio.to_thread(measure_pair, pair, rubric))

    async def check(self) -> str:
        """Always ready."""
        return "The offline baseline is ready; it needs no model, and cannot tell right from wrong."

    async def close(self) -> None:
        """Nothing to give back."""


def measure_pair(pair: BlindedPair, rubric: Rubric) -> Answer:
    """The baseline's answer to a pair."""
    around = surroundings_of(pair)
    subjects = pair.outputs.map(lambda view: Subject(view, Haystack(view)))
    families = tuple(file.family for _, view in pair.outputs.items() for file in view.files)
    profile = profile_of(pair.task, families)
    readings: dict[str, PerOutput[Reading] | None] = {}
    criteria: dict[str, PerOutput[Mark]] = {}
    for path in rubric.paths:
        measure = measure_for(path, profile)
        reading = measure_both(measure, subjects, around) if measure else None
        readings[path] = reading
        if reading is None:
            reason = (
                "this needs someone who understands the task"
                if measure is None
                else "nothing to measure it by"
            )
            criteria[path] = PerOutput[Mark](A=not_measured(reason), B=not_measured(reason))
        else:
            criteria[path] = reading.map(mark_of)
    expectations = tuple(check_expectation(text, subjects, around) for text in pair.task.expectations)
    verdict = _verdict(rubric, criteria, expectations)
    better = verdict.winner if verdict.winner is not Winner.TIE else _finer(readings)
    return Answer(
        criteria=criteria,
        expectations=expectations,
        strengths=_points(readings, strong=True),
        weaknesses=_points(readings, strong=False),
        better=better,
        reasoning=_reasoning(rubric, criteria, readings, expectations, verdict, better),
        stated_confidence=50,
        addressed_judge=labelled(addressed_in(pair)),
    )


def _verdict(
    rubric: Rubric,
    criteria: dict[str, PerOutput[Mark]],
    expectations: tuple[PerOutput[ExpectationMark], ...],
) -> Verdict:
    def of(label: Label) -> Assessment:
        return Assessment(
            scores={path: Decimal(marks[label].score) for path, marks in criteria.items()},
            expectations=tuple(mark[label].passed for mark in expectations),
        )

    return settle(rubric, PerOutput[Assessment](A=of(Label.A), B=of(Label.B)))


def _finer(readings: dict[str, PerOutput[Reading] | None]) -> Winner:
    """Who leads before rounding to whole scores; a tie only if all signals are the same."""
    total = sum(round(value_of(r.A) - value_of(r.B), 6) for r in readings.values() if r)
    return Winner.TIE if abs(total) < 1e-6 else Winner.A if total > 0 else Winner.B


def _points(readings: dict[str, PerOutput[Reading] | None], *, strong: bool) -> PerOutput[tuple[str, ...]]:
    def of(label: Label) -> tuple[str, ...]:
        signals = [
            s for s in _signals(readings, label) if (s.value >= _STRONG if strong else s.value <= _WEAK)
        ]
        signals.sort(key=lambda s: (-s.value if strong else s.value, -s.weight))
        texts = (s.good or s.text if strong else s.text for s in signals)
        return tuple(dict.fromkeys(map(_sentence, texts)))[:_MOST_POINTS]

    return PerOutput[tuple[str, ...]](A=of(Label.A), B=of(Label.B))


def _sentence(text: str) -> str:
    first = text.partition(" ")[0]
    return text if "." in first or "/" in first else text[:1].upper() + text[1:]


def _signals(readings: dict[str, PerOutput[Reading] | None], label: Label) -> Iterator[Signal]:
    for reading in readings.values():
        if reading is not None:
            yield from reading[label]


def _reasoning(
    rubric: Rubric,
    criteria: dict[str, PerOutput[Mark]],
    readings: dict[str, PerOutput[Reading] | None],
    expectations: tuple[PerOutput[ExpectationMark], ...],
    verdict: Verdict,
    better: Winner,
) -> str:
    measured = sum(reading is not None for reading in readings.values())
    totals = verdict.totals
    parts = [
        OPENING,
        _CAVEAT,
        f"It could measure {measured} of {len(readings)} criteria; the others have a neutral 3 on both sides.",
        f"By these measures A has {totals.A.overall_score} and B {totals.B.overall_score} of 10.",
    ]
    names = dict(rubric.lines())
    apart = [
        f"{names[path].name} (A {marks.A.score}, B {marks.B.score})"
        for path, marks in criteria.items()
        if marks.A.score != marks.B.score
    ]
    if apart:
        parts.append(f"They differ in {', '.join(apart)}.")
    if expectations:
        checked = [mark for mark in expectations if mark.A.measured]
        parts.append(
            f"Of {len(expectations)} expectations a search could check {len(checked)}: "
            f"A meets {sum(m.A.passed for m in checked)}, B meets {sum(m.B.passed for m in checked)}."
        )
    parts.append(
        "Nothing that it measures tells the two apart."
        if better is Winner.TIE
        else f"It therefore leans to output {better.value}."
    )
    return " ".join(parts)
