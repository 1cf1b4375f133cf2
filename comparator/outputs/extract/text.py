"""Text in any usual encoding; pictures embedded as data addresses are made anew."""

from __future__ import annotations

from comparator.outputs.extract.encoding import read_plain
from comparator.outputs.extract.web.data_uris import rebuilt
from comparator.outputs.isolated.results import Copy, Extraction, ReadLimits


def read(data: bytes, limits: ReadLimits) -> Extraction:
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
