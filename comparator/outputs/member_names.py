"""Which member names are safe, and which folders and files are listed but not read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

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


class Sieve:
    """Which files of an upload or archive are kept, and why the others are not."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._kept: set[str] = set()
        self._refused: list[tuple[str, str]] = []
        self._folders: dict[str, tuple[str, int, int]] = {}

    def kept(self, name: str, size: int, refusal: str | None = None) -> str | None:
        """The path under which a file is kept, or None. `refusal` is a reason against it that the caller knows."""
        path, limits = tidy(name), self._limits
        reason = unsafe_reason(name)
        if reason is None and (folder := skipped_folder_of(path)) is not None:
            why, count, total = self._folders.get(folder[0], (folder[1], 0, 0))
            self._folders[folder[0]] = (why, count + 1, total + size)
            return None
        reason = reason or refusal
        if reason is None and len(path) > limits.path_length:
            reason = f"its name is longer than {limits.path_length:,} characters"
        elif reason is None and path.count("/") > limits.folder_depth:
            reason = f"it lies more than {limits.folder_depth} folders deep"
        elif reason is None and path in self._kept:
            reason = "another file has the same name"
        elif reason is None and size > limits.bytes_per_file:
            reason = f"it is larger than {in_words(limits.bytes_per_file)}"
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
        return [*self._refused, *((path, listed(*rest)) for path, rest in self._folders.items())]


def listed(why: str, files: int, size: int, *, more: bool = False) -> str:
    """The one line for a folder that is not read, such as "installed packages: 1,204 files, 9.1 MB, not read"."""
    count = f"{'more than ' if more else ''}{files:,} file{'' if files == 1 else 's'}"
    return f"{why}: {count}, {in_words(size)}, not read"


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
