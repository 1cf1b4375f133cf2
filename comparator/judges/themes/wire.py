"""The answers about themes as a model writes them, and findings as it reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Finding, Theme
from comparator.judges.fences import fence_for


def _meaningful(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise ValueError("must not be empty")
    return text


class _Wire(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class WireTheme(_Wire):
    """A theme of a new codebook."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_meaningful)]
    test: Annotated[str, Field(max_length=LONGEST_TEST), AfterValidator(_meaningful)] = Field(
        description='One sentence that begins with "The finding says that".'
    )


class WireCodebook(_Wire):
    """A new codebook."""

    themes: list[WireTheme] = Field(max_length=20)


class WireAssigned(_Wire):
    """A theme that a finding belongs to."""

    theme: str = Field(max_length=20, description="The key of a theme of the codebook.")
    quote: str = Field(max_length=4000, description="Words of the finding, copied letter by letter.")


class WireFinding(_Wire):
    """The themes of one finding."""

    number: int
    themes: list[WireAssigned]


class WireAssignment(_Wire):
    """The themes of several findings."""

    findings: list[WireFinding]


class WireSuggestion(_Wire):
    """One change."""

    category: Literal["instructions", "tools", "examples", "error_handling", "structure", "references"]
    suggestion: Annotated[str, Field(max_length=2000), AfterValidator(_meaningful)]
    expected_impact: Annotated[str, Field(max_length=1000), AfterValidator(_meaningful)]
    evidence: list[int] = Field(description="Numbers of the evidence that it rests on.")


class WireSuggestions(_Wire):
    """What to change."""

    suggestions: list[WireSuggestion] = Field(max_length=20)


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
