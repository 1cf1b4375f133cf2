"""Expectations that tell of a run, and what is proposed for each: other words, or to set it aside."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern
from comparator.domain.blinding.redaction import PatternDecision, Redaction, redact
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, scan
from comparator.domain.labels import Frozen

_ABOUT_THE_RUN = {LeakKind.TELLING, LeakKind.PHRASE, LeakKind.SKILL_FILE, LeakKind.SKILL_NAME}


class TellingExpectation(Frozen):
    """An expectation that tells of a run; `neutral` are other words for it, None where it is about the run itself."""

    text: str
    neutral: str | None

    @property
    def in_words(self) -> str:
        """What is proposed, in words."""
        if self.neutral is None:
            proposed = "set it aside, as it asks about the run"
            return f"Expectation that may reveal a side: “{self.text}”. Proposed: {proposed}."
        return f"Expectation that may reveal a side: “{self.text}”. Proposed: show it as “{self.neutral}”."


def telling_expectations(
    expectations: Sequence[str], *, findings: Sequence[PatternFinding], redactions: Sequence[Redaction]
) -> tuple[TellingExpectation, ...]:
    """The expectations that name a candidate or speak of the run, in the order given, with what is proposed."""
    kinds = {found.pattern: found.kind for found in findings if found.where is Where.EXPECTATION}
    if not kinds:
        return ()
    patterns = [LeakPattern(text=text, kind=kind) for text, kind in kinds.items()]
    decided = {
        each.pattern: each.model_copy(update={"decision": PatternDecision.REDACT}) for each in redactions
    }
    wanted = [decided.get(text, Redaction(pattern=text, decision=PatternDecision.REDACT)) for text in kinds]
    found_telling = []
    for text in dict.fromkeys(expectations):
        found = scan(patterns, [ScanText(where=Where.EXPECTATION, text=text)])
        if found:
            about_the_run = any(each.kind in _ABOUT_THE_RUN for each in found)
            found_telling.append(
                TellingExpectation(text=text, neutral=None if about_the_run else redact(text, wanted))
            )
    return tuple(found_telling)
