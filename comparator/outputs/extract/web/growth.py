"""How much a drawing grows when it is drawn: parts that repeat others, and filters that read their own results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from turbohtml import Element, Namespace, Node

from comparator.outputs.extract.web.expansion import Expansion
from comparator.outputs.extract.web.painting import rules

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


def tame(page: Node, *, sheets: Sequence[str] = ()) -> int:
    """Cut the references that make drawings of the page grow beyond the bounds; how many drawings were cut.

    `sheets` are style sheets that the page loads.
    """
    found = _Repeated(sheets)
    elements = found.read(page)
    cut = 0
    for element in elements:
        if element.tag == "filter" and _steps(element) > MOST_FILTERED:
            element.clear()
            cut += 1
    if not found.repeats():
        return cut
    # What is written out is not growth.
    most = MOST_DRAWN + len(elements)
    over = [element for element, cost in zip(elements, found.costs(), strict=True) if cost > most]
    # What stands around a drawing may hand down what it is painted with.
    around = [element for element in over if element.namespace is not Namespace.SVG]
    drawings = [element for element in over if element.tag == "svg"] or around
    for drawing in drawings:
        for part in (drawing, *drawing.descendants):
            if isinstance(part, Element):
                _cut(part)
    if drawings:
        # What style sheets say holds for other parts too, so that nothing is drawn by it.
        named = set(found.by_style())
        for element in elements:
            if element.attr("id") in named:
                element.clear()
                del element.attrs["id"]
    return cut + len(drawings)


class _Repeated(Expansion):
    """What grows by repeating others: what is heavy by itself is left to the trial of a page."""

    def read(self, page: Node) -> list[Element]:
        """The elements in the order in which they are counted."""
        found: list[Element] = []
        waiting: list[Node | None] = [page]
        while waiting:
            node = waiting.pop()
            if node is None:
                self.end()
                continue
            if isinstance(node, Element):
                found.append(node)
                self.start(node.tag, {name: node.attr(name) or "" for name in node.attrs})
                if node.tag == "style":
                    self.text(node.text)
                waiting.append(None)
            waiting += reversed(list(node.children))
        return found

    def weight(self, tag: str, attributes: Mapping[str, str]) -> float:  # noqa: ARG002 - all count alike
        """One for each."""
        return 1

    def by_style(self) -> Iterator[str]:
        """The ids of what style sheets paint with."""
        for _, painted in rules("".join(self._styles)):
            yield from (*painted.once, *painted.inherited)


def _cut(element: Element) -> None:
    for name in (*_PAINTED, *_LINKS):
        value = element.attr(name)
        if value and (value.startswith("#") if name in _LINKS else "#" in value and _REFERENCE.search(value)):
            del element.attrs[name]


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
