"""What can be decided on a word that would reveal who made which output."""

from __future__ import annotations

from comparator.domain.blinding.leak_patterns import LeakKind
from comparator.domain.blinding.redaction import PatternDecision

DECISIONS = {
    PatternDecision.REDACT: "Neutralise",
    PatternDecision.KEEP: "Keep",
    PatternDecision.MARK: "Mark the pair",
}


def decisions_on(kind: LeakKind) -> list[PatternDecision]:
    """What can be decided on a finding of a kind: no words can make a passage neutral that tells outright."""
    return [
        PatternDecision.MARK if kind is LeakKind.TELLING else PatternDecision.REDACT,
        PatternDecision.KEEP,
    ]
