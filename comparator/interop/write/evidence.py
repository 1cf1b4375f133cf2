"""What entries of an analysis rest on, and what a model said of transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from comparator.domain.labels import Frozen

Side = Literal["winner", "loser"]
NOT_READ = "Neither transcripts nor skills were read: a comparison is made blind, from the outputs alone."
NOT_FOUND = "A model read the transcripts, but none of the passages that it quoted for this is in them."
NO_SKILL = "Transcripts were read, but no skill, so the task is the only instruction."


class WrittenEvidence(Frozen):
    """An entry with what it rests on: pairs (their ids), quotes, whose words, and how many pairs."""

    text: str
    pairs: tuple[str, ...]
    quotes: tuple[str, ...]
    said: str
    """`judge`, `reviewer`, `judge and reviewer`, or `model`: one that read transcripts."""
    status: str = "observed"
    """Or `hypothesis`: what has not been tried."""

    @property
    def n(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def told(self) -> dict[str, Any]:
        """All of it but the text."""
        return {
            "pairs": list(self.pairs),
            "quotes": list(self.quotes),
            "said": self.said,
            "n": self.n,
            "status": self.status,
        }


class FollowedBy(Frozen):
    """How well one side followed its instructions: from 1 to 10, and where it did not."""

    score: int
    about: WrittenEvidence
    issues: tuple[WrittenEvidence, ...]


class FromTranscripts(Frozen):
    """What a model said of the transcripts of some pairs, as far as its quotes stand in them."""

    winner: str
    """The name of the winner that it was asked about."""
    by: str
    """The model."""
    pairs: tuple[str, ...]
    skills: tuple[Side, ...]
    """The sides whose skill was read."""
    following: dict[Side, FollowedBy]
    patterns: dict[Side, WrittenEvidence]
    cut: tuple[str, ...] = ()
    """What was left out of long transcripts and skills, a sentence each."""
    dropped: int = 0
    """Entries that were left out since none of their quotes was found."""

    def absent(self) -> Iterator[tuple[str, str]]:
        """The parts of the format that are not there, with the reason."""
        if not self.skills:
            yield "instruction_following", NO_SKILL
        elif not self.following:
            yield "instruction_following", NOT_FOUND
        if not self.patterns:
            yield "transcript_insights", NOT_FOUND

    def following_told(self) -> dict[str, Any]:
        """As the format has it."""
        if not self.skills or not self.following:
            return {}
        told = {
            side: {"score": each.score, "issues": [issue.text for issue in each.issues]}
            for side, each in self.following.items()
        }
        return {"instruction_following": told}

    def patterns_told(self) -> dict[str, Any]:
        """As the format has it."""
        if not self.patterns:
            return {}
        told = {f"{side}_execution_pattern": each.text for side, each in self.patterns.items()}
        return {"transcript_insights": told}

    def evidence_told(self) -> dict[str, Any]:
        """What both parts rest on."""
        told: dict[str, Any] = {}
        if self.following_told():
            told["instruction_following"] = {
                side: {"score": each.about.told(), "issues": [issue.told() for issue in each.issues]}
                for side, each in self.following.items()
            }
        if self.patterns:
            told["transcript_insights"] = {
                f"{side}_execution_pattern": each.told() for side, each in self.patterns.items()
            }
        return told

    def reading_told(self) -> dict[str, Any]:
        """Who read what."""
        return {
            "by": self.by,
            "pairs": list(self.pairs),
            "skills": list(self.skills),
            "cut": list(self.cut),
            "dropped_without_quote": self.dropped,
        }
