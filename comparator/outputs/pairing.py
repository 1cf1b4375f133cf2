"""Which file of A stands beside which file of B: same path, else the one main file of a family, else alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from comparator.domain.view import Family


class Pairable(Protocol):
    """What pairing needs to know of a file."""

    @property
    def name(self) -> str:
        """Its neutral path inside the output."""

    @property
    def family(self) -> Family:
        """What kind of file it is."""

    @property
    def digest(self) -> str:
        """Identity of what is shown of it."""


class Pairing(StrEnum):
    """Why two files stand side by side, or one alone."""

    SAME_PATH = "same_path"
    SAME_ROLE = "same_role"
    ONLY_A = "only_a"
    ONLY_B = "only_b"


File = TypeVar("File", bound=Pairable)


@dataclass(frozen=True, slots=True)
class FilePair(Generic[File]):
    """One line of the file list; `identical` where both sides show the same."""

    a: File | None
    b: File | None
    pairing: Pairing
    identical: bool = False


def pair_files(a: Sequence[File], b: Sequence[File]) -> tuple[FilePair[File], ...]:
    """Both outputs as one list of pairs, each file exactly once: those that differ first, in A's order.

    Files of the same path are a pair. Of the rest, a family with one file left on each side is a pair too: the same
    deliverable under another name. Everything else stands alone. Swapping A and B mirrors the pairs.
    """
    by_name = {file.name: file for file in b}
    names = {file.name for file in a}
    lonely_a = _by_family([file for file in a if file.name not in by_name])
    lonely_b = _by_family([file for file in b if file.name not in names])
    rest_b = [file for file in b if file.name not in names]
    pairs: list[FilePair[File]] = []
    for file in a:
        if file.name in by_name:
            pairs.append(_pair(file, by_name[file.name], Pairing.SAME_PATH))
        elif len(lonely_a[file.family]) == len(lonely_b[file.family]) == 1:
            other = lonely_b[file.family][0]
            rest_b.remove(other)
            pairs.append(_pair(file, other, Pairing.SAME_ROLE))
        else:
            pairs.append(FilePair(file, None, Pairing.ONLY_A))
    pairs += [FilePair(None, file, Pairing.ONLY_B) for file in rest_b]
    return tuple(sorted(pairs, key=_rank))


def _pair(a: File, b: File, pairing: Pairing) -> FilePair[File]:
    return FilePair(a, b, pairing, identical=a.digest == b.digest)


def _by_family(files: Sequence[File]) -> defaultdict[Family, list[File]]:
    found: defaultdict[Family, list[File]] = defaultdict(list)
    for file in files:
        found[file.family].append(file)
    return found


def _rank(pair: FilePair[File]) -> tuple[bool, bool]:
    # Stable: what can be compared comes first, what is the same on both sides last.
    return pair.identical, pair.a is None or pair.b is None
