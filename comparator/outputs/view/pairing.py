"""Which file of A stands beside which file of B: by hand, same path, another name for the same thing, or alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Generic, Protocol, TypeVar

from rapidfuzz.distance import Indel

from comparator.domain.pair.view import Family

RENAMED_FROM = 0.9
"""Share of their content that two files have in common from which one is taken for the other under a new name."""
ALIKE_FROM = 0.5
"""Share from which they are taken for the same deliverable."""
_NAMES_FROM = 0.8
_DIGITS = re.compile(r"\d+")
_MOST_COMPARED = 24
"""Files of one family and side up to which names and contents are compared each with each."""


class Pairable(Protocol):
    """What pairing needs to know of a file."""

    @property
    def id(self) -> str:
        """Its random id."""

    @property
    def name(self) -> str:
        """Its neutral path inside the output."""

    @property
    def family(self) -> Family:
        """What kind of file it is."""

    @property
    def digest(self) -> str:
        """Identity of what is shown of it."""

    @property
    def content(self) -> str | None:
        """Identity of its content without its layout; None or empty where the two are one."""


class PairingReason(StrEnum):
    """Why two files stand side by side, or one alone."""

    SAME_PATH = "same_path"
    BY_HAND = "by_hand"
    RENAMED = "renamed"
    SAME_ROLE = "same_role"
    ONLY_A = "only_a"
    ONLY_B = "only_b"


File = TypeVar("File", bound=Pairable)
Alike = Callable[[File, File], float]
"""The share of their content that two files have in common, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class FilePair(Generic[File]):
    """One line of the file list; `identical` where both sides show the same."""

    a: File | None
    b: File | None
    pairing: PairingReason
    identical: bool = False
    by_hand: bool = False
    """Decided by a person, also where that means that a file stands alone."""

    @property
    def same_text(self) -> bool:
        """Whether both sides have the same content and do not look the same."""
        return bool(
            self.a and self.b and not self.identical and self.a.content and self.a.content == self.b.content
        )


def pair_files(
    a: Sequence[File],
    b: Sequence[File],
    *,
    by_hand: Iterable[tuple[str | None, str | None]] = (),
    alike: Alike[File] | None = None,
) -> tuple[FilePair[File], ...]:
    """Both outputs as one list of pairs, each file exactly once: those that differ first, in A's order.

    Pairs are found in this order:

    1. What a person decided (`by_hand`, as ids; a pair with None is a file that stands alone).
    2. Files of the same path.
    3. Files with the same content, or the only ones of a name: they were probably moved.
    4. A family with one file left on each side: the same deliverable under another name.
    5. With `alike`, files that have much of their content in common.

    Everything else stands alone. Swapping A and B mirrors the pairs.
    """
    return _Matching(a, b, alike).run(by_hand)


class _Matching(Generic[File]):
    def __init__(self, a: Sequence[File], b: Sequence[File], alike: Alike[File] | None) -> None:
        self._order = {file.id: at for at, file in enumerate((*a, *b))}
        self._a = {file.id: file for file in a}
        self._b = {file.id: file for file in b}
        self._alike = alike
        self._found: list[FilePair[File]] = []

    def run(self, by_hand: Iterable[tuple[str | None, str | None]]) -> tuple[FilePair[File], ...]:
        for id_a, id_b in by_hand:
            self._pair_by_hand(id_a, id_b)
        names = {file.name: file for file in self._b.values()}
        for file in tuple(self._a.values()):
            if file.name in names:
                self._pair(file, names[file.name], PairingReason.SAME_PATH)
        self._unique(lambda file: file.digest or None, PairingReason.RENAMED)
        self._unique(lambda file: (file.family, PurePosixPath(file.name).name), PairingReason.RENAMED)
        self._only_ones()
        self._similar()
        alone = [FilePair(file, None, PairingReason.ONLY_A) for file in self._a.values()]
        alone += [FilePair(None, file, PairingReason.ONLY_B) for file in self._b.values()]
        return tuple(sorted((*self._found, *alone), key=self._rank))

    def _pair_by_hand(self, id_a: str | None, id_b: str | None) -> None:
        a = self._a.get(id_a or "")
        b = self._b.get(id_b or "")
        if a and b:
            self._pair(a, b, PairingReason.BY_HAND, by_hand=True)
        elif a and id_b is None:
            del self._a[a.id]
            self._found.append(FilePair(a, None, PairingReason.ONLY_A, by_hand=True))
        elif b and id_a is None:
            del self._b[b.id]
            self._found.append(FilePair(None, b, PairingReason.ONLY_B, by_hand=True))

    def _pair(self, a: File, b: File, pairing: PairingReason, *, by_hand: bool = False) -> None:
        del self._a[a.id]
        del self._b[b.id]
        same = a.digest == b.digest
        self._found.append(FilePair(a, b, pairing, identical=same, by_hand=by_hand))

    def _unique(self, key: Callable[[File], object], pairing: PairingReason) -> None:
        """Pair what has a key that occurs once on each side."""
        there_a, there_b = _grouped(self._a.values(), key), _grouped(self._b.values(), key)
        for name, files in there_a.items():
            others = there_b.get(name, [])
            if name is not None and len(files) == len(others) == 1:
                self._pair(files[0], others[0], pairing)

    def _only_ones(self) -> None:
        self._unique(lambda file: file.family, PairingReason.SAME_ROLE)

    def _similar(self) -> None:
        there_a, there_b = _grouped(self._a.values(), _family), _grouped(self._b.values(), _family)
        found: list[tuple[float, PairingReason, File, File]] = []
        for family, files in there_a.items():
            others = there_b.get(family, [])
            if max(len(files), len(others)) > _MOST_COMPARED:
                continue
            for a in files:
                found += [(share, pairing, a, b) for b in others for share, pairing in self._likeness(a, b)]
        # The closest first; what is equally close by name, so that swapping the sides changes nothing.
        found.sort(
            key=lambda each: (-each[0], sorted((each[2].name, each[3].name)), each[2].name > each[3].name)
        )
        for _, pairing, a, b in found:
            if a.id in self._a and b.id in self._b:
                self._pair(a, b, pairing)

    def _likeness(self, a: File, b: File) -> Iterable[tuple[float, PairingReason]]:
        if self._alike is not None:
            share = self._alike(a, b)
            if share >= ALIKE_FROM:
                yield 1 + share, PairingReason.RENAMED if share >= RENAMED_FROM else PairingReason.SAME_ROLE
        stems = _stem(a), _stem(b)
        # "day-1" and "day-2" are close, and two things.
        if _DIGITS.findall(stems[0]) == _DIGITS.findall(stems[1]):
            share = Indel.normalized_similarity(*stems)
            if share >= _NAMES_FROM:
                yield share, PairingReason.RENAMED

    def _rank(self, pair: FilePair[File]) -> tuple[bool, bool, int]:
        # What can be compared comes first, what is the same on both sides last.
        first = pair.a or pair.b
        assert first is not None
        return pair.identical, pair.a is None or pair.b is None, self._order[first.id]


def _grouped(files: Iterable[File], key: Callable[[File], object]) -> defaultdict[object, list[File]]:
    found: defaultdict[object, list[File]] = defaultdict(list)
    for file in files:
        found[key(file)].append(file)
    return found


def _family(file: Pairable) -> Family:
    return file.family


def _stem(file: Pairable) -> str:
    return PurePosixPath(file.name).stem.casefold()
