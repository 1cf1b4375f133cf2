"""How many parts of a drawing are drawn: parts that refer to parts can grow without bound.

Only drawings in documents of ours are counted. A drawing by itself has a frame of its own; one that hangs is put away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

MOST = 200_000
"""A drawing of more parts is not drawn: so many plain shapes take Chromium some 5 seconds."""
_FILTER = 400
"""What a step of a filter counts for: it goes over every pixel."""
_DEEPEST = 300
_NAMED = re.compile(r"url\(\s*[\"']?#([^\"')\s]+)")
_REFERRED = re.compile(r"#([^\s\"'();,#]+)")
_MOVING = frozenset({"animate", "animatemotion", "animatetransform", "set"})
_REFERRING = frozenset({"href", "xlink:href", "values", "to", "from"})
_LINKS = frozenset({"a", "lineargradient", "radialgradient"})
_COLOURS = frozenset({"lineargradient", "radialgradient"})
_HANDED_DOWN = frozenset({"fill", "stroke", "style", "marker-start", "marker-mid", "marker-end"})


class Part(NamedTuple):
    """An element of a drawing; `parent` is the place of its parent among all, and -1 for an outermost one."""

    tag: str
    attributes: Mapping[str, str]
    parent: int
    text: str = ""


def too_many(parts: Sequence[Part]) -> bool:
    """Whether more parts are drawn than can be; the parents of parts come before them.

    >>> laughs = [Part("g", {"id": "a"}, -1), *(Part("use", {"href": "#a"}, 0) for _ in range(2))]
    >>> too_many(laughs), too_many(laughs[:1])
    (True, False)
    """
    children: list[list[int]] = [[] for _ in parts]
    ids: dict[str, int] = {}
    for number, part in enumerate(parts):
        if part.parent >= 0:
            children[part.parent].append(number)
        ids.setdefault(part.attributes.get("id", ""), number)
        if part.tag.lower() == "style" and ("\\" in part.text or _NAMED.search(part.text)):
            # What a style sheet repeats is not counted: the drawing is looked at by itself.
            return True
    # One that moves is drawn anew all the time.
    most = MOST / 10 if any(part.tag.lower() in _MOVING for part in parts) else MOST
    costs: dict[int, float] = {}

    def cost(number: int, depth: int) -> float:
        if depth > _DEEPEST:
            return MOST + 1.0
        if number not in costs:
            # What is used within itself is drawn by no browser, and cannot be counted.
            costs[number] = MOST + 1.0
            part = parts[number]
            inside = sum(cost(child, depth + 1) for child in children[number])
            tag = part.tag.lower()
            own = (_FILTER * _octaves(part) if tag.startswith("fe") else 1) + inside
            for name, value in part.attributes.items():
                refers = name in _REFERRING and tag not in _LINKS and not (tag in _MOVING and "href" in name)
                names = (_REFERRED if refers else _NAMED).findall(value)
                targets = [ids[each] for each in names if each in ids]
                times = own if name in _HANDED_DOWN else 1
                own += times * sum(
                    cost(target, depth + 1) for target in targets if parts[target].tag.lower() not in _COLOURS
                )
            costs[number] = min(own, MOST + 1.0)
        return costs[number]

    return any(cost(number, 0) > most for number in range(len(parts)))


def _octaves(part: Part) -> int:
    octaves = part.attributes.get("numOctaves", "")
    return max(int(octaves), 1) if octaves.isdecimal() and len(octaves) < 9 else 1
