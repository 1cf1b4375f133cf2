"""A person's answer to a comparison: changes that are only ever added, and the state that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self

from pydantic import AwareDatetime, Field, model_serializer, model_validator

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen, Label, PerOutput, Winner
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.rubric import Rubric, valid_score
from comparator.domain.scoring.verdict import Assessment

Value = Decimal | bool | str | tuple[str, ...] | None
MOST_LINES = 200
"""Strengths or weaknesses of one output."""
LONGEST_TEXT = 50_000
"""Characters of a line, or of the reasoning."""


class Blindness(StrEnum):
    """What a reviewer knows of who made which output, from nothing to all. Figures count each apart."""

    BLIND = "blind"
    SIDES_HIDDEN = "sides_hidden"
    """They set the pair up and may know its candidates; which output is whose was drawn and is hidden."""
    KNOWN = "known"
    """They know which output is whose."""

    @staticmethod
    def least(of: Iterable[Blindness]) -> Blindness:
        """What the one who knows most knows; blind where there is nobody.

        >>> Blindness.least([Blindness.SIDES_HIDDEN, Blindness.BLIND])
        <Blindness.SIDES_HIDDEN: 'sides_hidden'>
        """
        return max(of, key=list(Blindness).index, default=Blindness.BLIND)


class How(StrEnum):
    """How a final review was made."""

    BLIND_FIRST = "blind_first"
    """Scored before the judge's values were shown."""
    JUDGE_FIRST = "judge_first"
    """With the judge's values in view, which pull towards agreement."""
    SIDES_HIDDEN = "sides_hidden"
    """By someone who set the pair up and may know its candidates, but not which output is whose."""
    KNEW = "knew"
    """By someone who knew which output was whose, such as after the reveal."""
    REVEALING = "revealing"
    """Of a pair in which a passage tells outright which run an output is from."""


class Part(StrEnum):
    """The parts of a verdict that a reviewer can alter."""

    SCORE = "score"
    EXPECTATION = "expectation"
    STRENGTHS = "strengths"
    WEAKNESSES = "weaknesses"
    REASONING = "reasoning"
    WINNER = "winner"
    PREFERENCE = "preference"


class Preference(StrEnum):
    """The one answer of a review that puts the preference first."""

    A_MUCH = "A_MUCH"
    A = "A"
    SAME = "SAME"
    B = "B"
    B_MUCH = "B_MUCH"

    @property
    def winner(self) -> Winner:
        """Whom it makes the winner."""
        return Winner.TIE if self is Preference.SAME else Winner(self.value[0])

    @property
    def sentence(self) -> str:
        """The answer as a sentence of a reasoning, without its full stop."""
        if self is Preference.SAME:
            return "Both outputs do the task equally well"
        much = "much " if self.value.endswith("_MUCH") else ""
        return f"Output {self.winner} is {much}better"


class Target(Frozen):
    """The address of one value: `score:A:content.accuracy`, `expectation:B:3`, `strengths:A`, `reasoning`, `winner`,
    `preference`."""

    part: Part
    label: Label | None = None
    key: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_address(cls, raw: Any) -> Any:
        return cls.parse(raw).__dict__ if isinstance(raw, str) else raw

    @model_serializer
    def _as_address(self) -> str:
        return str(self)

    @model_validator(mode="after")
    def _has_its_parts(self) -> Self:
        needs_label = self.part not in (Part.REASONING, Part.WINNER, Part.PREFERENCE)
        needs_key = self.part in (Part.SCORE, Part.EXPECTATION)
        if (self.label is not None) != needs_label or (self.key is not None) != needs_key:
            raise ValueError(
                f"{self.part} needs {'a' if needs_label else 'no'} label, {'a' if needs_key else 'no'} key"
            )
        return self

    def __str__(self) -> str:
        return ":".join(str(p) for p in (self.part, self.label, self.key) if p is not None)

    @classmethod
    def parse(cls, text: str) -> Target:
        """The target of an address. Raises ReviewError for anything else."""
        part, _, rest = text.partition(":")
        label, _, key = rest.partition(":")
        try:
            return cls(part=Part(part), label=Label(label) if label else None, key=key or None)
        except ValueError as error:
            raise ReviewError(f"{text[:80]!r} is not a value of a review.") from error


class ChangeKind(StrEnum):
    """What a change does to its target."""

    SET = "set"
    CONFIRM = "confirm"
    CONFIRM_REST = "confirm_rest"
    CANNOT_JUDGE = "cannot_judge"
    CLEAR = "clear"


class Touch(StrEnum):
    """Whether a person gave an opinion on a value; untouched is not agreement."""

    UNTOUCHED = "untouched"
    CONFIRMED = "confirmed"
    CHANGED = "changed"
    CANNOT_JUDGE = "cannot_judge"

    @property
    def is_opinion(self) -> bool:
        """Whether the person stands by a value; to leave it untouched, or not to judge, is no opinion."""
        return self in (Touch.CONFIRMED, Touch.CHANGED)


class Change(Frozen):
    """One altered value. `id` is made by the sender, so that sending twice stores once; `undoes` names a change."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    target: Target
    kind: ChangeKind
    value: Any = None
    reason: str = Field(default="", max_length=4000)
    code: str = Field(default="", max_length=60)
    author: str
    at: AwareDatetime
    undoes: str | None = None
    blind: bool = False
    """Stored before the judge's values were open to the author."""
    unblinded: bool = False
    """Stored after the reveal."""

    @model_validator(mode="after")
    def _value_by_part(self) -> Self:
        empty = self.kind in (ChangeKind.CLEAR, ChangeKind.CANNOT_JUDGE)
        value = None if empty else value_for(self.target.part, self.value)
        if value != self.value or type(value) is not type(self.value):
            object.__setattr__(self, "value", value)
        return self


def value_for(part: Part, value: object) -> Value:
    """A value as it comes from JSON, in the type that its part has: a Decimal for scores, a tuple for lists.

    Raises ValueError where it cannot be one.
    """
    if value is None or isinstance(value, bool):
        return value
    if part is Part.SCORE:
        try:
            score = Decimal(str(value))
        except ArithmeticError as error:
            raise ValueError(f"{value!r} is not a score") from error
        if not score.is_finite():
            raise ValueError(f"{value!r} is not a score")
        return score
    if part in (Part.STRENGTHS, Part.WEAKNESSES):
        if not isinstance(value, list | tuple) or not all(isinstance(line, str) for line in value):
            raise ValueError(f"{part} is a list of sentences")
        return tuple(line.strip() for line in value if line.strip())
    if not isinstance(value, str):
        raise ValueError(f"{part} is a text")
    return value


class ReviewEntry(Frozen):
    """The present state of one value of a review."""

    touch: Touch = Touch.UNTOUCHED
    value: Value = None
    reason: str = ""
    code: str = ""
    author: str | None = None
    at: datetime | None = None
    blind: bool = False


UNTOUCHED = ReviewEntry()
_TOUCH = {
    ChangeKind.SET: Touch.CHANGED,
    ChangeKind.CONFIRM: Touch.CONFIRMED,
    ChangeKind.CONFIRM_REST: Touch.CONFIRMED,
    ChangeKind.CANNOT_JUDGE: Touch.CANNOT_JUDGE,
    ChangeKind.CLEAR: Touch.UNTOUCHED,
}
OPINIONS = frozenset(kind for kind, touch in _TOUCH.items() if touch.is_opinion)
"""The changes by which a person gives an opinion."""


def entry_of(change: Change) -> ReviewEntry:
    """The state of a value after this change."""
    if change.kind is ChangeKind.CLEAR:
        return UNTOUCHED
    return ReviewEntry(
        touch=_TOUCH[change.kind],
        value=change.value,
        reason=change.reason,
        code=change.code,
        author=change.author,
        at=change.at,
        blind=change.blind,
    )


def fold(changes: Iterable[Change]) -> dict[str, ReviewEntry]:
    """The state of each touched value, by address, after all changes in their stored order."""
    state: dict[str, ReviewEntry] = {}
    for change in changes:
        state[str(change.target)] = entry_of(change)
    return {address: entry for address, entry in state.items() if entry.touch is not Touch.UNTOUCHED}


def inverse_of_last(changes: tuple[Change, ...], *, id: str, author: str, at: datetime) -> Change | None:
    """The change that takes back the author's last change that still stands; None where nothing is left to undo."""
    undone = {change.undoes for change in changes if change.undoes is not None}
    for index in range(len(changes) - 1, -1, -1):
        last = changes[index]
        if last.undoes is not None or last.id in undone or last.author != author:
            continue
        before = fold(c for c in changes[:index] if c.target == last.target).get(str(last.target), UNTOUCHED)
        kind = next(k for k, touch in _TOUCH.items() if touch is before.touch)
        return Change(
            id=id,
            target=last.target,
            kind=kind,
            value=before.value,
            reason=before.reason,
            code=before.code,
            author=author,
            at=at,
            undoes=last.id,
        )
    return None


def check_value(change: Change, *, rubric: Rubric, expectations: int) -> None:
    """Raise ReviewError unless the change's target exists in this comparison and its value is of the right kind."""
    target, value = change.target, change.value
    if target.part is Part.SCORE and target.key not in rubric.paths:
        raise ReviewError(f"The rubric has no criterion {target.key!r}.")
    # One way to write each number: by another, the same expectation could be answered many times over.
    if target.part is Part.EXPECTATION and str(target.key) not in map(str, range(expectations)):
        raise ReviewError(f"The task has no expectation number {target.key}.")
    if change.kind is ChangeKind.CANNOT_JUDGE and target.part not in (Part.SCORE, Part.EXPECTATION):
        raise ReviewError(
            f"'Cannot judge' is an answer to a criterion or an expectation, not to {target.part}."
        )
    if change.kind in (ChangeKind.CLEAR, ChangeKind.CANNOT_JUDGE):
        return
    if not _fits(target.part, value):
        raise ReviewError(f"{value!r} is not a value for {target}.")
    lines = value if isinstance(value, tuple) else (str(value),)
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_TEXT for line in lines):
        raise ReviewError(
            f"{target} has {len(lines):,} lines, the longest of {max(map(len, lines)):,} characters; up to "
            f"{MOST_LINES:,} lines of {LONGEST_TEXT:,} characters are taken. Shorten it."
        )


def _fits(part: Part, value: Value) -> bool:
    match part:
        case Part.SCORE:
            return isinstance(value, Decimal) and valid_score(value)
        case Part.EXPECTATION:
            return isinstance(value, bool)
        case Part.STRENGTHS | Part.WEAKNESSES:
            return isinstance(value, tuple)
        case Part.REASONING:
            return isinstance(value, str) and bool(value.strip())
        case Part.WINNER:
            return isinstance(value, str) and value in set(Winner)
        case Part.PREFERENCE:
            return isinstance(value, str) and value in set(Preference)


def effective(
    rubric: Rubric, expectations: int, *, judge: PerOutput[Assessment] | None, state: dict[str, ReviewEntry]
) -> tuple[PerOutput[Assessment], tuple[str, ...]]:
    """The assessments that hold now, the reviewer's value before the judge's; and the addresses of what has no value.

    A "cannot judge" leaves the judge's value in force.
    """
    missing: list[str] = []
    halves: dict[Label, Assessment] = {}
    for label in Label:
        scores: dict[str, Decimal] = {}
        met: list[bool | None] = []
        for path in rubric.paths:
            value = state.get(f"score:{label}:{path}", UNTOUCHED).value
            if value is None and judge is not None:
                value = judge[label].scores.get(path)
            if isinstance(value, Decimal):
                scores[path] = value
            else:
                missing.append(f"score:{label}:{path}")
        for index in range(expectations):
            value = state.get(f"expectation:{label}:{index}", UNTOUCHED).value
            if value is None and judge is not None:
                value = judge[label].expectations[index]
            met.append(value if isinstance(value, bool) else None)
            if met[-1] is None:
                missing.append(f"expectation:{label}:{index}")
        halves[label] = Assessment(scores=scores, expectations=tuple(met))
    return PerOutput(A=halves[Label.A], B=halves[Label.B]), tuple(missing)


def scores_by(assessments: PerOutput[Assessment], reviews: Iterable[Iterable[Change]]) -> dict[str, int]:
    """How many of the scores that count reviewers gave or confirmed, and how many are still the judge's."""
    said = {a for changes in reviews for a, entry in fold(changes).items() if entry.touch.is_opinion}
    scores = {f"score:{label.value}:{path}" for label in Label for path in assessments[label].scores}
    return {"reviewers": len(scores & said), "judge": len(scores - said)}


def judged_value(judgment: MergedJudgment | None, target: Target) -> Value:
    """The judge's value at an address; None where there is no judgment (and for the winner, which rules decide)."""
    if judgment is None:
        return None
    label, key = target.label or Label.A, target.key or ""
    match target.part:
        case Part.SCORE:
            return judgment.assessments[label].scores.get(key)
        case Part.EXPECTATION:
            met = judgment.assessments[label].expectations
            return met[int(key)] if key.isdecimal() and int(key) < len(met) else None
        case Part.STRENGTHS:
            return judgment.prose.strengths[label]
        case Part.WEAKNESSES:
            return judgment.prose.weaknesses[label]
        case Part.REASONING:
            return judgment.prose.reasoning
        case Part.WINNER | Part.PREFERENCE:
            return None
