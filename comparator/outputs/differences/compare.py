"""Two blinded copies to their differences, by what both of them hold: pictures, pages, tables, trees or words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences.model import FileComparison
from comparator.outputs.differences.pictures import compare_pdfs, compare_pictures
from comparator.outputs.differences.tables import compare_sheets, sheets
from comparator.outputs.differences.text import compare_texts
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.extract.notebook import read as read_notebook
from comparator.outputs.limits import Limits
from comparator.outputs.pages import words_of_pages
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.render import PICTURES, is_text
from comparator.outputs.preview.tables import is_table
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.tree import Branch, Node, is_lines_of_json, read_tree
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

MOST_COMPARED = 32_000_000
"""Bytes of a file up to which it is compared."""
_SECONDS = 60.0
"""Two tables of a million rows take some five on a machine that has nothing else to do."""
_MOST_TREE_LINES = 200_000
_DEEPEST_TREE = 150
_TREES = (Family.JSON, Family.YAML, Family.TOML)
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
        if all(map(_is_tree, (a, b))):
            return compare_texts(_tree_text(a), _tree_text(b), notes=(_SORTED,))
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
        case "application/x-ipynb+json":
            return reveal(read_notebook(source.data, Limits()).text)
    text = as_utf8(source.data).decode("utf-8", "replace")
    if source.media_type == "text/html":
        return reveal(markdown_from(text))
    if not is_text(source.media_type) and source.media_type != "image/svg+xml":
        raise NotShown("Differences of files of this kind cannot be shown.")
    return reveal(text)


def _is_tree(source: ComparedFile) -> bool:
    return source.family in _TREES and is_text(source.media_type) and not is_lines_of_json(source.name)


def _tree_text(source: ComparedFile) -> str:
    """A tree as indented text with its keys sorted. Raises NotShown."""
    try:
        lines = _tree_lines(read_tree(as_utf8(source.data), language=source.family.value), "", 0)
        kept = list(islice(lines, _MOST_TREE_LINES + 1))
    except RecursionError as error:
        raise NotShown("Nested too deeply to be compared by key.") from error
    if len(kept) > _MOST_TREE_LINES:
        raise NotShown(f"More than {_MOST_TREE_LINES:,} values: too many to be compared by key.")
    return reveal("\n".join(kept))


def _tree_lines(node: Node, label: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST_TREE:
        raise NotShown("Nested too deeply to be compared by key.")
    indent = "  " * depth
    if not isinstance(node, Branch) or not node.items:
        yield f"{indent}{label}{node.brackets if isinstance(node, Branch) else node.text}"
        return
    yield f"{indent}{label}{node.brackets[0]}"
    items = sorted(node.items, key=itemgetter(0)) if node.brackets == "{}" else node.items
    for key, child in items:
        yield from _tree_lines(child, "" if key is None else f"{key}: ", depth + 1)
    yield f"{indent}{node.brackets[1]}"
