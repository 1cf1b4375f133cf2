"""Files that are too large for a line: they lie in a folder beside the lines, each once, under their sha256."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from comparator.domain.errors import InputError, StoreError
from comparator.interop.imported import StoredFile
from comparator.interop.read.text import LARGEST
from comparator.interop.read.whole_files import is_digest, large_files_folder
from comparator.outputs.snapshot.take import Artifact
from comparator.store.core.blobs import CHUNK, BlobStore

MOST_BYTES = 16_000_000
"""Files of one output that are together larger lie beside the lines."""
_SMALLEST = 100
"""An archive whose files shrank further is taken for a zip bomb when it is read."""
_SHARE = 16
"""A line may take about this part of what is left of the largest file that is read again: two outputs with their text
and their files, and what belongs to the task, and half of it for what JSON adds."""


class LargeFiles:
    """The folder beside the lines that are being written to `partial`, to be called `target` once they are whole."""

    def __init__(self, target: Path, partial: Path, *, blobs: BlobStore) -> None:
        self._lines, self._blobs = partial, blobs
        self._folder, self._partial = large_files_folder(target), large_files_folder(partial)
        self._kept: set[str] = set()
        self._placed: list[Path] = []

    @property
    def longest(self) -> int:
        """How many bytes of one output stand in the next line; less and less, so that the lines can be read again."""
        written = self._lines.stat().st_size if self._lines.exists() else 0
        return max(0, min(MOST_BYTES, (LARGEST - written) // _SHARE))

    @property
    def number(self) -> int:
        """How many files there are."""
        return len(self._kept)

    def keep(self, artifact: Artifact) -> StoredFile:
        """Copy a file's bytes into the folder. Raises NotFound where they were purged, StoreError if damaged."""
        if artifact.sha256 not in self._kept:
            self._partial.mkdir(exist_ok=True)
            seen = hashlib.sha256()
            with (
                self._blobs.open(artifact.sha256) as source,
                (self._partial / artifact.sha256).open("xb") as sink,
            ):
                while chunk := source.read(CHUNK):
                    seen.update(chunk)
                    sink.write(chunk)
            if seen.hexdigest() != artifact.sha256:
                raise StoreError(
                    f"The stored bytes of {artifact.sha256[:12]}… are damaged: their hash differs. Restore them from a "
                    "backup."
                )
            self._kept.add(artifact.sha256)
        return StoredFile(name=artifact.path, folder=self._folder, sha256=artifact.sha256, size=artifact.size)

    def put_in_place(self) -> None:
        """Move the files to where the lines will look for them. Raises InputError where something else lies there."""
        if not self._kept:
            return
        if self._folder.is_symlink() or (self._folder.exists() and not self._folder.is_dir()):
            raise InputError(
                f"{self._folder} is not a folder. Remove it, or choose another name for the export."
            )
        self._folder.mkdir(exist_ok=True)
        for name in self._kept:
            if not (self._folder / name).exists():
                self._placed.append(self._folder / name)
            (self._partial / name).replace(self._folder / name)
        self._partial.rmdir()

    def forget_old(self) -> None:
        """Remove what an earlier export under this name left, and nothing else.

        What cannot be removed stays: no line names it.
        """
        if self._folder.is_symlink() or not self._folder.is_dir():
            return
        with suppress(OSError):
            for path in tuple(self._folder.iterdir()):
                if is_digest(path.name) and path.name not in self._kept and path.is_file():
                    path.unlink()
            if not any(self._folder.iterdir()):
                self._folder.rmdir()

    def discard(self) -> None:
        """Leave nothing half-written, and what an earlier export wrote as it was."""
        shutil.rmtree(self._partial, ignore_errors=True)
        for path in self._placed:
            path.unlink(missing_ok=True)
        if self._placed and not any(self._folder.iterdir()):
            self._folder.rmdir()


def together(lines: Path) -> Path:
    """One file of lines and the folder beside them: an archive, where there is such a folder, else the lines."""
    folder = large_files_folder(lines)
    if not folder.is_dir():
        return lines
    packed, files = lines.with_name(f"{lines.name}.zip"), (lines, *sorted(folder.iterdir()))
    _pack(packed, files, compression=zipfile.ZIP_DEFLATED)
    if sum(path.stat().st_size for path in files) > _SMALLEST * packed.stat().st_size:
        _pack(packed, files, compression=zipfile.ZIP_STORED)
    return packed


def _pack(packed: Path, files: Iterable[Path], *, compression: int) -> None:
    with zipfile.ZipFile(packed, "w", compression=compression) as archive:
        for path in files:
            archive.write(path, path.relative_to(packed.parent))
