"""What the tests of reading outputs share: a blob folder, and views built from bytes, folders and pairs."""

import hashlib
import io
import itertools
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from PIL import Image

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.domain.blinding.scan import ScanText
from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import ViewedFile
from comparator.outputs.limits import Limits, OutputBudget
from comparator.outputs.snapshot import Snapshot, Upload, snapshot_path, snapshot_uploads
from comparator.outputs.tables.store import NewSheet, Sheet, StoredTable, store
from comparator.outputs.view.build import build_pair, build_single, texts_to_scan
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.reading import Reader


class FolderBlobs:
    """Blobs as files of a folder; `written` counts what was stored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.written = 0

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        if not self.exists(digest):
            (self._folder / digest).write_bytes(data)
            self.written += 1
        return digest

    def get(self, digest: str) -> bytes:
        return (self._folder / digest).read_bytes()

    def exists(self, digest: str) -> bool:
        return (self._folder / digest).exists()

    def open(self, digest: str) -> BinaryIO:
        return (self._folder / digest).open("rb")


class World:
    """Builds snapshots and views in one blob folder."""

    def __init__(self, folder: Path, *, limits: Limits | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.blobs = FolderBlobs(folder)
        self.limits = limits or Limits()
        self.new_id: Callable[[], str] = map(str, itertools.count()).__next__

    def uploads(self, files: Mapping[str, bytes | str]) -> Snapshot:
        uploads = [
            Upload(name, data if isinstance(data, bytes) else data.encode()) for name, data in files.items()
        ]
        return snapshot_uploads(uploads, blobs=self.blobs, limits=self.limits)

    def path(self, path: Path) -> Snapshot:
        return snapshot_path(path, blobs=self.blobs, limits=self.limits)

    def single(self, snapshot: Snapshot, *redacted: str, budget: OutputBudget | None = None) -> BuiltView:
        with self.reader() as reader:
            return build_single(
                snapshot,
                reader,
                redactions=redactions(*redacted),
                budget=budget or OutputBudget(),
                new_id=self.new_id,
            )

    def reader(self) -> Reader:
        return Reader(blobs=self.blobs, limits=self.limits)

    def texts(self, snapshots: PerOutput[Snapshot]) -> tuple[ScanText, ...]:
        """What a leak scan looks through."""
        with self.reader() as reader:
            return texts_to_scan(snapshots, reader)

    def pair(
        self,
        a: Mapping[str, bytes | str],
        b: Mapping[str, bytes | str],
        *redacted: str,
        budget: OutputBudget | None = None,
        taken_back: frozenset[str] = frozenset(),
        prompt: str = "",
    ) -> PerOutput[BuiltView]:
        return self.views(
            PerOutput[Snapshot](A=self.uploads(a), B=self.uploads(b)),
            redactions(*redacted),
            budget=budget,
            taken_back=taken_back,
            prompt=prompt,
        )

    def views(
        self,
        snapshots: PerOutput[Snapshot],
        redacted: tuple[Redaction, ...],
        *,
        budget: OutputBudget | None = None,
        taken_back: frozenset[str] = frozenset(),
        prompt: str = "",
    ) -> PerOutput[BuiltView]:
        """The views of two snapshots."""
        with self.reader() as reader:
            return build_pair(
                snapshots,
                reader,
                redactions=redacted,
                taken_back=taken_back,
                budget=budget or OutputBudget(),
                new_id=self.new_id,
                prompt=prompt,
            )

    def file(self, name: str, data: bytes | str, *redacted: str) -> ViewedFile:
        """One file alone, as it is seen."""
        (file,) = self.single(self.uploads({name: data}), *redacted).view.files
        return file

    def copy(self, name: str, data: bytes | str, *redacted: str) -> bytes:
        """The reviewer's copy of one file alone."""
        (copy,) = self.single(self.uploads({name: data}), *redacted).copies
        return self.blobs.get(copy.blob)


def redactions(*patterns: str) -> tuple[Redaction, ...]:
    """Redactions of these patterns."""
    return tuple(Redaction(pattern=pattern, decision=PatternDecision.REDACT) for pattern in patterns)


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    """A zip with these members."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return output.getvalue()


def picture(kind: str = "PNG", size: tuple[int, int] = (32, 24), **options: object) -> bytes:
    """A small picture."""
    output = io.BytesIO()
    image = Image.new("RGB", size, (200, 40, 40))
    image.putpixel((1, 1), (0, 0, 255))
    image.save(output, kind, **options)
    return output.getvalue()


def kept(*sheets: Mapping[str, Any]) -> bytes:
    """Sheets with `rows`, `formulas` and fields of `Sheet`."""
    return store(
        NewSheet(
            Sheet.model_validate({name: sheet[name] for name in sheet if name not in ("rows", "formulas")}),
            sheet["rows"],
            sheet.get("formulas", {}),
        )
        for sheet in sheets
    )


def rows_in(data: bytes) -> Sequence[Sequence[str]]:
    """The rows of the first sheet."""
    table = StoredTable(data)
    rows: list[list[str]] = table.rows(table.sheet(1))["cells"].to_pylist()
    return rows
