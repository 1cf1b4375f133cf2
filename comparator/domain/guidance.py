"""A project's notes to its judge: what they rest on, and the halves of corrections to learn from and to test on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from comparator.domain.labels import Frozen, Label, Winner

FEWEST = 10
"""Below so many corrections nothing is drafted, and below so many held-out pairs nothing is tried."""
WEAK_BELOW = 50
"""Below so many of either, a trial is called weak."""
LONGEST = 6000
"""Characters of all sentences together: they go into every request."""
MOST_SENTENCES = 40


class Guidance(Frozen):
    """One version of a project's notes, as a judge gets it; `number` counts from 1 within the project."""

    number: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=LONGEST)


class Sentence(Frozen):
    """One note, and the numbers of the corrections that it rests on; none for what a person simply wrote."""

    text: str = Field(min_length=1, max_length=1000)
    rests_on: tuple[int, ...] = ()


class Correction(Frozen):
    """One thing that a person put right: a score, an expectation, a winner, or a line of a rubric."""

    number: int = Field(ge=1)
    """By this the sentences refer to it."""
    kind: Literal["score", "expectation", "winner", "rubric"]
    task: str
    """The task's title."""
    about: str
    """The criterion's path, the expectation, or what of the rubric."""
    label: Label | None = None
    judge: str
    """What the judge said, or the rubric before."""
    person: str
    reason: str = ""
    why_judge: str = ""
    """The judge's rationale."""
    comparison_id: str | None = None

    @property
    def in_words(self) -> str:
        """The correction in words.

        >>> Correction(
        ...     number=1, kind="score", task="t", about="content.accuracy", label=Label.A, judge="5", person="3",
        ...     reason="A total is wrong."
        ... ).in_words
        'content.accuracy of output A: the judge said 5, a person 3, as “A total is wrong.”'
        """
        of_output = f" of output {self.label.value}" if self.label else ""
        because = f", as “{self.reason}”" if self.reason else ""
        source = "the rubric said" if self.kind == "rubric" else "the judge said"
        return f"{self.about}{of_output}: {source} {self.judge}, a person {self.person}{because}"


class HeldOutPair(Frozen):
    """A pair of the held-out half, with the winner that people named before they saw the judge's values."""

    comparison_id: str
    task_id: str
    winner: Winner


class Split(Frozen):
    """Which tasks are learnt from and which are held out, fixed before anything is drafted."""

    learn: tuple[str, ...]
    test: tuple[str, ...]
    corrections: tuple[Correction, ...]
    """Of the tasks that are learnt from."""
    withheld: int
    """How many corrections there are of the held-out tasks."""
    held_out: tuple[HeldOutPair, ...]

    @property
    def total(self) -> int:
        """All corrections, of both halves."""
        return len(self.corrections) + self.withheld

    @property
    def weak(self) -> bool:
        """Whether there are too few for more than a hint."""
        return min(self.total, len(self.held_out)) < WEAK_BELOW

    @property
    def digest(self) -> str:
        """sha256 over both halves, the corrections and what people said of the held-out pairs, in hexadecimal."""
        return hashlib.sha256(self.model_dump_json().encode("utf-8", "replace")).hexdigest()


def halves(tasks: Mapping[str, int], *, lot: Callable[[], float]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tasks that are learnt from, and those that are held out: half each, by chance among those of like weight.

    `tasks` holds how much each weighs, such as its number of corrections; `lot` draws a number from 0 up to 1.
    """
    drawn = sorted(tasks, key=lambda task: (-tasks[task], lot()))
    learn: list[str] = []
    test: list[str] = []
    for at in range(0, len(drawn), 2):
        two = drawn[at : at + 2]
        first, second = (learn, test) if lot() < 0.5 else (test, learn)
        first.append(two[0])
        second.extend(two[1:])
    return tuple(sorted(learn)), tuple(sorted(test))


def text_of(sentences: Sequence[Sentence]) -> str:
    """The notes as a judge gets them, one a line."""
    return "\n".join(f"- {' '.join(sentence.text.split())}" for sentence in sentences)
