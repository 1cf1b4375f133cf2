"""The tools and their answers: list, read, search, table, look and compare."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import repeat
from typing import Any, NamedTuple

from comparator.domain.counted import counted
from comparator.domain.errors import InputError, OutputRefused
from comparator.domain.pair.view import Family, PageEvidence, ViewedFile
from comparator.judges.prompts import bare
from comparator.judges.tools.arguments import Arguments, Compare, ListFiles, Look, Read, Search, Table
from comparator.judges.tools.material import (
    LONGEST_LINE,
    AnswerPage,
    Material,
    PlacedFile,
    ToolReply,
    place_in_words,
    text_of,
)
from comparator.outputs.examine.lines import Pattern, around, changed_in_line, indented, json_paths
from comparator.outputs.examine.opened import NumberedLine, Text
from comparator.outputs.examine.query import aggregate, select

MOST_COMPARED = 32_000_000
_UNITS = {"pages": "page", "slides": "slide"}
_MOST_LISTED = 300
_LONGEST_COMPARED = 400
_MOST_PLACES = 40
_FEW = 5
"""Files that differ of which the differences are told at once."""
_LONGEST_CELL = 500
_SHOWN = 300
_MOST_SEARCHED = 600_000_000
"""Bytes of text that one search goes through. A limit of time would give another answer each time."""


def list_files(material: Material, arguments: ListFiles) -> ToolReply:
    """Files with what is known of them, or the parts of one file. Raises InputError."""
    if arguments.file is not None:
        if arguments.side is None:
            raise InputError("`file` needs `side`: say in which output it is.")
        return ToolReply("\n".join(_parts(material, material.file(arguments.side, arguments.file))))
    files = list(material.files(arguments.side))
    where = place_in_words(arguments.side) if arguments.side else "all"
    page = AnswerPage(f"{len(files):,} files in {where}:")
    start = arguments.first - 1
    listed = enumerate(files[start : start + _MOST_LISTED], arguments.first)
    page.fill(
        (f"{number}. {placed.place}: {_file_line(placed.file)}" for number, placed in listed),
        first=arguments.first,
        total=len(files),
    )
    if material.pair.set_aside:
        page.add(f"Set aside, not judged, of either output: {'; '.join(material.pair.set_aside)}")
    return ToolReply(page.text)


def read(material: Material, arguments: Read) -> ToolReply:
    """The lines that are asked for, as many as fit. Raises InputError."""
    placed = material.file(arguments.side, arguments.file)
    text = text_of(material, placed, sheet=arguments.sheet)
    first, last = _span(text, placed, arguments)
    if first > len(text):
        raise InputError(f"It has {len(text):,} lines; there is no line {first:,}.")
    sheet = f", sheet {arguments.sheet} “{text.name}”" if text.name else ""
    page = AnswerPage(
        f"{place_in_words(placed.place)}, {placed.file.name}{sheet}: {len(text):,} lines in all"
    )
    part, reached = 0, first - 1
    for line in text.lines(first, last):
        if line.part != part:
            part = line.part
            if not page.add(f"[{text.part} {part}]"):
                break
        if not page.add(_line_in_words(line, arguments.at)):
            break
        reached = line.number
    if reached < last:
        page.end(f"… lines {reached + 1:,} to {last:,} did not fit: ask with first={reached + 1}.")
    return ToolReply(page.text)


def search(material: Material, arguments: Search) -> ToolReply:
    """The lines with a text or pattern, by file, and how many there are. Raises InputError."""
    pattern = Pattern(arguments.text, regex=arguments.pattern, match_case=arguments.match_case)
    if arguments.file is not None and arguments.side is None:
        raise InputError("`file` needs `side`: say in which output it is.")
    files = (
        [material.file(arguments.side, arguments.file)]
        if arguments.side is not None and arguments.file is not None
        else list(material.files(arguments.side))
    )
    page = AnswerPage()
    searched = lines = 0
    unread: list[str] = []
    for placed in files:
        where = f"{placed.place}: {placed.file.name}"
        if pattern.stands_in(placed.file.name):
            page.add(f"{where} | the name of the file")
        searched += placed.copy.size if placed.copy else placed.file.size
        if searched > _MOST_SEARCHED:
            page.end(f"Not searched, for its size: {where} and what follows. Ask with side and file.")
            break
        try:
            texts = material.texts(placed)
        except InputError:
            unread.append(where)
            continue
        for sheet, text in enumerate(texts, 1):
            in_sheet = f" | sheet {sheet} “{text.name}”" if text.name else ""
            hits, total = text.find(pattern, most=arguments.most - lines)
            lines += len(hits)
            for line, at in hits:
                part = in_sheet or (f" | {text.part} {line.part}" if line.part else "")
                excerpt = around(line.text, at, width=_SHOWN)
                page.add(f"{where}{part} | line {line.number:,}: {excerpt}")
            if total > len(hits):
                page.add(f"{where}{in_sheet} | {total:,} lines in all")
    if unread:
        page.end(f"Could not be searched: {', '.join(unread)[:2_000]}.")
    return ToolReply(page.text or f"Found in none of {len(files):,} files.")


def table(material: Material, arguments: Table) -> ToolReply:
    """Rows or figures of a table. Raises InputError."""
    placed = material.file(arguments.side, arguments.file)
    columns = material.opener.columns(placed.file, placed.copy, sheet=arguments.sheet)
    grouped = bool(arguments.group_by or arguments.figures)
    window: dict[str, Any] = {name: getattr(arguments, name) for name in ("where", "sort", "first", "most")}
    if grouped:
        selection = aggregate(columns, arguments.figures, by=arguments.group_by, **window)
    else:
        selection = select(columns, columns=arguments.columns, **window)
    what = "groups" if grouped else "rows"
    page = AnswerPage(
        f"{place_in_words(placed.place)}, {placed.file.name}: {selection.total:,} {what} of {len(columns):,} rows"
    )
    page.add(" | ".join(["row", *map(_cell, selection.names)]))
    lines = (
        " | ".join([str(number), *map(_cell, row)])
        for number, row in zip(selection.numbers, selection.rows, strict=True)
    )
    page.fill(lines, first=arguments.first, total=selection.total)
    return ToolReply(page.text)


def look(material: Material, arguments: Look) -> ToolReply:
    """A picture of a page, slide or image, or of a web page in the window nearest in width. Raises InputError."""
    placed = material.file(arguments.side, arguments.file)
    where = f"{place_in_words(placed.place)}, {placed.file.name}"
    if placed.page is not None and placed.page.pictures:
        return _opened(placed.page, arguments, where)
    picture = material.opener.picture(placed.file, placed.copy, page=arguments.page, width=arguments.width)
    unit = "picture in it" if picture.embedded else "page"
    page_in_words = f", {unit} {arguments.page} of {picture.pages}" if picture.pages > 1 else ""
    return ToolReply(
        f"{where}{page_in_words}, {picture.width} by {picture.height} pixels:", picture=picture.block
    )


def compare(material: Material, arguments: Compare) -> ToolReply:
    """Which files differ, or which lines of two files, of JSON when both are indented alike. Raises InputError."""
    if arguments.file is None:
        return _differing_files(material, first=arguments.first)
    a = material.file(arguments.side, arguments.file)
    b = material.file(arguments.other_side, arguments.other or arguments.file)
    texts = [text_of(material, placed, sheet=arguments.sheet).plain() for placed in (a, b)]
    if max(map(len, texts)) > MOST_COMPARED:
        raise InputError(f"Files of up to {MOST_COMPARED:,} bytes are compared. Use search or table.")
    how = ""
    if a.file.family is b.file.family is Family.JSON:
        with suppress(OutputRefused):
            texts = [indented(text) for text in texts]
            how = ", as indented JSON with sorted keys"
    changes = material.opener.differing(*texts)
    left, right = (text.decode("utf-8", "replace").split("\n") for text in texts)
    rows = changes[arguments.first - 1 :].tolist()
    paths: Iterable[tuple[str, str]] = repeat(("", ""))
    if how:
        paths = zip(
            json_paths(left, [row[0] for row in rows]),
            json_paths(right, [row[2] for row in rows]),
            strict=True,
        )
    page = AnswerPage(
        f"{len(changes):,} differences between {a.file.name} of {a.place} and {b.file.name} of {b.place}{how}"
    )
    lines = (
        f"{number}. {_difference(left, right, row, path)}"
        for number, (row, path) in enumerate(zip(rows, paths, strict=False), arguments.first)
    )
    page.fill(lines, first=arguments.first, total=len(changes))
    return ToolReply(page.text)


def _difference(left: list[str], right: list[str], row: list[int], path: tuple[str, str]) -> str:
    """Lines that differ, by where they begin and end on each side; of long ones also the places within."""
    start, end, other_start, other_end = row
    own, other = left[start:end], right[other_start:other_end]
    kind = "changed" if own and other else "removed" if own else "added"
    text_lines = [f"{kind} {path[not own]}".rstrip()]
    for sign, lines, first in (("-", own, start), ("+", other, other_start)):
        text_lines += [
            f"{sign} {n}: {_cut(line, _LONGEST_COMPARED)}" for n, line in enumerate(lines, first + 1)
        ]
    if len(own) == len(other):
        for n, (line, beside) in enumerate(zip(own, other, strict=True), start + 1):
            if max(len(line), len(beside)) > _LONGEST_COMPARED:
                places = changed_in_line(line, beside)[:_MOST_PLACES]
                text_lines += [f"line {n}, {place}" for place in places]
    return "\n".join(text_lines)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + "…"


def _cell(text: str) -> str:
    return _cut(" ".join(text.split()), _LONGEST_CELL)


def _span(text: Text, placed: PlacedFile, arguments: Read) -> tuple[int, int]:
    last = arguments.last if arguments.last is not None else 10**9
    if arguments.unit in _UNITS:
        if text.part != _UNITS[arguments.unit]:
            raise InputError(f"“{placed.file.name}” has no {arguments.unit}. Read it by lines.")
        # Without an end one page is meant, not the rest of the document.
        return text.span(arguments.first, arguments.first if arguments.last is None else last)
    return arguments.first, min(max(last, arguments.first), len(text))


def _line_in_words(line: NumberedLine, at: int) -> str:
    part = line.text[at - 1 : at - 1 + LONGEST_LINE]
    remaining = len(line.text) - (at - 1 + len(part))
    more = f"… {remaining:,} more characters: ask with at={at + len(part)}" if remaining > 0 else ""
    return f"{line.number}: {part}{more}"


def _file_line(file: ViewedFile) -> str:
    notes = f" ({' '.join(file.notes)})" if file.notes else ""
    return f"{file.name} | {file.family} | {file.size:,} bytes{notes}"


def _parts(material: Material, placed: PlacedFile) -> Iterator[str]:
    yield _file_line(placed.file)
    if placed.page is not None:
        for picture in placed.page.pictures:
            yield f"Seen in a window {picture.width} pixels wide: {len(picture.tiles)} pictures from the top."
    if placed.file.printed is not None and placed.file.printed.total:
        yield f"Printed to {counted(placed.file.printed.total, 'page')}, which look shows."
    texts = material.texts(placed)
    sheets = [(text, text.columns) for text in texts if text.columns is not None]
    for number, (sheet, columns) in enumerate(sheets, 1):
        facts = f" {' '.join(sheet.facts)[:1_000]}" if sheet.facts else ""
        width = len(columns.names)
        yield f"Sheet {number} “{sheet.name}”: {len(sheet):,} rows, {width:,} columns.{facts}"
        if width:
            yield f"  columns: {', '.join(columns.names)[:2_000]}"
    if sheets:
        return
    lines = sum(map(len, texts))
    parted = f"{texts[0].parts:,} {texts[0].part}s, " if texts and texts[0].part else ""
    yield f"{parted}{lines:,} lines"
    if placed.file.family in (Family.CSV, Family.JSON) and lines:
        try:
            columns = material.opener.columns(placed.file, placed.copy)
        except InputError:
            return
        yield f"{len(columns):,} rows; columns: {', '.join(columns.names)[:4_000]}"


def _opened(page: PageEvidence, arguments: Look, where: str) -> ToolReply:
    """A web page as it was photographed for both outputs; no other width is taken now, which would not be alike."""
    picture = min(page.pictures, key=lambda shot: (abs(shot.width - arguments.width), shot.width))
    if not picture.tiles or arguments.page > len(picture.tiles):
        raise InputError(f"At this width there are {len(picture.tiles)} pictures from the top.")
    cut = f" The page goes on below {picture.shown:,} pixels." if picture.is_cut else ""
    return ToolReply(
        f"{where}, in a {picture.device} window {picture.width} pixels wide, part {arguments.page} of "
        f"{len(picture.tiles)} from the top; the page is {picture.height:,} pixels high.{cut}",
        picture=picture.tiles[arguments.page - 1],
    )


def _differing_files(material: Material, *, first: int) -> ToolReply:
    a, b = ({placed.file.name: placed for placed in material.files(place)} for place in ("A", "B"))
    page = AnswerPage()
    both = [name for name in a if name in b]
    differing = [name for name in both if not _are_same_file(a[name], b[name])]
    page.add(f"{len(both) - len(differing):,} files are the same in both; {len(differing):,} differ.")
    named = [f"differs: {name}" for name in differing]
    named += [f"only in A: {name}" for name in a if name not in b]
    named += [f"only in B: {name}" for name in b if name not in a]
    page.fill(named[first - 1 :], first=first, total=len(named))
    for name in differing if len(differing) <= _FEW else ():
        # Pictures have no lines.
        with suppress(InputError):
            page.add(f"\n{compare(material, Compare(file=name)).text}")
    return ToolReply(page.text)


def _are_same_file(a: PlacedFile, b: PlacedFile) -> bool:
    if a.copy is not None and b.copy is not None:
        return a.copy.blob == b.copy.blob
    return a.copy is b.copy and a.file.blocks == b.file.blocks


class Tool(NamedTuple):
    """A tool: what it is asked, and what answers it."""

    arguments: type[Arguments]
    answer: Callable[..., ToolReply]


TOOLS_BY_NAME: Mapping[str, Tool] = {
    "list": Tool(ListFiles, list_files),
    "read": Tool(Read, read),
    "search": Tool(Search, search),
    "table": Tool(Table, table),
    "look": Tool(Look, look),
    "compare": Tool(Compare, compare),
}


@cache
def definitions() -> tuple[Mapping[str, Any], ...]:
    """The tools as the Messages API takes them: name, description and the JSON schema of the arguments."""
    # Worked out once: it takes longer than all else that a request needs.
    return tuple(
        {
            "name": name,
            "description": " ".join((tool.arguments.__doc__ or "").split()),
            "input_schema": bare(tool.arguments.model_json_schema()),
        }
        for name, tool in TOOLS_BY_NAME.items()
    )
