"""Files of a view, opened whole from their blinded copies and kept open; and what the reading child does for that."""

import hashlib
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PIL import Image

from comparator.domain.answers import Answers
from comparator.domain.errors import InputError, NotFound
from comparator.domain.pair.view import DocumentBlock, Family, ImageBlock, ViewedFile
from comparator.outputs.differences.compare import ComparedFile, words
from comparator.outputs.differences.text import align
from comparator.outputs.examine.lines import Pattern
from comparator.outputs.examine.query import Columns
from comparator.outputs.extract.images import encoded, on_white, open_image
from comparator.outputs.isolated.messages import TakenPicture as TakenPicture
from comparator.outputs.pages import own_document, picture_of, words_of_pages
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown
from comparator.outputs.snapshot import Blobs
from comparator.outputs.tables.store import MEDIA_TYPE, Sheet, StoredTable, with_formulas
from comparator.outputs.view.built import BlindedCopy

T = TypeVar("T")
MOST_BYTES = 256_000_000
_CHUNK = 1 << 20
"""Lines that are looked at in one go."""
_ROOM = 768_000_000
"""Bytes of opened files that are kept in memory."""
_PARTED = {Family.PDF: "page", Family.PPTX: "slide"}
_PICTURES = ("image/png", "image/jpeg")
Differing = npt.NDArray[np.int32]
"""A row for each difference: the first line (from 0) and the end (without it) in A, and the same in B."""


class NumberedLine(NamedTuple):
    """A line, its number (from 1), and the page or slide it stands on, or 0."""

    number: int
    part: int
    text: str


class Hit(NamedTuple):
    """A line in which something was found, and the byte of it at which that begins."""

    line: NumberedLine
    at: int


class Text:
    """The lines of a file, or of one sheet, in UTF-8 with their line ends, kept as one piece of memory.

    `part` names what it is divided into, as page or slide; `starts` is how many lines stand before each of them.
    """

    def __init__(
        self,
        data: bytes,
        *,
        part: str = "",
        starts: Sequence[int] = (0,),
        name: str = "",
        columns: Columns | None = None,
        facts: Sequence[str] = (),
    ) -> None:
        """Raises InputError where it is more than memory has room for."""
        if len(data) > MOST_BYTES:
            raise InputError(f"It has {len(data):,} bytes; texts of up to {MOST_BYTES:,} are opened.")
        self.part, self.name, self.columns, self.facts = part, name, columns, facts
        self._data, self._starts = data, starts
        ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10).astype(np.int32) + 1
        last = [] if data.endswith(b"\n") or not data else [len(data)]
        self._offsets = np.concatenate([np.zeros(1, np.int32), ends, np.array(last, np.int32)])
        buffers = [None, pa.py_buffer(self._offsets), pa.py_buffer(data)]
        self._array = pa.Array.from_buffers(pa.string(), len(self._offsets) - 1, buffers)

    @classmethod
    def of_parts(cls, texts: Iterable[str], part: str) -> Self:
        """The text of all these pages or slides. Raises InputError."""
        whole = [text if text.endswith("\n") or not text else f"{text}\n" for text in texts]
        starts = accumulate((text.count("\n") for text in whole[:-1]), initial=0)
        return cls("".join(whole).encode("utf-8", "replace"), part=part, starts=tuple(starts))

    def __len__(self) -> int:
        return len(self._array)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes, about."""
        return len(self._data) + (self.columns.nbytes if self.columns else 0)

    @property
    def parts(self) -> int:
        """How many pages or slides it has."""
        return len(self._starts)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The first and last line of pages or slides `first` to `last`. Raises InputError."""
        if not 1 <= first <= self.parts:
            raise InputError(f"It has {self.parts:,} {self.part}s; there is no {self.part} {first:,}.")
        return self._starts[first - 1] + 1, [*self._starts, len(self)][min(max(first, last), self.parts)]

    def plain(self) -> bytes:
        """The whole text with plain line ends, and none after the last line."""
        return self._data.replace(b"\r\n", b"\n").removesuffix(b"\n")

    def line(self, number: int) -> NumberedLine:
        """A line by its number, without its end."""
        start, end = self._offsets[number - 1 : number + 1]
        part = bisect_right(self._starts, number - 1) if self.part else 0
        return NumberedLine(number, part, self._data[start:end].decode("utf-8", "replace").rstrip("\r\n"))

    def lines(self, first: int, last: int) -> Iterator[NumberedLine]:
        """Lines `first` to `last`."""
        return map(self.line, range(first, min(last, len(self)) + 1))

    def find(self, pattern: Pattern, *, most: int) -> tuple[list[Hit], int]:
        """The first `most` lines it stands in, and in how many it does."""
        hits: list[Hit] = []
        total = 0
        for start in range(0, len(self), _CHUNK):
            part = self._array.slice(start, _CHUNK)
            matches = np.flatnonzero(pattern.matching(part).to_numpy(zero_copy_only=False))
            total += len(matches)
            if len(hits) < most and len(matches):
                wanted = matches[: most - len(hits)]
                places = pattern.first_in(part.take(pa.array(wanted)))
                hits += [
                    Hit(self.line(start + int(n) + 1), max(at, 0))
                    for n, at in zip(wanted, places, strict=True)
                ]
        return hits, total


def _sheet(table: StoredTable, sheet: Sheet) -> Text:
    """A table of a workbook. Its rows are lines: cells parted by bars, with formulas, numbered as in the file."""
    rows = table.rows(sheet)
    lines = (" | ".join(" ".join(cell.splitlines()) for cell in row) + "\n" for row in with_formulas(rows))
    merged = (f"Merged: {', '.join(sheet.merged[:50])}.",) if sheet.merged else ()
    omitted = (f"{sheet.omitted:,} more rows were not read.",) if sheet.omitted else ()
    return Text(
        "".join(lines).encode("utf-8", "replace"),
        name=sheet.name,
        columns=Columns(rows["cells"].combine_chunks(), headed=sheet.headed),
        facts=(*sheet.facts, *merged, *omitted),
    )


Texts = tuple[Text, ...]
Kept = TypeVar("Kept", Texts, Columns, Differing, TakenPicture)


class Opener:
    """Opens files of views from their blinded copies. Safe to use from several threads."""

    def __init__(self, copies: Blobs, renderer: Renderer) -> None:
        self._copies, self._renderer = copies, renderer
        self._lock = threading.Lock()
        self._opened = Answers(most=_ROOM)

    def open(self, file: ViewedFile, copy: BlindedCopy | None) -> Texts:
        """The whole texts of a file: one, or one for each sheet. Raises InputError.

        Without a copy it is what the view holds.
        """
        key = (file.id, copy.blob if copy else "", file.family.value)
        return self._kept(key, lambda: self._open(file, copy))

    def columns(self, file: ViewedFile, copy: BlindedCopy | None, *, sheet: int = 1) -> Columns:
        """A table of a file, by its columns; sheets are counted from 1. Raises InputError."""
        if copy is not None and copy.media_type == "text/plain" and file.family in (Family.CSV, Family.JSON):
            key = (copy.blob, "columns", file.name, file.family.value)
            return self._kept(key, lambda: self._table(file, copy))
        sheets = [text.columns for text in self.open(file, copy) if text.columns is not None]
        if not sheets:
            raise InputError(f"“{file.name}” is not a table. Use read or search.")
        if not 1 <= sheet <= len(sheets):
            raise InputError(f"“{file.name}” has {len(sheets)} sheets; there is no sheet {sheet}.")
        return sheets[sheet - 1]

    def picture(self, file: ViewedFile, copy: BlindedCopy | None, *, page: int, width: int) -> TakenPicture:
        """A page of a PDF or of a printed Office file, or an image, at a width in pixels. Raises InputError."""
        key = (file.id, f"page {page}", f"{width} pixels")
        return self._kept(key, lambda: self._picture(file, copy, page, width))

    def _picture(self, file: ViewedFile, copy: BlindedCopy | None, page: int, width: int) -> TakenPicture:
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
        answer = self._renderer.ask(
            "picture", TakenPicture, data=data, media_type=media_type, page=page, width=width
        )
        return answer._replace(pages=embedded, embedded=True) if embedded else answer

    def differing(self, a: bytes, b: bytes) -> Differing:
        """Which lines of two texts differ. Raises InputError."""
        key = tuple(hashlib.sha256(text).hexdigest() for text in (a, b))
        return self._kept(
            key,
            lambda: np.frombuffer(self._renderer.ask("lines", bytes, a=a, b=b), dtype=np.int32).reshape(
                -1, 4
            ),
        )

    def _open(self, file: ViewedFile, copy: BlindedCopy | None) -> Texts:
        if copy is None or copy.media_type in _PICTURES:
            return (Text(file.text.encode("utf-8", "replace")),) if file.text else ()
        if copy.size > MOST_BYTES:
            raise InputError(f"It has {copy.size:,} bytes; files of up to {MOST_BYTES:,} are opened.")
        if copy.media_type == MEDIA_TYPE:
            table = StoredTable(self._bytes(copy.blob))
            return tuple(_sheet(table, sheet) for sheet in table.sheets)
        plain = copy.media_type in ("text/plain", "image/svg+xml") and file.family is not Family.NOTEBOOK
        if plain or file.family is Family.HTML:
            return (Text(self._bytes(copy.blob)),)
        if copy.media_type in ("application/pdf", "text/html", "text/plain"):
            data = self._bytes(copy.blob)
            texts = self._renderer.ask(
                "words", list[str], data=data, family=file.family, media_type=copy.media_type
            )
            return (Text.of_parts(texts, _PARTED.get(file.family, "")),)
        return ()

    def _table(self, file: ViewedFile, copy: BlindedCopy) -> Columns:
        text = self._bytes(copy.blob)
        table = StoredTable(self._renderer.ask("table", bytes, name=file.name, family=file.family, data=text))
        return Columns(table.rows(table.sheet(1))["cells"].combine_chunks(), headed=True)

    def _bytes(self, blob: str) -> bytes:
        try:
            return self._copies.get(blob)
        except NotFound as error:
            raise InputError("Its content is not there any more; it was purged.") from error

    def _kept(self, key: tuple[str, ...], make: Callable[[], Kept]) -> Kept:
        with self._lock:
            opened: Kept | None = self._opened.get(key)
            if opened is None:
                # Opened under the lock: two readings that want the same file open it once.
                opened = make()
                self._opened.keep(key, opened, size=_size(opened))
            return opened


def _size(kept: Texts | Columns | Differing | TakenPicture) -> int:
    """Bytes of memory that it takes, about."""
    if isinstance(kept, Columns | np.ndarray):
        return kept.nbytes
    return len(kept.block.data) if isinstance(kept, TakenPicture) else sum(text.nbytes for text in kept)


_SLIDE = re.compile(r"^## Slide (\d+)", re.MULTILINE)
_TALLEST = 4_000
LINES_OF_ONE = 25
"""Lines of either side that make one difference at most: one fits an answer, however long its lines are."""


def words_of(data: bytes, family: Family, media_type: str) -> list[str]:
    """The words of a document, in pages or slides where it has any. Raises NotShown."""
    if media_type == "application/pdf":
        return words_of_pages(data)
    text = words(ComparedFile("", family, media_type, data))
    return _slides(text) if family is Family.PPTX else [text]


def _slides(text: str) -> list[str]:
    """The text of each slide; words on a slide that look like the heading of another one begin none."""
    starts, number = [], 1
    for match in _SLIDE.finditer(text):
        if int(match[1][:9]) == number:
            starts.append(match.start())
            number += 1
    ends = [*starts[1:], len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)] or [text]


def picture(data: bytes, media_type: str, page: int, width: int) -> TakenPicture:
    """A page of a PDF, or a picture, at a width in pixels. Raises OutputRefused."""
    pages = 1
    if media_type == "application/pdf":
        with own_document(data) as pdf:
            pages = len(pdf)
            if not 1 <= page <= pages:
                raise NotShown(f"The document has {pages:,} pages.")
            wide, high = pdf[page - 1].get_size()
            image = picture_of(pdf[page - 1], scale=min(width / max(wide, 1), _TALLEST / max(high, 1)))
    else:
        image = open_image(data)
        # A JPEG that is much larger is read at a half, a quarter or an eighth of its size.
        image.thumbnail((width, _TALLEST), Image.Resampling.LANCZOS)
        image = on_white(image)
    return TakenPicture(encoded(image, every_grey=True), image.width, image.height, pages)


def changed(a: bytes, b: bytes) -> bytes:
    """Which lines differ, one difference a row of four numbers of 32 bits; long ones in pieces."""
    left, right = a.split(b"\n"), b.split(b"\n")
    rows: list[tuple[int, int, int, int]] = []
    for same, *ends in align(left, right):
        if not same:
            rows += _pieces(*ends)
    return np.array(rows, dtype=np.int32).tobytes()


def _pieces(a: int, a_end: int, b: int, b_end: int) -> Iterator[tuple[int, int, int, int]]:
    for _ in range(0, max(a_end - a, b_end - b), LINES_OF_ONE):
        last, other = min(a + LINES_OF_ONE, a_end), min(b + LINES_OF_ONE, b_end)
        yield a, last, b, other
        a, b = last, other
