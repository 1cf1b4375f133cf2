"""How telling words are replaced: by nouns in their writing, and by neutral phrases, in prose, code and data."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, chain, islice

from comparator.domain.blinding.folding import folded, plain, structure
from comparator.domain.blinding.leak_patterns import BUILT_IN, BY_TEXT, ProsePlaces
from comparator.domain.blinding.name_search import NameHit, NameSearch, is_common, words_of
from comparator.domain.labels import Frozen
from comparator.domain.pair.task import TaskText

BREAK = re.compile(r"\t|(?<!\\)(?<!\\\r)\r?\n(?![ \t]+[^\W_])")
"""Where a cell or a line of code ends; a line that is joined with the next, or goes on indented, does not."""
_WORD = re.compile(r"[^\W_]+")
_WITHIN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[bfnrtu]\Z")

_LONGEST_NAME = 20_000
_MOST_BORDERS = 100
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


def redactions_for_words(words: Iterable[str]) -> tuple[Redaction, ...]:
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


def add_nouns(redactions: Sequence[Redaction], *, texts: Iterable[str], seed: str) -> tuple[Redaction, ...]:
    """The decisions, each with a noun that occurs in none of the texts: all that judge and reviewer get of a pair."""
    # Also for what is kept, so that another decision changes no other noun.
    patterns = sorted({redaction.pattern for redaction in redactions} - BY_TEXT.keys())
    nouns = nouns_for(patterns, texts=texts, seed=seed) if patterns else {}
    return tuple(
        redaction.copy_with(replacement=nouns.get(redaction.pattern, redaction.replacement))
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
        return _without_overlaps(hits)
    # Of a name that a line's end splits, the parts may be names, too.
    hits = [hit for hit in hits if not BREAK.search(text, hit[0], hit[1])]
    if writing is TextForm.ESCAPED:
        # "\netarch" is a line's end and "etarch".
        hits = [hit for hit in hits if not _WITHIN_ESCAPE.search(text[max(0, hit[0] - 40) : hit[0] + 1])]
    return _without_overlaps(hits)


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
    names = list(_without_overlaps(hits))
    ends = [hit[1] for hit in names]
    for phrase in whole:
        inside = names[bisect_right(ends, phrase[0]) : bisect_left(names, (phrase[1],))]
        if not inside or (phrase[0] <= inside[0][0] and inside[-1][1] <= phrase[1]):
            hits.append(phrase)
    done = 0
    for start, end, words_there in _without_overlaps(hits):
        if text[max(done, start - 3) : start].casefold() == "an " and not text[: start - 3][-1:].isalnum():
            # All of our words begin with a consonant.
            yield start - 3, end, f"{text[start - 3]} {words_there}"
        else:
            yield start, end, words_there
        done = end


def _names(text: str, redactions: tuple[Redaction, ...]) -> list[tuple[int, int, str]]:
    search = _search_for(tuple(redaction.pattern for redaction in redactions))
    return [
        (hit.start, hit.end, _stand_in(text[hit.start : hit.end], redactions[hit.which]))
        for hit in search.hits(text)
        if not hit.glued
    ]


def names_across(
    text: str, redactions: Sequence[Redaction], borders: Sequence[int]
) -> list[tuple[int, int, str]]:
    """The names that one of these places splits within a word: start, end and replacement of each."""
    active = tuple(redaction for redaction in _active(tuple(redactions)) if redaction.pattern not in BY_TEXT)
    names = tuple(redaction for redaction in active if not redaction.prose_only)
    return list(
        _without_overlaps(
            (hit.start, hit.end, _stand_in(text[hit.start : hit.end], names[hit.which]))
            for hit in _search_for(tuple(name.pattern for name in names)).hits(text)
            if not hit.glued and _is_split(text, hit, names[hit.which].pattern, borders)
        )
    )


def _is_split(text: str, hit: NameHit, name: str, borders: Sequence[int]) -> bool:
    ends = {0, *accumulate(len(folded(word)) for word in words_of(name))}
    inside = borders[bisect_right(borders, hit.start) : bisect_left(borders, hit.end)]
    return any(
        sum(map(str.isalnum, folded(text[hit.start : border]))) not in ends
        for border in inside[:_MOST_BORDERS]
    )


def _stand_in(written: str, redaction: Redaction) -> str:
    """What stands in the place of a name as it is written there."""
    if len(written) > _LONGEST_NAME:
        return _NOT_SEARCHED
    noun = written_like(redaction.replacement or usual_noun(redaction.pattern), written)
    # Tags and braces within the name stay, behind what stands for it.
    return noun + structure(written)


def _without_overlaps(hits: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
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


# They begin with b, f, r or t: behind a backslash, that is an escape in JSON, YAML, Python and JavaScript alike, so
# that no text stops parsing where a noun takes the place of a folder's name.
_NOUNS = """
    toolkit bundle framework blueprint roadmap booklet foundry tracker rotunda bulletin folio timber basket ribbon
    fountain balcony turbine rafter barrel beacon buckle burrow feather ferry fiddle filament flagon flask flint fodder
    forge fossil fresco frigate fulcrum funnel bellows biscuit blanket blossom bobbin bollard boulder bracket bramble
    brocade buffet bureau raisin rampart ranger rapier raven rectory reed relic resin rocket rosette rudder runner
    tabard tandem tapestry tartan tavern teapot tempo tender thicket thimble tinder toboggan torrent trellis trestle
    trident trowel tulip tunnel turret tweed twine
"""
_QUALITIES = """
    tidy brisk fresh round trim bold ripe tall fine blue rapid brief teal broad firm tame rustic robust bright fleet
    russet tiny rural roomy terse brown
"""
NOUNS = tuple(_NOUNS.split())
QUALITIES = tuple(_QUALITIES.split())
_FILE = re.compile(
    r"(.+)(\.(?:md|txt|html?|css|jsx?|tsx?|py|sh|json|ya?ml|xml|csv|pdf|docx|xlsx|pptx|png|jpe?g|svg|ipynb|sql|toml))",
    re.IGNORECASE | re.DOTALL,
)
"""The name of a file: its extension stays."""
_OURS = re.compile(r"[a-z]+(?: [a-z]+)*")


def usual_noun(name: str) -> str:
    """What stands for a name where nothing is known of the texts around it.

    >>> usual_noun("falcon"), usual_noun("net-arch")
    ('toolkit', 'tidy toolkit')
    """
    return f"{QUALITIES[0]} {NOUNS[0]}" if _has_joints(name) else NOUNS[0]


def nouns_for(names: Sequence[str], *, texts: Iterable[str], seed: str) -> dict[str, str]:
    """A noun of its own for each name, of words that are in none of the texts and in no name.

    A name of several words gets two, so that each way of writing it has a writing of its own. `seed` decides their
    order, so that no noun follows a name from one pair to the next.
    """
    folded_texts = [folded(text) for text in (*texts, *names)]

    def free(words: Sequence[str]) -> Iterator[str]:
        return (word for word in words if not any(word in text for text in folded_texts))

    qualities = list(islice(free(_shuffled(QUALITIES, seed)), len(names)))
    nouns = _shuffled(NOUNS, seed)
    qualities = qualities or list(free(nouns[len(nouns) // 2 :]))
    # Texts that use nearly every noun, or hundreds of names: two nouns run together are in none of them.
    joined = (first + second for first in NOUNS for second in NOUNS if first != second)
    one, two = chain(free(nouns), joined), _pairs(qualities, free(nouns[::-1]))
    return {name: next(two if _has_joints(name) else one) for name in names}


def written_like(noun: str, name: str) -> str:
    """The noun in the capitals and the joints of a name; words that are none of ours stay as they are.

    >>> [written_like("toolkit", name) for name in ("netarch", "Netarch", "NETARCH", "V31")]
    ['toolkit', 'Toolkit', 'TOOLKIT', 'Toolkit']
    >>> [written_like("tidy reed", name) for name in ("net-arch", "NetArch", "netArch", "NET_ARCH", "netarch")]
    ['tidy-reed', 'TidyReed', 'tidyReed', 'TIDY_REED', 'tidyreed']
    >>> written_like("toolkit", "SKILL.md")
    'TOOLKIT.md'
    """
    if not _OURS.fullmatch(noun):
        return noun
    name = plain(name)
    if file := _FILE.fullmatch(name):
        return written_like(noun, file[1]) + file[2]
    words, of_name = noun.split(), words_of(name) or (name,)
    loud = _is_loud(of_name[0]) or (len(of_name) > 1 and _is_loud("".join(of_name)))
    if loud:
        words = [word.upper() for word in words]
    else:
        # The last word of the name says how all but our first are written.
        models = (of_name[0], *(of_name[-1] for _ in words[1:]))
        humps = len(of_name) > 1
        words = [
            word.capitalize() if model[:1].isupper() and (number == 0 or humps) else word
            for number, (word, model) in enumerate(zip(words, models, strict=True))
        ]
    return next((joint for joint in "-_/. " if joint in name), " " if re.search(r"\s", name) else "").join(
        words
    )


def _is_loud(word: str) -> bool:
    letters = [letter for letter in word if letter.isalpha()]
    return len(letters) > 1 and all(letter.isupper() for letter in letters)


def _has_joints(name: str) -> bool:
    file = _FILE.fullmatch(name)
    return len(words_of(file[1] if file else name)) > 1


def _shuffled(words: Sequence[str], seed: str) -> list[str]:
    return sorted(
        words, key=lambda word: hashlib.sha256(f"{seed}\0{word}".encode("utf-8", "replace")).digest()
    )


def _pairs(qualities: Sequence[str], nouns: Iterable[str]) -> Iterator[str]:
    yield from (f"{quality} {noun}" for noun in nouns for quality in qualities)
    yield from (f"{first} {second}" for first in NOUNS for second in NOUNS if first != second)


def blind_text(text: TaskText, redactions: Sequence[Redaction]) -> TaskText:
    """The task's wording as judge and reviewer get it."""
    return TaskText(
        prompt=redact(text.prompt, redactions),
        expectations=tuple(redact(line, redactions) for line in text.expectations),
    )
