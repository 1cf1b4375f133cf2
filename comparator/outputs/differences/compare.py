"""Two blinded copies to their differences, by what both of them hold: pictures, pages, tables, JSON or words."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences.alignment import sorted_json
from comparator.outputs.differences.model import FileComparison
from comparator.outputs.differences.pictures import compare_pdfs, compare_pictures
from comparator.outputs.differences.tables import compare_sheets, sheets
from comparator.outputs.differences.text import compare_texts
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.pages import words_of_pages
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.render import PICTURES, is_text
from comparator.outputs.preview.tables import is_table
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

MOST_COMPARED = 32_000_000
"""Bytes of a file up to which it is compared."""
_SECONDS = 60.0
"""Two tables of a million rows take some five on a machine that has nothing else to do."""
_PICTURE = re.compile(r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]{40,}")
_SORTED = "Keys are sorted here, so their order is no difference."


class ComparedFile(NamedTuple):
    """One side: a blinded copy as the reading child gets it."""

    name: str
    family: Family
    media_type: str
    data: bytes


def differences(renderer: Renderer, a: ComparedFile, b: ComparedFile) -> FileComparison:
    """Both files compared within the limits of time and memory; a problem where that is not possible."""
    try:
        return renderer.ask("differences", FileComparison, seconds=_SECONDS, a=a, b=b)
    except OutputRefused as error:
        return FileComparison(problem=f"Differences cannot be shown: {error}")


def compare(a: ComparedFile, b: ComparedFile) -> FileComparison:
    """The differences, in parts. Raises NotShown with a plain sentence where there are none to be shown."""
    if max(len(a.data), len(b.data)) > MOST_COMPARED:
        raise NotShown(too_large())
    kinds = {a.media_type, b.media_type}
    if kinds <= PICTURES - {"image/svg+xml"}:
        return compare_pictures(a.data, b.data)
    if kinds == {"application/pdf"}:
        return compare_pdfs(a.data, b.data)
    notes: tuple[str, ...] = ()
    try:
        if all(is_table(side.family, side.media_type) for side in (a, b)):
            return compare_sheets(*(sheets(side.name, side.media_type, side.data) for side in (a, b)))
        if all(
            side.family is Family.JSON and not side.name.lower().endswith((".jsonl", ".ndjson"))
            for side in (a, b)
        ):
            return compare_texts(sorted_json(a.data), sorted_json(b.data), notes=(_SORTED,))
    except OutputRefused as reason:
        notes = (f"{reason} Compared by lines and words.",)
    return compare_texts(words(a), words(b), notes=notes)


def too_large() -> str:
    """What is said of a file that is not compared for its size."""
    return f"Differences are shown of files up to {MOST_COMPARED // 1_000_000} MB."


def words(source: ComparedFile) -> str:
    """The text that a reader sees, without what hides or reorders it. Raises NotShown where there is none."""
    match source.media_type:
        case "application/pdf":
            return "\n".join(words_of_pages(source.data))
        case media_type if media_type == MEDIA_TYPE:
            return as_csv(source.data).decode("utf-8", "replace")
    text = source.data.decode("utf-8", "replace")
    text = _PICTURE.sub(lambda match: f"picture {hashlib.sha256(match[0].encode()).hexdigest()[:8]}", text)
    if source.media_type == "text/html":
        return reveal(markdown_from(text))
    if not is_text(source.media_type) and source.media_type != "image/svg+xml":
        raise NotShown("Differences of files of this kind cannot be shown.")
    return reveal(text)
