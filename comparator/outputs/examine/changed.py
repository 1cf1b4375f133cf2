"""Where two texts differ beyond their lines: the places in a long line, and the values of JSON by their paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from comparator.outputs.differences.alignment import aligned

_PARTS = re.compile(r"\w+|\W")
_LONGEST = 120
"""Characters of a value or of what differs in a line."""
_NUMBER = re.compile(r'"\\u0000([^"]*)"')
"""A decimal number as `_text` marks it, apart from the same digits as a string."""


def changed_in_line(a: str, b: str) -> list[str]:
    """What differs in two lines, by its column in the first one, from 1.

    >>> changed_in_line("n: 4711, ok", "n: 4771, ok")
    ['column 4: "4711" | "4771"']
    """
    own, other = _PARTS.findall(a), _PARTS.findall(b)
    starts = [1]
    for part in own:
        starts.append(starts[-1] + len(part))
    return [
        f"column {starts[block.a]:,}: {_cut(own[block.a : block.a_end])} | {_cut(other[block.b : block.b_end])}"
        for block in aligned(own, other)
        if not block.same
    ]


def changed_values(a: bytes, b: bytes) -> list[str] | None:
    """What differs in two JSON texts: path and both values; None where one of them is none."""
    try:
        return list(_changed("$", *(json.loads(text, parse_float=Decimal) for text in (a, b))))
    except (ValueError, RecursionError):
        return None


def _changed(path: str, a: Any, b: Any) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            place = (
                f"{path}.{key}" if key.isidentifier() else f"{path}[{json.dumps(key, ensure_ascii=False)}]"
            )
            if key in a and key in b:
                yield from _changed(place, a[key], b[key])
            else:
                yield _only(place, a[key], "A") if key in a else _only(place, b[key], "B")
    elif isinstance(a, list) and isinstance(b, list):
        blocks = [(0, len(a), 0, len(b))]
        if len(a) != len(b):
            blocks = [
                (block.a, block.a_end, block.b, block.b_end)
                for block in aligned([*map(_text, a)], [*map(_text, b)])
                if not block.same
            ]
        for first, end, other, other_end in blocks:
            for n, m in zip_longest(range(first, end), range(other, other_end)):
                if n is None:
                    yield _only(f"{path}[{m}]", b[m], "B")
                elif m is None:
                    yield _only(f"{path}[{n}]", a[n], "A")
                else:
                    yield from _changed(f"{path}[{n}]", a[n], b[m])
    elif _text(a) != _text(b):
        yield f"{path}: {_value(a)} | {_value(b)}"


def _only(path: str, value: Any, side: str) -> str:
    return f"{path}: only in {side}: {_value(value)}"


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=lambda number: f"\0{number}")
    return _NUMBER.sub(r"\1", text)


def _value(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _cut(parts: list[str]) -> str:
    text = "".join(parts)
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…" ({len(text):,} characters)'
