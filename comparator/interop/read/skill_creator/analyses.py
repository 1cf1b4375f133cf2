"""analysis.json as the skill-creator's analyzer writes it."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from comparator.domain.errors import InputError

LARGEST = 2_000_000
"""Characters."""


class _Loose(BaseModel):
    # Files of the wild have keys of their own; those are kept aside, not refused.
    model_config = ConfigDict(frozen=True, extra="allow")


class ForeignSummary(_Loose):
    """Who won, and why."""

    winner: str = ""
    winner_skill: str = ""
    loser_skill: str = ""
    comparator_reasoning: str = ""


class ForeignFollowing(_Loose):
    """How well one side followed its instructions."""

    score: float | None = None
    issues: tuple[str, ...] = ()


class ForeignSuggestion(_Loose):
    """What the loser might fix."""

    priority: str = ""
    category: str = ""
    suggestion: str = ""
    expected_impact: str = ""


class ForeignAnalysis(_Loose):
    """Somebody else's analysis; what it lacks is empty."""

    comparison_summary: ForeignSummary = ForeignSummary()
    winner_strengths: tuple[str, ...] = ()
    loser_weaknesses: tuple[str, ...] = ()
    instruction_following: dict[str, ForeignFollowing] = Field(default_factory=dict)
    improvement_suggestions: tuple[ForeignSuggestion, ...] = ()
    transcript_insights: dict[str, str] = Field(default_factory=dict)


def read_analysis(text: str, *, name: str) -> ForeignAnalysis:
    """The analysis in a file's text. Raises InputError, which says what is wrong with the file of this name."""
    if len(text) > LARGEST:
        raise InputError(f"{name[:200]} has {len(text):,} characters; an analysis has at most {LARGEST:,}.")
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name[:200]} is no JSON: {str(error)[:200]}.") from error
    if not isinstance(value, dict) or not {"winner_strengths", "improvement_suggestions"} & value.keys():
        raise InputError(
            f"{name[:200]} is not an analysis: it has neither winner_strengths nor improvement_suggestions. "
            "Choose the analysis.json of an analyzer."
        )
    try:
        return ForeignAnalysis.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{name[:200]}: {place}: {first['msg']}. Correct it and try again.") from error
