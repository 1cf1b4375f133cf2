"""Looks words up in all files of a comparison as a reviewer is shown them."""

import html
import time
from collections.abc import Iterator

from comparator.domain.answers import Answers
from comparator.domain.errors import ComparatorError, InputError
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family
from comparator.outputs.extract.markup import RAW, TAG_NAME, tokens
from comparator.outputs.preview.child_process import words_of_pdf
from comparator.outputs.preview.document import reveal
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv
from comparator.store.pairs import comparisons, outputs
from comparator.workflow.services import Services

LONGEST_QUERY = 200
KEPT = 48_000_000
"""Characters of read files that are kept for the next search."""
_MOST_OF_A_FILE = 20_000_000
_TEXTS = ("text/", "image/svg+xml")


class FileHits(Frozen):
    """How often the words stand in one file."""

    file_id: str
    count: int


class SearchResult(Frozen):
    """What a search came to; `left` files were not read within the time, and are read when it is asked again."""

    text: str
    hits: tuple[FileHits, ...] = ()
    left: int = 0
    unread: tuple[str, ...] = ()
    """Ids of files whose words are not known: pictures, sounds, unknown formats."""


class Searcher:
    """Keeps the words of the files that were read last. Safe to use from several threads."""

    def __init__(self, services: Services, *, kept: int = KEPT) -> None:
        self._services, self._words = services, Answers(most=kept)

    def search(self, comparison_id: str, text: str, *, seconds: float = 2.0) -> SearchResult:
        """The files of a comparison in which `text` stands, white space and upper case apart, in their order.

        Raises NotFound, or InputError for a text that is too long.
        """
        if len(text) > LONGEST_QUERY:
            raise InputError(f"A search has at most {LONGEST_QUERY} characters. Search for less.")
        wanted, until = folded(text), time.monotonic() + seconds
        rows = self._rows(comparison_id) if wanted else []
        hits, unread, left = [], [], 0
        for row in rows:
            if (read := self._words.get(row.id)) is None:
                if time.monotonic() > until:
                    left += 1
                    continue
                read = (self._words_of(row),)
                self._words.keep(row.id, read, size=len(read[0] or ""))
            (words,) = read
            if words is None:
                unread.append(row.id)
            elif count := words.count(wanted):
                hits.append(FileHits(file_id=row.id, count=count))
        return SearchResult(text=text, hits=tuple(hits), left=left, unread=tuple(unread))

    def _rows(self, comparison_id: str) -> list[outputs.FileRow]:
        with self._services.read() as connection:
            comparison = comparisons.get(connection, comparison_id)
            views = (comparison.view_a, comparison.view_b, comparison.input_view)
            return [row for view in views if view for row in outputs.list_files(connection, view)]

    def _words_of(self, row: outputs.FileRow) -> str | None:
        """The words of the blinded copy; where that is no text, of what was read for the judge. None without either."""
        blobs = self._services.blobs
        try:
            if row.blob is not None and row.media_type == MEDIA_TYPE:
                return plain_words(as_csv(blobs.get(row.blob)))
            if row.blob is not None and (row.media_type or "").startswith(_TEXTS):
                marked = row.media_type in ("text/html", "image/svg+xml")
                return plain_words(blobs.get(row.blob), marked=marked)
            if row.family in (Family.IMAGE, Family.AUDIO, Family.VIDEO, Family.BINARY):
                return None
            with self._services.read() as connection:
                view = outputs.load_view(connection, row.view_id, blobs=blobs)
            file = next((file for file in view.files if file.id == row.id), None)
            if file is None:
                return None
            if row.media_type == "application/pdf" and row.blob is not None and file.is_cut:
                return plain_words(words_of_pdf(blobs.get(row.blob), limits=self._services.limits))
        except ComparatorError:
            # Purged or damaged: a search goes on with the other files.
            return None
        return plain_words(file.text.encode("utf-8", "replace"))


def folded(text: str) -> str:
    """The text as it is compared: lower case, any white space as one blank."""
    return " ".join(text.lower().split())


def plain_words(data: bytes, *, marked: bool = False) -> str:
    """The words of a text in UTF-8; of markup, if it is `marked`, without tags, scripts and styles."""
    text = data[:_MOST_OF_A_FILE].decode("utf-8", "replace")
    return folded(reveal(html.unescape(" ".join(_between_tags(text))) if marked else text))


def _between_tags(source: str) -> Iterator[str]:
    before = ""
    for token in tokens(source, raw_elements=RAW):
        opened = TAG_NAME.match(before)
        within = opened is not None and opened[1].lower() in RAW and not before.startswith("</")
        if not within and not token.startswith("<"):
            yield token
        before = token
