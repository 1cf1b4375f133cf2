"""Columns and rows of tables. Which column is which: as it is said, by our names, or by those of preference sets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from comparator.interop.read.text import ReadRow, UnreadableImport
from comparator.outputs.tables.delimited import Delimited

COLUMNS = (
    "prompt",
    "output_a",
    "output_b",
    "expectations",
    "candidate_a",
    "candidate_b",
    "task_id",
    "tags",
    "label",
    "label_author",
    "label_kind",
    "label_blind",
    "reference",
)
REQUIRED = COLUMNS[:3]
RUN_COLUMNS = ("workspace", "iteration", "model", "skill_hash", "repetition", "file", "void")
"""What may be told of each run beside its candidate's name, in columns that end in _a and _b, as our export does."""
RUN_NUMBERS = ("input_tokens", "output_tokens", "total_tokens", "seconds")
MORE_COLUMNS = (
    *("title", "task_version"),
    *(f"{name}_{side}" for name in (*RUN_COLUMNS, *RUN_NUMBERS) for side in "ab"),
)
"""Columns that can be mapped too, and that few tables have."""
LONGEST_HEADER = 100_000
"""Characters of the first line; the names of columns are shorter by far."""
CHOSEN = {"output_a": "chosen", "output_b": "rejected"}
"""What preference sets call the two outputs: the first of them won."""


def resolved(given: Mapping[str, str], there: Collection[str]) -> dict[str, str]:
    """Our columns with the names that the table has for them: as `given`, else by our own name in any case.

    Where a table has `chosen` and `rejected` and no outputs, these are the outputs.
    """
    folded: dict[str, str] = {}
    for name in there:
        folded.setdefault(_folded(name), name)
    found: dict[str, str] = {}
    for ours in (*COLUMNS, *MORE_COLUMNS):
        wanted = given.get(ours, ours)
        known = wanted if wanted in there else folded.get(_folded(wanted))
        if known is not None or ours in given:
            found[ours] = known or wanted
    both = [folded.get(name) for name in CHOSEN.values()]
    if not set(CHOSEN) & set(found) and None not in both:
        found |= {ours: str(name) for ours, name in zip(CHOSEN, both, strict=True)}
    return found


def lacking(found: Mapping[str, str], there: Collection[str]) -> tuple[str, ...]:
    """The needed columns that the table does not have; chats may hold the prompt themselves."""
    needed = REQUIRED[1:] if is_chosen(found) else REQUIRED
    return tuple(ours for ours in needed if found.get(ours) not in there)


def is_chosen(found: Mapping[str, str]) -> bool:
    """Whether the outputs are those of a preference set, the first of which was chosen."""
    return all(_folded(found.get(ours, "")) == name for ours, name in CHOSEN.items())


def each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, empty ones as often as they stand there. Raises Unreadable where two columns have one name."""
    twice = [name for name, times in Counter(names).items() if name and times > 1]
    if twice:
        raise UnreadableImport(f"it has several columns called {twice[0]}; rename all but one")
    return names


def csv_header(text: str) -> tuple[str, ...]:
    """The names in the first row; empty where there are none. Raises UnreadableImport where it is none of a table, or
    two are the same.
    """
    match = re.search(r"[\r\n]", text)
    if (length := match.start() if match else len(text)) > LONGEST_HEADER:
        raise UnreadableImport(f"its first line has {length:,} characters; no table has such a header")
    cells = Delimited(text[: 2 * LONGEST_HEADER].encode("utf-8", "replace")).heading()
    return each_once(tuple(cell.strip() for cell in cells))


def csv_rows(text: str) -> Iterator[ReadRow]:
    """The rows below the header; a row with cells too many is told. Raises UnreadableImport as `csv_header`."""
    header = csv_header(text)
    if not header:
        return
    table = Delimited(text.encode("utf-8", "replace"))
    rows = table.rows()
    next(rows)
    for number, cells in enumerate(rows, start=1):
        if table.open_quote is not None and number + 1 >= table.open_quote:
            yield ReadRow(number, None, "the rest cannot be read: it begins a quote that is never closed")
            return
        if not any(cell.strip() for cell in cells):
            continue
        if any(cells[len(header) :]):
            yield ReadRow(number, None, f"it has {len(cells)} cells, the header has {len(header)}")
            continue
        # A spreadsheet writes no empty cells at a row's end, or too many.
        cells = [*cells, *[""] * (len(header) - len(cells))][: len(header)]
        named = zip(header, cells, strict=True)
        yield ReadRow(number, {name: cell for name, cell in named if cell != "" or name})


def _folded(name: str) -> str:
    return name.strip().casefold()
