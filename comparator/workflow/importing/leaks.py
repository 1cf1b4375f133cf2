"""Words in a whole import that would tell who made which output, with counts per side and one decision each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern, patterns_for, phrase_patterns
from comparator.domain.blinding.redaction import PatternDecision, Redaction, asked_for
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, decision_on, scan
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.outputs.snapshot.take import Snapshot


class Leak(Frozen):
    """One pattern in one kind of place: how often on each side, and what is done about it."""

    pattern: str
    kind: LeakKind
    where: Where
    sides: dict[str, int]
    elsewhere: int
    excerpt: str
    decision: PatternDecision


class TellingWord(Frozen):
    """A pattern over all places where it was found: how often on each side, and in tasks."""

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
        return f"{sides or 'in no output'}{also} ({', '.join(place.value for place in self.places)})"


def telling_words(leaks: Iterable[Leak]) -> tuple[TellingWord, ...]:
    """The findings put together by pattern, as they were found."""
    by_pattern: dict[str, list[Leak]] = {}
    for leak in leaks:
        by_pattern.setdefault(leak.pattern, []).append(leak)
    return tuple(_together(pattern, found) for pattern, found in by_pattern.items())


def _together(pattern: str, found: Sequence[Leak]) -> TellingWord:
    sides: Counter[str] = Counter()
    for leak in found:
        sides.update(leak.sides)
    return TellingWord(
        pattern=pattern,
        kind=found[0].kind,
        decision=found[0].decision,
        sides=dict(sides),
        elsewhere=sum(leak.elsewhere for leak in found),
        places=tuple(dict.fromkeys(leak.where for leak in found)),
        excerpt=found[0].excerpt,
    )


class LeakSearch:
    """Looks through the runs of an import, each once, and remembers what was found where."""

    def __init__(
        self,
        candidates: Iterable[str],
        *,
        skill_names: Iterable[str],
        models: Iterable[str],
        source: str,
        names_by_side: dict[str, frozenset[str]],
        asked: Iterable[str] = (),
    ) -> None:
        used_by = Counter(name.casefold() for names in names_by_side.values() for name in names)
        one_sided = {
            pattern.text: pattern
            for names in (names_by_side.values() if len(names_by_side) > 1 else ())
            for pattern in patterns_for(
                (),
                file_names=PerOutput[tuple[str, ...]](
                    A=tuple(name for name in names if used_by[name.casefold()] == 1), B=()
                ),
            )
            if pattern.kind is LeakKind.ONE_SIDED_NAME
        }
        known = patterns_for(candidates, models=models, skill_names=skill_names, source_paths=(source,))
        taken = {pattern.text.casefold() for pattern in known}
        self._patterns: tuple[LeakPattern, ...] = (
            *known,
            *(pattern for text, pattern in one_sided.items() if text.casefold() not in taken),
        )
        self._asked = {each.pattern: each for each in asked_for(asked)}
        found_anyway = {pattern.text for pattern in (*self._patterns, *phrase_patterns())}
        self._patterns += tuple(
            LeakPattern(text=text, kind=LeakKind.ASKED_FOR)
            for text in sorted(self._asked.keys() - found_anyway)
        )
        self._sides_known = len(names_by_side)
        self._counted: set[str] = set()
        self._by_text: dict[object, tuple[PatternFinding, ...]] = {}
        self._sides: defaultdict[tuple[str, Where], Counter[str]] = defaultdict(Counter)
        self._elsewhere: Counter[tuple[str, Where]] = Counter()
        self._first: dict[tuple[str, Where], PatternFinding] = {}

    def in_run(self, address: str, *, side: str, texts: Sequence[ScanText]) -> tuple[PatternFinding, ...]:
        """What one run's names and texts hold; counted once, however often it is asked."""
        key = (address, hash(tuple(text.text for text in texts)))
        if key not in self._by_text:
            found = scan(self._patterns, [t.model_copy(update={"label": None}) for t in texts])
            if address not in self._counted:
                self._counted.add(address)
                for finding in found:
                    self._sides[finding.pattern, finding.where][side] += finding.elsewhere
            self._note(key, found)
        return self._by_text[key]

    def in_task(self, text: TaskText) -> tuple[PatternFinding, ...]:
        """What a prompt and its expectations hold."""
        if text.digest not in self._by_text:
            found = scan(
                self._patterns,
                [
                    ScanText(where=Where.PROMPT, text=text.prompt),
                    *(ScanText(where=Where.EXPECTATION, text=line) for line in text.expectations),
                ],
            )
            for finding in found:
                self._elsewhere[finding.pattern, finding.where] += finding.elsewhere
            self._note(text.digest, found)
        return self._by_text[text.digest]

    def in_files(self, key: object, texts: Sequence[ScanText]) -> tuple[PatternFinding, ...]:
        """What the input files and the reference answer of a task hold; `key` says which files."""
        if key not in self._by_text:
            found = scan(self._patterns, texts)
            for finding in found:
                self._elsewhere[finding.pattern, finding.where] += finding.elsewhere
            self._note(key, found)
        return self._by_text[key]

    def _note(self, key: object, found: tuple[PatternFinding, ...]) -> None:
        self._by_text[key] = found
        for finding in found:
            self._first.setdefault((finding.pattern, finding.where), finding)

    def decisions(
        self,
        *,
        redact_names: bool,
        keep: frozenset[str] = frozenset(),
        redact: frozenset[str] = frozenset(),
    ) -> tuple[Redaction, ...]:
        """One decision per pattern: a person's (`keep`, `redact`), else as suggested, but a skill's name that prompts
        use is a word of the subject."""
        subject = self._words_of_the_subject()
        decided: dict[str, Redaction] = {}
        for finding in self._first.values():
            text = finding.pattern
            decision = PatternDecision.KEEP if text in subject else self._suggested(finding)
            if decision is PatternDecision.REDACT and not redact_names:
                decision = PatternDecision.KEEP
            decided[text] = Redaction(pattern=text, decision=decision)
        for each in (*self._asked.values(), *asked_for(redact)):
            decided[each.pattern] = each
        return tuple(
            each.model_copy(update={"decision": PatternDecision.KEEP}) if each.pattern in keep else each
            for each in decided.values()
        )

    @property
    def findings(self) -> tuple[PatternFinding, ...]:
        """The first of each pattern and kind of place."""
        return tuple(self._first.values())

    def _suggested(self, finding: PatternFinding) -> PatternDecision:
        """What holds for a pattern in the whole batch."""
        text = finding.pattern
        places = [counts for (pattern, _), counts in self._sides.items() if pattern == text]
        sides = {side for counts in places for side, count in counts.items() if count}
        one_sided = self._sides_known > 1 and len(sides) == 1
        in_names = max(self._sides[text, Where.FILE_NAME].values(), default=0)
        if finding.kind is LeakKind.ONE_SIDED_NAME and one_sided and in_names > 1:
            # In run after run, and never in one of the others.
            return PatternDecision.REDACT
        in_task = any(pattern == text and count for (pattern, _), count in self._elsewhere.items())
        return decision_on(finding.kind, whole=finding.whole, one_sided=one_sided, in_task=in_task)

    def _words_of_the_subject(self) -> set[str]:
        """Names of skills that the prompts use themselves, as a whole or in all their telling parts."""
        names = [pattern for pattern in self._patterns if pattern.kind is LeakKind.SKILL_NAME]
        used = {p.text for p in names if (p.text, Where.PROMPT) in self._first}
        parts = {
            name.text: {p.text for p in names if not p.whole and p.text.casefold() in name.text.casefold()}
            for name in names
            if name.whole
        }
        return used | {name for name, own in parts.items() if own and own <= used}

    def leaks(self, decisions: Sequence[Redaction]) -> tuple[Leak, ...]:
        """Everything found, those that are redacted first."""
        taken = {decision.pattern: decision.decision for decision in decisions}
        found = [
            Leak(
                pattern=pattern,
                kind=finding.kind,
                where=where,
                sides=dict(sorted(self._sides[pattern, where].items())),
                elsewhere=self._elsewhere[pattern, where],
                excerpt=finding.excerpt,
                decision=taken[pattern],
            )
            for (pattern, where), finding in self._first.items()
        ]
        return tuple(
            sorted(found, key=lambda leak: (leak.decision.value != "redact", leak.pattern, leak.where))
        )


def of_pair(
    first: Sequence[PatternFinding], second: Sequence[PatternFinding], task: Sequence[PatternFinding]
) -> tuple[PatternFinding, ...]:
    """The findings of two runs and their task as those of one comparison, the first run as A."""
    counts: dict[tuple[str, Where], tuple[PatternFinding, Counter[Label | None]]] = {}
    for label, findings in ((Label.A, first), (Label.B, second), (None, task)):
        for finding in findings:
            _, counter = counts.setdefault((finding.pattern, finding.where), (finding, Counter()))
            counter[label] += finding.elsewhere
    return tuple(
        finding.model_copy(
            update={
                "counts": PerOutput[int](A=counter[Label.A], B=counter[Label.B]),
                "elsewhere": counter[None],
            }
        )
        for finding, counter in counts.values()
    )


def names_by_side(snapshots: Iterable[tuple[str, Snapshot]]) -> dict[str, frozenset[str]]:
    """The names of all files of each configuration, without folders."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for side, snapshot in snapshots:
        names[side].update(artifact.path.rsplit("/", 1)[-1] for artifact in snapshot.artifacts)
    return {side: frozenset(found) for side, found in names.items()}
