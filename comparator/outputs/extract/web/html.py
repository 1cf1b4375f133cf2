"""HTML pages: what is seen and done stays; comments, authors and other metadata are left away."""

from __future__ import annotations

from comparator.outputs.child.extraction import Copy, Extraction, ReadLimits
from comparator.outputs.extract.encoding import read_plain
from comparator.outputs.extract.web.data_uris import rebuilt
from comparator.outputs.extract.web.markup import rebuild


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The page's source, rebuilt."""
    plain = read_plain(data, limits)
    source, left_away = rebuild(plain.text)
    embedded = rebuilt(source, limits)
    notes = (*plain.notes, *embedded.notes)
    if left_away:
        notes += ("Comments and metadata (generator, author and the like) were left away.",)
    return Extraction(
        text=embedded.for_judge,
        form="html",
        pictures=embedded.pictures,
        copy=Copy("text/html", embedded.for_copy.encode()),
        wordless=bool(embedded.pictures),
        omitted=plain.omitted,
        notes=notes,
    )
