"""Which column of a table is which: as it is said, by our names in any case, or by those of preference sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from comparator.interop.read.text import UnreadableImport

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


def _folded(name: str) -> str:
    return name.strip().casefold()
