"""The one way in: two blinded copies to their differences, by what both of them hold."""

from __future__ import annotations

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences import sources
from comparator.outputs.differences.model import FileComparison
from comparator.outputs.differences.pdf_html import compare_pdfs
from comparator.outputs.differences.pictures import compare_pictures
from comparator.outputs.differences.sources import ComparedFile
from comparator.outputs.differences.tables import compare_sheets
from comparator.outputs.differences.text import compare_texts
from comparator.outputs.preview.document import NotShown
from comparator.outputs.preview.pdf import all_sheets
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

MOST_COMPARED = 32_000_000
"""Bytes of a file up to which it is compared."""

_SORTED = "Keys are sorted here, so their order is no difference."


def compare(a: ComparedFile, b: ComparedFile) -> FileComparison:
    """The differences, in parts. Raises NotShown with a plain sentence where there are none to be shown."""
    if max(len(a.data), len(b.data)) > MOST_COMPARED:
        raise NotShown(too_large())
    if sources.is_picture(a) and sources.is_picture(b):
        return compare_pictures(a.data, b.data)
    pdfs = [source.media_type == "application/pdf" for source in (a, b)]
    if all(pdfs):
        return compare_pdfs(a.data, b.data)
    notes: tuple[str, ...] = ()
    try:
        if sources.is_sheets(a) and sources.is_sheets(b):
            return compare_sheets(sources.sheets(a), sources.sheets(b))
        if sources.is_tree(a) and sources.is_tree(b):
            return compare_texts(sources.tree_text(a), sources.tree_text(b), notes=(_SORTED,))
    except OutputRefused as reason:
        notes = (f"{reason} Compared by lines and words.",)
    return compare_texts(_words(a), _words(b), notes=notes)


def too_large() -> str:
    """What is said of a file that is not compared for its size."""
    return f"Differences are shown of files up to {MOST_COMPARED // 1_000_000} MB."


def _words(source: ComparedFile) -> str:
    if source.family is Family.PDF and source.media_type == "application/pdf":
        return "\n".join(run.text for sheet in all_sheets(source.data) for run in sheet.runs)
    if source.media_type == MEDIA_TYPE:
        return as_csv(source.data).decode("utf-8", "replace")
    return sources.words(source)
