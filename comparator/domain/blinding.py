"""Words that would tell who made an output: which to look for, where they were found, how they are redacted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.leak_words import (
    expression_for,
    first_word,
    folded,
    has_hidden,
    is_common,
    plain,
    sought_words,
    words_of,
)

NEUTRAL_WORD = "redacted"
SHORTEST_PART = 4
SHORTEST_NAME = 3
MOST_ONE_SIDED = 200
"""How many file names of one configuration alone are looked for; a folder of thousands tells nothing by one of them."""

_CONTEXT = 40
_LONG = 20_000
_FEW = 60
"""Up to how many words are simply looked for in a text, however long it is."""
_LONGEST_GAP = 4
"""How many characters a name may take for each of its own: a letter, and up to three that part two words."""

_RUN = re.compile(r"[^\W_]+")


class LeakKind(StrEnum):
    """What a tell-tale text is."""

    CANDIDATE = "candidate name"
    SKILL_NAME = "skill name"
    SKILL_FILE = "skill file"
    PHRASE = 'phrase "the skill"'
    SOURCE_PATH = "source path"
    ONE_SIDED_NAME = "name in one configuration only"


class LeakPattern(Frozen):
    """A text to look for. `whole` is False for what is kept unless a person asks for its redaction."""

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
    INPUT = "input"
    REFERENCE = "reference"


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
        """What holds without a decision: full names are redacted, the rest is kept and shown."""
        return Decision.REDACT if self.whole else Decision.KEEP


BUILT_IN = (
    LeakPattern(text="SKILL.md", kind=LeakKind.SKILL_FILE),
    LeakPattern(text="with_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="without_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="old_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="new_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="the skill", kind=LeakKind.PHRASE, whole=False),
)
"""What gives a side away whatever the candidates are called."""


def patterns_for(
    candidate_names: Iterable[str],
    *,
    skill_names: Iterable[str] = (),
    source_paths: Iterable[str] = (),
    file_names: PerOutput[tuple[str, ...]] | None = None,
) -> tuple[LeakPattern, ...]:
    """What to look for, longest first; common words, parts under four letters and names under three are left out.

    `file_names` are those of each configuration, without folders; names that only one of them uses are listed.
    """
    found: list[LeakPattern] = []
    for name in candidate_names:
        found.extend(_of_name(name, LeakKind.CANDIDATE))
    for name in skill_names:
        found.extend(_of_name(name, LeakKind.SKILL_NAME))
    for path in source_paths:
        found.extend(_of_path(path))
    if file_names is not None:
        found.extend(_one_sided(file_names))
    unique: dict[str, LeakPattern] = {}
    # Those that are built in come first: a skill may be called the same, and names of skills that prompts use are kept.
    for pattern in (*BUILT_IN, *found):
        known = unique.setdefault(pattern.text.casefold(), pattern)
        if pattern.whole and not known.whole:
            unique[pattern.text.casefold()] = pattern
    return tuple(sorted(unique.values(), key=lambda p: (-len(p.text), p.text)))


def scan(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[Finding, ...]:
    """All findings, one for each pattern and kind of place; what is part of a longer full name is not counted again."""
    counts: Counter[tuple[LeakPattern, Where, Label | None]] = Counter()
    excerpts: dict[tuple[LeakPattern, Where], str] = {}
    longest_first = sorted(patterns, key=lambda p: (not p.whole, -len(p.text)))
    sought = [
        (pattern, words) for pattern in longest_first if (words := frozenset(sought_words(pattern.text)))
    ]
    often = Counter(word for _, words in sought for word in words)
    by_rarest: dict[str, list[tuple[int, str]]] = {}
    for index, (_, words) in enumerate(sought):
        rarest = min(words, key=lambda word: (often[word], -len(word), word))
        by_rarest.setdefault(rarest, []).append((index, rarest))
    for item in texts:
        searched = _Searched(item.text)
        possible = sorted(entry for word in searched.among(by_rarest) for entry in by_rarest[word])
        if not possible:
            continue
        taken = bytearray(len(item.text))
        for index, rarest in possible:
            pattern, _ = sought[index]
            for start, end in searched.places(pattern.text, near=rarest):
                if any(taken[start:end]):
                    continue
                if pattern.whole:
                    taken[start:end] = b"\1" * (end - start)
                counts[pattern, item.where, item.label] += 1
                if (pattern, item.where) not in excerpts:
                    excerpts[pattern, item.where] = _excerpt(item.text, start, end)
    return tuple(
        Finding(
            pattern=pattern.text,
            kind=pattern.kind,
            where=where,
            counts=PerOutput[int](A=counts[pattern, where, Label.A], B=counts[pattern, where, Label.B]),
            elsewhere=counts[pattern, where, None],
            excerpt=excerpts[pattern, where],
            whole=pattern.whole,
        )
        for pattern in patterns
        for where in Where
        if (pattern, where) in excerpts
    )


def suggested_redactions(findings: Iterable[Finding]) -> tuple[Redaction, ...]:
    """The decisions that hold until a person takes others, one for each pattern found."""
    decisions = {finding.pattern: finding.suggested for finding in findings}
    return tuple(Redaction(pattern=text, decision=decision) for text, decision in decisions.items())


def neutral(texts: Sequence[str], *, names: Iterable[str]) -> tuple[str, ...]:
    """The texts with neutral words wherever one of them names one of these candidates."""
    found = scan(patterns_for(names), [ScanText(where=Where.PROMPT, text=text) for text in texts])
    return tuple(redact(text, suggested_redactions(found)) for text in texts)


def redact(text: str, redactions: Sequence[Redaction]) -> str:
    """The text with every pattern that is to be redacted replaced, in any case and with any separators."""
    pieces: list[str] = []
    position = 0
    for start, end, replacement in spans(text, redactions):
        pieces += (text[position:start], replacement)
        position = end
    return "".join((*pieces, text[position:])) if pieces else text


def spans(text: str, redactions: Sequence[Redaction]) -> Iterator[tuple[int, int, str]]:
    """Where `redact` would replace: start, end and replacement of each place."""
    active = _active(tuple(redactions))
    if not active or not text:
        return
    searchable = folded(text)
    present = tuple(
        redaction
        for redaction in active
        if all(word in searchable for word in sought_words(redaction.pattern))
    )
    if not present:
        return
    for match in _compiled(present, has_hidden(text)).finditer(plain(text)):
        yield match.start(), match.end(), present[int((match.lastgroup or "r0")[1:])].replacement


def redacts_anything(redactions: Sequence[Redaction]) -> bool:
    """Whether any decision asks for a redaction."""
    return bool(_active(tuple(redactions)))


class _Searched:
    """One text, made ready once for many names."""

    def __init__(self, text: str) -> None:
        self._plain = plain(text)
        self._hidden = has_hidden(text)
        self._folded = folded(text)

    def among(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the words that stand in the text, also inside a longer word."""
        vocabulary = self._folded
        words = tuple(words)
        if len(vocabulary) > _LONG and len(words) > _FEW:
            # A long text repeats itself: for many names, each of its different words is looked at once.
            vocabulary = "\n".join(set(_RUN.findall(vocabulary)))
        return frozenset(word for word in words if word in vocabulary)

    def places(self, name: str, *, near: str) -> Iterator[tuple[int, int]]:
        """Where the name stands, from start to end, in any of its ways of writing; `near` is a folded word of it."""
        expression = _expression(name, self._hidden)
        # Folding may move places; where it did not, looking only near a rare word is many times quicker.
        if self._hidden or len(self._folded) != len(self._plain):
            yield from (match.span() for match in expression.finditer(self._plain))
            return
        reach, done = _LONGEST_GAP * len(name), 0
        position = self._folded.find(near)
        while position >= 0:
            # The character behind the reach is seen too, as a name ends where a word ends.
            window = expression.search(self._plain, max(done, position - reach), position + reach + 1)
            if window and window.start() <= position:
                yield window.span()
                done = window.end()
            position = self._folded.find(near, max(done, position + 1))


@lru_cache(maxsize=4096)
def _expression(name: str, hidden: bool) -> re.Pattern[str]:
    return re.compile(expression_for(name, hidden=hidden), re.IGNORECASE)


@lru_cache(maxsize=64)
def _active(redactions: tuple[Redaction, ...]) -> tuple[Redaction, ...]:
    chosen = [r for r in redactions if r.decision is Decision.REDACT and first_word(r.pattern)]
    return tuple(sorted(chosen, key=lambda r: (-len(r.pattern), r.pattern)))


@lru_cache(maxsize=256)
def _compiled(redactions: tuple[Redaction, ...], hidden: bool) -> re.Pattern[str]:
    parts = (
        f"(?P<r{index}>{expression_for(r.pattern, hidden=hidden)})" for index, r in enumerate(redactions)
    )
    return re.compile("|".join(parts), re.IGNORECASE)


def _of_name(name: str, kind: LeakKind) -> Iterator[LeakPattern]:
    name = name.strip()
    words = words_of(name)
    joined = len(words) > 1
    if len(name) >= SHORTEST_NAME and words and (joined or not is_common(name)):
        yield LeakPattern(text=name, kind=kind)
    if joined:
        for word in words:
            letters = sum(character.isalpha() for character in word)
            if letters >= SHORTEST_PART and not is_common(word):
                yield LeakPattern(text=word, kind=kind, whole=False)


def _of_path(path: str) -> Iterator[LeakPattern]:
    path = path.strip().rstrip("/\\")
    parts = [part for part in re.split(r"[/\\]", path) if part]
    if len(parts) > 1:
        yield LeakPattern(text=path, kind=LeakKind.SOURCE_PATH)
    for part in parts:
        # A folder of one plain word ("shared") is in every other text; one of several words was named for something.
        if len(words_of(part)) > 1 and not is_common(part):
            yield LeakPattern(text=part, kind=LeakKind.SOURCE_PATH, whole=False)


def _one_sided(names: PerOutput[tuple[str, ...]]) -> Iterator[LeakPattern]:
    folded = names.map(lambda side: {name.casefold() for name in side})
    for label, side in names.items():
        listed = 0
        for name in sorted(set(side)):
            stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
            telling = len(stem) >= SHORTEST_PART and not is_common(stem)
            if telling and name.casefold() not in folded[label.other]:
                if listed == MOST_ONE_SIDED:
                    break
                listed += 1
                yield LeakPattern(text=name, kind=LeakKind.ONE_SIDED_NAME, whole=False)


def _excerpt(text: str, start: int, end: int) -> str:
    before, after = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
    words = " ".join(text[before:after].split())
    return f"{'…' if before else ''}{words}{'…' if after < len(text) else ''}"
