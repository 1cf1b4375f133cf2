"""The tool `compare`."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.pair.examination import SeenUnits
from comparator.domain.pair.view import Family
from comparator.judges.tools.arguments import Compare
from comparator.judges.tools.material import Material, PlacedFile
from comparator.judges.tools.reading import seen_of
from comparator.judges.tools.reply import AnswerPage, ToolReply
from comparator.judges.tools.texts import NumberedLine, text_of
from comparator.outputs.examine.changed import changed_in_line, changed_values

MOST_COMPARED = 32_000_000
_LONGEST_LINE = 400
_MOST_PLACES = 40
_FEW = 5
"""Files that differ of which the differences are told at once."""


def compare(material: Material, asked: Compare) -> ToolReply:
    """Which files differ, or what in two files: values of JSON by their paths, else lines. Raises InputError."""
    if asked.file is None:
        return _files(material)
    a = material.file(asked.side, asked.file)
    b = material.file(asked.other_side, asked.other or asked.file)
    left, right = (text_of(material, placed, sheet=asked.sheet) for placed in (a, b))
    texts = [text.plain() for text in (left, right)]
    if max(map(len, texts)) > MOST_COMPARED:
        raise InputError(f"Files of up to {MOST_COMPARED:,} bytes are compared. Use search or table.")
    between = f"differences between {a.file.name} of {a.place} and {b.file.name} of {b.place}"
    if a.file.family is b.file.family is Family.JSON and (values := changed_values(*texts)) is not None:
        page = AnswerPage(f"{len(values):,} {between}, by path:")
        for number, value in enumerate(values[asked.first - 1 :], asked.first):
            if not page.add(f"{number}. {value}"):
                page.end(f"… {len(values) - number + 1:,} more: ask with first={number}.")
                break
        # Values that are the same were not seen.
        return ToolReply(
            page.text,
            seen=tuple(
                SeenUnits(place=placed.place, file=placed.file.name, first=1, last=1, total=2, part="values")
                for placed in (a, b)
                if values
            ),
        )
    changes = material.opener.differing(*texts)
    page = AnswerPage(f"{len(changes):,} {between}")
    seen = []
    for number, ends in enumerate(changes[asked.first - 1 :].tolist(), asked.first):
        sides = ((a, left, ends[:2], "-"), (b, right, ends[2:], "+"))
        own, other = ([*text.lines(start + 1, end)] for _, text, (start, end), _ in sides)
        shown = [
            f"{number}. {_kind(*ends)}",
            *(_line(line, "-") for line in own),
            *(_line(line, "+") for line in other),
        ]
        if len(own) == len(other) == 1 and max(len(own[0].text), len(other[0].text)) > _LONGEST_LINE:
            shown += changed_in_line(own[0].text, other[0].text)[:_MOST_PLACES]
        if not page.add("\n".join(shown)):
            page.end(f"… {len(changes) - number + 1:,} more: ask with first={number}.")
            break
        for placed, text, (start, end), _ in sides:
            if end > start:
                seen.append(seen_of(placed, text, start + 1, end, sheet=asked.sheet))
    return ToolReply(page.text, seen=tuple(seen))


def _kind(a: int, a_end: int, b: int, b_end: int) -> str:
    if a == a_end:
        return "added"
    return "removed" if b == b_end else "changed"


def _line(line: NumberedLine, sign: str) -> str:
    return f"{sign} {line.number}: {line.text[:_LONGEST_LINE]}{'…' if len(line.text) > _LONGEST_LINE else ''}"


def _files(material: Material) -> ToolReply:
    a, b = ({placed.file.name: placed for placed in material.files(place)} for place in ("A", "B"))
    page = AnswerPage()
    both = [name for name in a if name in b]
    same = [name for name in both if _alike(a[name], b[name])]
    page.add(f"{len(same):,} files are the same in both; {len(both) - len(same):,} differ.")
    named = [f"differs: {name}" for name in both if name not in set(same)]
    named += [f"only in A: {name}" for name in a if name not in b]
    named += [f"only in B: {name}" for name in b if name not in a]
    for number, line in enumerate(named):
        if not page.add(line):
            page.end(f"… {len(named) - number:,} more.")
            break
    seen: list[SeenUnits] = []
    differing = [name for name in both if name not in set(same)]
    for name in differing if len(differing) <= _FEW else ():
        try:
            reply = compare(material, Compare(file=name))
        except InputError:
            # Pictures have no lines.
            continue
        if page.add(f"\n{reply.text}"):
            seen += reply.seen
    return ToolReply(page.text, seen=tuple(seen))


def _alike(a: PlacedFile, b: PlacedFile) -> bool:
    if a.copy is not None and b.copy is not None:
        return a.copy.blob == b.copy.blob
    return a.copy is b.copy and a.file.blocks == b.file.blocks
