"""Words in a whole import that would tell who made which output, with counts per side and one decision each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern, patterns_for, phrase_patterns
from comparator.domain.blinding.redaction import PatternDecision, Redaction, asked_for
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, decision_on, merged
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.outputs.view.blinding.searching import search


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
        return f"{sides or 'in no output'}{also} ({', '.join(place.value for place in self.places)})"


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
        taken = {pattern.text.casefold() for pattern in known}
        one_sided = {
            pattern.text: pattern
            for names in (names_by_side.values() if len(names_by_side) > 1 else ())
            for pattern in patterns_for(
                (),
                file_names=PerOutput[tuple[str, ...]](
                    A=tuple(name for name in names if used_by[name.casefold()] == 1), B=()
                ),
            )
            if pattern.kind is LeakKind.ONE_SIDED_NAME and pattern.text.casefold() not in taken
        }
        self._patterns: tuple[LeakPattern, ...] = (*known, *one_sided.values())
        self._asked = {each.pattern: each for each in asked_for(redact)}
        found_anyway = {pattern.text for pattern in (*self._patterns, *phrase_patterns())}
        self._patterns += tuple(
            LeakPattern(text=text, kind=LeakKind.ASKED_FOR)
            for text in sorted(self._asked.keys() - found_anyway)
        )
        self._sides_known = len(names_by_side)
        self._counted: set[object] = set()
        self._found: dict[object, tuple[PatternFinding, ...]] = {}
        self._counts: defaultdict[tuple[str, Where], Counter[str | None]] = defaultdict(Counter)
        self._first: dict[tuple[str, Where], PatternFinding] = {}

    def look(
        self, key: object, texts: Sequence[ScanText], *, side: str | None = None
    ) -> tuple[PatternFinding, ...]:
        """What was found in the texts of an output, or of a task (no `side`); under one `key` it is counted once."""
        whole = (key, hash(tuple(text.text for text in texts)))
        if whole not in self._found:
            found = search(self._patterns, [text.model_copy(update={"label": None}) for text in texts])
            for finding in found:
                place = (finding.pattern, finding.where)
                self._first.setdefault(place, finding)
                if key not in self._counted:
                    self._counts[place][side] += finding.elsewhere
            self._counted.add(key)
            self._found[whole] = found
        return self._found[whole]

    def decisions(self, *, redact_names: bool, keep: Collection[str]) -> tuple[Redaction, ...]:
        """One decision per pattern: a person's, else as suggested, but a skill's name that prompts use is a word of the
        subject."""
        subject = self._words_of_the_subject()
        decided: dict[str, Redaction] = {}
        for finding in self._first.values():
            text = finding.pattern
            decision = PatternDecision.KEEP if text in subject else self._suggested(finding)
            if decision is PatternDecision.REDACT and not redact_names:
                decision = PatternDecision.KEEP
            decided[text] = Redaction(pattern=text, decision=decision)
        return tuple(
            each.model_copy(update={"decision": PatternDecision.KEEP}) if each.pattern in keep else each
            for each in (decided | self._asked).values()
        )

    @property
    def findings(self) -> tuple[PatternFinding, ...]:
        """The first of each pattern and kind of place."""
        return tuple(self._first.values())

    def _suggested(self, finding: PatternFinding) -> PatternDecision:
        """What holds for a pattern in the whole batch."""
        text = finding.pattern
        counts: Counter[str | None] = Counter()
        for where in Where:
            counts += self._counts.get((text, where), Counter())
        in_task = counts.pop(None, 0) > 0
        one_sided = self._sides_known > 1 and len(counts) == 1
        in_names = self._counts.get((text, Where.FILE_NAME), Counter())
        if finding.kind is LeakKind.ONE_SIDED_NAME and one_sided and max(in_names.values(), default=0) > 1:
            # In run after run, and never in one of the others.
            return PatternDecision.REDACT
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
        places: defaultdict[str, list[Where]] = defaultdict(list)
        for pattern, where in sorted(self._first):
            places[pattern].append(where)
        found: list[Leak] = []
        for pattern, where_all in places.items():
            first = self._first[pattern, where_all[0]]
            sides: Counter[str | None] = sum((self._counts[pattern, each] for each in where_all), Counter())
            elsewhere = sides.pop(None, 0)
            found.append(
                Leak(
                    pattern=pattern,
                    kind=first.kind,
                    decision=taken[pattern],
                    sides={str(side): count for side, count in sides.items()},
                    elsewhere=elsewhere,
                    places=tuple(where_all),
                    excerpt=first.excerpt,
                )
            )
        return tuple(sorted(found, key=lambda leak: leak.decision is not PatternDecision.REDACT))


def of_pair(
    first: Sequence[PatternFinding], second: Sequence[PatternFinding], task: Sequence[PatternFinding]
) -> tuple[PatternFinding, ...]:
    """The findings of two runs and their task as those of one comparison, the first run as A."""
    return merged(
        finding.model_copy(
            update={
                "counts": PerOutput[int](
                    A=finding.elsewhere * (label is Label.A), B=finding.elsewhere * (label is Label.B)
                ),
                "elsewhere": finding.elsewhere * (label is None),
            }
        )
        for label, findings in ((Label.A, first), (Label.B, second), (None, task))
        for finding in findings
    )
