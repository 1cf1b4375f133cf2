"""Answers about themes as a model writes them, and findings as it reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Finding, Theme
from comparator.judges.fences import fence_for
from comparator.judges.model.answer_form import Wire


def meaningful(text: str) -> str:
    """The text on one line. Raises ValueError where it is empty."""
    text = " ".join(text.split())
    if not text:
        raise ValueError("must not be empty")
    return text


class WireTheme(Wire):
    """A theme of a new codebook."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(meaningful)]
    test: Annotated[str, Field(max_length=LONGEST_TEST), AfterValidator(meaningful)] = Field(
        description='One sentence that begins with "The finding says that".'
    )


class WireCodebook(Wire):
    """A new codebook."""

    themes: list[WireTheme] = Field(max_length=20)


class WireAssigned(Wire):
    """A theme that a finding belongs to."""

    theme: str = Field(max_length=20, description="The key of a theme of the codebook.")
    quote: str = Field(max_length=4000, description="Words of the finding, copied letter by letter.")


class WireFinding(Wire):
    """The themes of one finding."""

    number: int
    themes: list[WireAssigned]


class WireAssignment(Wire):
    """The themes of several findings."""

    findings: list[WireFinding]


def fenced(name: str, lines: Iterable[str]) -> str:
    """Material within tags that it cannot close."""
    text = "\n".join(lines)
    fence = fence_for(text)
    return f'<{name} fence="{fence}">\n{text}\n</{name} fence="{fence}">'


def findings_in(findings: Sequence[Finding]) -> str:
    """The findings, numbered from 1, one a line."""
    return fenced(
        "findings",
        (
            json.dumps(
                {
                    "number": number,
                    "about": f"output {each.label.value}",
                    "kind": each.source.value,
                    "words": each.words,
                },
                ensure_ascii=False,
            )
            for number, each in enumerate(findings, start=1)
        ),
    )


def codebook_in(themes: Sequence[Theme]) -> str:
    """The themes by key T1, T2 and so on, one a line."""
    return fenced(
        "codebook",
        (
            json.dumps({"key": key, "name": theme.name, "test": theme.test}, ensure_ascii=False)
            for key, theme in keyed(themes).items()
        ),
    )


def keyed(themes: Sequence[Theme]) -> dict[str, Theme]:
    """The themes by the keys that a model uses for them."""
    return {f"T{number}": theme for number, theme in enumerate(themes, start=1)}
