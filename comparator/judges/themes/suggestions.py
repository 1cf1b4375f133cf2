"""The question what to change: suggestions from numbered pieces of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from comparator.judges import prompts
from comparator.judges.model.answer_form import Wire
from comparator.judges.model.answers import validated
from comparator.judges.protocol import Question
from comparator.judges.themes.wire import fenced, meaningful


class WireSuggestion(Wire):
    """One change."""

    category: Literal["instructions", "tools", "examples", "error_handling", "structure", "references"]
    suggestion: Annotated[str, Field(max_length=2000), AfterValidator(meaningful)]
    expected_impact: Annotated[str, Field(max_length=1000), AfterValidator(meaningful)]
    evidence: list[int] = Field(description="Numbers of the evidence that it rests on.")


class WireSuggestions(Wire):
    """What to change."""

    suggestions: list[WireSuggestion] = Field(max_length=20)


def suggest_question(evidence: Sequence[str]) -> Question[tuple[WireSuggestion, ...]]:
    """Asks what to change; a suggestion without a known piece of evidence is left out."""
    numbered = fenced("evidence", (f"{number}. {text}" for number, text in enumerate(evidence, start=1)))

    def read(text: str) -> tuple[WireSuggestion, ...]:
        found = validated(WireSuggestions, text, marker="suggestions", clean=str)
        known = range(1, len(evidence) + 1)
        return tuple(each for each in found.suggestions if any(number in known for number in each.evidence))

    return Question(
        system=prompts.text_of(prompts.SUGGEST),
        content=f"# The evidence\n\n{numbered}\n\nSuggest now. Answer with the JSON object only.",
        schema=WireSuggestions.model_json_schema(),
        read=read,
    )
