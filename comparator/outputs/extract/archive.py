"""The members of a zip or tar, checked one by one while they are unpacked; inside an output they are listed only."""

from __future__ import annotations

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.isolated.results import Bomb, Extraction, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import Sieve, in_words, tidy

_RATIO_FROM = 1024 * 1024
DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
)
"""What a damaged, encrypted or unknown archive makes the standard library raise."""


class ArchiveMember(NamedTuple):
    """One entry of an archive: its name as written, its stated size, and why it is refused, if it is."""

    name: str
    size: int
    refusal: str | None
    entry: zipfile.ZipInfo | tarfile.TarInfo


class TooLarge(Exception):
    """The archive exceeds a limit; the message is a plain sentence."""


class NotUnpacked(Exception):
    """The file is packed in a way that is kept as it is."""


class UnpackedMember(NamedTuple):
    """A member with its bytes, or why it has none."""

    path: str
    data: bytes | None
    refusal: str = ""


def members(data: bytes, limits: Limits) -> Iterator[UnpackedMember | None]:
    """The members one by one; None alone where the file is kept as it is. Raises Unreadable."""
    try:
        yield from _unpacked(data, limits)
    except TooLarge as error:
        raise Bomb(str(error)) from error
    except NotUnpacked:
        yield None


def entries(data: bytes, limits: Limits) -> Iterator[tuple[ArchiveMember, IO[bytes] | None]]:
    """Each file entry with a stream of its bytes (None for a refused one). Raises Unreadable, NotUnpacked, TooLarge."""
    if data[:2] == b"PK":
        yield from _zip_entries(data, limits)
    else:
        yield from _tar_entries(data, limits)


def _unpacked(data: bytes, limits: Limits) -> Iterator[UnpackedMember]:
    total = count = encrypted = 0
    sieve = Sieve(limits)
    for member, stream in entries(data, limits):
        path = sieve.kept(member.name, member.size, member.refusal)
        encrypted += member.refusal == _ENCRYPTED
        if path is None or stream is None:
            continue
        try:
            body = stream.read(limits.bytes_per_file + 1)
        except DAMAGED:
            sieve.refuse(path, "it is damaged and cannot be unpacked")
            continue
        if len(body) > limits.bytes_per_file:
            sieve.refuse(path, f"it is larger than {in_words(limits.bytes_per_file)}")
            continue
        total, count = total + len(body), count + 1
        _check_size(total, len(data), limits)
        yield UnpackedMember(path, body)
    if encrypted and not count:
        raise Unreadable("The archive is encrypted. Unpack it, or pack it again without a password.")
    yield from (UnpackedMember(path, None, reason) for path, reason in sieve.refused)


_ENCRYPTED = "it is encrypted"


def _check_size(unpacked: int, packed: int, limits: Limits) -> None:
    if unpacked > limits.bytes_in_all:
        raise TooLarge(f"The archive unpacks to more than {in_words(limits.bytes_in_all)}.")
    if unpacked > _RATIO_FROM and unpacked > packed * limits.archive_ratio:
        raise TooLarge(
            f"The archive unpacks to more than {limits.archive_ratio} times its size, as a zip bomb does. "
            "Unpack it yourself if you trust it."
        )


def _check_count(count: int, limits: Limits) -> None:
    if count > limits.archive_members:
        raise TooLarge(
            f"The archive has more than {limits.archive_members:,} members. Leave out what is not part of the output."
        )


def _zip_entries(data: bytes, limits: Limits) -> Iterator[tuple[ArchiveMember, IO[bytes] | None]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except DAMAGED as error:
        raise Unreadable("The archive is damaged and cannot be unpacked.") from error
    with archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        _check_count(len(infos), limits)
        # What the directory states is checked before anything is unpacked; what comes out is counted again.
        _check_size(sum(info.file_size for info in infos), len(data), limits)
        for info in infos:
            refusal = _zip_refusal(info)
            member = ArchiveMember(info.filename, info.file_size, refusal, info)
            if refusal is not None:
                yield member, None
                continue
            try:
                with archive.open(info) as stream:
                    yield member, stream
            except DAMAGED:
                yield member._replace(refusal="it is damaged and cannot be unpacked"), None


def _zip_refusal(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "it is a link"
    if kind not in (0, stat.S_IFREG):
        return "it is a device, socket or pipe"
    if info.flag_bits & 1:
        return _ENCRYPTED
    return None


def _tar_entries(data: bytes, limits: Limits) -> Iterator[tuple[ArchiveMember, IO[bytes] | None]]:
    try:
        archive = tarfile.open(fileobj=io.BytesIO(data), mode="r:*")  # noqa: SIM115 - closed below
    except DAMAGED as error:
        raise NotUnpacked from error
    with archive:
        count = total = 0
        while True:
            try:
                info = archive.next()
            except DAMAGED as error:
                raise Unreadable("The archive is damaged and cannot be unpacked.") from error
            if info is None:
                return
            if info.isdir():
                continue
            count, total = count + 1, total + max(0, info.size)
            _check_count(count, limits)
            _check_size(total, len(data), limits)
            refusal = _tar_refusal(info)
            stream = None if refusal else archive.extractfile(info)
            yield ArchiveMember(info.name, info.size, refusal, info), stream
            archive.members = []  # type: ignore[attr-defined] # tarfile would keep every header it has read


def _tar_refusal(info: tarfile.TarInfo) -> str | None:
    if info.issym() or info.islnk():
        return "it is a link"
    if not info.isreg():
        return "it is a device, socket or pipe"
    return None


_SHOWN = 2_000


def read(data: bytes, limits: Limits) -> Extraction:
    """The list of members in the archive's order."""
    lines: list[str] = []
    notes = [NoteKind.MEMBERS_NOT_READ.text()]
    total = count = 0
    try:
        for member, _ in entries(data, limits):
            count, total = count + 1, total + member.size
            if count <= _SHOWN:
                remark = f", {member.refusal}" if member.refusal else ""
                lines.append(f"{tidy(member.name)} ({in_words(member.size)}{remark})")
    except NotUnpacked:
        return Extraction(
            text=f"[packed file, {in_words(len(data))}]",
            notes=("It is packed in a way that is not read; only its size is known.",),
        )
    except TooLarge as error:
        raise Unreadable(str(error)) from error
    omitted = max(0, count - _SHOWN)
    if omitted:
        lines.append(f"[… {omitted:,} members left out here …]")
    lines.insert(0, f"Archive with {count:,} member{'' if count == 1 else 's'}, {in_words(total)} unpacked:")
    return Extraction(text="\n".join(lines) + "\n", notes=tuple(notes))
