"""Looks words up in all files of a comparison as a reviewer is shown them, and says how alike two files are."""

from __future__ import annotations

import html
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rapidfuzz.distance import Indel

from comparator.domain.errors import ComparatorError, InputError
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import words_of_pdf
from comparator.outputs.preview.document import reveal
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.outputs import FileRow
from comparator.workflow.services import Services

PIECE = 65_536
"""Characters that are read at once, so that other threads come to their turn in between."""
_PARTS_A_LOOK = 2_000
_LEFT_OUT = (b"script", b"style")
_NAME_ENDS = frozenset(b" \t\r\n\f/>")
_BLANK = re.compile(r"\s")


class SearchText(NamedTuple):
    """Lower case, any white space as one blank; not `whole` where the time was over before the end."""

    text: str
    whole: bool


def plain_words(data: bytes, *, marked: bool, late: Callable[[], bool]) -> SearchText:
    """The words of a text in UTF-8; of markup, if it is `marked`, without tags, scripts and styles.

    `late` is asked again and again; once it is true, what was read so far is returned.
    """
    whole = True
    if marked:
        parts: list[bytes] = []
        for number, part in enumerate(without_markup(data), start=1):
            if part:
                parts.append(part)
            if number % _PARTS_A_LOOK == 0 and late():
                whole = False
                break
        data = b" ".join(parts)
    kept: list[str] = []
    for piece in _pieces(data.decode("utf-8", "replace")):
        if kept and late():
            whole = False
            break
        words = _spaced(reveal(html.unescape(piece) if marked else piece))
        if kept and kept[-1].endswith(" "):
            words = words.removeprefix(" ")
        if words:
            kept.append(words)
    return SearchText("".join(kept).strip(), whole)


def folded(text: str) -> str:
    """The text as it is compared: lower case, any white space as one blank."""
    return " ".join(text.lower().split())


def without_markup(data: bytes) -> Iterator[bytes]:
    """What stands between the tags of markup, scripts and styles left out.

    Each byte is looked at a bounded number of times, whatever stands there: no end that was not found is looked for
    again.
    """
    low = data.lower()
    at, names = 0, list(_LEFT_OUT)
    while (begin := data.find(b"<", at)) >= 0:
        end = data.find(b">", begin)
        if end < 0:
            # From here on nothing is a tag.
            break
        yield data[at:begin]
        at = end + 1
        name = next((name for name in names if low.startswith(name, begin + 1)), None)
        if name is None or low[begin + 1 + len(name)] not in _NAME_ENDS:
            continue
        closing = _closing(low, name, at)
        if closing < 0:
            # None follows any later one either, so that it is a tag like others.
            names.remove(name)
        else:
            at = closing
    yield data[at:]


def _closing(low: bytes, name: bytes, at: int) -> int:
    """The position behind the end tag of `name` that comes next; -1 without one."""
    mark = b"</" + name
    while (at := low.find(mark, at)) >= 0:
        at += len(mark)
        if at < len(low) and low[at] in _NAME_ENDS:
            # Behind the last `>` no further one needs to be looked for.
            return low.find(b">", at) + 1 or -1
    return -1


def _pieces(text: str) -> Iterator[str]:
    """The text cut before white space, or after twice as much where there is none."""
    at = 0
    while at < len(text):
        blank = _BLANK.search(text, at + PIECE, at + 2 * PIECE)
        end = blank.start() if blank is not None else at + 2 * PIECE
        yield text[at:end]
        at = end


def _spaced(text: str) -> str:
    """Folded, with a blank where white space stood at either end."""
    words = folded(text)
    before = " " if text[:1].isspace() else ""
    after = " " if words and text[-1:].isspace() else ""
    return f"{before}{words}{after}"


LONGEST_QUERY = 200
KEPT = 48_000_000
"""Characters of read files that are kept for the next search."""
_MOST_OF_A_FILE = 20_000_000
_COMPARED = 6_000
_SHARES = 20_000
_WARMED_AT_ONCE = 2
_SECONDS_IN_THE_BACKGROUND = 6.0
_SECONDS_TO_COMPARE = 0.5
_LISTS = 12
_TEXTS = ("text/", "application/x-ipynb+json", "image/svg+xml")


class FileHits(Frozen):
    """How often the words stand in one file."""

    file_id: str
    count: int


class SearchResult(Frozen):
    """What a search came to; `left` files could not be read within the time, and are read when it is asked again."""

    text: str
    hits: tuple[FileHits, ...] = ()
    searched: int = 0
    left: int = 0
    unread: tuple[str, ...] = ()
    """Ids of files whose words are not known: pictures, sounds, unknown formats."""


class Searcher:
    """Keeps the words of the files that were read last. Safe to use from several threads."""

    def __init__(self, services: Services, *, kept: int = KEPT) -> None:
        self._services = services
        self._kept = kept
        self._shares: dict[tuple[str, str], float] = {}
        self._words: OrderedDict[str, str | None] = OrderedDict()
        self._size = 0
        self._cut: set[str] = set()
        """Ids of files that took too long: what was read of them is known, and the rest is read in the background."""
        self._warming: set[str] = set()
        self._listed: dict[str, tuple[FileRow, ...]] = {}
        self._lock = threading.Lock()

    def search(self, comparison_id: str, text: str, *, seconds: float = 2.0) -> SearchResult:
        """The files of a comparison in which `text` stands, white space and upper case apart, in their order.

        Raises NotFound, or InputError for a text that is too long.
        """
        wanted = folded(text)
        if len(text) > LONGEST_QUERY:
            raise InputError(f"A search has at most {LONGEST_QUERY} characters. Search for less.")
        if not wanted:
            return SearchResult(text=text)
        until = time.monotonic() + seconds
        rows = self._rows(comparison_id)
        hits, unread, searched, cut = [], [], 0, False
        for row in rows:
            words = self._known(row)
            if words is _UNKNOWN:
                if time.monotonic() > until:
                    continue
                words = self._read(row, until=until)
            if row.id in self._cut:
                cut = True
            else:
                searched += 1
            if not isinstance(words, str):
                unread.append(row.id)
                continue
            count = words.count(wanted)
            if count:
                hits.append(FileHits(file_id=row.id, count=count))
        if cut:
            self.warm(comparison_id)
        return SearchResult(
            text=text, hits=tuple(hits), searched=searched, left=len(rows) - searched, unread=tuple(unread)
        )

    def warm(self, comparison_id: str) -> None:
        """Read the files of a comparison in the background, so that a search finds their words at hand."""
        with self._lock:
            if comparison_id in self._warming or len(self._warming) >= _WARMED_AT_ONCE:
                return
            self._warming.add(comparison_id)
        threading.Thread(target=self._warm, args=(comparison_id,), name="search", daemon=True).start()

    def _warm(self, comparison_id: str) -> None:
        try:
            room = self._kept
            for row in self._rows(comparison_id):
                if self._known(row) is _UNKNOWN or row.id in self._cut:
                    until = time.monotonic() + _SECONDS_IN_THE_BACKGROUND
                    room -= len(self._read(row, until=until, last=True) or "")
                if room < 0:
                    # What is read from here on would push out what was read first.
                    break
        except ComparatorError:
            # Purged meanwhile; a search will say so.
            return
        finally:
            with self._lock:
                self._warming.discard(comparison_id)

    def alike(self, a: str, b: str) -> float:
        """The share of their words that two files have in common, from 0 to 1; 0 where their words are not known."""
        if (a, b) not in self._shares:
            if len(self._shares) >= _SHARES:
                self._shares.clear()
            self._shares[a, b] = self._alike(a, b)
        return self._shares[a, b]

    def _alike(self, a: str, b: str) -> float:
        with self._services.database.read() as connection:
            rows = outputs.file(connection, a), outputs.file(connection, b)
        until = time.monotonic() + _SECONDS_TO_COMPARE
        texts = [self._known(row) for row in rows]
        read = [
            self._read(row, until=until) if words is _UNKNOWN else words
            for row, words in zip(rows, texts, strict=True)
        ]
        one, other = read
        if not isinstance(one, str) or not isinstance(other, str) or not one or not other:
            return 0.0
        return Indel.normalized_similarity(one[:_COMPARED], other[:_COMPARED], score_cutoff=0.3)

    def _rows(self, comparison_id: str) -> list[FileRow]:
        with self._services.database.read() as connection:
            comparison = comparisons.get(connection, comparison_id)
            views = [v for v in (comparison.view_a, comparison.view_b, comparison.input_view) if v]
            return [row for view in views for row in self._list(connection, view)]

    def _list(self, connection: Connection, view: str) -> tuple[FileRow, ...]:
        # The files of a view never change; a few lists are kept.
        rows = self._listed.get(view)
        if rows is None:
            rows = outputs.list_files(connection, view)
            if len(self._listed) >= _LISTS:
                self._listed.clear()
            self._listed[view] = rows
        return rows

    def _known(self, row: FileRow) -> object:
        with self._lock:
            if row.id not in self._words:
                return _UNKNOWN
            self._words.move_to_end(row.id)
            return self._words[row.id]

    def _read(self, row: FileRow, *, until: float, last: bool = False) -> str | None:
        """The words of a file, kept; as far as they were read by `until`. The `last` time that is all there will be."""
        words = self._words_of(row, until)
        with self._lock:
            self._size += len(words.text if words else "") - len(self._words.pop(row.id, None) or "")
            self._words[row.id] = words.text if words else None
            if words is None or words.whole or last:
                self._cut.discard(row.id)
            else:
                self._cut.add(row.id)
            while self._size > self._kept and len(self._words) > 1:
                gone, text = self._words.popitem(last=False)
                self._cut.discard(gone)
                self._size -= len(text or "")
            return words.text if words else None

    def _words_of(self, row: FileRow, until: float) -> SearchText | None:
        """The words of the blinded copy; where that is no text, of what was read for the judge. None without either."""

        def late() -> bool:
            return time.monotonic() > until

        try:
            if row.blob is not None and row.media_type == MEDIA_TYPE:
                data = as_csv(self._services.blobs.get(row.blob))
                return plain_words(data[:_MOST_OF_A_FILE], marked=False, late=late)
            if row.blob is not None and (row.media_type or "").startswith(_TEXTS):
                data = as_utf8(self._services.blobs.get(row.blob)[:_MOST_OF_A_FILE])
                return plain_words(data, marked=row.media_type in ("text/html", "image/svg+xml"), late=late)
            if row.family in (Family.IMAGE, Family.AUDIO, Family.VIDEO, Family.BINARY):
                return None
            with self._services.database.read() as connection:
                view = outputs.load_view(connection, row.view_id, blobs=self._services.blobs)
            file = next((file for file in view.files if file.id == row.id), None)
            if file is None:
                return None
            if row.media_type == "application/pdf" and row.blob is not None and file.is_cut:
                whole = words_of_pdf(self._services.blobs.get(row.blob), limits=self._services.limits)
                # What took its time is read already; it is not to be read again for the rest.
                return plain_words(whole[:_MOST_OF_A_FILE], marked=False, late=lambda: False)
        except ComparatorError:
            # Purged or damaged: a search goes on with the other files.
            return None
        return plain_words(file.text.encode("utf-8", "replace"), marked=False, late=late)


_UNKNOWN = object()
