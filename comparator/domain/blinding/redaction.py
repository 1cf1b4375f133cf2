"""How telling words are replaced: by nouns in their writing, and by neutral phrases, in prose, code and data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from comparator.domain.blinding.folding import folded, structure
from comparator.domain.blinding.leak_patterns import BUILT_IN
from comparator.domain.blinding.name_search import NameSearch
from comparator.domain.blinding.nouns import nouns_for, usual_noun, written_like
from comparator.domain.blinding.phrases import BY_TEXT, ProsePlaces
from comparator.domain.blinding.words import is_common
from comparator.domain.labels import Frozen

_BREAK = re.compile(r"\t|(?<!\\)(?<!\\\r)\r?\n(?![ \t]+[^\W_])")
"""Where a cell or a line of code ends; a line that is joined with the next, or goes on indented, does not."""
_WORD = re.compile(r"[^\W_]+")
_WITHIN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[bfnrtu]\Z")

_LONGEST_NAME = 20_000
_NOT_SEARCHED = "[The rest is not shown: too much of it begins like a name that is hidden.]"


class PatternDecision(StrEnum):
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
    decision: PatternDecision
    replacement: str = ""
    prose_only: bool = False


class TextForm(StrEnum):
    """How a text is written, which says what of it may be replaced."""

    PROSE = "prose"
    """Sentences: names and phrases."""
    DATA = "data"
    """Lines of cells: names, each within its line and cell."""
    CELL = "cell"
    """One cell, value or attribute by itself: names."""
    CODE = "code"
    """Lines of a program: names."""
    ESCAPED = "escaped"
    """Lines in which every backslash begins an escape, as in JSON: names."""


_BUILT_IN_TEXTS = frozenset(pattern.text for pattern in BUILT_IN)


def asked_for(words: Iterable[str]) -> tuple[Redaction, ...]:
    """Decisions on words that a person names: ordinary ones are redacted in prose only, all others everywhere.

    The name of a passage that tells outright marks the pairs that have it.
    """
    return tuple(
        Redaction(
            pattern=word,
            decision=PatternDecision.MARK
            if word in BY_TEXT and BY_TEXT[word].is_outright
            else PatternDecision.REDACT,
            prose_only=is_common(word) and word not in _BUILT_IN_TEXTS,
        )
        for word in dict.fromkeys(" ".join(word.split()) for word in words)
        if first_word(word)
    )


def named(redactions: Sequence[Redaction], *, texts: Iterable[str], seed: str) -> tuple[Redaction, ...]:
    """The decisions, each with a noun that occurs in none of the texts: all that judge and reviewer get of a pair."""
    # Also for what is kept, so that another decision changes no other noun.
    patterns = sorted({redaction.pattern for redaction in redactions} - BY_TEXT.keys())
    nouns = nouns_for(patterns, texts=texts, seed=seed) if patterns else {}
    return tuple(
        redaction.model_copy(update={"replacement": nouns.get(redaction.pattern, redaction.replacement)})
        for redaction in redactions
    )


def redact(text: str, redactions: Sequence[Redaction], writing: TextForm = TextForm.PROSE) -> str:
    """The text with every pattern that is to be redacted replaced, in any case and with any separators."""
    pieces: list[str] = []
    position = 0
    for start, end, replacement in spans(text, redactions, writing):
        pieces += (text[position:start], replacement)
        position = end
    return "".join((*pieces, text[position:])) if pieces else text


def spans(
    text: str, redactions: Sequence[Redaction], writing: TextForm = TextForm.PROSE
) -> Iterator[tuple[int, int, str]]:
    """Where `redact` would replace, in order: start, end and replacement of each place."""
    active = _active(tuple(redactions))
    if not active or not text:
        return iter(())
    if writing is TextForm.PROSE:
        return _in_prose(text, active)
    names = tuple(
        redaction for redaction in active if not redaction.prose_only and redaction.pattern not in BY_TEXT
    )
    hits = _names(text, names)
    if writing is TextForm.CELL:
        return iter(hits)
    hits = [hit for hit in hits if not _BREAK.search(text, hit[0], hit[1])]
    if writing is TextForm.ESCAPED:
        # "\netarch" is a line's end and "etarch".
        hits = [hit for hit in hits if not _WITHIN_ESCAPE.search(text[max(0, hit[0] - 40) : hit[0] + 1])]
    return iter(hits)


def _in_prose(text: str, active: Sequence[Redaction]) -> Iterator[tuple[int, int, str]]:
    prose = ProsePlaces(text)
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


def _names(text: str, redactions: tuple[Redaction, ...]) -> list[tuple[int, int, str]]:
    search = _search_for(tuple(redaction.pattern for redaction in redactions))
    hits = (
        (hit.start, hit.end, _instead_of(text[hit.start : hit.end], redactions[hit.which]))
        for hit in search.hits(text)
        if not hit.glued
    )
    return list(_apart(hits))


def _instead_of(written: str, redaction: Redaction) -> str:
    """What stands in the place of a name as it is written there."""
    if len(written) > _LONGEST_NAME:
        return _NOT_SEARCHED
    noun = written_like(redaction.replacement or usual_noun(redaction.pattern), written)
    # Tags and braces within the name stay, behind what stands for it.
    return noun + structure(written)


def _apart(hits: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The hits in order; of two that overlap, the one that begins first, and then the longer."""
    done = 0
    for start, end, replacement in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        if start >= done:
            yield start, end, replacement
            done = end


def redacts_anything(redactions: Sequence[Redaction]) -> bool:
    """Whether any decision asks for a redaction."""
    return bool(_active(tuple(redactions)))


@lru_cache(maxsize=64)
def _active(redactions: tuple[Redaction, ...]) -> tuple[Redaction, ...]:
    chosen = [r for r in redactions if r.decision is PatternDecision.REDACT and first_word(r.pattern)]
    return tuple(sorted(chosen, key=lambda r: (-len(r.pattern), r.pattern)))


@lru_cache(maxsize=256)
def _search_for(patterns: tuple[str, ...]) -> NameSearch:
    return NameSearch(patterns)


def first_word(text: str) -> str:
    """The first run of letters and digits, folded; empty where there is none."""
    match = _WORD.search(folded(text))
    return match[0] if match else ""
