"""The settings of the Anthropic judge."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Tools

DEFAULT_MODEL = "claude-sonnet-5-5"


class Provider(StrEnum):
    """Through whom the model is reached."""

    API = "api"
    BEDROCK = "bedrock"
    VERTEX = "vertex"
    FOUNDRY = "foundry"


class AnthropicOptions(Frozen):
    """How the Anthropic judge is reached and how patient it is. Keys are not here, they stay in the environment."""

    model: str = Field(default=DEFAULT_MODEL, min_length=1)
    base_url: str | None = None
    provider: Provider = Provider.API
    tools: Tools = Tools.AUTO
    timeout: float = Field(default=600.0, gt=0)
    """Seconds for one request, from sending to the last word of the answer."""
    max_tokens: int = Field(default=16_000, ge=256)
    """Upper limit of an answer in tokens, the model's thinking included."""
    retries: int = Field(default=4, ge=0, le=20)
    """How often a request is sent again after an overload, a rate limit, a timeout or a lost connection."""
    max_retry_after: float = Field(default=60.0, ge=0)
    """The longest wait in seconds that a server may ask for; beyond it the judgment fails and can be retried later."""
