"""Lists of chat messages, the shape of most preference sets, as a text in which one sees who says what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from comparator.domain.pair import chat
from comparator.domain.pair.chat import Message, is_chat, rendered
from comparator.interop.read.text import UnreadableImport, output_in, text_in

_TRANSCRIPT = re.compile(r"\n\n(Human|Assistant): ?")


class SharedTurns(NamedTuple):
    """What was asked, and what each side answered, of two chats that begin alike."""

    prompt: tuple[Message, ...]
    first: tuple[Message, ...]
    second: tuple[Message, ...]


def messages_in(value: list[dict[str, Any]]) -> tuple[Message, ...]:
    """The messages of a chat. Raises Unreadable where one holds what is not understood."""
    try:
        return chat.messages_in(value)
    except chat.NotUnderstood as error:
        raise UnreadableImport(f"a message in it {error}") from error


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
    asked, first, second = (
        _spoken(row[name], role=role)
        for name, role in (("prompt", "user"), ("output_a", "assistant"), ("output_b", "assistant"))
    )
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


def _spoken(value: Any, *, role: str) -> Any:
    """A transcript of "Human:" and "Assistant:", a message, or its parts, as messages; anything else as it is."""
    if isinstance(value, dict) and ("content" in value or "value" in value):
        return [{"role": role, **value}]
    if isinstance(value, list) and value and all(isinstance(each, dict) and "type" in each for each in value):
        return value if is_chat(value) else [{"role": role, "content": value}]
    if not isinstance(value, str) or not value.startswith("\n\nHuman: "):
        return value
    turns = _TRANSCRIPT.split(value)[1:]
    return [{"role": role, "content": text} for role, text in zip(turns[::2], turns[1::2], strict=True)]


def _is_long(value: Any) -> bool:
    return is_chat(value) and len(value) > 1
