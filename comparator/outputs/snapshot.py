"""An output as an immutable copy: its tree, and its bytes in the blob store."""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeVar, cast

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family
from comparator.outputs.extract.archive import UnpackedMember
from comparator.outputs.families import family_of
from comparator.outputs.isolated.process import Bounds, Isolated
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import (
    Sieve,
    find_members,
    in_words,
    read_file,
    read_member,
    readable,
    tidy,
    unsafe_reason,
)


class Blobs(Protocol):
    """Bytes under their own sha256 (64 hexadecimal digits); the same bytes are kept once."""

    def put(self, data: bytes) -> str:
        """Keep bytes; their digest."""

    def get(self, digest: str) -> bytes:
        """All bytes of one blob. Raises NotFound."""

    def exists(self, digest: str) -> bool:
        """Whether the blob is kept."""

    def open(self, digest: str) -> BinaryIO:
        """A blob for reading from its start. Raises NotFound."""


T = TypeVar("T")
UPLOAD = "upload"
"""What an output is called that came as several files."""


class Artifact(Frozen):
    """One file of an output; `path` is relative, with forward slashes; `size` in bytes."""

    path: str
    sha256: str
    size: int


class RefusedMember(Frozen):
    """A member that was not read, and why, in a few plain words."""

    path: str
    reason: str


class Snapshot(Frozen):
    """One output. `digest` identifies tree and content; `name` is what it was called where it came from."""

    digest: str
    name: str
    is_folder: bool
    artifacts: tuple[Artifact, ...]
    refused: tuple[RefusedMember, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes all its files have."""
        return sum(artifact.size for artifact in self.artifacts)


class Upload(NamedTuple):
    """A file that was uploaded; the name may carry folders."""

    name: str
    data: bytes

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.data)

    def read(self, limits: Limits) -> bytes:
        """The bytes."""
        del limits
        return self.data


class OnDisk(NamedTuple):
    """An uploaded file that lies on this machine until it is read; the name may carry folders."""

    name: str
    path: Path
    size: int

    def read(self, limits: Limits) -> bytes:
        """The bytes. Raises OutputRefused where they are not there any more or too many."""
        try:
            return read_file(self.path, limits)
        except OutputRefused as error:
            raise OutputRefused(f"{self.name} cannot be read: {error}. Upload it again.") from error


Given = Upload | OnDisk
"""A file that is handed in with its bytes, or with the place where they are."""


def snapshot_path(path: Path, *, blobs: Blobs, limits: Limits) -> Snapshot:
    """A file or folder on this machine as it is now; a zip or tar is unpacked.

    Raises OutputRefused if nothing of it can be read, LimitExceeded if it is too large; nothing is stored then.
    """
    name = readable(path.name)
    if path.is_dir():
        artifacts, refused = [], []
        for member in find_members(path, limits):
            reason = member.refusal
            if reason is None:
                try:
                    data = read_member(member, limits)
                    artifacts.append(Artifact(path=member.path, sha256=blobs.put(data), size=len(data)))
                except OutputRefused as error:
                    reason = str(error)
            if reason is not None:
                refused.append(RefusedMember(path=member.path, reason=reason))
        return _snapshot(name, artifacts, refused, what="The folder")
    if not path.exists():
        raise OutputRefused(f"There is no file or folder at {path}. Check the path.")
    try:
        data = read_file(path, limits)
    except OutputRefused as error:
        raise type(error)(f"{name} cannot be read: {error}.") from error
    return _snapshot_file(name, data, blobs=blobs, limits=limits)


def snapshot_uploads(files: Sequence[Given], *, blobs: Blobs, limits: Limits) -> Snapshot:
    """Uploaded files as one output; a zip or tar given alone is unpacked.

    Raises OutputRefused if nothing of it can be read, LimitExceeded if it is too large; nothing is stored then.
    """
    if not files:
        raise OutputRefused("Nothing was uploaded. Choose at least one file.")
    if len(files) == 1 and unsafe_reason(files[0].name) is None:
        name = tidy(files[0].name).rsplit("/", 1)[-1]
        if len(name) > limits.path_length:
            raise OutputRefused(f"{name[:100]}… cannot be read: its name is too long.")
        if files[0].size > limits.bytes_per_file:
            raise LimitExceeded(f"{name} is larger than {in_words(limits.bytes_per_file)}.")
        return _snapshot_file(name, files[0].read(limits), blobs=blobs, limits=limits)
    kept, refused = _sieve_files(files, limits)
    return _store_files(UPLOAD, _strip_common_folder(kept.items()), refused, blobs=blobs, limits=limits)


def snapshot_uploaded_folder(files: Sequence[Given], *, blobs: Blobs, limits: Limits) -> Snapshot:
    """An uploaded folder with each file in its place, under the name with which the files' names begin.

    Raises OutputRefused where none of the files can be kept, LimitExceeded if they are too many or too large.
    """
    tops = {
        tidy(file.name).rpartition("/")[0].partition("/")[0]
        for file in files
        if unsafe_reason(file.name) is None
    }
    top = tops.pop() if len(tops) == 1 else ""
    inside = [
        file._replace(name=tidy(file.name).removeprefix(f"{top}/"))
        if top and unsafe_reason(file.name) is None
        else file
        for file in files
    ]
    return snapshot_tree(top or UPLOAD, inside, (), blobs=blobs, limits=limits)


def snapshot_tree(
    name: str, files: Sequence[Given], refused: Sequence[RefusedMember], *, blobs: Blobs, limits: Limits
) -> Snapshot:
    """A folder of this name and these files, each in its place, of which `refused` were not read before.

    Raises OutputRefused where none of the files can be kept, LimitExceeded if they are too many or too large.
    """
    called = tidy(name).rpartition("/")[2] or UPLOAD
    kept, more = _sieve_files(files, limits)
    if not kept and not refused and not more:
        # What left nothing is an output as well.
        return Snapshot(digest=digest_of(True, (), ()), name=called, is_folder=True, artifacts=())
    return _store_files(called, kept.items(), [*refused, *more], blobs=blobs, limits=limits)


def digest_of(is_folder: bool, artifacts: Sequence[Artifact], refused: Sequence[RefusedMember]) -> str:
    """sha256 over the tree, in hexadecimal; the name it came under does not count."""
    tree = [is_folder, [[a.path, a.sha256, a.size] for a in artifacts], [[r.path, r.reason] for r in refused]]
    return hashlib.sha256(json.dumps(tree, ensure_ascii=False).encode()).hexdigest()


def _snapshot_file(name: str, data: bytes, *, blobs: Blobs, limits: Limits) -> Snapshot:
    if family_of(name, data) is Family.ARCHIVE:
        with tempfile.TemporaryDirectory(prefix="comparator-") as folder:
            unpacked = _unpack(data, Path(folder), limits)
            if unpacked is not None:
                files, refused = unpacked
                return _store_files(name, files, refused, what="The archive", blobs=blobs, limits=limits)
    artifact = Artifact(path=tidy(name) or "file", sha256=blobs.put(data), size=len(data))
    return Snapshot(
        digest=digest_of(False, [artifact], []), name=name, is_folder=False, artifacts=(artifact,)
    )


def _sieve_files(files: Sequence[Given], limits: Limits) -> tuple[dict[str, Given], list[RefusedMember]]:
    """The files that are kept, by path, and those that are not. Raises LimitExceeded."""
    if len(files) > limits.files:
        raise LimitExceeded(f"{len(files):,} files were uploaded; {limits.files:,} are allowed.")
    if sum(file.size for file in files) > limits.bytes_in_all:
        raise LimitExceeded(f"The upload is larger than {in_words(limits.bytes_in_all)}.")
    sieve = Sieve(limits)
    kept = {path: file for file in files if (path := sieve.kept(file.name, file.size)) is not None}
    return kept, [RefusedMember(path=path, reason=reason) for path, reason in sieve.refused]


def _store_files(
    name: str,
    files: Iterable[tuple[str, Given]],
    refused: Sequence[RefusedMember],
    *,
    blobs: Blobs,
    limits: Limits,
    what: str = "The upload",
) -> Snapshot:
    # One after the other, so that of those that lie in a folder only one is in memory.
    artifacts = [
        Artifact(path=path, sha256=blobs.put(file.read(limits)), size=file.size) for path, file in files
    ]
    return _snapshot(name, artifacts, refused, what=what)


def _unpack(
    data: bytes, folder: Path, limits: Limits
) -> tuple[Iterable[tuple[str, OnDisk]], list[RefusedMember]] | None:
    """The archive's files, which lie in `folder`, and what is refused; None if it is packed in a way that is kept."""
    files: list[tuple[str, OnDisk]] = []
    refused: list[RefusedMember] = []
    bounds = Bounds(limits.memory_per_document, limits.bytes_in_all)
    with Isolated(limits=limits, bounds=bounds) as process:
        for member in process.stream(
            "unpack",
            cast("type[UnpackedMember | None]", UnpackedMember | None),
            seconds=limits.seconds_per_archive,
            data=data,
        ):
            if member is None:
                return None
            if member.data is None:
                refused.append(RefusedMember(path=tidy(member.path), reason=member.refusal))
                continue
            if len(files) >= limits.files:
                raise LimitExceeded(f"The archive has more than {limits.files:,} files.")
            file = folder / str(len(files))
            file.write_bytes(member.data)
            # The child's word is not taken for it: a member's path is made safe again.
            if unsafe_reason(member.path) is not None:
                raise OutputRefused("The archive is damaged and cannot be unpacked.")
            files.append((tidy(member.path), OnDisk(member.path, file, len(member.data))))
    return _strip_common_folder(files), refused


def _strip_common_folder(files: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Paths without a single outermost folder that all of them share: it only says where they came from."""
    listed_files = list(files)
    tops = {path.split("/", 1)[0] if "/" in path else "" for path, _ in listed_files}
    shared = len(tops) == 1 and "" not in tops
    for path, content in listed_files:
        yield (path.split("/", 1)[1] if shared else path), content


def _snapshot(
    name: str, artifacts: Sequence[Artifact], refused: Sequence[RefusedMember], *, what: str
) -> Snapshot:
    ordered = tuple(sorted(artifacts, key=lambda a: a.path))
    aside = tuple(sorted(refused, key=lambda r: (r.path, r.reason)))
    if not ordered:
        if not aside:
            raise OutputRefused(f"{what} is empty. Choose one that holds the output.")
        first = aside[0]
        raise OutputRefused(
            f"{what} has nothing that can be read; {first.path}: {first.reason}"
            + (f", and {len(aside) - 1:,} more." if len(aside) > 1 else ".")
        )
    return Snapshot(
        digest=digest_of(True, ordered, aside), name=name, is_folder=True, artifacts=ordered, refused=aside
    )
