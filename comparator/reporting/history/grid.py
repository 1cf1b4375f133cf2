"""How the outputs of comparisons begin, as judges and reviewers get them: enough to tell fifty of them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import sqlalchemy as sa
from markdown_it import MarkdownIt

from comparator.domain.errors import NotFound
from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import Family, OutputView, TextBlock
from comparator.outputs.snapshot import Blobs
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.pairs.outputs import get_views

BEGINNING = 160
"""Characters of an output."""
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
_WORDS = ("text", "code_inline", "code_block", "fence")
_TAGS = re.compile(r"<(style|script)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE)
"""What a page has beside its words: enough for a glance, and no parser of foreign markup."""


def output_starts(
    database: Database, blobs: Blobs, comparison_ids: Sequence[str]
) -> dict[str, PerOutput[str]]:
    """The first words of A and B by comparison, blinded; empty where an output has no text or is gone."""
    comparison = tables.comparison.c
    query = sa.select(comparison.id, comparison.view_a, comparison.view_b)
    with database.read() as connection:
        rows = connection.execute(query.where(comparison.id.in_(comparison_ids))).all()
        stored = get_views(connection, [view for row in rows for view in (row.view_a, row.view_b) if view])

    def start(view_id: str | None) -> str:
        content = stored[view_id].content if view_id in stored else None
        return _start(blobs.get, content) if content else ""

    return {row.id: PerOutput[str](A=start(row.view_a), B=start(row.view_b)) for row in rows}


# A view never changes.
@lru_cache(maxsize=4096)
def _start(read: Callable[[str], bytes], content: str) -> str:
    try:
        view = OutputView.model_validate_json(read(content))
    except NotFound:
        return ""
    for file in view.files:
        for block in file.blocks:
            if isinstance(block, TextBlock) and (
                words := " ".join(plain_words(block.text, file.family)[: BEGINNING * 10].split())
            ):
                return words[:BEGINNING]
    return ""


def plain_words(text: str, family: Family) -> str:
    """The words of a text, without what marks them up."""
    if family is Family.MARKDOWN:
        tokens = _MARKDOWN.parse(text[: BEGINNING * 20])
        leaves = (leaf for token in tokens for leaf in token.children or (token,))
        return " ".join(leaf.content for leaf in leaves if leaf.type in _WORDS)
    return _TAGS.sub(" ", text) if family in (Family.HTML, Family.SVG) else text
