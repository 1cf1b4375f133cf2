"""Lists of chat messages, the shape of most preference sets, as a text in which one sees who says what."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from comparator.domain.pair.chat import Message, rendered
from comparator.interop.read.text import UnreadableImport, kind_of, output_in, text_in

_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "chatgpt": "assistant",
}


_TRANSCRIPT = re.compile(r"\n\n(Human|Assistant): ?")


class SharedTurns(NamedTuple):
    """What was asked, and what each side answered, of two chats that begin alike."""

    prompt: tuple[Message, ...]
    first: tuple[Message, ...]
    second: tuple[Message, ...]


def is_chat(value: Any) -> bool:
    """Whether a value is a list of messages: `role` and `content`, or `from` and `value`."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(each, dict)
            and isinstance(each.get("role", each.get("from")), str)
            and ("content" in each or "value" in each or "tool_calls" in each)
            for each in value
        )
    )


def messages_in(value: list[dict[str, Any]]) -> tuple[Message, ...]:
    """The messages of a chat. Raises Unreadable where one holds anything but text and calls of tools."""
    return tuple(map(_message, value))


def apart(first: Sequence[Message], second: Sequence[Message]) -> SharedTurns:
    """Two chats as their common beginning, up to the last turn that is no answer, and what each says from there on."""
    same = 0
    while same < min(len(first), len(second)) - 1 and first[same] == second[same]:
        same += 1
    while same and first[same - 1].role == "assistant":
        same -= 1
    return SharedTurns(tuple(first[:same]), tuple(first[same:]), tuple(second[same:]))


class ChatRow(NamedTuple):
    """What a row asks and both answers; `chats` says which answer is one of several messages."""

    prompt: str
    outputs: tuple[str, str]
    chats: tuple[bool, bool]


def prompt_and_outputs(row: dict[str, Any]) -> ChatRow:
    """Prompt and outputs, chats as texts; what both chats begin with was asked. Raises Unreadable."""
    asked, first, second = (_spoken(row[name]) for name in ("prompt", "output_a", "output_b"))
    before = messages_in(asked) if is_chat(asked) else ()
    if not (is_chat(first) and is_chat(second)):
        prompt = rendered(before, alone="user") if before else text_in(row, "prompt")
        alone = [
            rendered(messages_in(value), alone="assistant")
            if is_chat(value)
            else output_in({name: value}, name)
            for name, value in (("output_a", first), ("output_b", second))
        ]
        return ChatRow(prompt, (alone[0], alone[1]), (_is_long(first), _is_long(second)))
    turns = apart(messages_in(first), messages_in(second))
    if before and turns.prompt[: len(before)] != before:
        turns = turns._replace(prompt=(*before, *turns.prompt))
    prompt = rendered(turns.prompt, alone="user")
    if not before and isinstance(asked, str) and asked.strip() and asked.strip() not in prompt:
        prompt = f"{asked}\n\n{prompt}".strip()
    if not prompt:
        raise UnreadableImport("it has no prompt, and its two chats do not begin alike")
    outputs = (rendered(turns.first, alone="assistant"), rendered(turns.second, alone="assistant"))
    return ChatRow(prompt, outputs, (len(turns.first) > 1, len(turns.second) > 1))


def _spoken(value: Any) -> Any:
    """A transcript of "Human:" and "Assistant:" as its messages; anything else as it is."""
    if not isinstance(value, str) or not value.startswith("\n\nHuman: "):
        return value
    turns = _TRANSCRIPT.split(value)[1:]
    return [{"role": role, "content": text} for role, text in zip(turns[::2], turns[1::2], strict=True)]


def _is_long(value: Any) -> bool:
    return is_chat(value) and len(value) > 1


def _message(value: dict[str, Any]) -> Message:
    role = str(value.get("role", value.get("from"))).strip().lower()
    content = _text(value.get("content", value.get("value")))
    if calls := value.get("tool_calls"):
        listed = calls if isinstance(calls, list) else [calls]
        content = "\n\n".join(filter(None, (content, *map(_call, listed))))
    return Message(_ROLES.get(role, role), content)


def _text(content: Any) -> str:
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "\n\n".join(filter(None, map(_part, content)))
        case dict():
            return _part(content)
        case _:
            raise UnreadableImport(f"a message in it holds {kind_of(content)}, not text")


def _part(part: Any) -> str:
    """A part of a message as it is shown and judged: words, a picture, a tool's call or result, or thinking."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise UnreadableImport(f"a message in it has a part that is {kind_of(part)}")
    for name in ("text", "refusal", "output_text"):
        if isinstance(part.get(name), str):
            return str(part[name])
    kind = str(part.get("type") or "")
    if isinstance(part.get("thinking"), str):
        return "\n".join(f"> {line}" for line in ("Thinking:", *part["thinking"].splitlines()))
    if (picture := _picture(part)) is not None:
        return picture
    if kind in ("tool_result", "function_call_output"):
        return _fenced("Tool result", _text(part.get("content", part.get("output"))))
    if kind in ("tool_use", "function_call", "tool_call") or "function" in part:
        return _call(part)
    raise UnreadableImport(
        f"a message in it has a part that is not understood ({kind or ', '.join(part)[:60]})"
    )


def _call(part: Any) -> str:
    about: Any = part.get("function", part) if isinstance(part, dict) else {}
    if not isinstance(about, dict):
        raise UnreadableImport(f"a message in it calls a tool that is {kind_of(about)}")
    return _fenced(f"Call of {about.get('name')}", about.get("input", about.get("arguments")))


def _picture(part: dict[str, Any]) -> str | None:
    """A picture as Markdown: drawn where its bytes are there, else its address in words."""
    source = part.get("image_url", part.get("source", part.get("image")))
    if isinstance(source, dict) and isinstance(source.get("data"), str):
        return f"![picture](data:{source.get('media_type', 'image/png')};base64,{source['data']})"
    address = source.get("url") if isinstance(source, dict) else source
    if not isinstance(address, str):
        return None
    return f"![picture]({address})" if address.startswith("data:image/") else f"Picture: {address}"


def _fenced(title: str, value: Any) -> str:
    """A value under a title, as a block of code."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = json.loads(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return f"{title}:\n\n```json\n{text}\n```"
