"""Which member names are safe, what is listed but not read, and how a folder is read without leaving it."""

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.outputs.limits import Limits

_SKIPPED_FOLDERS = {
    "version control": ".git .hg .svn .bzr .jj",
    "installed packages": "node_modules bower_components jspm_packages site-packages .eggs",
    "a virtual environment": ".venv .virtualenv .tox .nox",
    "a cache": (
        "__pycache__ .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .ipynb_checkpoints .parcel-cache .turbo "
        ".gradle .sass-cache .nyc_output .angular .pytype .eslintcache"
    ),
    "a build folder": ".next .nuxt .svelte-kit .terraform .dart_tool",
    "an editor's or system's own folder": ".idea .vs __MACOSX .Trashes .Spotlight-V100",
}
_WHY_FOLDER = {name: why for why, names in _SKIPPED_FOLDERS.items() for name in names.split()}
_SKIPPED_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".eslintcache"})
_COMPILED = (".pyc", ".pyo")
_DRIVE = re.compile(r"^[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

CACHE_TAG = "CACHEDIR.TAG"
ENVIRONMENT_TAG = "pyvenv.cfg"


def unsafe_reason(name: str) -> str | None:
    """Why a member must not be read under this name (absolute, `..`, empty), or None."""
    if "\0" in name:
        return "its name holds a zero character"
    path = name.replace("\\", "/")
    if path.startswith("/") or _DRIVE.match(path):
        return "its name is an absolute path"
    parts = path.split("/")
    if ".." in parts:
        return "its name leads out of the folder"
    if not any(part not in ("", ".") for part in parts):
        return "it has no name"
    return None


def tidy(name: str) -> str:
    """A safe member name with forward slashes, without `.` parts, control characters and text-direction marks."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(_CONTROL.sub("_", part) for part in parts).encode("utf-8", "replace").decode()


def readable(name: str) -> str:
    """A name from the file system as valid text, whatever bytes it is made of."""
    return os.fsencode(name).decode("utf-8", "replace")


def why_skipped(name: str, *, inside: Iterable[str] = ()) -> str | None:
    """Why a folder is listed but not read, by its name or by tags `inside` it; None if it is read."""
    if name in _WHY_FOLDER:
        return _WHY_FOLDER[name]
    if name.endswith(".egg-info"):
        return "a build folder"
    names = frozenset(inside)
    if CACHE_TAG in names:
        return "a cache"
    if ENVIRONMENT_TAG in names:
        return "a virtual environment"
    return None


def is_skipped_file(name: str) -> bool:
    """Whether a single file is an editor's, system's or compiler's by-product."""
    return name in _SKIPPED_FILES or name.endswith(_COMPILED)


def skipped_folder_of(path: str) -> tuple[str, str] | None:
    """The outermost folder of a member's path that is not read, and why; None if the path is read."""
    parts = PurePosixPath(path).parts
    for index, part in enumerate(parts[:-1]):
        why = why_skipped(part)
        if why is not None:
            return "/".join(parts[: index + 1]), why
    return None


def _beyond(path: str, size: int, limits: Limits) -> str | None:
    """Which limit a file or folder exceeds; a folder's path ends with a slash."""
    if len(path) > limits.path_length:
        return f"its name is longer than {limits.path_length:,} characters"
    if path.count("/") > limits.folder_depth:
        return f"it lies more than {limits.folder_depth} folders deep"
    return f"it is larger than {in_words(limits.bytes_per_file)}" if size > limits.bytes_per_file else None


class Sieve:
    """Which files of an upload or archive are kept, and why the others are not."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._kept: set[str] = set()
        self._refused: list[tuple[str, str]] = []
        self._folders: dict[str, str] = {}

    def kept(self, name: str, size: int, refusal: str | None = None) -> str | None:
        """The path under which a file is kept, or None. `refusal` is a reason against it that the caller knows."""
        path, limits = tidy(name), self._limits
        reason = unsafe_reason(name)
        if reason is None and (folder := skipped_folder_of(path)) is not None:
            self._folders[folder[0]] = folder[1]
            return None
        reason = reason or refusal or _beyond(path, size, limits)
        if reason is None and path in self._kept:
            reason = "another file has the same name"
        if reason is not None:
            self.refuse(path or "(no name)", reason)
        elif not is_skipped_file(path.rpartition("/")[2]):
            self._kept.add(path)
            return path
        return None

    def refuse(self, path: str, reason: str) -> None:
        """Refuse a file that cannot be used after all."""
        self._refused.append((path, reason))

    @property
    def refused(self) -> list[tuple[str, str]]:
        """Paths and reasons, with a line for each folder that is not read."""
        return [*self._refused, *((path, f"{why}, not read") for path, why in self._folders.items())]


def in_words(size: int) -> str:
    """A size in bytes for people.

    >>> in_words(1536), in_words(3 * 1024 * 1024)
    ('1.5 KB', '3.0 MB')
    """
    if size < 1024:
        return f"{size} bytes"
    if size < 1024 * 1024:
        return f"{size / 1024:.1f} KB"
    if size < 1024 * 1024 * 1024:
        return f"{size / 1024 / 1024:.1f} MB"
    return f"{size / 1024 / 1024 / 1024:.1f} GB"


_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_BECAME_LINK = "it became a link while it was read"


class FolderMember(NamedTuple):
    """One member of a folder, and where its bytes lie; `refusal` is None if it can be read."""

    path: str
    file: Path
    size: int = 0
    refusal: str | None = None


def find_members(root: Path, limits: Limits) -> tuple[FolderMember, ...]:
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


def read_member(member: FolderMember, limits: Limits) -> bytes:
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
        path = tidy(readable(file.relative_to(base).as_posix()))
        about, is_folder = file.lstat(), entry.is_dir(follow_symlinks=False)
        refusal = _beyond(f"{path}/", 0, limits) if is_folder else _beyond(path, 0, limits)
        if refusal is not None:
            short = path if len(path) <= limits.path_length else path[:100] + "…"
            yield FolderMember(short, file, refusal=refusal)
        elif is_folder:
            try:
                why = why_skipped(entry.name, inside=os.listdir(file))  # noqa: PTH208 - names are enough
            except OSError as error:
                yield FolderMember(path, file, refusal=_why(error))
                continue
            if why is None:
                yield from _walk(file, base, limits)
            else:
                yield FolderMember(path, file, refusal=f"{why}, not read")
        elif not is_skipped_file(entry.name):
            if entry.is_symlink():
                refusal = "it is a link"
            elif not stat.S_ISREG(about.st_mode):
                refusal = "it is a device, socket or pipe"
            else:
                refusal = _beyond(path, about.st_size, limits)
            yield FolderMember(path, file, about.st_size, refusal)


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
