"""What stands between a judge and the wire when many pairs are judged: room, limits, budget, and Message Batches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from comparator.domain.labels import Frozen
from comparator.domain.usage import Usage

CHARACTERS_A_TOKEN = 4


class Passage(Protocol):
    """One request on the wire."""

    def used(self, usage: Usage) -> None:
        """What the request used, however it ended."""

    def told_to_wait(self, seconds: float) -> None:
        """The server asks for patience: nobody sends for so long."""


class Gate(Protocol):
    """Lets requests onto the wire one by one."""

    def passage(self, parameters: Mapping[str, Any], *, begun: bool) -> AbstractAsyncContextManager[Passage]:
        """Waits for room, and holds it until the block ends. `begun` asks once more after a request was paid.

        Raises JudgeNotAllowed where the budget does not allow the request; what else it raises ends the judging.
        """
        ...


class Reply(Frozen):
    """What came back of a request: a message as the Messages API writes it, or an error's kind and words."""

    message: dict[str, Any] | None = None
    error_kind: str = ""
    error: str = ""


class Office(Protocol):
    """Takes requests that are answered later, all together."""

    async def reply_to(self, parameters: Mapping[str, Any]) -> Reply:
        """The reply, if it is there already; what is raised otherwise ends the judging until it is."""
        ...


@dataclass(frozen=True)
class Wire:
    """How requests get to the model: through a gate, or by an office; directly where neither is given."""

    gate: Gate | None = None
    office: Office | None = None


def request_digest(parameters: Mapping[str, Any]) -> str:
    """sha256 of what is asked, in hexadecimal: the same question has the same one after a restart."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def tokens_of(parameters: Mapping[str, Any]) -> int:
    """About how many tokens a request's text has; pictures and documents are not counted."""
    return _characters(parameters.get("system", ())) // CHARACTERS_A_TOKEN + sum(
        _characters(message["content"]) // CHARACTERS_A_TOKEN for message in parameters.get("messages", ())
    )


def _characters(content: Any) -> int:
    if isinstance(content, str):
        return len(content)
    return sum(len(block.get("text", "")) for block in content)
