"""What a judge may examine with tools, and each call that it made."""

from decimal import Decimal
from typing import Literal

from pydantic import Field, JsonValue

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
