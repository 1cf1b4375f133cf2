"""What is wrong or odd in an import, found before money and time go into it, with counts per side."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import Field

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern, asked_for, patterns_for
from comparator.domain.blinding.redaction import PatternDecision, Redaction, redactions_for_words
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, decision_on, merge_findings
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.interop.imported import FoundRun
from comparator.judges.quotes import QuoteIndex
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.redacting import search
from comparator.workflow.importing.pairs import RunPair
from comparator.workflow.submit.intake import TellingExpectation

EXAMPLES = 10
ROUND_CAPS = frozenset(
    thousand * unit for unit in (1000, 1024) for thousand in (1, 2, 4, 6, 8, 10, 12, 16, 20, 32, 64, 128)
)
"""Limits of output tokens that people set; a run that ends exactly there was probably cut off."""
_QUOTED = re.compile(
    r"“([^”\n]{12,400})”|\"([^\"\n]{12,400})\"|`([^`\n]{12,400})`|(?<!\w)'([^'\n]{12,400})'(?!\w)"
)
"""What stands in quotation marks or code marks, if it is long enough to prove anything."""


class Count(Frozen):
    """How often something was found, in all and for each side, and the first few places; `checked` is out of how many,
    where that is counted."""

    count: int = 0
    sides: dict[str, int] = Field(default_factory=dict)
    examples: tuple[str, ...] = ()
    checked: int = 0


COUNTED = {
    "void": "Runs without a usable output",
    "cut_off": "Outputs that were probably cut off",
    "contaminated": "Runs that could read the evals file",
    "one_sided": "Outputs without a counterpart",
    "other_files": "Files on one side only",
    "different_prompts": "Pairs whose sides were asked differently",
    "set_aside": "Reports about a run set aside",
    "expectations_set_aside": "Expectations set aside",
    "duplicates": "Duplicate outputs",
    "evidence_not_found": "Imported graders' quotes missing from the output",
}
"""What the findings are called that are counts of places and nothing else."""


class Drift(Frozen):
    """Tasks whose prompts, and those whose expectations, differ between iterations; pairs not made for the prompts."""

    tasks: int = 0
    prompts: int = 0
    expectations: int = 0
    pairs_not_made: int = 0
    examples: tuple[str, ...] = ()


class Audit(Frozen):
    """All findings. Sides are configurations."""

    void: Count
    cut_off: Count
    contaminated: Count
    one_sided: Count
    other_files: Count
    different_prompts: Count
    drift: Drift
    leaks: tuple[Leak, ...]
    telling_expectations: tuple[TellingExpectation, ...] = ()
    set_aside: Count
    expectations_set_aside: Count = Count()
    unmatched: tuple[str, ...] = ()
    """Words to keep or neutralise, and expectations to set aside, that occur nowhere: probably typing errors."""
    duplicates: Count
    evidence_not_found: Count
    """Quotes in foreign graders' evidence that stand nowhere in the output."""
    superseded: int
    """Outputs that replace an earlier one of the same place, whose pairs wait for nobody any more."""


Places = list[tuple[str, str]]
"""Where something was found: the side, and an example in words."""


def count_of(places: Places, *, checked: int) -> Count:
    """The sums of these places."""
    return Count(
        count=len(places),
        sides=dict(sorted(Counter(side for side, _ in places).items())),
        examples=tuple(dict.fromkeys(example for _, example in places))[:EXAMPLES],
        checked=checked,
    )


def side_of(run: FoundRun) -> tuple[str, str | None, str]:
    """Whose a run is: of one configuration, in one iteration of one workspace."""
    return run.workspace, run.iteration, run.configuration


def cut_offs(runs: Iterable[FoundRun]) -> dict[str, str]:
    """Address to reason of each run that was cut off, as its source says, or probably: its tokens are a round cap that
    no other run of its side exceeds.
    """
    runs = tuple(runs)
    by_side: defaultdict[object, list[FoundRun]] = defaultdict(list)
    for run in runs:
        if run.output_tokens is not None:
            by_side[side_of(run)].append(run)
    reasons = {run.address: run.cut_off for run in runs if run.cut_off}
    for side in by_side.values():
        most = max(run.output_tokens or 0 for run in side)
        if most in ROUND_CAPS:
            reason = f"its {most:,} output tokens are exactly a round limit"
            reasons.update(
                (run.address, reason) for run in side if run.output_tokens == most and run.cut_off is None
            )
    return reasons


def one_sided(runs: Iterable[FoundRun], *, pairs: Iterable[RunPair]) -> Places:
    """The runs that none of the `pairs` holds; the side is the one that is there."""
    paired = {run.address for pair in pairs for run in pair}
    return [
        (
            run.configuration,
            _place(run.iteration, run.task_key)
            + (f", repetition {run.repetition}" if run.repetition > 1 else ""),
        )
        for run in runs
        if run.address not in paired
    ]


def drift(runs: Sequence[FoundRun], *, pairs_not_made: int) -> Drift:
    """Which tasks changed between iterations, in prompt, expectations, or both."""
    by_task: defaultdict[str, dict[str | None, FoundRun]] = defaultdict(dict)
    for run in runs:
        by_task[run.task_key].setdefault(run.iteration, run)
    several = {key: tuple(group.values()) for key, group in by_task.items() if len(group) > 1}
    prompts = [key for key, group in several.items() if len({" ".join(r.prompt.split()) for r in group}) > 1]
    lines = [key for key, group in several.items() if len({run.expectations for run in group}) > 1]
    return Drift(
        tasks=len(several),
        prompts=len(prompts),
        expectations=len(lines),
        pairs_not_made=pairs_not_made,
        examples=tuple(sorted({*prompts, *lines}))[:EXAMPLES],
    )


def duplicates(read: Iterable[tuple[FoundRun, Snapshot]], *, repeated: int) -> Places:
    """Outputs of one task in one iteration with the same bytes as another's, and what the source says twice."""
    places: Places = []
    seen: set[tuple[str | None, str, str]] = set()
    for run, snapshot in read:
        content = repr([(artifact.path, artifact.sha256) for artifact in snapshot.artifacts])
        key = (run.iteration, run.task_key, content)
        if key in seen:
            places.append((run.configuration, run.address))
        seen.add(key)
    return [*places, *[("repeated in the source", "rows or folders that repeat another one")] * repeated]


def missing_quotes(run: FoundRun, texts: Sequence[ScanText]) -> tuple[Places, int]:
    """What graders of a run quote that stands nowhere in it, and how many quotes were looked up.

    A failed expectation's evidence tells of what is missing.
    """
    quotes = [
        next(filter(None, match.groups())).strip()
        for claim in run.claims
        if claim.passed
        for match in _QUOTED.finditer(claim.evidence)
    ]
    if not quotes:
        return [], 0
    text = "\n".join(t.text for t in texts if t.where is Where.FILE_TEXT)
    block = TextBlock(text=text)
    file = ViewedFile(id="output", name="output", family=Family.TEXT, size=len(text), blocks=(block,))
    index = QuoteIndex(OutputView(files=(file,)))
    where = _place(run.iteration, run.task_key)
    lost = [quote for quote in quotes if not index.find("output", quote).found]
    return [(run.configuration, f"{where}: {quote[:100]}") for quote in lost], len(quotes)


def _place(iteration: str | None, key: str) -> str:
    return f"iteration {iteration}, {key}" if iteration else key


class Leak(Frozen):
    """A pattern over all places where it was found: how often on each side, and in tasks; and what is done about it."""

    pattern: str
    kind: LeakKind
    decision: PatternDecision
    sides: dict[str, int]
    elsewhere: int
    places: tuple[Where, ...]
    excerpt: str

    @property
    def in_words(self) -> str:
        """Where it was found, in words."""
        sides = ", ".join(f"{side} {count:,}" for side, count in sorted(self.sides.items()))
        also = f"; {self.elsewhere:,} in tasks" if self.elsewhere else ""
        return f"{sides or 'in no output'}{also} ({', '.join(self.places)})"


class _Place(NamedTuple):
    """A finding in an output of a side, or (None) in a task; what was looked through before counts no more."""

    side: str | None
    finding: PatternFinding
    counted: int


class LeakSearch:
    """Looks through the outputs and tasks of an import, each once, and remembers what was found where.

    `redact` are words that go whatever was found.
    """

    def __init__(
        self,
        candidates: Iterable[str],
        *,
        skill_names: Iterable[str],
        models: Iterable[str],
        source: str,
        names_by_side: Mapping[str, Collection[str]],
        redact: Iterable[str] = (),
    ) -> None:
        used_by = Counter(name.casefold() for names in names_by_side.values() for name in names)
        known = patterns_for(candidates, models=models, skill_names=skill_names, source_paths=(source,))
        known_texts = {pattern.text.casefold() for pattern in known}
        one_sided = {
            pattern.text: pattern
            for names in (names_by_side.values() if len(names_by_side) > 1 else ())
            for pattern in patterns_for(
                (),
                file_names=PerOutput(A=tuple(name for name in names if used_by[name.casefold()] == 1), B=()),
            )
            if pattern.kind is LeakKind.ONE_SIDED_NAME and pattern.text.casefold() not in known_texts
        }
        self._patterns: tuple[LeakPattern, ...] = (*known, *one_sided.values())
        self._redactions = {redaction.pattern: redaction for redaction in redactions_for_words(redact)}
        self._patterns += asked_for(sorted(self._redactions), beside=self._patterns)
        self._has_sides = len(names_by_side) > 1
        self._counted: set[object] = set()
        self._findings: dict[object, tuple[PatternFinding, ...]] = {}
        self._places: dict[str, list[_Place]] = {}
        """Where each pattern was found."""

    def look(
        self, key: object, texts: Sequence[ScanText], *, side: str | None = None
    ) -> tuple[PatternFinding, ...]:
        """What was found in the texts of an output, or of a task (no `side`); under one `key` it is counted once."""
        whole = (key, hash(tuple(text.text for text in texts)))
        if whole not in self._findings:
            findings = search(self._patterns, [text._replace(label=None) for text in texts])
            for finding in findings:
                count = 0 if key in self._counted else finding.elsewhere
                self._places.setdefault(finding.pattern, []).append(_Place(side, finding, count))
            self._counted.add(key)
            self._findings[whole] = findings
        return self._findings[whole]

    def decisions(self, *, redact_names: bool, keep: Collection[str]) -> tuple[Redaction, ...]:
        """One decision per pattern: a person's, else as suggested, but a skill's name that prompts use is a word of the
        subject."""
        kept = {*keep, *self._words_of_the_subject()}
        decided: dict[str, Redaction] = {}
        for text, places in self._places.items():
            decision = self._suggested(places)
            if text in kept or (decision is PatternDecision.REDACT and not redact_names):
                decision = PatternDecision.KEEP
            decided[text] = Redaction(pattern=text, decision=decision)
        return tuple(
            redaction.copy_with(decision=PatternDecision.KEEP) if redaction.pattern in keep else redaction
            for redaction in (decided | self._redactions).values()
        )

    @property
    def findings(self) -> tuple[PatternFinding, ...]:
        """Everything found, output by output and task by task."""
        return tuple(place.finding for places in self._places.values() for place in places)

    def _suggested(self, places: Sequence[_Place]) -> PatternDecision:
        """What holds for a pattern in the whole batch."""
        first = places[0].finding
        sides = {place.side for place in places if place.counted}
        one_sided = self._has_sides and len(sides - {None}) == 1
        in_names = sum(place.counted for place in places if place.finding.where is Where.FILE_NAME)
        if first.kind is LeakKind.ONE_SIDED_NAME and one_sided and in_names > 1:
            # In run after run, and never in one of the others.
            return PatternDecision.REDACT
        return decision_on(first.kind, whole=first.whole, one_sided=one_sided, in_task=None in sides)

    def _words_of_the_subject(self) -> set[str]:
        """Names of skills that the prompts use themselves, as a whole or in all their telling parts."""
        names = [pattern for pattern in self._patterns if pattern.kind is LeakKind.SKILL_NAME]
        in_prompts = {finding.pattern for finding in self.findings if finding.where is Where.PROMPT}
        used = {name.text for name in names} & in_prompts
        parts = {
            name.text: {p.text for p in names if not p.whole and p.text.casefold() in name.text.casefold()}
            for name in names
            if name.whole
        }
        return used | {name for name, own in parts.items() if own and own <= used}

    def leaks(self, decisions: Sequence[Redaction]) -> tuple[Leak, ...]:
        """Everything found, those that are redacted first."""
        by_pattern = {decision.pattern: decision.decision for decision in decisions}
        leaks: list[Leak] = []
        for pattern, places in sorted(self._places.items()):
            first = min((place.finding for place in places), key=lambda finding: finding.where)
            sides: Counter[str | None] = Counter()
            for place in places:
                sides[place.side] += place.counted
            elsewhere = sides.pop(None, 0)
            leaks.append(
                Leak(
                    pattern=pattern,
                    kind=first.kind,
                    decision=by_pattern[pattern],
                    sides={str(side): count for side, count in sides.items() if count},
                    elsewhere=elsewhere,
                    places=tuple(sorted({place.finding.where for place in places})),
                    excerpt=first.excerpt,
                )
            )
        return tuple(sorted(leaks, key=lambda leak: leak.decision is not PatternDecision.REDACT))


def of_pair(
    first: Sequence[PatternFinding], second: Sequence[PatternFinding], task: Sequence[PatternFinding]
) -> tuple[PatternFinding, ...]:
    """The findings of two runs and their task as those of one comparison, the first run as A."""
    return merge_findings(
        finding.copy_with(
            counts=PerOutput(
                A=finding.elsewhere * (label is Label.A), B=finding.elsewhere * (label is Label.B)
            ),
            elsewhere=finding.elsewhere * (label is None),
        )
        for label, findings in ((Label.A, first), (Label.B, second), (None, task))
        for finding in findings
    )
