"""Words that would tell who made an output: which to look for, where they were found, how they are redacted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from comparator.domain.labels import Frozen, Label, PerOutput

NEUTRAL_WORD = "redacted"


class LeakKind(StrEnum):
    """What a tell-tale text is."""

    CANDIDATE = "candidate name"
    SKILL_NAME = "skill name"
    SKILL_FILE = "skill file"
    PHRASE = 'phrase "the skill"'
    SOURCE_PATH = "source path"
    ONE_SIDED_NAME = "name in one configuration only"


class LeakPattern(Frozen):
    """A text to look for. `whole` is False for a part of a longer name, which is not redacted unless asked for."""

    text: str
    kind: LeakKind
    whole: bool = True


class Decision(StrEnum):
    """What is done about a pattern, for a whole batch."""

    REDACT = "redact"
    KEEP = "keep"


class Redaction(Frozen):
    """The decision on one pattern; the replacement is the same on both sides."""

    pattern: str
    decision: Decision
    replacement: str = NEUTRAL_WORD


class Where(StrEnum):
    """Where a pattern was found."""

    PROMPT = "prompt"
    EXPECTATION = "expectation"
    RUBRIC = "rubric"
    FILE_NAME = "file name"
    FILE_TEXT = "file text"


class ScanText(Frozen):
    """One text to scan; `label` is None for what belongs to neither output (prompt, expectations, rubric, inputs)."""

    where: Where
    text: str
    label: Label | None = None


class Finding(Frozen):
    """One pattern in one kind of place, with how often on each side and elsewhere, and the first place in context."""

    pattern: str
    kind: LeakKind
    where: Where
    counts: PerOutput[int]
    elsewhere: int
    excerpt: str
    whole: bool = True

    @property
    def suggested(self) -> Decision:
        """What is done without a decision: full names are redacted, the rest is kept and shown."""
        raise NotImplementedError


def patterns_for(
    candidate_names: Iterable[str],
    *,
    skill_names: Iterable[str] = (),
    source_paths: Iterable[str] = (),
    file_names: PerOutput[tuple[str, ...]] | None = None,
) -> tuple[LeakPattern, ...]:
    """What to look for, longest first; common words and parts under four letters are left out."""
    raise NotImplementedError


def scan(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[Finding, ...]:
    """All findings, one for each pattern and kind of place."""
    raise NotImplementedError


def suggested_redactions(findings: Iterable[Finding]) -> tuple[Redaction, ...]:
    """The decisions that hold until a person takes others, one for each pattern found."""
    raise NotImplementedError


def redact(text: str, redactions: Sequence[Redaction]) -> str:
    """The text with every pattern that is to be redacted replaced, in any case and with any separators."""
    raise NotImplementedError
