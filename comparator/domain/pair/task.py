"""What was asked: the prompt of a task version, its expectations, and what came with it."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable

from pydantic import Field, ValidationError, field_validator

from comparator.domain.errors import InputError, first_problem
from comparator.domain.labels import Frozen

_NOT_KEY = re.compile(r"[^a-z0-9]+")


class TaskText(Frozen):
    """The wording of one task version; another prompt or other expectations make another version."""

    prompt: str = Field(min_length=1, max_length=400_000)
    expectations: tuple[str, ...] = Field(default=(), max_length=200)

    @field_validator("prompt")
    @classmethod
    def _not_blank(cls, prompt: str) -> str:
        if not prompt.strip():
            raise ValueError("the task prompt is empty; write what was asked")
        return prompt

    @field_validator("expectations", mode="before")
    @classmethod
    def _trimmed(cls, expectations: object) -> object:
        if not isinstance(expectations, list | tuple):
            return expectations
        lines = (text.strip() if isinstance(text, str) else text for text in expectations)
        return tuple(line for line in lines if line)

    @property
    def digest(self) -> str:
        """The identity of the wording: sha256 of prompt and expectations, in hexadecimal."""
        text = json.dumps([self.prompt, list(self.expectations)], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def wording_of(prompt: str, expectations: Iterable[str] = ()) -> TaskText:
    """The wording as people hand it in. Raises InputError with what to do where it cannot be used."""
    try:
        return TaskText(prompt=prompt, expectations=tuple(expectations))
    except ValidationError as error:
        place, reason = first_problem(error)
        if place == "prompt" and not prompt.strip():
            raise InputError("The task prompt is empty. Write what was asked.") from error
        raise InputError(f"The task's {place} cannot be used: {reason}.") from error


def key_from(text: str) -> str:
    """A readable stable key for a task without one.

    >>> key_from("Extract all line items for the café!")
    'extract-all-line-items-for-the-cafe'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _NOT_KEY.sub("-", plain.lower()).strip("-")[:60].strip("-") or "task"
