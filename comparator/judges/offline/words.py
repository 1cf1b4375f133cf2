"""Words and literals of a text: what a prompt asks for, in a form that can be searched."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from comparator.domain.judgment import Quote
from comparator.domain.view import OutputView
from comparator.judges.quotes import QuoteIndex

_STOP_WORDS = """
    a about above after again against all also although always an and another any anything are around as ask at
    attached away back be because been before being below between both but by can cannot could did do does doing done
    down each either else every everything few file files first for from further get give given gives go had has have
    having he her here him his how i if in into is it its itself just keep kept least less let like made make makes
    many may me might more most much must my need needs neither never new no nor not nothing of off on once one only
    onto or other otherwise our out output over own per please put rather same save say says see set shall she should
    show shows since so some something still such take task than that the their them then there these they thing this
    those through to too two under until up upon use used user uses using very want was way we well were what when
    where whether which while who whole whom whose why will with within without word words would write written yet you
    your yours include includes including contain contains containing mention mentions provide provides exactly
    three four five correct correctly
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_EXTENSIONS = (
    "csv tsv json jsonl md txt py js ts tsx jsx html htm css xml yaml yml toml xlsx docx pptx pdf svg png jpg jpeg gif "
    "ipynb sql sh rs go java c h cpp rb php ini cfg log parquet zip"
)
_LITERAL = re.compile(
    r"`(?P<code>[^`\n]{1,80})`"
    r"|[\"“](?P<quoted>[^\"”“\n]{1,120})[\"”]"
    rf"|(?P<file>\b[\w-]{{1,80}}(?:/[\w.-]{{1,80}}){{0,10}}\.(?:{'|'.join(_EXTENSIONS.split())})\b)"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b)"
    r"|(?P<time>\b\d{1,2}:\d{2}(?::\d{2})?\b)"
    r"|(?P<name>\b[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?|\b\w+_\w+\b(?:\(\))?|\b[a-z]\w*\(\)|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b)"
    r"|(?P<number>(?<![\w.])\d(?:[\d,]*\d)?(?:\.\d+)?(?!\w))"
)
_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d(?:[\d,]*\d)?(?:\.\d+)?(?!\w)")


class LiteralKind(StrEnum):
    """What sort of literal a text names."""

    CODE = "code"
    QUOTED = "quoted"
    FILE = "file"
    DATE = "date"
    TIME = "time"
    NAME = "name"
    NUMBER = "number"


@dataclass(frozen=True)
class Literal:
    """Something that can be looked up letter by letter."""

    kind: LiteralKind
    text: str


def stem(word: str) -> str:
    """A word without its most usual English endings, so that "rows" finds "row".

    >>> stem("Summaries"), stem("checked"), stem("planning"), stem("named"), stem("name"), stem("class")
    ('summary', 'check', 'plan', 'nam', 'nam', 'class')
    """
    word = word.casefold().replace("’", "'").removesuffix("'s")
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + replacement
            doubled = ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "lsz"
            return word[:-1] if doubled else word.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def content_words(text: str) -> dict[str, str]:
    """The words that carry meaning, by their stems, each once, in order, as first written."""
    words = [match.group() for match in _WORD.finditer(text)]
    found: dict[str, str] = {}
    for word in words:
        if len(word) > 2 and word.casefold() not in _STOP:
            found.setdefault(stem(word), word)
    return found


def all_stems(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(stem(match.group()) for match in _WORD.finditer(text))


def literals(text: str) -> tuple[Literal, ...]:
    """Quoted and coded passages, file names, dates, times, identifiers and numbers of a text, each once, in order."""
    found = []
    for match in _LITERAL.finditer(text):
        kind = LiteralKind(match.lastgroup or "number")
        literal = match.group(kind.value).strip()
        if kind is LiteralKind.NUMBER and len(literal) == 1:
            continue
        if literal:
            found.append(Literal(kind, literal.rstrip(".")))
    return tuple(dict.fromkeys(found))


def numbers(text: str) -> tuple[Decimal, ...]:
    """All numbers of a text in order, thousands separators removed."""
    found = []
    for match in _NUMBER.finditer(text):
        try:
            found.append(Decimal(match.group().replace(",", "")))
        except InvalidOperation:
            continue
    return tuple(found)


class Haystack:
    """One output's text with what is needed to search it."""

    def __init__(self, view: OutputView) -> None:
        self.view = view
        self.text = "\n".join(file.text for file in view.files)
        self.readable = any(file.text.strip() for file in view.files)
        self._stems: frozenset[str] | None = None
        self._quotes = QuoteIndex(view)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all words of all files."""
        if self._stems is None:
            self._stems = all_stems(self.text)
        return self._stems

    def find(self, literal: Literal) -> Quote | None:
        """Where a literal stands, or None. Numbers are compared by value, file names with the files' names too."""
        if literal.kind is LiteralKind.FILE and any(f.name.endswith(literal.text) for f in self.view.files):
            return Quote(file=literal.text, text="")
        if literal.kind is LiteralKind.NUMBER:
            return self._find_number(literal.text)
        wanted = literal.text.removesuffix("()") if literal.kind is LiteralKind.NAME else literal.text
        quote = self._quotes.find("", wanted)
        return quote if quote.found else None

    def within(self, names: Collection[str]) -> Haystack:
        """The same for the files of these names only; for all of them if there is none."""
        files = tuple(file for file in self.view.files if any(file.name.endswith(name) for name in names))
        return Haystack(self.view.model_copy(update={"files": files})) if files else self

    def line_with(self, stems: Collection[str]) -> Quote | None:
        """The first line that holds the most of the given stems, at least half of them."""
        best: tuple[int, Quote] | None = None
        for file in self.view.files:
            position = 0
            for line in file.text.splitlines(keepends=True):
                text = line.strip()
                hits = len(all_stems(text).intersection(stems)) if text else 0
                if hits * 2 >= len(stems) and (best is None or hits > best[0]):
                    start = position + line.index(text)
                    cut = text[:300]
                    quote = Quote(file=file.name, text=cut, found=True, start=start, end=start + len(cut))
                    best = hits, quote
                position += len(line)
        return best[1] if best else None

    def _find_number(self, text: str) -> Quote | None:
        wanted = Decimal(text.replace(",", ""))
        for file in self.view.files:
            for match in _NUMBER.finditer(file.text):
                try:
                    value = Decimal(match.group().replace(",", ""))
                except InvalidOperation:
                    continue
                if value == wanted:
                    return Quote(
                        file=file.name, text=match.group(), found=True, start=match.start(), end=match.end()
                    )
        return None
