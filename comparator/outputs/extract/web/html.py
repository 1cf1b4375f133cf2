"""HTML pages as they were written, with neutral values where author, generator and the like are named."""

from __future__ import annotations

from comparator.outputs.extract.encoding import read_plain
from comparator.outputs.extract.web.data_uris import rebuilt
from comparator.outputs.extract.web.markup import page_data, rebuild
from comparator.outputs.isolated.results import NEUTRAL_VALUES, Copy, Extraction, ReadLimits


def read(data: bytes, limits: ReadLimits) -> Extraction:
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
