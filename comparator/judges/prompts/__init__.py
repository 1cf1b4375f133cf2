"""The prompts' texts, each a file beside this one whose hash is stored with judgments; fences around material."""

import base64
import hashlib
from collections.abc import Iterable
from enum import StrEnum
from functools import cache, cached_property
from importlib import resources
from string import Template
from typing import Any


class Prompt(StrEnum):
    """A prompt by the name of its file."""

    RUBRIC = "rubric"
    RUBRIC_TASK = "rubric_task"
    JUDGE = "judge"
    PAIR = "pair"
    CLOSING = "closing"
    SAME = "same"
    REPAIR = "repair"
    AGREE = "agree"
    TOOLS = "tools"
    CLOSING_TOOLS = "closing_tools"
    LIMIT = "limit"
    UNOPENED = "unopened"
    THEME_DRAFT = "theme_draft"
    THEME_ASSIGN = "theme_assign"
    GUIDANCE = "guidance"
    GUIDANCE_DRAFT = "guidance_draft"

    @cached_property
    def text(self) -> str:
        """The text, without the line break at its end."""
        return resources.files(__name__).joinpath(f"{self}.md").read_text(encoding="utf-8").rstrip("\n")

    def filled(self, **values: str) -> str:
        """The text with its `$placeholders` replaced. Raises KeyError if one is missing."""
        return Template(self.text).substitute(values)


@cache
def digests() -> dict[str, str]:
    """Of what every judge is asked with, part of its identity: each prompt's name with the sha256 of its text.

    Its guidance stands in the identity by itself; themes and drafts are asked beside pairs.
    """
    return {
        prompt.value: hashlib.sha256(prompt.text.encode()).hexdigest()
        for prompt in Prompt
        if not prompt.startswith(("theme", "guidance"))
    }


def fence_for(content: str, *, avoid: Iterable[str]) -> str:
    """A fence that occurs in none of the texts, and that the author of `content` cannot know: all of it goes in."""
    texts = (content, *avoid)
    number = 0
    while True:
        fence = hashlib.sha256(f"{number}:{content}".encode("utf-8", "replace")).hexdigest()[:16]
        if not any(fence in text for text in texts):
            return fence
        number += 1


def fenced(tag: str, text: str, *, avoid: Iterable[str] = (), **attributes: str) -> str:
    """Foreign text within tags that it cannot close."""
    fence = fence_for(text, avoid=avoid)
    about = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<{tag}{about} fence="{fence}">\n{text}\n</{tag} fence="{fence}">'


def media_block(kind: str, media_type: str, data: bytes) -> dict[str, Any]:
    """A picture or document as the Messages API takes it."""
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode("ascii")}
    return {"type": kind, "source": source}


def bare(schema: Any, *, names: bool = False) -> Any:
    """A JSON schema without titles and our classes' docstrings; `names` says that these keys are names of fields."""
    if isinstance(schema, list):
        return [bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    dropped = ("title",) if "properties" not in schema else ("title", "description")
    return {
        key: bare(part, names=key in ("properties", "$defs"))
        for key, part in schema.items()
        if names or key not in dropped
    }
