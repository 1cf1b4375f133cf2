"""A chat in any usual shape as one text read from top to bottom, with a heading for each turn; and its turns again."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

NAME = "chat.md"
"""What an output of several messages is called."""
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_HEADING = rf"### ({'|'.join(role.capitalize() for role in ROLES)})"
_TURN = re.compile(rf"(?:\A|\n\n){_HEADING}(?:\n\n|\Z)")
_LIKE_A_TURN = re.compile(rf"^(\\*{_HEADING})$", re.MULTILINE)
_ESCAPED = re.compile(rf"^\\(\\*{_HEADING})$", re.MULTILINE)


_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "chatgpt": "assistant",
}
_LISTS = ("messages", "conversation", "conversations", "chat", "history")
"""What a list of messages is called in a file."""
_PARTS = frozenset(
    [
        "text",
        "input_text",
        "output_text",
        "image",
        "image_url",
        "input_image",
        "thinking",
        "reasoning",
        "refusal",
        "tool_use",
        "tool_call",
        "function_call",
        "tool_result",
        "function_call_output",
    ]
)
"""Types of the parts of a message."""
_TRANSCRIPT = re.compile(r"\n\n(Human|Assistant): ?")
_OF_A_MESSAGE = {
    "role",
    "from",
    "content",
    "value",
    "tool_calls",
    "type",
    "refusal",
    "name",
    "tool_call_id",
    "index",
    "parts",
    "reasoning_content",
    "reasoning",
}


class NotUnderstood(Exception):
    """A message holds something else than words, pictures, thinking, and calls of tools with their results."""


class ChatFile(NamedTuple):
    """The chat that a file holds, as a text, and what else each message says, by name."""

    text: str
    besides: tuple[str, ...]


class Message(NamedTuple):
    """One turn of a chat."""

    role: str
    content: str


def render(messages: Sequence[Message], *, alone: str) -> str:
    """The chat with a heading for each turn; a single message of the role `alone` is its text and no more.

    >>> render([Message("user", "Hi"), Message("assistant", "Hello")], alone="user")
    '### User\\n\\nHi\\n\\n### Assistant\\n\\nHello'
    """
    if len(messages) == 1 and messages[0].role == alone:
        return messages[0].content
    # A line of a message that is written like a heading gets a backslash, which Markdown does not show.
    turns = ((message.role, _LIKE_A_TURN.sub(r"\\\1", message.content)) for message in messages)
    return "\n\n".join(f"### {role.capitalize()}\n\n{content}" for role, content in turns)


def turns_in(text: str) -> tuple[Message, ...]:
    """The messages that `render` made this text of; none where it begins with no heading of a turn.

    >>> turns_in("### User\\n\\nHi\\n\\n### Assistant\\n\\nHello")
    (Message(role='user', content='Hi'), Message(role='assistant', content='Hello'))
    """
    before, *parts = _TURN.split(text)
    if before or not parts:
        return ()
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return tuple(Message(role.lower(), _ESCAPED.sub(r"\1", content)) for role, content in pairs)


def is_chat(value: Any) -> bool:
    """Whether a value is a list of messages: `role` and `content`, or `from` and `value`."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(message, dict)
            and isinstance(message.get("role", message.get("from")), str)
            and not {"content", "value", "tool_calls", "parts"}.isdisjoint(message)
            for message in value
        )
    )


def messages_in(value: list[dict[str, Any]]) -> tuple[Message, ...]:
    """The messages of a chat. Raises NotUnderstood."""
    return tuple(map(_message, value))


def as_chat(value: Any, *, role: str) -> list[dict[str, Any]] | None:
    """Messages, one message, its parts, or a transcript of "Human:" and "Assistant:" as messages; None for all else.

    Parts are those of a message of this role.
    """
    if is_chat(value):
        return list(value)
    if isinstance(value, dict):
        return [value] if is_chat([value]) else None
    if isinstance(value, list):
        parts = bool(value) and all(isinstance(item, dict) and item.get("type") in _PARTS for item in value)
        return [{"role": role, "content": value}] if parts else None
    if not isinstance(value, str) or not value.startswith("\n\nHuman: "):
        return None
    turns = _TRANSCRIPT.split(value)[1:]
    return [{"role": said_by, "content": text} for said_by, text in zip(turns[::2], turns[1::2], strict=True)]


def chat_of(value: Any) -> tuple[Message, ...] | None:
    """What an assistant said as messages that are understood; None for what is no chat, or holds something else."""
    chat = as_chat(value, role="assistant")
    with suppress(NotUnderstood):
        return messages_in(chat) if chat is not None else None
    return None


def chat_in_json(text: str) -> ChatFile | None:
    """The chat that a file in JSON or JSON lines holds, with what stands beside its messages; None where it is no chat.

    >>> chat_in_json('[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"text": "Hello"}]}]').text
    '### User\\n\\nHi\\n\\n### Assistant\\n\\nHello'
    """
    messages, rest = _list_in(_parsed(text))
    if not is_chat(messages):
        return None
    try:
        turns = messages_in(messages)
    except NotUnderstood:
        return None
    if any(turn.role not in ROLES for turn in turns):
        return None
    whole = render(turns, alone="")
    if rest:
        whole += f"\n\n{_fenced_block('Beside the messages', rest)}"
    besides = dict.fromkeys(
        str(name) for message in messages for name in message if name not in _OF_A_MESSAGE
    )
    return ChatFile(whole, tuple(besides))


def _parsed(text: str) -> Any:
    if '"role"' not in text and '"from"' not in text:
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    messages: list[Any] = []
    with suppress(ValueError, RecursionError):
        for line in filter(str.strip, text.splitlines()):
            messages.append(json.loads(line))
            if not is_chat(messages[-1:]):
                return None
        return messages
    return None


def _list_in(value: Any) -> tuple[Any, dict[str, Any]]:
    """The list of messages in a file, and what stands beside it."""
    if not isinstance(value, dict):
        return value, {}
    if isinstance(value.get("role"), str):
        return [value], {}
    name = next((name for name in _LISTS if is_chat(value.get(name))), "")
    messages = value.get(name)
    choices = value.get("choices")
    if not name and isinstance(choices, list) and all(isinstance(choice, dict) for choice in choices):
        name, messages = "choices", [choice.get("message") for choice in choices]
    return messages, {key: rest for key, rest in value.items() if key != name}


def _message(value: dict[str, Any]) -> Message:
    role = str(value.get("role", value.get("from"))).strip().lower()
    content = _text(value.get("content", value.get("value", value.get("parts"))))
    thought = value.get("reasoning_content") or value.get("reasoning")
    if isinstance(thought, str):
        content = f"{_thinking(thought)}\n\n{content}".strip()
    if not content and isinstance(value.get("refusal"), str):
        content = value["refusal"]
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
            raise NotUnderstood(f"holds {type(content).__name__}, not text")


def _part(part: Any) -> str:
    """A part of a message as it is shown and judged: words, a picture, a tool's call or result, or thinking."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise NotUnderstood(f"has a part that is {type(part).__name__}")
    for name in ("text", "refusal", "output_text"):
        if isinstance(part.get(name), str):
            return str(part[name])
    kind = str(part.get("type") or part.get("content_type") or "")
    if isinstance(part.get("thinking"), str):
        return _thinking(part["thinking"])
    if kind == "reasoning":
        return _thinking(_text(part.get("summary") or part.get("content")))
    if kind in ("text", "multimodal_text") and isinstance(part.get("parts"), list):
        return _text(part["parts"])
    if isinstance(called := part.get("functionCall"), dict):
        return _fenced_block(f"Call of {called.get('name')}", called.get("args"))
    if isinstance(answered := part.get("functionResponse"), dict):
        return _fenced_block("Tool result", answered.get("response"))
    if (picture := _picture(part)) is not None:
        return picture
    if kind in ("tool_result", "function_call_output"):
        return _fenced_block("Tool result", _text(part.get("content", part.get("output"))))
    if kind in ("tool_use", "function_call", "tool_call") or "function" in part:
        return _call(part)
    raise NotUnderstood(f"has a part that is not understood ({kind or ', '.join(part)[:60]})")


def _thinking(text: str) -> str:
    return "\n".join(f"> {line}" for line in ("Thinking:", *text.splitlines())) if text.strip() else ""


def _call(part: Any) -> str:
    about: Any = part.get("function", part) if isinstance(part, dict) else {}
    if not isinstance(about, dict):
        raise NotUnderstood(f"calls a tool that is {type(about).__name__}")
    return _fenced_block(f"Call of {about.get('name')}", about.get("input", about.get("arguments")))


def _picture(part: dict[str, Any]) -> str | None:
    """A picture as Markdown: drawn where its bytes are there, else its address in words."""
    source = part.get("image_url", part.get("source", part.get("image", part.get("inlineData"))))
    if isinstance(source, dict) and isinstance(source.get("data"), str):
        kind = source.get("media_type", source.get("mimeType", "image/png"))
        return f"![picture](data:{kind};base64,{source['data']})" if str(kind).startswith("image/") else None
    address = source.get("url") if isinstance(source, dict) else source
    if not isinstance(address, str):
        return None
    return f"![picture]({address})" if address.startswith("data:image/") else f"Picture: {address}"


def _fenced_block(title: str, value: Any) -> str:
    """A value under a title, as a block of code."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = json.loads(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return f"{title}:\n\n```json\n{text}\n```"
