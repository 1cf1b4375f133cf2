"""What only our own lines hold: every file of the outputs, large ones in a folder beside the lines, and labels."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from comparator.domain.errors import ComparatorError, InputError, NotFound, RightsError, StoreError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, GivenLabel, RunRecord
from comparator.interop.imported import Attachment, Files, LeftOut, StoredFile
from comparator.interop.read.own_lines import is_digest, large_files_folder
from comparator.interop.read.text import LARGEST
from comparator.outputs.snapshot.take import Artifact, Snapshot
from comparator.store.core.blobs import CHUNK, BlobStore
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, labels, outputs, run_files, tasks
from comparator.store.pairs.run_files import FileRole
from comparator.store.pairs.runs import Run, RunState
from comparator.store.people import projects
from comparator.workflow.exporting.gather import runs_of
from comparator.workflow.people.people import require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

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


REFERENCE = "reference.md"
"""The name under which an import keeps a reference answer that is a text."""


def whole(
    services: Services, connection: Connection, pair: Exported, *, large: LargeFiles, person_id: str | None
) -> Exported:
    """The comparison with all that a line holds: files once it is revealed, labels for who may see them.

    Files that are together too large for a line are put beside the lines.
    """
    given = _labels(connection, pair, person_id=person_id)
    if pair.made is None:
        return pair.model_copy(update={"labels": given})
    of = runs_of(connection, pair.id)
    version_id = comparisons.get(connection, pair.id).task_version_id
    version = tasks.get_version(connection, version_id)
    reader = _Reader(services, connection, large)
    found = {
        label: reader.files(of[label].snapshot_id, as_text=(made.file, pair.texts[label]))
        for label, made in pair.made.items()
    }
    return pair.model_copy(
        update={
            "labels": given,
            "records": PerOutput[RunRecord](
                A=_record(connection, of[Label.A], reader), B=_record(connection, of[Label.B], reader)
            ),
            "files": PerOutput[Files | None](A=found[Label.A], B=found[Label.B]),
            "input_files": reader.files(version.input_snapshot),
            "reference_files": reader.files(
                version.reference_snapshot, as_text=(REFERENCE, pair.reference or "")
            ),
        }
    )


def _record(connection: Connection, run: Run, reader: _Reader) -> RunRecord:
    of_run = run_files.of_run(connection, run.id)
    return RunRecord(
        transcript=reader.files(of_run.get(FileRole.TRANSCRIPT)),
        skill=reader.files(of_run.get(FileRole.SKILL)),
        cut_off=(run.state_reason or None) if run.state is RunState.CUT_OFF else None,
        superseded=run.state is RunState.SUPERSEDED,
        grading=run.grading,
        details=run.details,
    )


def _labels(connection: Connection, pair: Exported, *, person_id: str | None) -> tuple[GivenLabel, ...]:
    project_id = comparisons.get(connection, pair.id).project_id
    try:
        require(connection, person_id, Act.SEE_LABELS, project_id=project_id)
    except RightsError:
        return ()
    every = labels.of_comparison(connection, pair.id)
    revealed = pair.made is not None
    _, *authors = neutral_until_reveal(
        connection,
        projects.get(connection, project_id),
        *(label.author for label in every),
        revealed=revealed,
    )
    return tuple(
        GivenLabel(
            winner=label.winner,
            kind=label.kind.value,
            author=author,
            blind=label.blind,
            # It says which output came first where it comes from, which tells whose it is.
            value=label.value if revealed else None,
        )
        for label, author in zip(every, authors, strict=True)
    )


class _Reader:
    """Reads the files of one comparison's outputs and task, or has them put beside the lines."""

    def __init__(self, services: Services, connection: Connection, large: LargeFiles) -> None:
        self._services, self._connection, self._large = services, connection, large

    def files(self, snapshot_id: str | None, *, as_text: tuple[str | None, str] = (None, "")) -> Files | None:
        """The files of a snapshot; None where there are none, or where name and text say all.

        Raises StoreError where bytes that are too large for a line are damaged.
        """
        if snapshot_id is None:
            return None
        try:
            snapshot = outputs.load_snapshot(self._connection, snapshot_id)
            if snapshot.size > self._large.longest:
                return _as_files(snapshot, tuple(map(self._large.keep, snapshot.artifacts)))
        except NotFound:
            # Purged.
            return None
        try:
            files = tuple(
                Attachment(name=artifact.path, data=self._services.blobs.get(artifact.sha256))
                for artifact in snapshot.artifacts
            )
        except ComparatorError:
            return None
        return None if _says_all(snapshot, files, as_text) else _as_files(snapshot, files)


def _says_all(snapshot: Snapshot, files: tuple[Attachment, ...], as_text: tuple[str | None, str]) -> bool:
    name, text = as_text
    # A table's cells lose the spaces around them.
    return (
        not snapshot.is_folder
        and name == (name or "").strip()
        and files == (Attachment(name=name, data=text.encode("utf-8", "replace")),)
    )


def _as_files(snapshot: Snapshot, files: tuple[Attachment | StoredFile, ...]) -> Files:
    left_out = tuple(LeftOut(file=each.path, reason=each.reason) for each in snapshot.refused)
    return Files(folder=snapshot.is_folder, name=snapshot.name, files=files, left_out=left_out)
