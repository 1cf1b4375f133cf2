"""A chat as one text that is read from top to bottom, with a heading for each turn; and its turns again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

NAME = "chat.md"
"""What an output of several messages is called."""
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_HEADING = rf"### ({'|'.join(role.capitalize() for role in ROLES)})"
_TURN = re.compile(rf"(?:\A|\n\n){_HEADING}(?:\n\n|\Z)")
_LIKE_A_TURN = re.compile(rf"^(\\*{_HEADING})$", re.MULTILINE)
_ESCAPED = re.compile(rf"^\\(\\*{_HEADING})$", re.MULTILINE)


class Message(NamedTuple):
    """One turn of a chat."""

    role: str
    content: str


def rendered(messages: Sequence[Message], *, alone: str) -> str:
    """The chat with a heading for each turn; a single message of the role `alone` is its text and no more.

    >>> rendered([Message("user", "Hi"), Message("assistant", "Hello")], alone="user")
    '### User\\n\\nHi\\n\\n### Assistant\\n\\nHello'
    """
    if len(messages) == 1 and messages[0].role == alone:
        return messages[0].content
    # A line of a message that is written like a heading gets a backslash, which Markdown does not show.
    turns = ((each.role, _LIKE_A_TURN.sub(r"\\\1", each.content)) for each in messages)
    return "\n\n".join(f"### {role.capitalize()}\n\n{content}" for role, content in turns)


def turns_in(text: str) -> tuple[Message, ...]:
    """The messages that `rendered` made this text of; none where it begins with no heading of a turn.

    >>> turns_in("### User\\n\\nHi\\n\\n### Assistant\\n\\nHello")
    (Message(role='user', content='Hi'), Message(role='assistant', content='Hello'))
    """
    before, *found = _TURN.split(text)
    if before or not found:
        return ()
    pairs = zip(found[::2], found[1::2], strict=True)
    return tuple(Message(role.lower(), _ESCAPED.sub(r"\1", content)) for role, content in pairs)
