"""How a model is reached, what one request asks and what comes back, for direct, gated and batched senders."""

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from pydantic import Field

from comparator.domain.errors import JudgeError
from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Tools
from comparator.domain.usage import Call, tokens_in
from comparator.judges.protocol import Owner

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
    retries: int = Field(default=6, ge=0, le=20)
    """How often a request is sent again after a timeout, a lost connection or a server's own fault."""
    max_retry_after: float = Field(default=60.0, ge=0)
    """The longest wait in seconds before the next try, however long the server asks for."""
    busy: float = Field(default=3600.0, ge=0)
    """Seconds for which requests wait for a server that limits their rate or is overloaded, and answers nobody."""
    silence: float = Field(default=120.0, gt=0)
    """Seconds without a byte after which nothing more is expected of a server."""


ANSWER_TOKENS = 2_500
"""What an answer has about, the model's thinking included."""


class Request(NamedTuple):
    """What is asked. `paid` says that this owner has paid for a request already, so this one goes first."""

    parameters: Mapping[str, Any]
    paid: bool = False


class ToolUse(NamedTuple):
    """A tool that the model asks for; `input` is whatever it sent as arguments."""

    id: str
    name: str
    input: Any


class ModelMessage(NamedTuple):
    """What came back: all text, and why the model stopped."""

    text: str
    stop_reason: str | None
    tool_uses: tuple[ToolUse, ...] = ()
    content: tuple[Mapping[str, Any], ...] = ()
    """All blocks, as they go back to the model in the next request."""


class Unsupported(StrEnum):
    """What a server does not take, so that the request is made again without it."""

    SCHEMA = "schema"
    MEDIA = "media"
    TOOLS = "tools"


class Fault(NamedTuple):
    """A failed request in our own words."""

    error: type[JudgeError]
    message: str
    problem: str
    """A short note for the stored call."""
    retryable: bool = False
    retry_after: float | None = None
    """Seconds that the server asks to wait."""
    unsupported: Unsupported | None = None
    body: str = ""
    request_id: str | None = None
    status: int | None = None
    busy: bool = False
    """Whether the server limits the rate or is overloaded, so that the same request is taken later."""


class Sent(NamedTuple):
    """One try at a request: the call as it is stored, and the message or what went wrong."""

    call: Call
    outcome: ModelMessage | Fault


class Sender(Protocol):
    """Sends one request, once."""

    async def send(self, request: Request, owner: Owner) -> Sent:
        """What came of it. Raises JudgeNotAllowed where a budget refuses it; any other exception ends the reading."""
        ...


class BatchReply(Frozen):
    """What a Message Batch holds for a request: a message of the Messages API, or an error's kind and words."""

    message: dict[str, Any] | None = None
    error_kind: str = ""
    error: str = ""


def request_digest(parameters: Mapping[str, Any]) -> str:
    """sha256 of what is asked, in hexadecimal: the same question has the same one after a restart."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode("utf-8", "replace")).hexdigest()


class TokenEstimate(NamedTuple):
    """About how many tokens a request and its answer have."""

    input: int
    output: int


def tokens_of(parameters: Mapping[str, Any]) -> TokenEstimate:
    """The tokens of a request's text, pictures and documents not counted, and what an answer usually has."""
    text = _tokens(parameters.get("system", ())) + sum(
        _tokens(message["content"]) for message in parameters.get("messages", ())
    )
    return TokenEstimate(text, min(ANSWER_TOKENS, int(parameters.get("max_tokens", ANSWER_TOKENS))))


def _tokens(content: Any) -> int:
    if isinstance(content, str):
        return tokens_in(content)
    return sum(
        _tokens(block["content"]) if "content" in block else tokens_in(block.get("text", ""))
        for block in content
    )
