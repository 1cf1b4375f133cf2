"""How much a drawing comes to once it is drawn: parts that refer to parts can grow without bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser

MOST = 200_000
"""A drawing of more parts is not drawn: so many plain shapes take Chromium some 5 seconds."""
MOST_MOVING = 20_000
"""Of one that moves, as it is drawn anew all the time."""
_FILTER = 400
"""What a step of a filter counts for: it goes over every pixel. Without a graphics card Chromium takes some 20 ms for
one on a large shape, as long as for 1,000 plain shapes."""
_LETTERS = 100
"""So many letters of a path or text count for one part."""

_MOVES = frozenset({"animate", "animatemotion", "animatetransform", "animatecolor", "set"})
_NAMED = re.compile(r"#([^\s\"'();,#]+)")
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
_SUBJECT = re.compile(r"[.#]?[\w-]+")
_EFFECT = re.compile(r"\b(?:blur|drop-shadow)\s*\(", re.IGNORECASE)


class Expansion:
    """Collects the elements of a drawing as they begin and end, and says what they come to."""

    def __init__(self) -> None:
        self._own: list[float] = []
        self._under: list[list[int]] = []
        self._names: list[list[str]] = []
        self._ids: dict[str, int] = {}
        self._subjects: dict[str, list[int]] = {}
        self._open: list[int] = []
        self._styles: list[str] = []
        self._in_style = False
        self._uses: set[int] = set()
        self.moves = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        tag = tag.lower()
        number = len(self._own)
        self._own.append(_weight(tag, attributes))
        self._under.append([])
        self._names.append(_names(tag, attributes))
        if tag == "use":
            self._uses.add(number)
        if self._open:
            self._under[self._open[-1]].append(number)
        self._open.append(number)
        if id := attributes.get("id"):
            self._ids.setdefault(id, number)
        classes = (f".{name}" for name in attributes.get("class", "").split())
        for subject in (tag, f"#{attributes.get('id', '')}", *classes):
            self._subjects.setdefault(subject, []).append(number)
        self.moves |= tag in _MOVES
        self._in_style = tag == "style"

    def text(self, text: str) -> None:
        """Words inside the element that began last."""
        if self._in_style:
            self._styles.append(text)
        elif self._open:
            self._own[self._open[-1]] += len(text) / _LETTERS

    def end(self) -> None:
        """The element that began last, and has not ended, ends."""
        self._in_style = False
        if self._open:
            self._open.pop()

    def parts(self) -> int:
        """How many parts are drawn; counted no further than to a few more than MOST."""
        everywhere = self._apply("".join(self._styles))
        cost: dict[int, float] = {}
        for root in range(len(self._own)):
            if root in cost:
                continue
            walk: list[tuple[int, bool]] = [(root, False)]
            on_way: set[int] = set()
            while walk:
                number, done = walk.pop()
                if done:
                    found = sum(
                        # What is used within itself is drawn by no browser, and cannot be counted.
                        MOST * 2.0 if each in on_way and number in self._uses else cost.get(each, 0.0)
                        for each in self._below(number, everywhere)
                    )
                    on_way.discard(number)
                    cost[number] = min(self._own[number] + found, MOST * 2.0)
                elif number not in cost and number not in on_way:
                    on_way.add(number)
                    walk.append((number, True))
                    walk += [(each, False) for each in self._below(number, everywhere)]
        return int(max(cost.values(), default=0))

    def _below(self, number: int, everywhere: Iterable[str]) -> list[int]:
        named = (self._ids.get(name) for name in (*self._names[number], *everywhere))
        return [*self._under[number], *(each for each in named if each is not None)]

    def _apply(self, style: str) -> tuple[str, ...]:
        """Put down at the elements what style sheets have them refer to; what holds for all of them is the result."""
        style = _ESCAPE.sub(lambda found: chr(int(found[1], 16) % 0x110000) if found[1] else found[2], style)
        self.moves |= "@keyframes" in style.lower()
        everywhere: list[str] = []
        for selectors, body in _RULE.findall(style):
            names, effects = _named(body), len(_EFFECT.findall(body))
            if not names and not effects:
                continue
            for selector in selectors.split(","):
                last = _SUBJECT.findall(selector.strip().split(" ")[-1])
                if not last:
                    everywhere += names
                    concerned = list(range(len(self._own))) if effects else []
                else:
                    concerned = self._subjects.get(last[-1] if last[-1][0] in ".#" else last[0].lower(), [])
                for number in concerned:
                    self._names[number] += names
                    self._own[number] += _FILTER * effects
        return tuple(everywhere)


def refusal(drawing: Expansion) -> str | None:
    """A sentence where the drawing comes to more than can be drawn."""
    most = MOST_MOVING if drawing.moves else MOST
    if drawing.parts() <= most:
        return None
    how = "moves and has" if drawing.moves else "has"
    return f"It {how} more than {most:,} parts once it is drawn, so its source is shown."


def refusal_of_markup(markup: str) -> str | None:
    """The same of the drawings within well-formed HTML."""
    if "<svg" not in markup or "#" not in markup:
        return None
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return refusal(reader.found)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = Expansion()
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "svg" or self._inside:
            self._inside += 1
            self.found.start(tag, {name: value or "" for name, value in attrs})

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's own signature
        if self._inside:
            self._inside -= 1
            self.found.end()


def _names(tag: str, attributes: Mapping[str, str]) -> list[str]:
    """The ids of what an element draws; a link leads there, and a movement says so of what it moves."""
    if tag == "a":
        return []
    kept = (value for name, value in attributes.items() if not (tag in _MOVES and name.endswith("href")))
    return [name for value in kept for name in _named(value) if name != attributes.get("id")]


def _named(value: str) -> list[str]:
    return _NAMED.findall(value) if "#" in value else []


def _weight(tag: str, attributes: Mapping[str, str]) -> float:
    weight = 1 + sum(len(attributes.get(name, "")) for name in ("d", "points")) / _LETTERS
    weight += _FILTER * len(_EFFECT.findall(attributes.get("style", "") + attributes.get("filter", "")))
    if tag.startswith("fe"):
        # Octaves of noise, the reach of a brush and the size of a matrix are work for every pixel again.
        sizes = [attributes.get(name, "") for name in ("numOctaves", "numoctaves", "radius", "order")]
        numbers = [float(found) for found in re.findall(r"\d{1,9}", " ".join(sizes))]
        weight += _FILTER * max([1.0, *numbers])
    return weight
