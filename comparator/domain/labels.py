"""The neutral labels A and B, and the small closed sets that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")
U = TypeVar("U")


class Frozen(BaseModel):
    """Base of the domain's values: immutable, and unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def copy_with(self, **changes: Any) -> Self:
        """The same value but for these fields."""
        return self.model_copy(update=changes)


def sparse_field(default: Any, **limits: Any) -> Any:
    """A field that is left out of what is written while it is empty."""
    return Field(default=default, exclude_if=lambda value: not value, **limits)


class Label(StrEnum):
    """The two outputs of a comparison."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Label:
        """The other output's label."""
        return Label.B if self is Label.A else Label.A


class Winner(StrEnum):
    """Who is better: one of the outputs, or neither."""

    A = "A"
    B = "B"
    TIE = "TIE"

    @property
    def mirrored(self) -> Winner:
        """The winner after A and B have changed places."""
        return {Winner.A: Winner.B, Winner.B: Winner.A}.get(self, self)

    @property
    def in_words(self) -> str:
        """The outcome by itself.

        >>> Winner.A.in_words, Winner.TIE.in_words
        ('A wins', 'Tie')
        """
        return "Tie" if self is Winner.TIE else f"{self.value} wins"

    @property
    def in_sentence(self) -> str:
        """The winner within a sentence.

        >>> Winner.A.in_sentence, Winner.TIE.in_sentence
        ('A', 'a tie')
        """
        return "a tie" if self is Winner.TIE else self.value


class LabelKind(StrEnum):
    """Whose label an imported verdict is."""

    GOLD = "gold"
    HUMAN = "human"
    JUDGE = "judge"
    GRADER = "imported_grader"
    """What a grader's pass rates make of the two, as it graded each for itself."""


def most_named_winner(winners: Iterable[Winner]) -> Winner | None:
    """The winner that is named more often than any other; None where there is none.

    >>> most_named_winner([Winner.A, Winner.TIE, Winner.A])
    <Winner.A: 'A'>
    >>> most_named_winner([Winner.A, Winner.B]) is most_named_winner([]) is None
    True
    """
    named = Counter(winners).most_common(2)
    if not named or (len(named) == 2 and named[0][1] == named[1][1]):
        return None
    return named[0][0]


class Order(StrEnum):
    """Which output a judge is shown first. The labels do not move, only the order of presentation does."""

    A_FIRST = "AB"
    B_FIRST = "BA"

    @property
    def labels(self) -> tuple[Label, Label]:
        """The labels in the order of presentation."""
        return (Label.A, Label.B) if self is Order.A_FIRST else (Label.B, Label.A)


class Dimension(StrEnum):
    """The two dimensions of a rubric."""

    CONTENT = "content"
    STRUCTURE = "structure"


class PerOutput(Frozen, Generic[T]):
    """One value for output A and one for output B."""

    A: T
    B: T

    def __getitem__(self, label: Label) -> T:
        return self.A if label is Label.A else self.B

    def items(self) -> Iterator[tuple[Label, T]]:
        """Pairs of label and value, A first."""
        yield Label.A, self.A
        yield Label.B, self.B

    @staticmethod
    def of(function: Callable[[Label], U]) -> PerOutput[U]:
        """What `function` gives for each label."""
        return PerOutput(A=function(Label.A), B=function(Label.B))

    def map(self, function: Callable[[T], U]) -> PerOutput[U]:
        """The same for both: `function` applied to each value."""
        return PerOutput(A=function(self.A), B=function(self.B))

    @property
    def mirrored(self) -> PerOutput[T]:
        """The values after A and B have changed places."""
        return self.copy_with(A=self.B, B=self.A)
