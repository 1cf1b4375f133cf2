"""How much of what is in an output: words, headings, tables and so on, counted in its text as judges read it."""

from __future__ import annotations

import re
from collections import Counter

from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, ImageBlock, OutputView, ViewedFile

_HEADING = re.compile(r"^[ \t]{0,3}#{1,6} ", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)]) ", re.MULTILINE)
# The line under a table's head: dashes and bars, nothing else.
_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_LINK = re.compile(r"https?://[^\s<>\"')\]]+")
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\(|\[picture")
_PAGE = re.compile(r"^\[page \d+\]$", re.MULTILINE)
_TABLES = {Family.CSV, Family.PARQUET}
_CODE = {Family.CODE}


class Measures(Frozen):
    """Counts of one output; `families` is how many files of each kind it has."""

    characters: int
    words: int
    headings: int
    list_items: int
    tables: int
    code_blocks: int
    links: int
    pictures: int
    pages: int
    families: dict[str, int]


def measures_of(view: OutputView) -> Measures:
    """The counts over all files of an output."""
    texts = [file.text for file in view.files]
    return Measures(
        characters=sum(map(len, texts)),
        words=sum(len(text.split()) for text in texts),
        headings=_count(_HEADING, texts),
        list_items=_count(_ITEM, texts),
        tables=sum("|" in rule for text in texts for rule in _RULE.findall(text))
        + sum(file.family in _TABLES for file in view.files),
        code_blocks=sum(len(_FENCE.findall(text)) // 2 for text in texts)
        + sum(file.family in _CODE for file in view.files),
        links=_count(_LINK, texts),
        pictures=sum(map(_pictures, view.files)),
        pages=sum(map(_pages, view.files)),
        families=dict(sorted(Counter(file.family.value for file in view.files).items())),
    )


def _count(pattern: re.Pattern[str], texts: list[str]) -> int:
    return sum(1 for text in texts for _ in pattern.finditer(text))


def _pictures(file: ViewedFile) -> int:
    if file.family in (Family.IMAGE, Family.SVG):
        return 1
    if file.family is Family.PDF:
        # A judge gets pictures of its pages; those are no pictures in it.
        return 0
    shown = sum(isinstance(block, ImageBlock) for block in file.blocks)
    return max(shown, len(_PICTURE.findall(file.text)))


def _pages(file: ViewedFile) -> int:
    if file.printed is not None and file.printed.total:
        return file.printed.total
    return len(_PAGE.findall(file.text)) if file.family is Family.PDF else 0
