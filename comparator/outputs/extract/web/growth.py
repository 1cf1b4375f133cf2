"""How much a drawing grows when it is drawn: parts that repeat others, and filters that read their own results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Element, Node

MOST_DRAWN = 20_000
"""Elements that one drawing may draw by repeating others."""
MOST_FILTERED = 2_000
"""Steps that one filter may take, each counted as often as its result is read."""

_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)")
_PAINTED = (
    *("fill", "stroke", "mask", "clip-path", "filter", "style"),
    *("marker", "marker-start", "marker-mid", "marker-end"),
)
_LINKS = ("href", "xlink:href")
_REPEATING = frozenset({"use", "pattern", "feImage"})
_DRAWN_WHERE_NAMED = frozenset({"defs", "symbol", "pattern", "mask", "clipPath", "marker", "filter"})


def tame(page: Node) -> int:
    """Cut the references that make drawings of the page grow beyond the bounds; how many drawings were cut."""
    elements = list(_elements(page))
    named: dict[str, Element] = {}
    for element in elements:
        if name := element.attr("id"):
            named.setdefault(name, element)
    cut = 0
    for element in elements:
        if element.tag == "filter" and _steps(element) > MOST_FILTERED:
            element.clear()
            cut += 1
    if not any(_targets(element) for element in elements):
        return cut
    # What is written out is not growth.
    most = MOST_DRAWN + len(elements)
    costs = _costs(elements, named, most=most)
    for drawing in elements:
        if drawing.tag == "svg" and costs[drawing] > most:
            cut += 1
            for part in _elements(drawing):
                _cut(part)
    return cut


def _elements(node: Node) -> Iterator[Element]:
    """The elements below a node in document order, those in templates too."""
    if isinstance(node, Element):
        yield node
    for child in node.descendants:
        if isinstance(child, Element):
            yield child


def _targets(element: Element) -> list[str]:
    """The names of what this element draws beside its own children."""
    found: list[str] = []
    for name in _PAINTED:
        value = element.attr(name)
        if value and "#" in value:
            found += _REFERENCE.findall(value)
    if element.tag in _REPEATING:
        found += [value[1:] for name in _LINKS if (value := element.attr(name)) and value.startswith("#")]
    return found


def _cut(element: Element) -> None:
    for name in (*_PAINTED, *_LINKS):
        value = element.attr(name)
        if value and (value.startswith("#") if name in _LINKS else "#" in value and _REFERENCE.search(value)):
            del element.attrs[name]


def _costs(elements: list[Element], named: dict[str, Element], *, most: int) -> dict[Element, int]:
    """Elements drawn for each one, counted as often as they are repeated, up to just above `most`.

    Without recursion, since a page may be nested as deep as it likes. What refers to itself counts once.
    """
    costs: dict[Element, int] = {}
    parts: dict[Element, list[Element]] = {}
    for start in elements:
        stack = [start]
        while stack:
            element = stack[-1]
            if element in costs:
                stack.pop()
                continue
            if element not in parts:
                children = [
                    child
                    for child in element.children
                    if isinstance(child, Element) and child.tag not in _DRAWN_WHERE_NAMED
                ]
                drawn = [named[target] for target in _targets(element) if target in named]
                parts[element] = children + drawn
                stack += [part for part in parts[element] if part not in parts]
                continue
            total = 1 + sum(costs.get(part, 1) for part in parts[element])
            costs[element] = min(total, most + 1)
            stack.pop()
    return costs


def _steps(element: Element) -> int:
    """Steps of a filter, each counted as often as another one reads its result."""
    costs: dict[str, int] = {}
    last, total = 1, 0
    for step in (child for child in element.descendants if isinstance(child, Element)):
        inputs = [step.attr("in"), step.attr("in2")]
        merged = [child.attr("in") for child in step.children if isinstance(child, Element)]
        read = [costs.get(name, 1) for name in (*inputs, *merged) if name]
        last = min(1 + (sum(read) if read else last), MOST_FILTERED + 1)
        if name := step.attr("result"):
            costs[name] = last
        total = max(total, last)
    return total
