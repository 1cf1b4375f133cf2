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
    """How often a request is sent again after a timeout, a lost connection or a server's own fault."""
    max_retry_after: float = Field(default=60.0, ge=0)
    """The longest wait in seconds before the next try, however long the server asks for."""
    busy: float = Field(default=3600.0, ge=0)
    """Seconds for which requests wait for a server that limits their rate or is overloaded, and answers nobody."""
    silence: float = Field(default=120.0, gt=0)
    """Seconds without a byte after which nothing more is expected of a server."""
