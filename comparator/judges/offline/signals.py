"""What a measurement yields: signals with their weight, from which a score follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from comparator.domain.judgment import Mark, Quote
from comparator.domain.labels import PerOutput
from comparator.domain.task import TaskText
from comparator.domain.view import BlindedPair, OutputView
from comparator.judges.offline.words import Haystack

Score = Literal[1, 2, 3, 4, 5]
NEUTRAL: Score = 3
_SCORES: tuple[Score, ...] = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Signal:
    """One thing that was measured: what it says in plain words, and how good it is from 0 to 1.

    `good` is what it says as a strength, where `text` counts faults or names what is missing.
    """

    text: str
    value: float
    weight: float = 1.0
    quotes: tuple[Quote, ...] = ()
    good: str = ""


Reading = tuple[Signal, ...]
"""The signals of one output on one criterion, at least one."""


@dataclass(frozen=True)
class Surroundings:
    """What is known besides the output: the task, its inputs and the reference answer."""

    task: TaskText
    inputs: Haystack | None
    reference: Haystack | None


@dataclass(frozen=True)
class Subject:
    """One output as measures see it."""

    view: OutputView
    hay: Haystack


Measure = Callable[[Subject, Surroundings], Reading | None]
"""Signals of one output, or None where there is nothing of the kind to measure."""


def value_of(reading: Reading) -> float:
    """The weighted mean of the signals, 0 to 1."""
    weight = sum(signal.weight for signal in reading)
    return sum(signal.value * signal.weight for signal in reading) / weight


def score_of(reading: Reading) -> Score:
    """The score that the signals give: 0 is 1, one half is 3, 1 is 5, rounded half up."""
    return _SCORES[min(4, max(0, int(value_of(reading) * 4 + 0.5)))]


def mark_of(reading: Reading) -> Mark:
    """The score with its signals as the rationale."""
    quotes = tuple(dict.fromkeys(quote for signal in reading for quote in signal.quotes))
    return Mark(
        score=score_of(reading),
        rationale="; ".join(signal.text for signal in reading) + ".",
        quotes=quotes[:5],
    )


def not_measured(reason: str) -> Mark:
    """The neutral score, the same for both outputs, for what the baseline cannot tell."""
    return Mark(score=NEUTRAL, rationale=f"not measured: {reason}", measured=False)


def measure_both(
    measure: Measure, subjects: PerOutput[Subject], surroundings: Surroundings
) -> PerOutput[Reading] | None:
    """Both outputs' readings, or None if neither has anything to measure.

    If only one has, the other gets the lowest value: it lacks what the task led its counterpart to make.
    """
    a, b = measure(subjects.A, surroundings), measure(subjects.B, surroundings)
    if a is None and b is None:
        return None
    lacking: Reading = (Signal("has nothing of this kind, the other output does", 0.0),)
    return PerOutput[Reading](A=a or lacking, B=b or lacking)


def surroundings_of(pair: BlindedPair) -> Surroundings:
    """The task with its inputs and reference, ready to be searched."""
    return Surroundings(
        task=pair.task,
        inputs=Haystack(pair.inputs) if pair.inputs else None,
        reference=Haystack(pair.reference) if pair.reference else None,
    )


def share(part: int, whole: int) -> float:
    """`part` of `whole` as 0 to 1; nothing of nothing is 1."""
    return part / whole if whole else 1.0
