"""What an import says while it works: a sentence, and how far it is where that is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

OnStep = Callable[[str], None]
EVERY = 25
"""After so many outputs or pairs it is said how far an import is."""


class Step(str):
    """A sentence for a person that also says how far the work is: `done` of `of`, as numbers of things.

    >>> step = Step("Reading output 4 of 12", done=3, of=12)
    >>> print(step, step.share)
    Reading output 4 of 12 0.25
    """

    done: int
    of: int

    def __new__(cls, text: str, *, done: int, of: int) -> Self:
        """The sentence, with the figures beside it."""
        step = super().__new__(cls, text)
        step.done, step.of = done, of
        return step

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return min(self.done / self.of, 1.0) if self.of else 1.0


def tell(on_step: OnStep, doing: str, number: int, *, of: int) -> None:
    """Say at the first, the last and every 25th thing that this one's turn has come."""
    if number in (1, of) or number % EVERY == 0:
        on_step(Step(f"{doing} {number:,} of {of:,}", done=number - 1, of=of))
