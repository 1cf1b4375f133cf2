"""Reads a folder without following links that lead out of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import (
    in_words,
    is_skipped_file,
    listed,
    readable,
    tidy,
    why_skipped,
)

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_MOST_COUNTED = 100_000
_BECAME_LINK = "it became a link while it was read"


class FolderMember(NamedTuple):
    """One member of a folder, and where its bytes lie; `refusal` is None if it can be read."""

    path: str
    file: Path
    size: int = 0
    refusal: str | None = None


def find(root: Path, limits: Limits) -> tuple[FolderMember, ...]:
    """All members of a folder in a fixed order, without reading one. Raises LimitExceeded, OutputRefused."""
    members: list[FolderMember] = []
    files = total = 0
    # The folder that a person named may itself be a link.
    base = root.resolve()
    try:
        for member in _walk(base, base, limits):
            members.append(member)
            files, total = files + (member.refusal is None), total + (0 if member.refusal else member.size)
            if files > limits.files or total > limits.bytes_in_all:
                much = f"has more than {limits.files:,} files"
                if files <= limits.files:
                    much = f"holds more than {in_words(limits.bytes_in_all)}"
                raise LimitExceeded(f"The folder {much}. Choose the folder that holds the output alone.")
    except OSError as error:
        raise OutputRefused(f"The folder cannot be read: {_why(error)}.") from error
    return tuple(members)


def read(member: FolderMember, limits: Limits) -> bytes:
    """The bytes of a member that was found. Raises OutputRefused with the reason as in a list of refused members."""
    try:
        if member.file.resolve(strict=True) != member.file:
            raise OutputRefused(_BECAME_LINK)
        descriptor = os.open(member.file, _FILE)
    except OSError as error:
        raise OutputRefused(_why(error)) from error
    return read_descriptor(descriptor, limits)


def read_file(path: Path, limits: Limits) -> bytes:
    """The bytes of a file that was named itself. Raises OutputRefused or LimitExceeded, with the reason as message."""
    try:
        descriptor = os.open(path, _FILE & ~os.O_NOFOLLOW)
    except OSError as error:
        raise OutputRefused(_why(error)) from error
    return read_descriptor(descriptor, limits)


def read_descriptor(descriptor: int, limits: Limits) -> bytes:
    """All bytes of an open regular file, which is closed; refuses what is no file, too large, or changes meanwhile."""
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OutputRefused("it is a device, socket or pipe")
        if before.st_size > limits.bytes_per_file:
            raise LimitExceeded(f"it is larger than {in_words(limits.bytes_per_file)}")
        data = bytearray()
        while len(data) <= before.st_size and (
            chunk := os.read(descriptor, min(_CHUNK, before.st_size + 1 - len(data)))
        ):
            data += chunk
        after = os.fstat(descriptor)
    except OSError as error:
        raise OutputRefused(_why(error)) from error
    finally:
        os.close(descriptor)
    if len(data) != before.st_size or after.st_mtime_ns != before.st_mtime_ns:
        raise OutputRefused("it changed while it was read")
    return bytes(data)


def _walk(folder: Path, base: Path, limits: Limits) -> Iterator[FolderMember]:
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    for entry in entries:
        file = Path(entry.path)
        parts = file.relative_to(base).parts
        path = tidy(readable("/".join(parts)))
        if len(path) > limits.path_length:
            reason = f"its name is longer than {limits.path_length:,} characters"
            yield FolderMember(path[:100] + "…", file, refusal=reason)
        elif entry.is_dir(follow_symlinks=False):
            if len(parts) > limits.folder_depth:
                reason = f"it lies more than {limits.folder_depth} folders deep"
                yield FolderMember(path, file, refusal=reason)
                continue
            try:
                why = why_skipped(entry.name, inside=os.listdir(file))  # noqa: PTH208 - names are enough
            except OSError as error:
                yield FolderMember(path, file, refusal=_why(error))
                continue
            if why is None:
                yield from _walk(file, base, limits)
            else:
                yield FolderMember(path, file, refusal=_counted(file, why))
        elif not is_skipped_file(entry.name):
            target, refusal = _target(file, base) if entry.is_symlink() else (file, None)
            size = 0 if refusal else target.lstat().st_size
            if not refusal and not target.is_file():
                refusal = "it is a device, socket or pipe"
            elif size > limits.bytes_per_file:
                refusal = f"it is larger than {in_words(limits.bytes_per_file)}"
            yield FolderMember(path, target, size, refusal)


def _target(link: Path, base: Path) -> tuple[Path, str | None]:
    """The file that a link points to, if that lies in the folder; else a reason, which never names its target."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return link, "it is a link that leads nowhere"
    if not target.is_relative_to(base):
        return link, "it is a link that leaves the folder"
    if not target.is_file():
        return link, "it is a link to something other than a file"
    if any(why_skipped(part) for part in target.relative_to(base).parts[:-1]):
        return link, "it is a link into a folder that is not read"
    return target, None


def _counted(folder: Path, why: str) -> str:
    files = size = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            try:
                size += Path(inside, name).lstat().st_size
            except OSError:
                continue
            files += 1
        if files >= _MOST_COUNTED:
            break
    return listed(why, files, size, more=files >= _MOST_COUNTED)


def _why(error: OSError) -> str:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return "the rights to read it are missing"
        case errno.ENOENT:
            return "it is no longer there"
        case errno.ELOOP | errno.ENOTDIR:
            return _BECAME_LINK
        case errno.ENXIO:
            return "it is a device, socket or pipe"
        case _:
            return "the system could not read it"
