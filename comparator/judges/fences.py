"""Fences around foreign text, which the text itself cannot close."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def fence_for(content: str, *, avoid: Iterable[str] = ()) -> str:
    """A fence that occurs in none of the texts, and that the author of `content` cannot know: all of it goes in."""
    texts = (content, *avoid)
    number = 0
    while True:
        fence = hashlib.sha256(f"{number}:{content}".encode("utf-8", "replace")).hexdigest()[:16]
        if not any(fence in text for text in texts):
            return fence
        number += 1
