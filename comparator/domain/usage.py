"""What one request to a judge cost: tokens, seconds, and what came back."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from comparator.domain.labels import Frozen

CHARACTERS_A_TOKEN = 4
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


def digits_in(text: str) -> int:
    """How many digits a text has."""
    return len(text) - len(text.translate(_WITHOUT_DIGITS))


def characters_a_token(text: str) -> int:
    """About how many characters of a text make a token: four, two where more than a third of it are digits."""
    return CHARACTERS_A_TOKEN // 2 if 3 * digits_in(text) > len(text) else CHARACTERS_A_TOKEN


def tokens_in(text: str) -> int:
    """About how many tokens a text has.

    >>> tokens_in("The river rises."), tokens_in("4711,4712,4713")
    (4, 7)
    """
    return len(text) // characters_a_token(text)


class Usage(Frozen):
    """Tokens and seconds of one or more requests.

    `cached_tokens` were read from a cache, `cache_written_tokens` put into one. `input_tokens` counts only what was
    neither, as the Messages API does.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    seconds: float = 0.0

    @property
    def prompt_tokens(self) -> int:
        """All that was sent."""
        return self.input_tokens + self.cached_tokens + self.cache_written_tokens

    @property
    def tokens(self) -> int:
        """All that was sent and received."""
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cache_written_tokens=self.cache_written_tokens + other.cache_written_tokens,
            seconds=self.seconds + other.seconds,
        )


class Call(Frozen):
    """One request on the wire: its raw answer (never a secret), what it used, and the problem if it was unusable."""

    raw: str = ""
    usage: Usage = Usage()
    problem: str | None = None
    model: str = ""
    request_id: str | None = None
    batched: bool = False
    """Whether it was sent in a Message Batch, at half the price."""


def added(costs: Iterable[Decimal | None]) -> Decimal | None:
    """What all of these cost together; None where there is none, or one whose price is not known."""
    total: Decimal | None = None
    for cost in costs:
        if cost is None:
            return None
        total = cost + (total or 0)
    return total
