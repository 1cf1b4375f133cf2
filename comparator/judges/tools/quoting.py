"""Quotes from parts of files that a view has no room for: looked up in the whole files, with their place."""

from __future__ import annotations

import re

from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.examination import Place
from comparator.domain.scoring.judgment import Answer, Mark, Quote
from comparator.judges.quotes import SUBSTANCE
from comparator.judges.tools.material import PLACES, Material, PlacedFile, Text, texts_of
from comparator.outputs.examine.lines import LONGEST_PATTERN, Pattern

_MOST_HITS = 200
_SHORT_LINE = 4
_PIECES = re.compile(r"\s*[|\t]\s*|\s*(?:…|\.\.\.)\s*")
_NUMBERED = re.compile(r"^\s*(?:[-+] )?\d{1,9}(?:: | \| )")
"""What tools put before lines, lines that differ, and rows of a table."""
_LOOSE = re.compile(r"[\s|,;\"'“”‘’*_`#>…]+")


def verified(answer: Answer, material: Material) -> Answer:
    """The answer with each quote that the views do not hold looked up in the whole files of its output.

    One that stands in the input files or the reference is found there: tools return those as well.
    """
    known: dict[tuple[Label, str, str], Quote] = {}

    def found(label: Label, quote: Quote) -> Quote:
        if quote.found:
            return quote
        key = (label, quote.file, quote.text)
        if key not in known:
            known[key] = _looked_up(quote, label, material)
        return known[key]

    def mark(label: Label, given: Mark) -> Mark:
        return given.model_copy(update={"quotes": tuple(found(label, quote) for quote in given.quotes)})

    criteria = {
        path: PerOutput[Mark](A=mark(Label.A, both.A), B=mark(Label.B, both.B))
        for path, both in answer.criteria.items()
    }
    return answer.model_copy(update={"criteria": criteria})


def _looked_up(quote: Quote, label: Label, material: Material) -> Quote:
    if len("".join(quote.text.split())) < SUBSTANCE:
        return quote
    sides: tuple[Place, ...] = (label.value, *(place for place in PLACES if place not in ("A", "B")))
    for placed in _candidates(quote.file, sides, material):
        try:
            texts = texts_of(material, placed)
        except InputError:
            continue
        for number, text in enumerate(texts, 1):
            if place := _place(text, number, quote.text):
                # Words of an input file are no words of the output: the file says where they stand.
                where = place if placed.place == label.value else f"{placed.place}, {place}"
                return quote.model_copy(update={"file": placed.file.name, "found": True, "place": where})
    return quote


def _candidates(name: str, sides: tuple[Place, ...], material: Material) -> list[PlacedFile]:
    """The files that are meant by the name, those of the output first; all where no file has that name."""
    files = [placed for side in sides for placed in material.files(side)]
    last = name.strip().rstrip("/").rpartition("/")[2].casefold()
    named = [placed for placed in files if placed.file.name.rpartition("/")[2].casefold() == last]
    return named or files


def _place(text: Text, sheet: int, quote: str) -> str:
    """Where a quote stands in a text, as people say it; empty where it does not."""
    given = [line for line in quote.splitlines() if line.strip()]
    # A number in front may be the file's own.
    bare = [_NUMBERED.sub("", line) for line in given]
    return _place_of(text, sheet, given) or (_place_of(text, sheet, bare) if bare != given else "")


def _place_of(text: Text, sheet: int, lines: list[str]) -> str:
    wanted = _loose("\n".join(lines))
    if len(wanted) < SUBSTANCE:
        return ""
    pieces = [piece for line in lines for piece in _PIECES.split(line) if len(piece) >= _SHORT_LINE]
    key = max(pieces or lines, key=len).strip()[:LONGEST_PATTERN]
    try:
        hits, _ = text.find(Pattern(key, regex=False, match_case=True), most=_MOST_HITS)
    except InputError:
        return ""
    for line, _ in hits:
        first, last = max(line.number - len(lines), 1), line.number + len(lines)
        if wanted in _loose("\n".join(each.text for each in text.lines(first, last))):
            if text.name:
                return f"sheet {sheet} “{text.name}”, row {line.number:,}"
            part = f"{text.part} {line.part:,}, " if line.part else ""
            return f"{part}line {line.number:,}"
    return ""


def _loose(text: str) -> str:
    """A text without what a table's cells and a prose's marks are told apart by."""
    return _LOOSE.sub("", text)
