"""The tools `list` and `read`."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.pair.examination import SeenUnits
from comparator.domain.pair.view import Family, ViewedFile
from comparator.judges.tools.arguments import ListFiles, Read
from comparator.judges.tools.material import Material, PlacedFile, place_in_words
from comparator.judges.tools.reply import AnswerPage, ToolReply
from comparator.judges.tools.texts import LONGEST_LINE, NumberedLine, Text, text_of
from comparator.outputs.examine.opened import OpenedFile

_UNITS = {"pages": "page", "slides": "slide"}
_MOST_LISTED = 300


def list_files(material: Material, asked: ListFiles) -> ToolReply:
    """Files with what is known of them, or the parts of one file. Raises InputError."""
    if asked.file is not None:
        if asked.side is None:
            raise InputError("`file` needs `side`: say in which output it is.")
        placed = material.file(asked.side, asked.file)
        return ToolReply("\n".join(_parts(material, placed)))
    files = list(material.files(asked.side))
    where = place_in_words(asked.side) if asked.side else "all"
    page = AnswerPage(f"{len(files):,} files in {where}:")
    for number, placed in enumerate(files[asked.first - 1 :], asked.first):
        if number >= asked.first + _MOST_LISTED or not page.add(
            f"{number}. {placed.place}: {_about(placed.file)}"
        ):
            page.end(f"… {len(files) - number + 1:,} more: ask with first={number}.")
            break
    if material.pair.set_aside:
        page.add(f"Set aside, not judged, of either output: {'; '.join(material.pair.set_aside)}")
    return ToolReply(page.text)


def read(material: Material, asked: Read) -> ToolReply:
    """The lines that are asked for, as many as fit. Raises InputError."""
    placed = material.file(asked.side, asked.file)
    text = text_of(material, placed, sheet=asked.sheet)
    first, last = _span(text, placed, asked)
    if first > len(text):
        raise InputError(f"It has {len(text):,} lines; there is no line {first:,}.")
    page = AnswerPage(
        f"{place_in_words(placed.place)}, {placed.file.name}{_of(text, asked.sheet)}: {len(text):,} lines in all"
    )
    part, reached = 0, first - 1
    for line in text.lines(first, last):
        if line.part != part:
            part = line.part
            if not page.add(f"[{text.part} {part}]"):
                break
        if not page.add(_numbered(line, asked.at)):
            break
        reached = line.number
    if reached < last:
        page.end(f"… lines {reached + 1:,} to {last:,} did not fit: ask with first={reached + 1}.")
    # From the middle of its lines on, a file was not seen whole.
    seen = () if asked.at > 1 else (seen_of(placed, text, first, reached, sheet=asked.sheet),)
    return ToolReply(page.text, seen=seen)


def seen_of(placed: PlacedFile, text: Text, first: int, last: int, *, sheet: int) -> SeenUnits:
    """That lines `first` to `last` of a text were seen."""
    part = str(sheet) if text.name or sheet > 1 else ""
    return SeenUnits(
        place=placed.place, file=placed.file.name, first=first, last=last, total=max(len(text), 1), part=part
    )


def _span(text: Text, placed: PlacedFile, asked: Read) -> tuple[int, int]:
    last = asked.last if asked.last is not None else 10**9
    if asked.unit in _UNITS:
        if text.part != _UNITS[asked.unit]:
            raise InputError(f"“{placed.file.name}” has no {asked.unit}. Read it by lines.")
        # Without an end one page is meant, not the rest of the document.
        return text.span(asked.first, asked.first if asked.last is None else last)
    return asked.first, min(max(last, asked.first), len(text))


def _of(text: Text, sheet: int) -> str:
    return f", sheet {sheet} “{text.name}”" if text.name else ""


def _numbered(line: NumberedLine, at: int) -> str:
    shown = line.text[at - 1 : at - 1 + LONGEST_LINE]
    left = len(line.text) - (at - 1 + len(shown))
    more = f"… {left:,} more characters: ask with at={at + len(shown)}" if left > 0 else ""
    return f"{line.number}: {shown}{more}"


def _about(file: ViewedFile) -> str:
    notes = f" ({' '.join(file.notes)})" if file.notes else ""
    return f"{file.name} | {file.family.value} | {file.size:,} bytes{notes}"


def _parts(material: Material, placed: PlacedFile) -> Iterator[str]:
    yield _about(placed.file)
    if placed.page is not None:
        for picture in placed.page.pictures:
            yield f"Seen in a window {picture.width} pixels wide: {len(picture.tiles)} pictures from the top."
    if placed.file.printed is not None and placed.file.printed.total:
        yield f"Printed to {counted(placed.file.printed.total, 'page')}, which look shows."
    opened = material.open(placed)
    if opened.sheets:
        yield from _sheets(opened)
        return
    lines = sum(map(len, opened.parts))
    yield f"{len(opened.parts):,} {opened.part}s, {lines:,} lines" if opened.part else f"{lines:,} lines"
    if placed.file.family in (Family.CSV, Family.JSON) and lines:
        try:
            columns = material.opener.columns(placed.file, placed.copy)
        except InputError:
            return
        yield f"{len(columns):,} rows; columns: {', '.join(columns.names)[:4_000]}"


def _sheets(opened: OpenedFile) -> Iterator[str]:
    for number, sheet in enumerate(opened.sheets, 1):
        facts = f" {' '.join(sheet.facts)[:1_000]}" if sheet.facts else ""
        yield f"Sheet {number} “{sheet.name}”: {len(sheet.lines):,} rows, {sheet.width:,} columns.{facts}"
        if sheet.width:
            yield f"  columns: {', '.join(sheet.columns.names)[:2_000]}"
