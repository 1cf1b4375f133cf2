"""What a judge may examine with tools, and what it looked at: each call, and which files it was given or opened."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, JsonValue, ValidationError

from comparator.domain.errors import first_problem
from comparator.domain.labels import Frozen

Place = Literal["A", "B", "input", "reference"]


class ToolCall(Frozen):
    """One call as it is kept. `digest` is the sha256 of the answer, `size` its bytes, `seconds` what it took."""

    tool: str
    arguments: dict[str, JsonValue]
    size: int
    tokens: int
    """About; how many they really are only the model's server can tell."""
    seconds: float
    digest: str
    problem: bool = False
    refused: bool = False
    """Not answered, since a limit was reached."""


class Extent(StrEnum):
    """How much of a file was seen: what a request holds of it, and whether tools opened it."""

    WHOLLY = "wholly"
    IN_PART = "in part"
    NEVER = "never"


class FileAttention(Frozen):
    """How much of one file was seen, and in how many calls."""

    place: Place
    file: str
    extent: Extent
    calls: int = 0


class LookedAt(Frozen):
    """The record of one reading with tools."""

    calls: tuple[ToolCall, ...]
    files: tuple[FileAttention, ...]


NO_LIMIT = "none"
EXAMPLE = "calls=40,bytes=2000000,tokens=200000,seconds=300,money=1.00"


class ToolLimits(Frozen):
    """What one reading may use at most; the same for both orders."""

    calls: int = Field(default=60, ge=1)
    bytes: int = Field(default=4_000_000, ge=1)
    """Of answers, pictures among them."""
    tokens: int = Field(default=1_000_000, ge=1)
    """Of all requests of the reading, sent and received; what a cache already has does not count."""
    context: int = Field(default=180_000, ge=1)
    """Tokens of one request, which grows with each answer."""
    seconds: float = Field(default=600.0, gt=0, allow_inf_nan=False)
    money: Decimal | None = Field(default=Decimal("2.00"), gt=0)
    """US dollars; None for no limit. A model without a known price is not limited by it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The limits as a setting names them; what it leaves out keeps its default. Raises ValueError.

        >>> ToolLimits.parse("calls=40, money=0.50").money
        Decimal('0.50')
        >>> ToolLimits.parse("money=none").money is None
        True
        >>> ToolLimits.parse("") == ToolLimits()
        True
        """
        given: dict[str, str | None] = {}
        for part in filter(str.strip, text.split(",")):
            name, _, value = (word.strip() for word in part.partition("="))
            if name in given:
                raise ValueError(f"{name[:40]} is given twice; name it once")
            given[name] = value
        if given.get("money") == NO_LIMIT:
            given["money"] = None
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            place, reason = first_problem(error)
            raise ValueError(
                f"{place[:40]}: {reason}; write {EXAMPLE}, with any of "
                f"{', '.join(cls.model_fields)}, or money={NO_LIMIT}"
            ) from None

    def __str__(self) -> str:
        """As a setting writes them.

        >>> str(ToolLimits())
        'calls=60,bytes=4000000,tokens=1000000,context=180000,seconds=600,money=2.00'
        """
        money = NO_LIMIT if self.money is None else f"{self.money:f}"
        counts = f"calls={self.calls},bytes={self.bytes},tokens={self.tokens},context={self.context}"
        return f"{counts},seconds={self.seconds:g},money={money}"
