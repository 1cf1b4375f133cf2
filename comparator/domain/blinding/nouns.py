"""Ordinary nouns that stand where a name stood, in the writing of that name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from comparator.domain.blinding.folding import folded, plain
from comparator.domain.blinding.words import words_of

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
    taken = [folded(text) for text in (*texts, *names)]

    def free(words: Sequence[str]) -> list[str]:
        return [word for word in _shuffled(words, seed) if not any(word in text for text in taken)]

    nouns = free(NOUNS)
    qualities = free(QUALITIES) or nouns[len(nouns) // 2 :]
    one, two = _each_once(nouns), _pairs(qualities, nouns)
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


def _each_once(nouns: Sequence[str]) -> Iterator[str]:
    yield from nouns
    # Texts that use nearly every noun, or hundreds of names: two nouns run together are in none of them.
    yield from (first + second for first in NOUNS for second in NOUNS if first != second)


def _pairs(qualities: Sequence[str], nouns: Sequence[str]) -> Iterator[str]:
    yield from (f"{quality} {noun}" for noun in reversed(nouns) for quality in qualities)
    yield from (f"{first} {second}" for first in NOUNS for second in NOUNS if first != second)
