"""Finds the page of a large file on which a quote stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from comparator.domain.pair.view import Family
from comparator.outputs.preview.code import WINDOW
from comparator.outputs.preview.pdf import find_page
from comparator.outputs.preview.render import is_text
from comparator.outputs.preview.tables import ROWS
from comparator.outputs.preview.text import page_of
from comparator.outputs.tables.store import MEDIA_TYPE, StoredTable, column_letters

_MOST_WORDS = 80
_FORMULA = re.compile(r"\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=.*?)\s*", re.DOTALL)
_UNREAD = re.compile(r"[\W_]+")
_LEAST = 3
"""Letters and digits that a line of a quote needs to be looked for by itself."""


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
    if media_type == MEDIA_TYPE:
        return _find_rows(text, StoredTable(data), numbered=family is Family.XLSX)
    if not is_text(media_type):
        return None
    words = text.split()[:_MOST_WORDS]
    if not words:
        return None
    match = re.search(rb"\s+".join(re.escape(word.encode("utf-8", "replace")) for word in words), data)
    return None if match is None else QuotePlace("source", page_of(data, match.start(), size=WINDOW))


def _find_rows(text: str, table: StoredTable, *, numbered: bool) -> QuotePlace | None:
    """The sheet and page whose rows hold the quote. Only letters and digits count: cells stand between bars in it.

    A formula is quoted with its cell. Where `numbered`, a row's number may stand before it, and its names are a row.
    """
    formula = _FORMULA.fullmatch(text)
    # The whole quote first; then the longest of its lines, for a quote that names its sheet or leaves rows out.
    lines = sorted({_letters(line) for line in text.splitlines()}, key=len, reverse=True)
    quotes = [quote for quote in dict.fromkeys((_letters(text), *lines[:3])) if len(quote) >= _LEAST]
    sheets = []
    for sheet in table.sheets:
        rows = table.rows(sheet, int(sheet.headed and not numbered))
        sheets.append([_letters(" ".join(row)) for row in rows["cells"].to_pylist()])
        for row, formulas in enumerate(rows["formulas"].to_pylist() if formula else ()):
            for column, own in enumerate(formulas or (), 1):
                place = f"{column_letters(column)}{row + 1}"
                if formula and place == formula[1] and _bare(own) == _bare(formula[2]):
                    return QuotePlace("view", row // ROWS + 1, len(sheets))
    for quote in quotes:
        for number, words in enumerate(sheets, 1):
            for own in ([f"{n}{row}" for n, row in enumerate(words, 1)], words) if numbered else (words,):
                at = "".join(own).find(quote)
                if at >= 0:
                    ends = list(accumulate(map(len, own)))
                    return QuotePlace("view", bisect_right(ends, at) // ROWS + 1, number)
    return None


def _bare(formula: str) -> str:
    return "".join(formula.split())


def _letters(text: str) -> str:
    return _UNREAD.sub("", text).lower()
