"""What a tool answers: text, at most one picture, and which parts of which files were seen by it."""

from __future__ import annotations

from typing import NamedTuple

from comparator.domain.pair.examination import SeenUnits
from comparator.domain.pair.view import ImageBlock

LONGEST = 24_000
"""Characters of one answer at most."""


class ToolReply(NamedTuple):
    """A tool's answer."""

    text: str
    picture: ImageBlock | None = None
    seen: tuple[SeenUnits, ...] = ()


class AnswerPage:
    """Lines of an answer until it is full."""

    def __init__(self, head: str = "") -> None:
        self._lines = [head] if head else []
        self._room = LONGEST - len(head)

    def add(self, line: str) -> bool:
        """Whether there was room for a line."""
        if len(line) + 1 > self._room:
            return False
        self._lines.append(line)
        self._room -= len(line) + 1
        return True

    def end(self, line: str) -> None:
        """Add a last line, however full it is."""
        self._lines.append(line)

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self._lines)
