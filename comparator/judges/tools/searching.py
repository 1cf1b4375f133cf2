"""The tool `search`."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.pair.examination import SeenUnits
from comparator.judges.tools.arguments import Search
from comparator.judges.tools.material import Material, PlacedFile
from comparator.judges.tools.reading import seen_of
from comparator.judges.tools.reply import AnswerPage, ToolReply
from comparator.judges.tools.texts import Text, texts_of
from comparator.outputs.examine.lines import Pattern, around

_SHOWN = 300
_MOST_SEARCHED = 600_000_000
"""Bytes of text that one search goes through. A limit of time would give another answer each time."""


def search(material: Material, asked: Search) -> ToolReply:
    """The lines with a text or pattern, by file, and how many there are. Raises InputError."""
    pattern = Pattern(asked.text, regex=asked.pattern, match_case=asked.match_case)
    if asked.file is not None and asked.side is None:
        raise InputError("`file` needs `side`: say in which output it is.")
    files = (
        [material.file(asked.side, asked.file)]
        if asked.side is not None and asked.file is not None
        else list(material.files(asked.side))
    )
    page, seen = AnswerPage(), list[SeenUnits]()
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
            texts = texts_of(material, placed)
        except InputError:
            unread.append(where)
            continue
        for sheet, text in enumerate(texts, 1):
            hits, total = text.find(pattern, most=asked.most - lines)
            lines += len(hits)
            for line, hit in hits:
                if page.add(f"{where}{_place(text, sheet, line.part)} | line {line.number:,}: "
                            f"{around(line.text, hit.at, width=_SHOWN)}"):  # fmt: skip
                    seen.append(_seen(placed, text, line.number, sheet))
            if total > len(hits):
                page.add(f"{where}{_place(text, sheet, 0)} | {total:,} lines in all")
    if unread:
        page.end(f"Could not be searched: {', '.join(unread)[:2_000]}.")
    return ToolReply(page.text or f"Found in none of {len(files):,} files.", seen=tuple(seen))


def _seen(placed: PlacedFile, text: Text, number: int, sheet: int) -> SeenUnits:
    return seen_of(placed, text, number, number, sheet=sheet)


def _place(text: Text, sheet: int, part: int) -> str:
    if text.name:
        return f" | sheet {sheet} “{text.name}”"
    return f" | {text.part} {part}" if part else ""
