"""Files of a view, opened whole from their blinded copies, and kept open as long as there is room."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import DocumentBlock, Family, ImageBlock, ViewedFile
from comparator.outputs.examine.lines import MOST_BYTES, Lines
from comparator.outputs.examine.query import Columns
from comparator.outputs.isolated.messages import TakenPicture as TakenPicture
from comparator.outputs.snapshot import Blobs
from comparator.outputs.tables.store import MEDIA_TYPE, Sheet, StoredTable, with_formulas

T = TypeVar("T")
_ROOM = 768_000_000
"""Bytes of opened files that are kept in memory."""
_SECONDS = 30.0
_PARTED = {Family.PDF: "page", Family.PPTX: "slide"}
_PICTURES = ("image/png", "image/jpeg")
Differing = npt.NDArray[np.int32]
"""A row for each difference: the first line (from 0) and the end (without it) in A, and the same in B."""
Kept = TypeVar("Kept", "OpenedFile", Columns, Differing)


class StoredCopy(Frozen):
    """Where a file's blinded copy is kept: the digest of its bytes, and what they are.

    `pages` is the digest of a PDF of how an Office file prints, where there is one.
    """

    blob: str
    media_type: str
    size: int
    pages: str | None = None


class Apart(Protocol):
    """Asks a child process with limits of time and memory; a `Renderer` is one."""

    def ask(self, task: str, returns: type[T], *, seconds: float, **payload: object) -> T:
        """What the child answers. Raises OutputRefused."""


class SheetTable:
    """One table of a workbook. Its rows are lines: cells parted by bars, with formulas, numbered as in the file."""

    def __init__(self, table: StoredTable, sheet: Sheet) -> None:
        self.name, self.width = sheet.name, sheet.width
        rows = table.rows(sheet)
        lines = (
            " | ".join(" ".join(cell.splitlines()) for cell in row) + "\n" for row in with_formulas(rows)
        )
        self.lines = Lines.of("".join(lines).encode("utf-8", "replace"))
        self.columns = Columns(rows["cells"].combine_chunks(), headed=sheet.headed)
        merged = (f"Merged: {', '.join(sheet.merged[:50])}.",) if sheet.merged else ()
        omitted = (f"{sheet.omitted:,} more rows were not read.",) if sheet.omitted else ()
        self.facts = (*sheet.facts, *merged, *omitted)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self.lines.nbytes + self.columns.nbytes


class OpenedFile:
    """One file. `part` names what its text is divided into: page, slide, sheet, or nothing."""

    def __init__(
        self, *, part: str = "", parts: tuple[Lines, ...] = (), sheets: tuple[SheetTable, ...] = ()
    ) -> None:
        self.part = part
        self.parts = parts
        self.sheets = sheets

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes, about."""
        return sum(part.nbytes for part in self.parts) + sum(sheet.nbytes for sheet in self.sheets)


class Opener:
    """Opens files of views from their blinded copies. Safe to use from several threads."""

    def __init__(self, copies: Blobs, apart: Apart, *, room: int = _ROOM) -> None:
        self._copies, self._apart, self._room = copies, apart, room
        self._lock = threading.Lock()
        self._opened: OrderedDict[tuple[str, ...], OpenedFile | Columns | Differing] = OrderedDict()

    def open(self, file: ViewedFile, copy: StoredCopy | None) -> OpenedFile:
        """The whole text of a file. Without a copy it is what the view holds. Raises InputError."""
        key = (file.id, copy.blob if copy else "", file.family.value)
        return self._kept(key, lambda: self._open(file, copy))

    def columns(self, file: ViewedFile, copy: StoredCopy | None, *, sheet: int = 1) -> Columns:
        """A table of a file, by its columns; sheets are counted from 1. Raises InputError."""
        if copy is not None and file.family is Family.CSV and copy.media_type == "text/plain":
            key = (copy.blob, "columns", file.name)
            return self._kept(key, lambda: Columns.delimited(self._bytes(copy.blob), name=file.name))
        if copy is not None and file.family is Family.JSON and copy.media_type == "text/plain":
            return self._kept((copy.blob, "columns"), lambda: Columns.of_json(self._bytes(copy.blob)))
        opened = self.open(file, copy)
        if not opened.sheets:
            raise InputError(f"“{file.name}” is not a table. Use read or search.")
        if not 1 <= sheet <= len(opened.sheets):
            raise InputError(f"“{file.name}” has {len(opened.sheets)} sheets; there is no sheet {sheet}.")
        return opened.sheets[sheet - 1].columns

    def picture(self, file: ViewedFile, copy: StoredCopy | None, *, page: int, width: int) -> TakenPicture:
        """A page of a PDF or of a printed Office file, or an image, at a width in pixels. Raises InputError."""
        images = [block for block in file.blocks if isinstance(block, ImageBlock)]
        document = next((block for block in file.blocks if isinstance(block, DocumentBlock)), None)
        embedded = 0
        if copy is not None and copy.pages is not None:
            data, media_type = self._bytes(copy.pages), "application/pdf"
        elif copy is not None and copy.media_type in ("application/pdf", *_PICTURES):
            data, media_type = self._bytes(copy.blob), copy.media_type
        elif document is not None:
            data, media_type = document.data, document.media_type
        elif not images:
            raise InputError(f"There is no picture of “{file.name}”. Read it as text.")
        elif not 1 <= page <= len(images):
            raise InputError(f"“{file.name}” has {len(images)} pictures; there is no picture {page}.")
        else:
            data, media_type, embedded = images[page - 1].data, images[page - 1].media_type, len(images)
        taken = self._asked("picture", TakenPicture, data=data, media_type=media_type, page=page, width=width)
        return taken._replace(pages=embedded, embedded=True) if embedded else taken

    def differing(self, a: bytes, b: bytes) -> Differing:
        """Which lines of two texts differ. Raises InputError."""
        key = tuple(hashlib.sha256(text).hexdigest() for text in (a, b))
        return self._kept(
            key, lambda: np.frombuffer(self._asked("lines", bytes, a=a, b=b), dtype=np.int32).reshape(-1, 4)
        )

    def _open(self, file: ViewedFile, copy: StoredCopy | None) -> OpenedFile:
        if copy is None or copy.media_type in _PICTURES:
            return OpenedFile(parts=(Lines.of(file.text.encode("utf-8", "replace")),) if file.text else ())
        if copy.size > MOST_BYTES:
            raise InputError(f"It has {copy.size:,} bytes; files of up to {MOST_BYTES:,} are opened.")
        if copy.media_type == MEDIA_TYPE:
            table = StoredTable(self._bytes(copy.blob))
            return OpenedFile(part="sheet", sheets=tuple(SheetTable(table, sheet) for sheet in table.sheets))
        plain = copy.media_type in ("text/plain", "image/svg+xml") and file.family is not Family.NOTEBOOK
        if plain or file.family is Family.HTML:
            return OpenedFile(parts=(Lines.of(self._bytes(copy.blob)),))
        if copy.media_type in ("application/pdf", "text/html", "text/plain"):
            data = self._bytes(copy.blob)
            texts = self._asked("words", list[str], data=data, family=file.family, media_type=copy.media_type)
            parts = tuple(Lines.of(text.encode("utf-8", "replace")) for text in texts)
            return OpenedFile(part=_PARTED.get(file.family, ""), parts=parts)
        return OpenedFile()

    def _bytes(self, blob: str) -> bytes:
        try:
            return self._copies.get(blob)
        except NotFound as error:
            raise InputError("Its content is not there any more; it was purged.") from error

    def _asked(self, task: str, returns: type[T], **payload: object) -> T:
        return self._apart.ask(task, returns, seconds=_SECONDS, **payload)

    def _kept(self, key: tuple[str, ...], make: Callable[[], Kept]) -> Kept:
        with self._lock:
            if key in self._opened:
                self._opened.move_to_end(key)
                return cast(Kept, self._opened[key])
            # Opened under the lock: two readings that want the same file open it once.
            made = make()
            self._opened[key] = made
            while len(self._opened) > 1 and sum(each.nbytes for each in self._opened.values()) > self._room:
                self._opened.popitem(last=False)
            return made
