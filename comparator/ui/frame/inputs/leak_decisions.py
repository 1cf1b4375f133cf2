"""What can be decided on a word that would reveal who made which output."""

from __future__ import annotations

from comparator.domain.blinding.patterns import LeakKind
from comparator.domain.blinding.redaction import Decision

DECISIONS = {Decision.REDACT: "Neutralise", Decision.KEEP: "Keep", Decision.MARK: "Mark the pair"}


def decisions_on(kind: LeakKind) -> list[Decision]:
    """What can be decided on a finding of a kind: no words can make a passage neutral that tells outright."""
    return [Decision.MARK if kind is LeakKind.TELLING else Decision.REDACT, Decision.KEEP]
