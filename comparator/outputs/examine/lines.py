"""What is looked for in lines, in linear time, and what is told of lines that were found or that differ."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz.distance import Postfix, Prefix

from comparator.domain.errors import InputError
from comparator.outputs.differences.text import align, sorted_json

LONGEST_PATTERN = 400
_SIGNS = re.compile(r"[\\.+*?()|\[\]{}^$]")


class Pattern:
    """What is looked for: words as they stand, or an RE2 pattern, which takes linear time whatever it is."""

    def __init__(self, text: str, *, regex: bool, match_case: bool) -> None:
        """Raises InputError for an empty or overlong text, or one that is no pattern of RE2."""
        if not text.strip() or len(text) > LONGEST_PATTERN:
            raise InputError(f"The search text has {len(text):,} characters. Use 1 to {LONGEST_PATTERN}.")
        if "\n" in text:
            raise InputError(
                "The search text has a line end. Search looks at each line by itself, so leave it out."
            )
        self._pattern = f"(?m:{text})" if regex else _SIGNS.sub(r"\\\g<0>", text)
        self._ignore_case = not match_case
        # A pattern that cannot be read is refused here, once.
        self.matching(pa.array([""]))

    def matching(self, lines: pa.Array) -> pa.BooleanArray:
        """Which of the lines it stands in."""
        return self._call("match_substring", lines)

    def counts(self, lines: pa.Array) -> pa.Array:
        """How often it stands in each line."""
        return self._call("count_substring", lines)

    def stands_in(self, text: str) -> bool:
        """Whether it stands in one line."""
        return bool(self.matching(pa.array([text]))[0].as_py())

    def first_in(self, lines: pa.Array) -> list[int]:
        """At which byte of each line it stands first."""
        return [int(at) for at in self._call("find_substring", lines).to_pylist()]

    def _call(self, name: str, lines: pa.Array) -> Any:
        try:
            return getattr(pc, f"{name}_regex")(lines, self._pattern, ignore_case=self._ignore_case)
        except pa.ArrowInvalid as error:
            raise InputError(
                "This pattern cannot be used: it follows RE2, which has no look-around and no "
                "back-references. Use a simpler pattern, or plain text."
            ) from error


def around(line: str, at: int, *, width: int) -> str:
    """The part of a line about byte `at` that is shown, in one line.

    >>> around("the total is 12", 4, width=300)
    'the total is 12'
    """
    start = max(len(line.encode()[:at].decode("utf-8", "ignore")) - width // 3, 0)
    cut = line[start : start + width]
    excerpt = re.sub(r"\s+", " ", cut).strip()
    return ("…" if start else "") + excerpt + ("…" if start + width < len(line.rstrip()) else "")


def count_in(texts: Iterable[str], pattern: Pattern) -> int:
    """How many times the pattern stands in all these texts together; one that crosses a line's end does not count."""
    lines = (pa.array(text.split("\n"), pa.string()) for text in texts)
    return sum(int(pc.sum(pattern.counts(line)).as_py() or 0) for line in lines)


_PARTS = re.compile(r"\d+|[^\W\d]+|\W")
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)": ')
_LONGEST = 120
"""Characters of what differs in a line."""


def changed_in_line(a: str, b: str) -> list[str]:
    """What differs in two lines, by its column in the first one, from 1; of a long word, all between its differences.

    >>> changed_in_line("n: 4711, ok", "n: 4771, ok")
    ['column 4: "4711" | "4771"']
    >>> changed_in_line("x" * 80_000, "x" * 50_000 + "yz" + "x" * 30_000)
    ['column 50,001: "" | "yz"']
    """
    own, other = _PARTS.findall(a), _PARTS.findall(b)
    starts = [*accumulate(map(len, own), initial=1)]
    places: list[str] = []
    for block in align(own, other):
        if block.same:
            continue
        left, right = "".join(own[block.a : block.a_end]), "".join(other[block.b : block.b_end])
        first = end = 0
        if min(len(left), len(right)) > _LONGEST:
            first = Prefix.similarity(left, right)
            end = Postfix.similarity(left[first:], right[first:])
        left, right = left[first : len(left) - end], right[first : len(right) - end]
        places.append(f"column {starts[block.a] + first:,}: {_quote(left)} | {_quote(right)}")
    return places


def indented(text: bytes) -> bytes:
    """JSON, indented and with its keys sorted. Raises OutputRefused."""
    return sorted_json(text).encode("utf-8", "replace")


def json_paths(lines: Sequence[str], wanted: Iterable[int]) -> Iterator[str]:
    """The path of what stands in each of these lines (from 0, ascending) of indented JSON.

    >>> list(json_paths(["{", '  "rows": [', "    1,", "    2", "  ]", "}"], [1, 3]))
    ['$.rows', '$.rows[1]']
    """
    steps: list[str | int] = []
    number = 0
    for last in wanted:
        for line in lines[number : last + 1]:
            text = line.lstrip()
            depth = (len(line) - len(text)) // 2
            if depth == 0 or text[:1] in ("]", "}"):
                del steps[depth:]
                continue
            key, before = _KEY.match(text), steps[depth - 1 : depth]
            index = before[0] + 1 if before and isinstance(before[0], int) else 0
            steps[depth - 1 :] = [key[1] if key else index]
        number = last + 1
        yield "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def _quote(text: str) -> str:
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…" ({len(text):,} characters)'
