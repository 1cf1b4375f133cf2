"""What style sheets make the parts of a drawing refer to, and what they make a browser do to every pixel."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

_SIGN = re.compile(r"(?:url|src)\(\s*[\"']?\s*#|element\(|blur\(|drop-shadow\(", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
_INHERITED = frozenset({"fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end"})
_EFFECTS = frozenset({"blur", "drop-shadow"})
_ADDRESSES = frozenset({"url", "src", "-moz-element", "element"})
_COMBINATORS = frozenset({">", "+", "~", "||"})


class Painted(NamedTuple):
    """What an element is painted with, by the ids of what is drawn for it."""

    once: tuple[str, ...] = ()
    """Drawn for the element, such as a mask."""
    inherited: tuple[str, ...] = ()
    """Drawn for every part inside it as well, such as a pattern that fills."""
    effects: int = 0
    """Filters written as functions."""


class Rule(NamedTuple):
    """What a rule paints, and whom: `#id`, `.class` or a tag, in lower case; None for every element."""

    subject: str | None
    painted: Painted


@functools.lru_cache(maxsize=4)
def rules(css: str) -> tuple[Rule, ...]:
    """The rules of a style sheet that paint with something; each may name more elements than it is about."""
    if not _may_paint(css):
        return ()
    return tuple(
        _rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), for_all=False)
    )


def declared(style: str) -> Painted:
    """What the declarations of a `style` attribute paint with."""
    if not _may_paint(style):
        return Painted()
    return _painted(tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True))


def _may_paint(css: str) -> bool:
    if "\\" in css:
        css = _ESCAPE.sub(lambda found: chr(int(found[1], 16) % 0x110000) if found[1] else found[2], css)
    return _SIGN.search(css) is not None


def _rules(nodes: Sequence[Node], *, for_all: bool) -> Iterator[Rule]:
    # `for_all` where a selector says nothing of the element: steps of a movement, and rules inside rules.
    for node in nodes:
        if node.type == "at-rule" and node.content is not None:
            inside = _inside(node)
            moves = node.lower_at_keyword.endswith("keyframes")
            if (painted := _painted(inside)) != Painted():
                yield _for_all(painted)
            yield from _rules(inside, for_all=for_all or moves)
        elif node.type == "qualified-rule":
            inside = _inside(node)
            if (painted := _painted(inside)) != Painted():
                for subject in {None} if for_all else set(_subjects(node.prelude)):
                    yield Rule(subject, painted) if subject else _for_all(painted)
            yield from _rules(inside, for_all=True)


def _for_all(painted: Painted) -> Rule:
    # What every element has itself need not be handed down.
    return Rule(None, Painted((*painted.once, *painted.inherited), (), painted.effects))


def _inside(node: Node) -> Sequence[Node]:
    found: Sequence[Node] = tinycss2.parse_blocks_contents(
        node.content, skip_comments=True, skip_whitespace=True
    )
    return found


def _subjects(prelude: Sequence[Node]) -> Iterator[str | None]:
    """One thing that is true of every element that each selector of a list can mean."""
    selector: list[Node] = []
    for node in prelude:
        if node.type == "literal" and node.value == ",":
            yield _subject(selector)
            selector = []
        elif node.type != "whitespace" or selector:
            selector.append(node)
    yield _subject(selector)


def _subject(selector: list[Node]) -> str | None:
    while selector and selector[-1].type == "whitespace":
        selector.pop()
    id = kind = tag = None
    before = ""
    for node in selector:
        literal = node.value if node.type == "literal" else ""
        if node.type == "whitespace" or literal in _COMBINATORS:
            id = kind = tag = None
        elif node.type == "function" and node.lower_name in ("part", "slotted"):
            return None
        elif node.type == "hash":
            id = f"#{node.value.lower()}"
        elif node.type == "ident" and before == ".":
            kind = f".{node.lower_value}"
        elif node.type == "ident" and before != ":":
            tag = node.lower_value
        before = literal
    return id or kind or tag


def _painted(nodes: Sequence[Node]) -> Painted:
    once: list[str] = []
    inherited: list[str] = []
    effects = 0
    for node in nodes:
        if node.type == "declaration":
            found = tuple(_named(node.value))
            # A property of the page's own is handed down too.
            (inherited if node.lower_name in _INHERITED or node.name.startswith("--") else once).extend(found)
            effects += _effects(node.value)
    return Painted(tuple(once), tuple(inherited), effects)


def _named(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if node.type == "url" and node.value.startswith("#"):
            yield node.value[1:]
        elif node.type == "function":
            if node.lower_name in _ADDRESSES:
                yield from (
                    each.value.removeprefix("#")
                    for each in node.arguments
                    if each.type == "hash" or (each.type == "string" and each.value.startswith("#"))
                )
            yield from _named(node.arguments)
        elif node.type in ("() block", "[] block", "{} block"):
            yield from _named(node.content)


def _effects(nodes: Sequence[Node]) -> int:
    return sum(
        (node.lower_name in _EFFECTS) + _effects(node.arguments) for node in nodes if node.type == "function"
    )
