"""What entries of an analysis rest on, and what a model said of transcripts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal

from comparator.domain.labels import Frozen

Side = Literal["winner", "loser"]
SIDES: tuple[Side, ...] = ("winner", "loser")
FOLLOWING, INSIGHTS = "instruction_following", "transcript_insights"
NOT_READ = "Neither transcripts nor skills were read: a comparison is made blind, from the outputs alone."
NOT_FOUND = "A model read the transcripts, but said nothing for this part that a quote from them supports."
ELSEWHERE = (
    "A model read the transcripts, but its statements for this part rest on pairs outside this selection."
)
NO_SKILL = "No skill was read, so the task is the only instruction."


class WrittenEvidence(Frozen):
    """An entry with what it rests on: pairs (their ids), quotes, whose words, and how many pairs."""

    text: str
    pairs: tuple[str, ...]
    quotes: tuple[str, ...]
    speakers: str
    """`judge`, `reviewer`, `judge and reviewer`, or `model`: one that read transcripts."""
    status: str = "observed"
    """Or `hypothesis`: what has not been tried."""

    @property
    def n(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def as_json(self) -> dict[str, Any]:
        """All of it but the text."""
        return {
            "pairs": list(self.pairs),
            "quotes": list(self.quotes),
            "said": self.speakers,
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
    elsewhere: tuple[str, ...] = ()
    """Sides of a part that rest on other pairs than those looked at, such as `transcript_insights.loser`."""

    @property
    def followed(self) -> dict[Side, FollowedBy]:
        """How the sides whose skill was read followed it."""
        return {side: each for side, each in self.following.items() if side in self.skills}

    def within(self, pairs: Collection[str]) -> FromTranscripts:
        """Only what rests on these pairs (their ids); an entry that cites another one too is left out."""

        def holds(entry: WrittenEvidence) -> bool:
            return set(entry.pairs) <= set(pairs)

        following = {side: each for side, each in self.following.items() if holds(each.about)}
        patterns = {side: each for side, each in self.patterns.items() if holds(each)}
        gone = (
            *(f"{FOLLOWING}.{side}" for side in self.following if side not in following),
            *(f"{INSIGHTS}.{side}" for side in self.patterns if side not in patterns),
        )
        return self.model_copy(
            update={
                "pairs": tuple(each for each in self.pairs if each in pairs),
                "following": {
                    side: each.model_copy(update={"issues": tuple(filter(holds, each.issues))})
                    for side, each in following.items()
                },
                "patterns": patterns,
                "elsewhere": (*self.elsewhere, *gone),
            }
        )

    def absent(self) -> Iterator[tuple[str, str]]:
        """The parts of the format that are not there, or the one side of a part, with the reason."""
        yield from self._lacking(FOLLOWING, self.followed)
        yield from self._lacking(INSIGHTS, self.patterns)

    def _lacking(self, part: str, there: Collection[Side]) -> Iterator[tuple[str, str]]:
        reasons = {f"{part}.{side}": self._reason(part, side) for side in SIDES if side not in there}
        if len(reasons) == len(SIDES) and len(set(reasons.values())) == 1:
            yield part, next(iter(reasons.values()))
        else:
            yield from reasons.items()

    def _reason(self, part: str, side: Side) -> str:
        if part == FOLLOWING and side not in self.skills:
            return NO_SKILL
        return ELSEWHERE if f"{part}.{side}" in self.elsewhere else NOT_FOUND

    def following_as_json(self) -> dict[str, Any]:
        """As the format has it."""
        if not self.followed:
            return {}
        sides = {
            side: {"score": each.score, "issues": [issue.text for issue in each.issues]}
            for side, each in self.followed.items()
        }
        return {"instruction_following": sides}

    def patterns_as_json(self) -> dict[str, Any]:
        """As the format has it."""
        if not self.patterns:
            return {}
        patterns = {f"{side}_execution_pattern": each.text for side, each in self.patterns.items()}
        return {"transcript_insights": patterns}

    def evidence_as_json(self) -> dict[str, Any]:
        """What both parts rest on."""
        parts: dict[str, Any] = {}
        if self.followed:
            parts["instruction_following"] = {
                side: {"score": each.about.as_json(), "issues": [issue.as_json() for issue in each.issues]}
                for side, each in self.followed.items()
            }
        if self.patterns:
            parts["transcript_insights"] = {
                f"{side}_execution_pattern": each.as_json() for side, each in self.patterns.items()
            }
        return parts

    def reading_as_json(self) -> dict[str, Any]:
        """Who read what."""
        return {
            "by": self.by,
            "pairs": list(self.pairs),
            "skills": list(self.skills),
            "cut": list(self.cut),
            "dropped_without_quote": self.dropped,
        }
