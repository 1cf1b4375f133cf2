"""How much a drawing comes to once it is drawn: parts that refer to parts can grow without bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser

from comparator.outputs.extract.web.painting import Painted, declared, rules

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
_EFFECT = re.compile(r"\b(?:blur|drop-shadow)\s*\(", re.IGNORECASE)
_INHERITED = frozenset({"fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end"})
_GRADIENTS = frozenset({"lineargradient", "radialgradient", "stop"})
"""They colour what is drawn, and draw nothing."""
_DRAWN_WHERE_NAMED = frozenset({"defs", "symbol", "pattern", "mask", "clippath", "marker", "filter"})


class Expansion:
    """Collects the elements of a drawing as they begin and end, and says what they come to."""

    def __init__(self, styles: Iterable[str] = ()) -> None:
        self._own: list[float] = []
        self._under: list[list[int]] = []
        self._painted: list[list[Painted]] = []
        self._ids: dict[str, int] = {}
        self._subjects: dict[str, list[int]] = {}
        self._open: list[int] = []
        self._styles = list(styles)
        self._in_style = False
        self._uses: set[int] = set()
        self.moves = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        tag = tag.lower()
        number = len(self._own)
        self._own.append(self.weight(tag, attributes))
        self._under.append([])
        painted = _painted(tag, attributes)
        self._painted.append([painted] if painted else [])
        if tag == "use":
            self._uses.add(number)
        if self._open and tag not in _DRAWN_WHERE_NAMED:
            self._under[self._open[-1]].append(number)
        self._open.append(number)
        id = attributes.get("id", "")
        if id:
            self._ids.setdefault(id, number)
        classes = (f".{name.lower()}" for name in attributes.get("class", "").split())
        for subject in (tag, f"#{id.lower()}", *classes):
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

    def repeats(self) -> bool:
        """Whether any element draws another one."""
        return any(self._painted) or bool(rules("".join(self._styles)))

    def weight(self, tag: str, attributes: Mapping[str, str]) -> float:
        """What an element counts for by itself."""
        return _weight(tag, attributes)

    def parts(self) -> int:
        """How many parts are drawn; counted no further than to a few more than MOST."""
        return int(max(self.costs(), default=0))

    def costs(self) -> list[float]:
        """The same for each element, in the order in which they began."""
        self._apply("".join(self._styles))
        below = [self._below(number) for number in range(len(self._own))]
        cost: dict[int, float] = {}
        for root in range(len(self._own)):
            if root in cost:
                continue
            walk: list[tuple[int, bool]] = [(root, False)]
            on_way: set[int] = set()
            while walk:
                number, done = walk.pop()
                once, inside = below[number]
                if done:
                    # What is used within itself is drawn by no browser, and cannot be counted.
                    endless = number in self._uses and any(each in on_way for each in once)
                    found = sum(cost.get(each, 0.0) for each in once)
                    times = 1 + sum(cost.get(each, 0.0) for each in inside)
                    on_way.discard(number)
                    cost[number] = (
                        MOST * 2.0 if endless else min((self._own[number] + found) * times, MOST * 2.0)
                    )
                elif number not in cost and number not in on_way:
                    on_way.add(number)
                    walk.append((number, True))
                    walk += [(each, False) for each in (*once, *inside)]
        return [cost[number] for number in range(len(self._own))]

    def _below(self, number: int) -> tuple[list[int], list[int]]:
        """What is drawn for an element once, and what for every part inside it."""
        painted = self._painted[number]
        once = (self._ids.get(name) for each in painted for name in each.once)
        inside = (self._ids.get(name) for each in painted for name in each.inherited)
        return (
            [*self._under[number], *(each for each in once if each is not None)],
            [each for each in inside if each is not None],
        )

    def _apply(self, style: str) -> None:
        """Put down at the elements what style sheets paint them with."""
        self.moves |= "@keyframes" in style.lower()
        everyone = range(len(self._own))
        for subject, painted in rules(style):
            for number in everyone if subject is None else self._subjects.get(subject, ()):
                self._painted[number].append(painted)
                self._own[number] += _FILTER * painted.effects


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


def _painted(tag: str, attributes: Mapping[str, str]) -> Painted | None:
    """What an element draws by its attributes; a link leads there, and a movement says so of what it moves."""
    if tag == "a" or not any("#" in value for value in attributes.values()):
        return None
    once: list[str] = []
    inherited: list[str] = []
    for name, value in attributes.items():
        if "#" not in value or (tag in _MOVES and name.endswith("href")):
            continue
        if name == "style":
            style = declared(value)
            once += style.once
            inherited += style.inherited
        else:
            found = (each for each in _NAMED.findall(value) if each != attributes.get("id"))
            (inherited if name in _INHERITED else once).extend(found)
    return Painted(tuple(once), tuple(inherited))


def _weight(tag: str, attributes: Mapping[str, str]) -> float:
    if tag in _GRADIENTS:
        return 0
    weight = 1 + sum(len(attributes.get(name, "")) for name in ("d", "points")) / _LETTERS
    weight += _FILTER * len(_EFFECT.findall(attributes.get("style", "") + attributes.get("filter", "")))
    if tag.startswith("fe"):
        # Octaves of noise, the reach of a brush and the size of a matrix are work for every pixel again.
        sizes = [attributes.get(name, "") for name in ("numOctaves", "numoctaves", "radius", "order")]
        numbers = [float(found) for found in re.findall(r"\d{1,9}", " ".join(sizes))]
        weight += _FILTER * max([1.0, *numbers])
    return weight
