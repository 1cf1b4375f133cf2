"""What has been read of an answer so far: its blocks, why it stopped, and what it used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from comparator.domain.usage import Usage
from comparator.judges.model.client import LONGEST_BODY
from comparator.judges.model.faults import OtherProtocol, TooLong
from comparator.judges.model.sender import ModelMessage, ToolUse

MOST_COUNTED = 100_000_000
"""The largest number of tokens of a request that is believed: what they cost has to find room in a database, too."""
_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


@dataclass
class _Block:
    """A block of the answer: text, a tool that is asked for, or the model's thinking."""

    kind: str
    pieces: list[str] = field(default_factory=list)
    id: str = ""
    name: str = ""
    given: Any = None
    """A tool's arguments where they came at once, the whole block where it is neither text nor tool."""
    signature: str = ""


@dataclass
class Received:
    """An answer as it comes in."""

    blocks: list[_Block] = field(default_factory=list)
    length: int = 0
    stop_reason: str | None = None
    model: str = ""
    request_id: str | None = None
    counts: dict[str, int] = field(default_factory=dict)
    ended: bool = False

    @property
    def text(self) -> str:
        """All text."""
        return "".join(piece for block in self.blocks if block.kind == "text" for piece in block.pieces)

    def begin(self, kind: str, **what: Any) -> None:
        """A new block begins."""
        self.blocks.append(_Block(kind, **what))

    def add(self, piece: Any, *, kind: str = "text") -> None:
        """A piece of the block that is open; a server that announced none still means one. Raises TooLong."""
        found = "" if piece is None else str(piece)
        self.length += len(found)
        if self.length > LONGEST_BODY:
            raise TooLong(LONGEST_BODY)
        if not self.blocks or self.blocks[-1].kind != kind:
            self.begin(kind)
        self.blocks[-1].pieces.append(found)

    def count(self, usage: Any) -> None:
        """Take the numbers of tokens that are there."""
        for name in _COUNTS:
            value = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                # Later events carry running totals; a server that leaves one out or sends 0 does not take it back.
                self.counts[name] = min(MOST_COUNTED, max(value, self.counts.get(name, 0)))

    def usage(self, seconds: float) -> Usage:
        """What it used."""
        return Usage(
            input_tokens=self.counts.get("input_tokens", 0),
            output_tokens=self.counts.get("output_tokens", 0),
            cached_tokens=self.counts.get("cache_read_input_tokens", 0),
            cache_written_tokens=self.counts.get("cache_creation_input_tokens", 0),
            seconds=round(seconds, 3),
        )

    def message(self, clean: Callable[[str], str]) -> ModelMessage:
        """The whole answer, each of its strings cleaned of secrets."""
        text, uses, content = clean(self.text), list[ToolUse](), list[Mapping[str, Any]]()
        for block in self.blocks:
            joined = clean("".join(block.pieces))
            if block.kind == "text":
                # There may be no empty text among the blocks that go back.
                content += [{"type": "text", "text": joined}] if joined.strip() else []
            elif block.kind == "tool_use":
                given = _parsed(joined) if joined else _parsed(clean(json.dumps(block.given or {})))
                use = ToolUse(clean(block.id), clean(block.name), given)
                uses.append(use)
                shown = given if isinstance(given, dict) else {}
                content.append({"type": "tool_use", "id": use.id, "name": use.name, "input": shown})
            elif block.kind == "thinking":
                # Signed by the server, which takes it back unchanged only.
                content.append(
                    {"type": "thinking", "thinking": "".join(block.pieces), "signature": block.signature}
                )
            elif block.given is not None:
                content.append(block.given)
        return ModelMessage(
            text=text,
            stop_reason=self.stop_reason,
            tool_uses=tuple(uses),
            content=tuple(content) if uses else (),
        )


def read_event(event: Any, received: Received) -> None:
    """Reads one event of a stream."""
    match event.type:
        case "message_start":
            received.model = str(event.message.model or received.model)
            received.count(event.message.usage)
        case "content_block_start":
            _begin(event.content_block, received)
        case "content_block_delta":
            _delta(event.delta, received)
        case "message_delta":
            received.stop_reason = _reason(event.delta.stop_reason) or received.stop_reason
            received.count(event.usage)
        case "message_stop":
            received.ended = True


def read_whole(body: Any, received: Received) -> None:
    """Reads an answer that came at once. Raises OtherProtocol where it is no message."""
    if not isinstance(body, dict) or not isinstance(body.get("content"), list):
        raise OtherProtocol("the body is not a message")
    received.model = str(body.get("model") or received.model)
    for block in body["content"]:
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                received.add(block.get("text"))
            case "tool_use":
                received.begin(
                    "tool_use",
                    id=str(block.get("id") or ""),
                    name=str(block.get("name") or ""),
                    given=block.get("input"),
                )
            case "thinking" | "redacted_thinking":
                received.begin("whole", given=block)
    received.stop_reason = _reason(body.get("stop_reason"))
    received.count(body.get("usage") or {})
    received.ended = True


def usage_in(message: Mapping[str, Any]) -> Usage:
    """What a message says that it used; a number that cannot be true counts as none."""
    received = Received()
    received.count(message.get("usage") or {})
    return received.usage(0.0)


def _begin(block: Any, received: Received) -> None:
    match getattr(block, "type", None):
        case "text":
            received.add(block.text)
        case "tool_use":
            received.begin(
                "tool_use",
                id=str(block.id or ""),
                name=str(block.name or ""),
                given=getattr(block, "input", None),
            )
        case "thinking":
            received.begin("thinking", pieces=[str(block.thinking or "")])
        case "redacted_thinking":
            received.begin("whole", given={"type": "redacted_thinking", "data": str(block.data or "")})


def _delta(delta: Any, received: Received) -> None:
    match getattr(delta, "type", None):
        case "text_delta":
            received.add(delta.text)
        case "input_json_delta":
            received.add(delta.partial_json, kind="tool_use")
        case "thinking_delta":
            received.add(delta.thinking, kind="thinking")
        case "signature_delta" if received.blocks and received.blocks[-1].kind == "thinking":
            received.blocks[-1].signature += str(delta.signature or "")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _reason(value: Any) -> str | None:
    return value if isinstance(value, str) else None
