"""Reads a folder from descriptors that are opened without following links, so that nothing outside of it is read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
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

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_MOST_COUNTED = 100_000


class FolderMember(NamedTuple):
    """One member of a folder: `refusal` is None if it can be read, at `parts` below the root."""

    path: str
    parts: tuple[str, ...]
    size: int
    refusal: str | None = None


def find(root: Path, limits: Limits) -> tuple[FolderMember, ...]:
    """All members of a folder in a fixed order, without reading one. Raises LimitExceeded, OutputRefused."""
    members: list[FolderMember] = []
    files = total = 0
    for member in _walk(_open_root(root), root, (), limits):
        members.append(member)
        if member.refusal is None:
            files, total = files + 1, total + member.size
        if files > limits.files:
            raise LimitExceeded(
                f"The folder has more than {limits.files:,} files. Choose the folder that holds the output alone."
            )
        if total > limits.bytes_in_all:
            raise LimitExceeded(
                f"The folder holds more than {in_words(limits.bytes_in_all)}. "
                "Choose the folder that holds the output alone."
            )
    return tuple(members)


def read(root: Path, parts: tuple[str, ...], limits: Limits) -> bytes:
    """The bytes of one file below `root`, every folder on the way opened without following links.

    Raises OutputRefused with the reason as its message, in the words of a list of refused members.
    """
    folder = _open_root(root)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        descriptor = os.open(parts[-1], _FILE, dir_fd=folder)
    except OSError as error:
        raise OutputRefused(_why(error)) from error
    finally:
        os.close(folder)
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
        while len(data) <= before.st_size:
            chunk = os.read(descriptor, min(_CHUNK, before.st_size + 1 - len(data)))
            if not chunk:
                break
            data += chunk
        after = os.fstat(descriptor)
    except OSError as error:
        raise OutputRefused(_why(error)) from error
    finally:
        os.close(descriptor)
    if len(data) != before.st_size or (after.st_size, after.st_mtime_ns) != (
        before.st_size,
        before.st_mtime_ns,
    ):
        raise OutputRefused("it changed while it was read")
    return bytes(data)


def _open_root(root: Path) -> int:
    try:
        # The folder that a person named may itself be a link.
        return os.open(root, _FOLDER & ~os.O_NOFOLLOW)
    except OSError as error:
        raise OutputRefused(f"The folder cannot be read: {_why(error)}.") from error


def _walk(descriptor: int, root: Path, above: tuple[str, ...], limits: Limits) -> Iterator[FolderMember]:
    try:
        with os.scandir(descriptor) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            parts = (*above, entry.name)
            path = tidy(readable("/".join(parts)))
            if len(path) > limits.path_length:
                yield FolderMember(
                    path[:100] + "…", parts, 0, f"its name is longer than {limits.path_length:,} characters"
                )
            elif entry.is_symlink():
                yield _linked(root, path, parts, limits)
            elif entry.is_dir(follow_symlinks=False):
                yield from _folder(descriptor, root, path, parts, limits)
            elif not entry.is_file(follow_symlinks=False):
                yield FolderMember(path, parts, 0, "it is a device, socket or pipe")
            elif not is_skipped_file(entry.name):
                yield _file(path, parts, entry.stat(follow_symlinks=False).st_size, limits)
    finally:
        os.close(descriptor)


def _folder(
    above: int, root: Path, path: str, parts: tuple[str, ...], limits: Limits
) -> Iterator[FolderMember]:
    if len(parts) > limits.folder_depth:
        yield FolderMember(path, parts, 0, f"it lies more than {limits.folder_depth} folders deep")
        return
    try:
        descriptor = os.open(parts[-1], _FOLDER, dir_fd=above)
        inside = os.listdir(descriptor)  # noqa: PTH208 - pathlib takes no descriptor
    except OSError as error:
        yield FolderMember(path, parts, 0, _why(error))
        return
    why = why_skipped(parts[-1], inside=inside)
    if why is not None:
        files, size = _count(descriptor)
        yield FolderMember(path, parts, 0, listed(why, files, size, more=files >= _MOST_COUNTED))
        return
    yield from _walk(descriptor, root, parts, limits)


def _file(path: str, parts: tuple[str, ...], size: int, limits: Limits) -> FolderMember:
    if size > limits.bytes_per_file:
        return FolderMember(path, parts, size, f"it is larger than {in_words(limits.bytes_per_file)}")
    return FolderMember(path, parts, size)


def _linked(root: Path, path: str, parts: tuple[str, ...], limits: Limits) -> FolderMember:
    """A link is read as the file it points to, if that lies in the folder; the reason never names its target."""
    base = root.resolve()
    try:
        target = base.joinpath(*parts).resolve(strict=True)
    except (OSError, RuntimeError):
        return FolderMember(path, parts, 0, "it is a link that leads nowhere")
    if not target.is_relative_to(base):
        return FolderMember(path, parts, 0, "it is a link that leaves the folder")
    inside = target.relative_to(base).parts
    if not target.is_file():
        return FolderMember(path, parts, 0, "it is a link to something other than a file")
    if any(why_skipped(part) for part in PurePosixPath(*inside).parts[:-1]):
        return FolderMember(path, parts, 0, "it is a link into a folder that is not read")
    return _file(path, inside, target.stat().st_size, limits)


def _count(descriptor: int) -> tuple[int, int]:
    files = size = 0
    for _, _, names, folder in os.fwalk(".", dir_fd=descriptor, follow_symlinks=False):
        for name in names:
            try:
                size += os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
            except OSError:
                continue
            files += 1
        if files >= _MOST_COUNTED:
            break
    os.close(descriptor)
    return files, size


def _why(error: OSError) -> str:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return "the rights to read it are missing"
        case errno.ENOENT:
            return "it is no longer there"
        case errno.ELOOP | errno.ENOTDIR:
            return "it became a link while it was read"
        case errno.ENXIO:
            return "it is a device, socket or pipe"
        case _:
            return "the system could not read it"
