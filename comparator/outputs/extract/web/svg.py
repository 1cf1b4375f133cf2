"""SVG drawings: what draws stays; metadata and editor data are left away."""

from __future__ import annotations

from dataclasses import replace

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.web import html
from comparator.outputs.extract.web.data_uris import rebuilt
from comparator.outputs.extract.web.drawing import MalformedDrawing, rebuild
from comparator.outputs.isolated.results import Copy, Extraction, ReadLimits


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The drawing's source, rebuilt."""
    try:
        drawing = rebuild(data[: limits.text_bytes])
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


def _as_text(data: bytes, limits: ReadLimits, note: str) -> Extraction:
    page = html.read(data, limits)
    copy = page.copy and Copy("text/plain", page.copy.data)
    return replace(page, copy=copy, notes=(note, *page.notes))
