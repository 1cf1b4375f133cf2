"""How one request gets to the model and what comes back: the protocol that direct, gated and batched senders share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from comparator.domain.labels import Frozen
from comparator.domain.usage import Call, tokens_in
from comparator.judges.protocol import Owner

if TYPE_CHECKING:
    # The SDK takes a second to import.
    from comparator.judges.model.faults import Fault

ANSWER_TOKENS = 2_500
"""What an answer has about, the model's thinking included."""


@dataclass(frozen=True)
class Request:
    """What is asked. `paid` says that this owner has paid for a request already, so this one goes first."""

    parameters: Mapping[str, Any]
    paid: bool = False


class ToolUse(NamedTuple):
    """A tool that the model asks for; `input` is whatever it sent as arguments."""

    id: str
    name: str
    input: Any


@dataclass(frozen=True)
class ModelMessage:
    """What came back: all text, and why the model stopped."""

    text: str
    stop_reason: str | None
    tool_uses: tuple[ToolUse, ...] = ()
    content: tuple[Mapping[str, Any], ...] = ()
    """All blocks, as they go back to the model in the next request."""


@dataclass(frozen=True)
class Sent:
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
