"""Zips and tars: members are checked while they are unpacked or listed, an Office package before it is parsed."""

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from comparator.domain.pair.notes import Limitation
from comparator.outputs.isolated.messages import Bomb, Extraction, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import Sieve, in_words, tidy

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How older Office files begin, which hold files of their own."""
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


_DAMAGED = "it is damaged and cannot be unpacked"
_ENCRYPTED = "it is encrypted"
_UNREADABLE = "The archive is damaged and cannot be unpacked."


class Entry(NamedTuple):
    """One file in an archive: its name as written, its stated size, and its bytes, or why it is refused."""

    name: str
    size: int
    refusal: str | None
    stream: IO[bytes] | None = None


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
        yield from _unpack_members(data, limits)
    except NotUnpacked:
        yield None


def _unpack_members(data: bytes, limits: Limits) -> Iterator[UnpackedMember]:
    total = count = encrypted = 0
    sieve = Sieve(limits)
    for entry in _entries(data, limits):
        path = sieve.kept(entry.name, entry.size, entry.refusal)
        encrypted += entry.refusal == _ENCRYPTED
        if path is None or entry.stream is None:
            continue
        try:
            body = entry.stream.read(limits.bytes_per_file + 1)
        except DAMAGED:
            sieve.refuse(path, _DAMAGED)
            continue
        if len(body) > limits.bytes_per_file:
            sieve.refuse(path, f"it is larger than {in_words(limits.bytes_per_file)}")
            continue
        total, count = total + len(body), count + 1
        _check(0, total, len(data), limits)
        yield UnpackedMember(path, body)
    if encrypted and not count:
        raise Unreadable("The archive is encrypted. Unpack it, or pack it again without a password.")
    yield from (UnpackedMember(path, None, reason) for path, reason in sieve.refused)


def _check(count: int, unpacked: int, packed: int, limits: Limits) -> None:
    if count > limits.archive_members:
        raise Bomb(f"The file has more than {limits.archive_members:,} parts and is not read.")
    if unpacked > limits.bytes_in_all:
        raise Bomb(f"The file unpacks to more than {in_words(limits.bytes_in_all)}.")
    if unpacked > _RATIO_FROM and unpacked > packed * limits.archive_ratio:
        raise Bomb(
            f"The file unpacks to more than {limits.archive_ratio} times its size, as a zip bomb does. "
            "Unpack it yourself if you trust it."
        )


def _entries(data: bytes, limits: Limits) -> Iterator[Entry]:
    """Each file in the archive. Raises Unreadable, NotUnpacked."""
    if data[:2] == b"PK":
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGED as error:
            raise Unreadable(_UNREADABLE) from error
        with archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            # What the directory states is checked before anything is unpacked; what comes out is counted again.
            _check(len(infos), sum(info.file_size for info in infos), len(data), limits)
            for info in infos:
                kind = stat.S_IFMT(info.external_attr >> 16)
                refusal = _refusal(kind == stat.S_IFLNK, kind in (0, stat.S_IFREG))
                entry = Entry(
                    info.filename, info.file_size, refusal or (_ENCRYPTED if info.flag_bits & 1 else None)
                )
                if entry.refusal is not None:
                    yield entry
                    continue
                try:
                    with archive.open(info) as stream:
                        yield entry._replace(stream=stream)
                except DAMAGED:
                    yield entry._replace(refusal=_DAMAGED)
        return
    try:
        tar = tarfile.open(fileobj=io.BytesIO(data), mode="r:*")  # noqa: SIM115 - closed below
    except DAMAGED as error:
        raise NotUnpacked from error
    with tar:
        count = total = 0
        while True:
            try:
                member = tar.next()
            except DAMAGED as error:
                raise Unreadable(_UNREADABLE) from error
            if member is None:
                return
            if member.isdir():
                continue
            count, total = count + 1, total + max(0, member.size)
            _check(count, total, len(data), limits)
            refusal = _refusal(member.issym() or member.islnk(), member.isreg())
            yield Entry(member.name, member.size, refusal, None if refusal else tar.extractfile(member))
            tar.members = []  # type: ignore[attr-defined] # tarfile would keep every header it has read


def _refusal(is_link: bool, is_file: bool) -> str | None:
    if is_link:
        return "it is a link"
    return None if is_file else "it is a device, socket or pipe"


_SHOWN = 2_000


def read(data: bytes, limits: Limits) -> Extraction:
    """The list of members in the archive's order."""
    lines: list[str] = []
    notes = [Limitation.MEMBERS_NOT_READ.text()]
    total = count = 0
    try:
        for entry in _entries(data, limits):
            count, total = count + 1, total + entry.size
            if count <= _SHOWN:
                remark = f", {entry.refusal}" if entry.refusal else ""
                lines.append(f"{tidy(entry.name)} ({in_words(entry.size)}{remark})")
    except NotUnpacked:
        return Extraction(
            text=f"[packed file, {in_words(len(data))}]",
            notes=("It is packed in a way that is not read; only its size is known.",),
        )
    omitted = max(0, count - _SHOWN)
    if omitted:
        lines.append(f"[… {omitted:,} members left out here …]")
    lines.insert(0, f"Archive with {count:,} member{'' if count == 1 else 's'}, {in_words(total)} unpacked:")
    return Extraction(text="\n".join(lines) + "\n", notes=tuple(notes))


ENCRYPTED = "It is encrypted. Save it without a password so that it can be read."
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_XML = (".xml", ".rels", ".vml")
_PROLOGUE = 4096


def check_package(data: bytes, limits: Limits, *, may_be_old: bool = False) -> frozenset[str]:
    """The names of the file's parts; none of one in the old format. Raises Unreadable for what no parser may see."""
    if data.startswith(OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise Unreadable(ENCRYPTED)
        if may_be_old:
            return frozenset()
        raise Unreadable(
            "It is in the old binary Office format, which is not supported. Save it in the current format."
        )
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        infos = package.infolist()
        _check(len(infos), sum(info.file_size for info in infos), len(data), limits)
        for info in infos:
            if info.flag_bits & 1:
                raise Unreadable(ENCRYPTED)
            if info.filename.lower().endswith(_XML):
                _check_prologue(package, info)
        return frozenset(info.filename for info in infos)


def _check_prologue(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    with package.open(info) as stream:
        start = stream.read(_PROLOGUE)
    # No Office program writes a document type; UTF-16 hides one from a search for its bytes.
    flat = start.replace(b"\0", b"").upper()
    if b"<!DOCTYPE" in flat or b"<!ENTITY" in flat:
        raise Bomb("It declares entities, which can grow without bound; it is not read.")
