"""What is handed in for a comparison: the task, two outputs, who made them, and what was decided about leaks."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern
from comparator.domain.blinding.redaction import PatternDecision, Redaction, named, redact
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, scan, suggested_redactions
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.chat import turns_in
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.pairs.comparisons import ComparisonSource

DEFAULT_PROJECT = "My comparisons"


class Submission(Frozen):
    """A task, two outputs that did it, and who made them. With `draw` chance decides which becomes A."""

    task: TaskText
    outputs: PerOutput[Snapshot]
    candidates: PerOutput[str]
    inputs: Snapshot | None = None
    reference: Snapshot | None = None
    redactions: tuple[Redaction, ...] = ()
    findings: tuple[PatternFinding, ...] = ()
    """What the decisions in `redactions` were taken on; kept with them."""
    taken_back: frozenset[str] = frozenset()
    project: str = Field(default=DEFAULT_PROJECT, min_length=1, max_length=200)
    mode: ReviewMode | None = None
    """How the project is reviewed if this pair is its first."""
    key: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    draw: bool = True
    source: ComparisonSource = ComparisonSource.NEW


class Submitted(Frozen):
    """The comparison; `known` where it was set up before, with the same outputs as A and B."""

    comparison_id: str
    project_id: str
    known: bool = False


def decide(
    findings: Sequence[PatternFinding], *, keep: frozenset[str] = frozenset(), asked: Sequence[Redaction] = ()
) -> tuple[Redaction, ...]:
    """One decision per pattern: a person's (`keep`, `asked`), else what is suggested."""
    suggested = {each.pattern: each for each in suggested_redactions(findings)}
    return tuple(
        r.model_copy(update={"decision": PatternDecision.KEEP}) if r.pattern in keep else r
        for r in (suggested | {each.pattern: each for each in asked}).values()
    )


def with_nouns(
    redactions: Sequence[Redaction], *, task: TaskText, texts: Sequence[ScanText]
) -> tuple[Redaction, ...]:
    """The decisions with nouns that occur neither in the task's wording nor in these texts of its files and outputs."""
    every = (task.prompt, *task.expectations, *(each.text for each in texts))
    return named(redactions, texts=every, seed=task.prompt)


def title_of(prompt: str) -> str:
    """A short title from the first line of a prompt that says something; of a chat, from what was asked last.

    >>> title_of("# Rivers"), title_of("### System\\n\\nBe short.\\n\\n### User\\n\\nName a river.")
    ('Rivers', 'Name a river.')
    """
    asked = [turn.content for turn in turns_in(prompt) if turn.role == "user"] or [prompt]
    line = next((line.strip(" #*-\t") for line in asked[-1].splitlines() if line.strip(" #*-\t")), "Task")
    return line if len(line) <= 90 else line[:89].rsplit(" ", 1)[0] + "…"


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
