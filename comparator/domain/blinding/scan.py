"""Words that would tell who made an output: where they were found, and what holds until a person decides."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from comparator.domain.blinding.leak_patterns import (
    PHRASE_PATTERNS,
    PHRASES,
    LeakKind,
    LeakPattern,
    ProsePlaces,
    patterns_for,
)
from comparator.domain.blinding.name_search import INSIDE, NameHit, NameSearch
from comparator.domain.blinding.redaction import BREAK, PatternDecision, Redaction, add_nouns, redact
from comparator.domain.labels import Frozen, Label, PerOutput

_CONTEXT = 40


class Where(StrEnum):
    """Where a pattern was found."""

    PROMPT = "prompt"
    EXPECTATION = "expectation"
    RUBRIC = "rubric"
    FILE_NAME = "file name"
    FILE_TEXT = "file text"
    INPUT = "input"
    REFERENCE = "reference"


class ScanText(NamedTuple):
    """One text to scan; `label` is None for what belongs to neither output (prompt, expectations, rubric, inputs)."""

    where: Where
    text: str
    label: Label | None = None
    prose: str | None = None
    """The part of it that is prose, where that is not all: phrases that can be put neutrally are looked for there."""


class PatternFinding(Frozen):
    """One pattern in one kind of place, with how often on each side and elsewhere, and the first place in context."""

    pattern: str
    kind: LeakKind
    where: Where
    counts: PerOutput[int]
    elsewhere: int
    excerpt: str
    whole: bool = True


def scan(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[PatternFinding, ...]:
    """All findings, one for each pattern and kind of place; what is part of a longer full name is not counted again.

    Phrases about the run are among them, whatever the patterns are.
    """
    counts: Counter[tuple[LeakPattern, Where, Label | None]] = Counter()
    excerpts: dict[tuple[LeakPattern, Where], str] = {}
    ranked = sorted(patterns, key=lambda pattern: (not pattern.whole, -len(pattern.text)))
    search = NameSearch([pattern.text for pattern in ranked])
    inside = {
        pattern: LeakPattern(f"{INSIDE}{pattern.text}{INSIDE}", LeakKind.INSIDE, whole=False)
        for pattern in ranked
        if pattern.whole
    }
    patterns = (
        *patterns,
        *(pattern for pattern in PHRASE_PATTERNS if pattern.text not in {p.text for p in patterns}),
        *inside.values(),
    )
    for item in texts:
        for pattern, start, end in _phrases_in(item):
            counts[pattern, item.where, item.label] += 1
            excerpts.setdefault((pattern, item.where), _excerpt(item.text, start, end))
        # What is part of a longer full name is not counted again.
        hits = search.hits(item.text)
        covered = bytearray(len(item.text) if hits else 0)
        places: dict[tuple[int, bool], list[NameHit]] = {}
        for hit in sorted(hits, key=lambda hit: (hit.glued, hit.which, hit.start)):
            if covered.find(1, hit.start, hit.end) >= 0 or (hit.glued and not ranked[hit.which].whole):
                continue
            # In code and data a name over several lines stays, and its parts go.
            if not hit.glued and ranked[hit.which].whole and not BREAK.search(item.text, hit.start, hit.end):
                covered[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            places.setdefault((hit.which, hit.glued), []).append(hit)
        for (which, glued), alike in places.items():
            pattern = inside[ranked[which]] if glued else ranked[which]
            counts[pattern, item.where, item.label] += len(alike)
            if (pattern, item.where) not in excerpts:
                excerpts[pattern, item.where] = _excerpt(item.text, alike[0].start, alike[0].end)
    return tuple(
        PatternFinding(
            pattern=pattern.text,
            kind=pattern.kind,
            where=where,
            counts=PerOutput(A=counts[pattern, where, Label.A], B=counts[pattern, where, Label.B]),
            elsewhere=counts[pattern, where, None],
            excerpt=excerpts[pattern, where],
            whole=pattern.whole,
        )
        for pattern in patterns
        for where in Where
        if (pattern, where) in excerpts
    )


def merge_findings(findings: Iterable[PatternFinding]) -> tuple[PatternFinding, ...]:
    """The findings of several searches, one for each pattern and place."""
    by_place: dict[tuple[str, Where], PatternFinding] = {}
    for finding in findings:
        key = (finding.pattern, finding.where)
        total = finding
        if (before := by_place.get(key)) is not None:
            counts = PerOutput(A=before.counts.A + finding.counts.A, B=before.counts.B + finding.counts.B)
            total = before.copy_with(counts=counts, elsewhere=before.elsewhere + finding.elsewhere)
        by_place[key] = total
    return tuple(by_place.values())


def suggestion(findings: Sequence[PatternFinding]) -> PatternDecision:
    """What holds for a pattern until a person decides, from all that was found of it.

    Full names are redacted, and what only one side has and the task does not; a passage that tells outright cannot be.
    """
    first = findings[0]
    in_task = any(finding.elsewhere for finding in findings)
    sides = [sum(finding.counts[label] for finding in findings) for label in Label]
    return decision_on(first.kind, whole=first.whole, one_sided=min(sides) == 0 < max(sides), in_task=in_task)


def decision_on(kind: LeakKind, *, whole: bool, one_sided: bool, in_task: bool) -> PatternDecision:
    """What holds for a pattern of a kind, by whether one side alone has it and whether the task has it too."""
    match kind:
        case LeakKind.TELLING:
            return PatternDecision.KEEP if in_task else PatternDecision.MARK
        case LeakKind.ONE_SIDED_NAME | LeakKind.MENTION | LeakKind.INSIDE:
            # Two outputs may well call their files differently; that they always do shows in a batch only.
            return PatternDecision.KEEP
    if whole:
        return PatternDecision.REDACT
    return PatternDecision.REDACT if one_sided and not in_task else PatternDecision.KEEP


def suggested_redactions(findings: Iterable[PatternFinding]) -> tuple[Redaction, ...]:
    """The decisions that hold until a person takes others, one for each pattern found."""
    by_pattern: dict[str, list[PatternFinding]] = {}
    for finding in findings:
        by_pattern.setdefault(finding.pattern, []).append(finding)
    return tuple(Redaction(pattern=text, decision=suggestion(own)) for text, own in by_pattern.items())


def may_reveal(findings: Iterable[PatternFinding], redactions: Iterable[Redaction]) -> bool:
    """Whether a passage that is marked stands in one of the two outputs only."""
    marked = {redaction.pattern for redaction in redactions if redaction.decision is PatternDecision.MARK}
    sides: Counter[tuple[str, Label]] = Counter()
    for finding in findings:
        for label, count in finding.counts.items():
            sides[finding.pattern, label] += count
    return any((sides[pattern, Label.A] > 0) != (sides[pattern, Label.B] > 0) for pattern in marked)


def neutralise(texts: Sequence[str], *, names: Iterable[str]) -> tuple[str, ...]:
    """The texts with neutral words wherever one of them names one of these candidates."""
    findings = scan(patterns_for(names), [ScanText(Where.PROMPT, text) for text in texts])
    redactions = add_nouns(suggested_redactions(findings), texts=texts, seed="")
    return tuple(redact(text, redactions) for text in texts)


def _phrases_in(item: ScanText) -> Iterator[tuple[LeakPattern, int, int]]:
    text = item.text if item.prose is None else item.prose
    prose: ProsePlaces | None = None
    for pattern, phrase in zip(PHRASE_PATTERNS, PHRASES, strict=True):
        if phrase.is_outright:
            yield from ((pattern, start, end) for start, end, _ in phrase.places(item.text))
            continue
        for start, end, _ in phrase.places(text):
            prose = prose or ProsePlaces(text)
            if prose.holds(start, end):
                yield pattern, start, end


def _excerpt(text: str, start: int, end: int) -> str:
    before, after = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
    words = " ".join(text[before:after].split())
    return f"{'…' if before else ''}{words}{'…' if after < len(text) else ''}"
