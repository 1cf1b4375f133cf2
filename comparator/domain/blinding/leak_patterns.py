"""Which words would tell who made an output: names in all their parts, files, paths, phrases about the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations

from comparator.domain.blinding.name_search import is_common, words_of
from comparator.domain.blinding.phrases import PHRASES, Phrase
from comparator.domain.labels import Frozen, PerOutput

SHORTEST_PART = 4
SHORTEST_NAME = 3
MOST_ONE_SIDED = 200
"""How many file names of one configuration alone are looked for; a folder of thousands tells nothing by one of them."""


class LeakKind(StrEnum):
    """What a tell-tale text is."""

    CANDIDATE = "candidate name"
    MODEL = "in a model's name"
    SKILL_NAME = "skill name"
    SKILL_FILE = "skill file"
    PHRASE = "phrase about the run"
    MENTION = "mention of a skill"
    TELLING = "passage that tells outright"
    ASKED_FOR = "asked for"
    SOURCE_PATH = "source path"
    ONE_SIDED_NAME = "name in one configuration only"
    INSIDE = "short name inside a longer word"


class LeakPattern(Frozen):
    """A text to look for. `whole` is False for what is kept unless a person asks for its redaction."""

    text: str
    kind: LeakKind
    whole: bool = True


BUILT_IN = (
    LeakPattern(text="SKILL.md", kind=LeakKind.SKILL_FILE),
    LeakPattern(text="with_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="without_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="old_skill", kind=LeakKind.CANDIDATE),
    LeakPattern(text="new_skill", kind=LeakKind.CANDIDATE),
)
"""What gives a side away whatever the candidates are called."""


def _pattern_of(phrase: Phrase) -> LeakPattern:
    kind = LeakKind.TELLING if phrase.is_outright else LeakKind.PHRASE
    if phrase.is_mention:
        kind = LeakKind.MENTION
    return LeakPattern(text=phrase.text, kind=kind, whole=False)


_PHRASES = tuple(map(_pattern_of, PHRASES))


def phrase_patterns() -> tuple[LeakPattern, ...]:
    """The phrases about the run, which are looked for whatever the patterns are."""
    return _PHRASES


def patterns_for(
    candidate_names: Iterable[str],
    *,
    models: Iterable[str] = (),
    skill_names: Iterable[str] = (),
    source_paths: Iterable[str] = (),
    file_names: PerOutput[tuple[str, ...]] | None = None,
) -> tuple[LeakPattern, ...]:
    """What to look for, longest first; common words, parts under four letters and names under three are left out.

    `file_names` are those of each configuration, without folders; names that only one of them uses are listed.
    """
    found: list[LeakPattern] = []
    names = tuple(candidate_names)
    for name in names:
        found.extend(_of_name(name, LeakKind.CANDIDATE))
    found.extend(_telling_apart(names))
    for name in models:
        found.extend(_of_name(name, LeakKind.MODEL))
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


def _telling_apart(names: Sequence[str]) -> Iterator[LeakPattern]:
    """The one part in which two names differ, however short: of `x-v31` and `x-v32` the versions."""
    for one, other in combinations(dict.fromkeys(names), 2):
        parts = words_of(one), words_of(other)
        if len(parts[0]) != len(parts[1]) or len(parts[0]) < 2:
            continue
        differing = [pair for pair in zip(*parts, strict=True) if pair[0].casefold() != pair[1].casefold()]
        if len(differing) == 1:
            for part in differing[0]:
                if len(part) > 1 and any(map(str.isalpha, part)) and not is_common(part):
                    yield LeakPattern(text=part, kind=LeakKind.CANDIDATE, whole=False)


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
            distinctive = len(stem) >= SHORTEST_PART and not is_common(stem)
            if distinctive and name.casefold() not in folded[label.other]:
                if listed == MOST_ONE_SIDED:
                    break
                listed += 1
                yield LeakPattern(text=name, kind=LeakKind.ONE_SIDED_NAME, whole=False)
