"""Which file of A stands beside which file of B: same path, another name for the same thing, or alone."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Generic, NamedTuple, Protocol, TypeVar

from comparator.domain.pair.view import Family


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
    RENAMED = "renamed"
    SAME_ROLE = "same_role"
    ONLY_A = "only_a"
    ONLY_B = "only_b"


File = TypeVar("File", bound=Pairable)


class FilePair(NamedTuple, Generic[File]):
    """One line of the file list; `identical` where both sides show the same."""

    a: File | None
    b: File | None
    pairing: PairingReason
    identical: bool = False

    @property
    def same_text(self) -> bool:
        """Whether both sides have the same content and do not look the same."""
        return bool(
            self.a and self.b and not self.identical and self.a.content and self.a.content == self.b.content
        )


def pair_files(a: Sequence[File], b: Sequence[File]) -> tuple[FilePair[File], ...]:
    """Both outputs as one list of pairs, each file exactly once: those that differ first, in A's order.

    Pairs are found in this order:

    1. Files of the same path.
    2. Files with the same content, or the only ones of a name: they were probably moved.
    3. Of a family with as many files left on each side, in their order: the same deliverables under other names.

    Everything else stands alone. Swapping A and B mirrors the pairs.
    """
    order = {file.id: at for at, file in enumerate((*a, *b))}
    left, right = ({file.id: file for file in side} for side in (a, b))
    pairs: list[FilePair[File]] = []

    def pair(one: File, other: File, pairing: PairingReason) -> None:
        del left[one.id], right[other.id]
        pairs.append(FilePair(one, other, pairing, identical=one.digest == other.digest))

    keys: tuple[tuple[Callable[[File], object], PairingReason], ...] = (
        (lambda file: file.name, PairingReason.SAME_PATH),
        (lambda file: file.digest or None, PairingReason.RENAMED),
        (lambda file: (file.family, PurePosixPath(file.name).name), PairingReason.RENAMED),
    )
    for key, pairing in keys:
        there, others = _grouped(left.values(), key), _grouped(right.values(), key)
        for name, files in there.items():
            # What has a key that occurs once on each side.
            if name is not None and len(files) == len(others.get(name, ())) == 1:
                pair(files[0], others[name][0], pairing)
    there, others = (_grouped(side.values(), lambda file: file.family) for side in (left, right))
    for family, files in there.items():
        if len(files) == len(others.get(family, ())):
            for one, other in zip(files, others[family], strict=True):
                pair(one, other, PairingReason.SAME_ROLE)
    pairs += [FilePair(file, None, PairingReason.ONLY_A) for file in left.values()]
    pairs += [FilePair(None, file, PairingReason.ONLY_B) for file in right.values()]

    def rank(row: FilePair[File]) -> tuple[bool, bool, int]:
        # What can be compared comes first, what is the same on both sides last.
        first = row.a or row.b
        assert first is not None
        return row.identical, row.a is None or row.b is None, order[first.id]

    return tuple(sorted(pairs, key=rank))


def _grouped(files: Iterable[File], key: Callable[[File], object]) -> dict[object, list[File]]:
    groups: defaultdict[object, list[File]] = defaultdict(list)
    for file in files:
        groups[key(file)].append(file)
    return groups
