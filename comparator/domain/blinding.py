"""Words that would tell who made an output: which to look for, where they were found, how they are redacted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from comparator.domain.escapes import resolved
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
from comparator.domain.nouns import nouns_for, usual_noun, written_like
from comparator.domain.phrases import BY_TEXT, PHRASES, Phrase, Prose

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
_BREAK = re.compile(r"[\r\n\t]")


class LeakKind(StrEnum):
    """What a tell-tale text is."""

    CANDIDATE = "candidate name"
    SKILL_NAME = "skill name"
    SKILL_FILE = "skill file"
    PHRASE = "phrase about the run"
    TELLING = "passage that tells outright"
    ASKED_FOR = "asked for"
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
    MARK = "mark"
    """It stays, and a pair in which it tells the sides apart is marked as one that may be told."""


class Redaction(Frozen):
    """The decision on one pattern; the noun that replaces it is the same on both sides.

    Without a replacement it is the usual noun. `prose_only` is for ordinary words: in code and data they stay.
    """

    pattern: str
    decision: Decision
    replacement: str = ""
    prose_only: bool = False


class Writing(StrEnum):
    """How a text is written, which says what of it may be replaced."""

    PROSE = "prose"
    """Sentences: names and phrases."""
    DATA = "data"
    """Lines of cells: names, each within its line and cell."""
    CELL = "cell"
    """One cell, value or attribute by itself: names."""
    CODE = "code"
    """Lines in which a backslash may begin an escape: names."""
    ESCAPED = "escaped"
    """Lines in which every backslash begins an escape, as in JSON: names."""


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
    prose: str | None = None
    """The part of it that is prose, where that is not all: phrases that can be put neutrally are looked for there."""


class Finding(Frozen):
    """One pattern in one kind of place, with how often on each side and elsewhere, and the first place in context."""

    pattern: str
    kind: LeakKind
    where: Where
    counts: PerOutput[int]
    elsewhere: int
    excerpt: str
    whole: bool = True


BUILT_IN = (
    LeakPattern(text="SKILL.md", kind=LeakKind.SKILL_FILE),
    LeakPattern(text="with_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="without_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="old_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="new_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="the skill", kind=LeakKind.PHRASE, whole=False),
)
"""What gives a side away whatever the candidates are called."""
_BUILT_IN_TEXTS = frozenset(pattern.text for pattern in BUILT_IN)


def _pattern_of(phrase: Phrase) -> LeakPattern:
    kind = LeakKind.TELLING if phrase.is_outright else LeakKind.PHRASE
    return LeakPattern(text=phrase.text, kind=kind, whole=False)


_PHRASES = tuple(map(_pattern_of, PHRASES))


def phrase_patterns() -> tuple[LeakPattern, ...]:
    """The phrases about the run, which are looked for whatever the patterns are."""
    return _PHRASES


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


def asked_for(words: Iterable[str]) -> tuple[Redaction, ...]:
    """Decisions on words that a person names: ordinary ones are redacted in prose only, all others everywhere.

    The name of a passage that tells outright marks the pairs that have it.
    """
    return tuple(
        Redaction(
            pattern=word,
            decision=Decision.MARK if word in BY_TEXT and BY_TEXT[word].is_outright else Decision.REDACT,
            prose_only=is_common(word) and word not in _BUILT_IN_TEXTS,
        )
        for word in dict.fromkeys(" ".join(word.split()) for word in words)
        if first_word(word)
    )


def scan(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[Finding, ...]:
    """All findings, one for each pattern and kind of place; what is part of a longer full name is not counted again.

    Phrases about the run are among them, whatever the patterns are.
    """
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
    patterns = (
        *patterns,
        *(pattern for pattern in _PHRASES if pattern.text not in {p.text for p in patterns}),
    )
    for item in texts:
        for pattern, start, end in _phrases_in(item):
            counts[pattern, item.where, item.label] += 1
            excerpts.setdefault((pattern, item.where), _excerpt(item.text, start, end))
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


def suggestion(found: Sequence[Finding]) -> Decision:
    """What holds for a pattern until a person decides, from all that was found of it.

    Full names are redacted, and what only one side has and the task does not; a passage that tells outright cannot be.
    """
    first = found[0]
    in_task = any(each.elsewhere for each in found)
    sides = [sum(each.counts[label] for each in found) for label in Label]
    return decision_on(first.kind, whole=first.whole, one_sided=min(sides) == 0 < max(sides), in_task=in_task)


def decision_on(kind: LeakKind, *, whole: bool, one_sided: bool, in_task: bool) -> Decision:
    """What holds for a pattern of a kind, by whether one side alone has it and whether the task has it too."""
    match kind:
        case LeakKind.TELLING:
            return Decision.KEEP if in_task else Decision.MARK
        case LeakKind.ONE_SIDED_NAME:
            # Two outputs may well call their files differently; that they always do shows in a batch only.
            return Decision.KEEP
    if whole:
        return Decision.REDACT
    return Decision.REDACT if one_sided and not in_task else Decision.KEEP


def suggested_redactions(findings: Iterable[Finding]) -> tuple[Redaction, ...]:
    """The decisions that hold until a person takes others, one for each pattern found."""
    by_pattern: dict[str, list[Finding]] = {}
    for finding in findings:
        by_pattern.setdefault(finding.pattern, []).append(finding)
    return tuple(Redaction(pattern=text, decision=suggestion(found)) for text, found in by_pattern.items())


def may_be_told(findings: Iterable[Finding], redactions: Iterable[Redaction]) -> bool:
    """Whether a passage that is marked stands in one of the two outputs only."""
    marked = {redaction.pattern for redaction in redactions if redaction.decision is Decision.MARK}
    sides: Counter[tuple[str, Label]] = Counter()
    for finding in findings:
        for label, count in finding.counts.items():
            sides[finding.pattern, label] += count
    return any((sides[pattern, Label.A] > 0) != (sides[pattern, Label.B] > 0) for pattern in marked)


def named(redactions: Sequence[Redaction], *, texts: Iterable[str], seed: str) -> tuple[Redaction, ...]:
    """The decisions, each with a noun that occurs in none of the texts: all that judge and reviewer get of a pair."""
    # Also for what is kept, so that another decision changes no other noun.
    patterns = sorted({redaction.pattern for redaction in redactions} - BY_TEXT.keys())
    nouns = nouns_for(patterns, texts=texts, seed=seed) if patterns else {}
    return tuple(
        redaction.model_copy(update={"replacement": nouns.get(redaction.pattern, redaction.replacement)})
        for redaction in redactions
    )


def neutral(texts: Sequence[str], *, names: Iterable[str]) -> tuple[str, ...]:
    """The texts with neutral words wherever one of them names one of these candidates."""
    found = scan(patterns_for(names), [ScanText(where=Where.PROMPT, text=text) for text in texts])
    redactions = named(suggested_redactions(found), texts=texts, seed="")
    return tuple(redact(text, redactions) for text in texts)


def redact(text: str, redactions: Sequence[Redaction], writing: Writing = Writing.PROSE) -> str:
    """The text with every pattern that is to be redacted replaced, in any case and with any separators."""
    pieces: list[str] = []
    position = 0
    for start, end, replacement in spans(text, redactions, writing):
        pieces += (text[position:start], replacement)
        position = end
    return "".join((*pieces, text[position:])) if pieces else text


def spans(
    text: str, redactions: Sequence[Redaction], writing: Writing = Writing.PROSE
) -> Iterator[tuple[int, int, str]]:
    """Where `redact` would replace, in order: start, end and replacement of each place."""
    active = _active(tuple(redactions))
    if not active or not text:
        return iter(())
    if writing is Writing.PROSE:
        return _in_prose(text, active)
    names = tuple(
        redaction for redaction in active if not redaction.prose_only and redaction.pattern not in BY_TEXT
    )
    if writing is Writing.CELL:
        return _names(text, names)
    within = [hit for hit in _names(text, names) if not _BREAK.search(text, hit[0], hit[1])]
    if "\\" not in text or writing is Writing.DATA:
        return iter(within)
    read = resolved(text)
    hits = [(read.place(start), read.place(end), noun) for start, end, noun in _names(read.text, names)]
    hits = [hit for hit in hits if not _BREAK.search(text, hit[0], hit[1])]
    if writing is Writing.CODE:
        # What looks like an escape may be part of a path in a raw string.
        hits += within
    return _apart(hits)


def _in_prose(text: str, active: Sequence[Redaction]) -> Iterator[tuple[int, int, str]]:
    prose = Prose(text)
    phrases = [BY_TEXT[redaction.pattern] for redaction in active if redaction.pattern in BY_TEXT]
    ordinary = {redaction.pattern for redaction in active if redaction.prose_only}
    words = tuple(redaction for redaction in active if redaction.pattern not in BY_TEXT)
    hits = list(_names(text, tuple(redaction for redaction in words if redaction.pattern not in ordinary)))
    if ordinary:
        of_prose = _names(text, tuple(redaction for redaction in words if redaction.pattern in ordinary))
        hits += [hit for hit in of_prose if prose.holds(hit[0], hit[1])]
    whole = [hit for phrase in phrases for hit in phrase.places(text) if prose.holds(hit[0], hit[1])]
    # A phrase takes the names inside it along; one that a name reaches into is left to the name.
    hits += [
        (start, end, words)
        for start, end, words in whole
        if not any(a < end and start < b and not (start <= a and b <= end) for a, b, _ in hits)
    ]
    done = 0
    for start, end, words_there in _apart(hits):
        if text[max(done, start - 3) : start].casefold() == "an " and not text[: start - 3][-1:].isalnum():
            # All of our words begin with a consonant.
            yield start - 3, end, f"{text[start - 3]} {words_there}"
        else:
            yield start, end, words_there
        done = end


def _names(text: str, redactions: tuple[Redaction, ...]) -> Iterator[tuple[int, int, str]]:
    searchable = folded(text)
    present = tuple(
        redaction
        for redaction in redactions
        if all(word in searchable for word in sought_words(redaction.pattern))
    )
    if not present:
        return
    nouns = [redaction.replacement or usual_noun(redaction.pattern) for redaction in present]
    for match in _compiled(present, has_hidden(text)).finditer(plain(text)):
        yield match.start(), match.end(), written_like(nouns[int((match.lastgroup or "r0")[1:])], match[0])


def _apart(hits: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The hits in order; of two that overlap, the one that begins first, and then the longer."""
    done = 0
    for start, end, replacement in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        if start >= done:
            yield start, end, replacement
            done = end


def _phrases_in(item: ScanText) -> Iterator[tuple[LeakPattern, int, int]]:
    text = item.text if item.prose is None else item.prose
    prose: Prose | None = None
    for pattern, phrase in zip(_PHRASES, PHRASES, strict=True):
        if phrase.is_outright:
            yield from ((pattern, start, end) for start, end, _ in phrase.places(item.text))
            continue
        for start, end, _ in phrase.places(text):
            prose = prose or Prose(text)
            if prose.holds(start, end):
                yield pattern, start, end


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
            # Two characters behind the reach are seen too, as a name ends where a word or a hump ends.
            window = expression.search(self._plain, max(done, position - reach), position + reach + 2)
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
