"""Finds the page of a large file on which a quote stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from comparator.domain.pair.view import Family
from comparator.outputs.preview.pdf import find_page
from comparator.outputs.preview.render import is_text
from comparator.outputs.preview.tables.locate_rows import find_rows
from comparator.outputs.preview.tables.paging import is_table
from comparator.outputs.preview.text import as_utf8, page_of
from comparator.outputs.preview.written.code import WINDOW

_MOST_WORDS = 80


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Which of the two views shows the quote, and on which of its pages."""

    mode: Literal["view", "source"]
    page: int
    sheet: int | None = None
    """The sheet of a workbook, counted from 1."""


def locate(text: str, *, family: Family, media_type: str, data: bytes) -> QuotePlace | None:
    """Where `text` stands in a blinded copy, white space apart; None where it is not found.

    Text is found in the source view, whose pages follow its bytes; the words of a PDF and of a table in the view.
    """
    if media_type == "application/pdf":
        page = find_page(data, text)
        return None if page is None else QuotePlace("view", page)
    if family in (Family.XLSX, Family.PARQUET) and is_table(family, media_type):
        found = find_rows(text, data, family=family)
        return None if found is None else QuotePlace("view", found.page, found.sheet)
    if not is_text(media_type) or family in (Family.XLSX, Family.PARQUET):
        return None
    words = text.split()[:_MOST_WORDS]
    if not words:
        return None
    content = as_utf8(data)
    match = re.search(rb"\s+".join(re.escape(word.encode("utf-8", "replace")) for word in words), content)
    return None if match is None else QuotePlace("source", page_of(content, match.start(), size=WINDOW))
