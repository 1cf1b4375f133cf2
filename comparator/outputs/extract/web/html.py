"""Text, HTML pages and drawings as they were written, with neutral values for author, generator and the like."""

from __future__ import annotations

from dataclasses import replace

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.encoding import read_plain
from comparator.outputs.extract.web.data_uris import rebuilt
from comparator.outputs.extract.web.drawing import MalformedDrawing
from comparator.outputs.extract.web.drawing import rebuild as rebuild_drawing
from comparator.outputs.extract.web.markup import page_data, rebuild
from comparator.outputs.isolated.results import NEUTRAL_VALUES, Copy, Extraction
from comparator.outputs.limits import Limits


def read_text(data: bytes, limits: Limits) -> Extraction:
    """Text whose embedded pictures are made anew; in the judge's text a short mark stands for each."""
    plain = read_plain(data, limits)
    embedded = rebuilt(plain.text, limits)
    return Extraction(
        text=embedded.for_judge,
        pictures=embedded.pictures,
        copy=Copy("text/plain", embedded.for_copy.encode()),
        wordless=bool(embedded.pictures),
        omitted=plain.omitted,
        notes=plain.notes + embedded.notes,
    )


def read_drawing(data: bytes, limits: Limits) -> Extraction:
    """The drawing's source, rebuilt."""
    try:
        drawing = rebuild_drawing(data[: limits.text_bytes])
    except MalformedDrawing as error:
        return _as_text(data, limits, str(error))
    embedded = rebuilt(drawing.text, limits)
    notes = embedded.notes
    if drawing.left_away:
        notes = (NoteKind.METADATA_LEFT_AWAY.text(), *notes)
    return Extraction(
        text=embedded.for_judge,
        form="xml",
        pictures=embedded.pictures,
        copy=Copy("image/svg+xml", embedded.for_copy.encode()),
        wordless=bool(embedded.pictures),
        notes=notes,
    )


def _as_text(data: bytes, limits: Limits, note: str) -> Extraction:
    page = read(data, limits)
    copy = page.copy and Copy("text/plain", page.copy.data)
    return replace(page, copy=copy, notes=(note, *page.notes))


def read(data: bytes, limits: Limits) -> Extraction:
    """The page's source, rebuilt."""
    plain = read_plain(data, limits)
    page = rebuild(plain.text)
    embedded = rebuilt(page.text, limits)
    notes = (*plain.notes, *embedded.notes)
    if page.changed:
        notes += (NEUTRAL_VALUES,)
    return Extraction(
        text=embedded.for_judge,
        form="html",
        pictures=embedded.pictures,
        copy=Copy("text/html", embedded.for_copy.encode()),
        wordless=bool(embedded.pictures),
        omitted=plain.omitted,
        notes=notes,
        telling=page.telling,
        page_data=page_data(page.text),
    )
